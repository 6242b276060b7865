import json
import sys

import pytest

from deepnets.errors import UserError
from deepnets.tools import costs

RUN = "runs/experiment=classifier/depth={}/init=x/seed=0/run.parquet"


def write_result(folder, result, name, *, cpu, mathematics=None):
    """Write a result, and the log and the benchmark of its job."""
    told = {"cpu_s": cpu, "peak_memory_mb": 100.0, "processor": "A"}
    lines = [*([{"mathematics_s": mathematics}] if mathematics is not None else []), told]
    texts = {
        result: "",
        f"logs/{name}.log": "".join(f"cost: {json.dumps(line)}\n" for line in lines),
        f"benchmarks/{name}.tsv": "s\tmax_rss\n2.5\t-\n",
    }
    for path, text in texts.items():
        place = folder / "results" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


@pytest.fixture
def first(tmp_path):
    for depth, cpu in ((1, 1.5), (2, 2.5)):
        run = RUN.format(depth)
        write_result(tmp_path / "first", run, f"train/{run[5:-12]}", cpu=cpu, mathematics=1.0)
    write_result(tmp_path / "first", "figures/000-classifier/data.pdf", "figure/000-classifier/data", cpu=4.0)
    # A second file of the same job, and a result without costs.
    (tmp_path / "first/results/figures/000-classifier/data.svg").touch()
    (tmp_path / "first/results/claims.md").touch()
    return tmp_path / "first"


@pytest.fixture
def second(tmp_path):
    run = RUN.format(1)
    write_result(tmp_path / "second", run, f"train/{run[5:-12]}", cpu=1.0, mathematics=0.5)
    write_result(tmp_path / "second", "report.html", "page", cpu=2.0)
    write_result(tmp_path / "second", "report-000-classifier.html", "page-000-classifier", cpu=1.0)
    return tmp_path / "second"


def output_of(capsys, monkeypatch, *folders):
    monkeypatch.setattr(sys, "argv", ["costs", *map(str, folders)])
    costs.main()
    return capsys.readouterr().out.splitlines()


def test_costs_of_a_folder_are_summed_by_part(first, monkeypatch, capsys):
    lines = output_of(capsys, monkeypatch, first)
    assert lines[2:5] == [
        "| classifier | 2 | 5.0 | 4.0 | 2.0 | 50% | 100 |",
        "| figures | 1 | 2.5 | 4.0 | 0.0 | 0% | 100 |",
        "| all | 3 | 7.5 | 8.0 | 2.0 | 25% | 100 |",
    ]
    assert lines[-1] == "Left out: 1 results whose jobs recorded no costs in this folder."
    monkeypatch.chdir(first)
    assert output_of(capsys, monkeypatch) == lines


def test_costs_of_two_folders_are_compared_by_part(first, second, monkeypatch, capsys):
    assert output_of(capsys, monkeypatch, first, second)[2:] == [
        "| classifier | 2 | 4.0 | 2.0 | 1 | 1.0 | 0.5 | -3.0 |",
        "| figures | 1 | 4.0 | 0.0 | 0 | 0.0 | 0.0 | -4.0 |",
        "| page | 0 | 0.0 | 0.0 | 2 | 3.0 | 0.0 | +3.0 |",
        "| all | 3 | 8.0 | 2.0 | 3 | 4.0 | 0.5 | -4.0 |",
    ]


def test_a_folder_without_costs_is_refused(tmp_path):
    with pytest.raises(UserError, match="contain no costs of a job"):
        costs.costs_in_folder(tmp_path)
