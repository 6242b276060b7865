import os
from importlib import metadata
from types import SimpleNamespace

import pytest
import torch

from reproduce.config.environment import (
    check_gpu,
    check_installed,
    check_notebooks,
    differences,
    too_many_cores,
    warnings,
)
from reproduce.config.plan import Result
from reproduce.errors import UserError
from reproduce.records.packages import versions
from reproduce.records.record import Record
from small_package import package

NUMPY = metadata.version("numpy")


@pytest.fixture
def pinned(tmp_path):
    """A package that pins the installed numpy and a dependency."""

    def pinned(numpy=NUMPY, dependency="no-such-package==1.0  # via torch"):
        return package(tmp_path, pins={"numpy": numpy}, constraints=f"{dependency}\n")

    return pinned


# A build tag does not make a different version.
TORCH = f"torch=={metadata.version('torch').partition('+')[0]}  # via numpy"
MISSING = "no-such-package not installed (pinned: 1.0)"


@pytest.mark.parametrize(
    ("numpy", "dependency", "told"),
    [
        (NUMPY, "", []),
        (NUMPY, TORCH, []),
        # Only pytest depends on it, and a user has neither.
        (NUMPY, "no-such-package==1.0  # via pytest", []),
        # A dependency of a dependency is needed.
        (NUMPY, f"{TORCH}\nno-such-package==1.0  # via torch, pytest", [MISSING]),
        ("1.0", "no-such-package==1.0  # via numpy", [MISSING, f"numpy {NUMPY} (pinned: 1.0)"]),
    ],
)
def test_different_and_missing_packages_that_a_user_needs_are_reported_with_their_pins(pinned, numpy, dependency, told):
    assert differences(pinned(numpy, dependency)) == told


@pytest.mark.parametrize(("code", "numpy", "told"), [("run@1", NUMPY, 0), ("run@1", "1.0", 1), ("run@0", "1.0", 0)])
def test_results_of_other_package_versions_are_counted_if_their_code_is_current(pinned, code, numpy, told):
    record = Record("{}", code, packages={**versions(["numpy"]), "numpy": numpy}, outputs={"run.parquet": ""})
    codes = SimpleNamespace(of=lambda entry, record: f"{entry}@1")
    plan = SimpleNamespace(package=pinned(dependency=""), codes=codes, results={"run.parquet": Result("{}", "run", {})})
    lines = list(warnings(plan, lambda path: record))
    assert len(lines) == told
    assert all(line.startswith("1 results were made with other versions") and "run.parquet" in line for line in lines)


@pytest.mark.parametrize(("cores", "told"), [(None, False), (1, False), (2, False), (3, True), (64, True)])
def test_more_cores_than_the_machine_has_are_reported(monkeypatch, cores, told):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 5})
    line = too_many_cores(cores)
    assert bool(line) == told
    assert not told or line.startswith(f"--cores {cores}: this machine gives 2.")


def test_a_missing_package_that_jobs_need_is_named():
    check_installed([])
    check_installed(["numpy", "torch"])
    with pytest.raises(UserError, match=r"^the jobs need no-such-package, and .*-m pip install -r envs/"):
        check_installed(["numpy", "no-such-package"])


def test_an_experiment_that_needs_a_missing_gpu_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    check_gpu([])
    with pytest.raises(UserError, match=r"config: experiments\.propagation\.device: cuda, but torch finds no GPU on"):
        check_gpu(iter(["propagation", "propagation"]))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    check_gpu(["propagation"])


def test_what_pages_of_notebooks_need_is_named(monkeypatch):
    monkeypatch.setattr("reproduce.config.environment.find_spec", {"ipykernel": 1, "jupytext": 1}.get)
    with pytest.raises(UserError, match=r"need nbconvert, .* pip install -r envs/requirements-notebook\.txt$"):
        check_notebooks()
