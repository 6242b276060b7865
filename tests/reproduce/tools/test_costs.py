import sys

import pytest

from reproduce.errors import UserError
from reproduce.tools import costs

HEAD = "s\th:m:s\tmax_rss\tcpu_time\n"
BENCHMARKS = {
    "train/experiment=classifier/depth=1/seed=0": "2.5\t0:00:02\t80.0\t1.5\n",
    "train/experiment=classifier/depth=2/seed=0": "2.5\t0:00:02\t100.0\t2.5\n",
    "figure/000-classifier/data": "2.5\t0:00:02\tNA\tNA\n",
    "page-000-classifier": "1.0\t0:00:01\t90.0\t1.0\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, row in BENCHMARKS.items():
        path = tmp_path / f"results/benchmarks/{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + row)
    return tmp_path


def output_of(capsys, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["costs", *map(str, arguments)])
    costs.main()
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_costs_of_a_folder_are_summed_by_rule_and_by_experiment_or_document(folder, monkeypatch, capsys):
    lines = output_of(capsys, monkeypatch, folder)
    assert lines[1:] == [
        ["all", "4", "8.5", "5.0", "100.0"],
        ["of", "000-classifier", "2", "3.5", "1.0", "90.0"],
        ["classifier", "2", "5.0", "4.0", "100.0"],
        ["rule", "figure", "1", "2.5", "0.0", "NaN"],
        ["page", "1", "1.0", "1.0", "90.0"],
        ["train", "2", "5.0", "4.0", "100.0"],
    ]
    monkeypatch.chdir(folder)
    assert output_of(capsys, monkeypatch) == lines


def test_a_folder_without_benchmarks_is_an_error(tmp_path, monkeypatch, capsys):
    with pytest.raises(UserError, match="contains no benchmark of a job"):
        output_of(capsys, monkeypatch, tmp_path)


@pytest.mark.slow
def test_every_job_of_the_workflow_has_its_cost(finished):
    jobs = costs.costs_in_folder(finished.folder)
    made = finished.folder / "results"
    patterns = {"train": "**/run.parquet", "aggregate": "tables/*.parquet", "figure": "figures/*/*.pdf"}
    patterns |= {"judge": "claims/*.parquet", "interactive": "interactive/*/*.json", "data": "data/*.npz"}
    patterns |= {"list_claims": "claims.md", "page": "report.html"}
    assert dict(jobs["rule"].value_counts()) == {rule: len(list(made.glob(each))) for rule, each in patterns.items()}
    # Snakemake's first look at a job may come after its end.
    assert (jobs["s"] > 0).all() and jobs["cpu_time"].sum() > 0
