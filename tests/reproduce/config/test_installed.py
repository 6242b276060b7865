from importlib import metadata
from types import SimpleNamespace

import pytest
import torch

from reproduce.config.environment import check_gpu, other_versions
from reproduce.config.plan import Result
from reproduce.errors import UserError
from reproduce.records.packages import versions
from reproduce.records.record import Record

NUMPY = metadata.version("numpy")


@pytest.mark.parametrize(("code", "numpy", "told"), [("run@1", NUMPY, 0), ("run@1", "1.0", 1), ("run@0", "1.0", 0)])
def test_results_of_other_package_versions_are_counted_if_their_code_is_current(code, numpy, told):
    record = Record("{}", code, packages={**versions(["numpy"]), "numpy": numpy}, outputs={"run.parquet": ""})
    codes = SimpleNamespace(of=lambda entry, record: f"{entry}@1")
    plan = SimpleNamespace(codes=codes, results={"run.parquet": Result("{}", "run", {})})
    line = other_versions(plan, lambda path: record, "snakemake", "")
    assert line.startswith("1 results were made with other versions") == bool(told)
    assert ("run.parquet" in line) == bool(told)


def test_an_experiment_that_needs_a_missing_gpu_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    check_gpu([])
    with pytest.raises(UserError, match=r"config: experiments\.propagation\.device: cuda, but torch finds no GPU on"):
        check_gpu(iter(["propagation", "propagation"]))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    check_gpu(["propagation"])
