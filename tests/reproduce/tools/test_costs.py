import json
import signal
import subprocess
import sys

import pandas as pd
import pytest

from conftest import ROOT
from reproduce.config.plan import Plan
from reproduce.errors import UserError
from reproduce.records.measurements import Measurements
from reproduce.records.tables import write_run
from reproduce.tools import costs

RUN = "train/experiment=classifier/depth={}/scale=0.5/seed=0"


def write_costs(folder, name, *, cpu, wall=2.5, mathematics=None):
    printed = [{"mathematics_s": mathematics}] if mathematics is not None else []
    printed.append({"cpu_s": cpu, "peak_memory_mb": 100.0, "processor": "A"})
    texts = {
        f"logs/{name}.log": "".join(f"cost: {json.dumps(line)}\n" for line in printed),
        f"benchmarks/{name}.tsv": f"s\tmax_rss\n{wall}\t-\n",
    }
    for path, text in texts.items():
        place = folder / "results" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


@pytest.fixture
def first(tmp_path):
    folder = tmp_path / "first"
    for depth, cpu in ((1, 1.5), (2, 2.5)):
        write_costs(folder, RUN.format(depth), cpu=cpu, mathematics=1.0)
    write_costs(folder, "figure/000-classifier/data", cpu=4.0)
    # This job failed.
    write_costs(folder, "list_claims", cpu=4.0)
    (folder / "results/logs/list_claims.log").write_text("error: no such rank\n")
    return folder


@pytest.fixture
def second(tmp_path):
    folder = tmp_path / "second"
    write_costs(folder, RUN.format(1), cpu=1.0, mathematics=0.5)
    write_costs(folder, "page", cpu=2.0)
    write_costs(folder, "page-000-classifier", cpu=1.0)
    return folder


def test_a_reader_that_ends_early_causes_no_traceback(first):
    # As with `| head`. Closing the pipe takes less than the program's start.
    command = [sys.executable, "-m", "reproduce.tools.costs", str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        program.stdout.close()
        assert program.stderr.read() == b""
    assert program.returncode == -signal.SIGPIPE


def output_of(capsys, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["costs", *map(str, arguments)])
    costs.main()
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_costs_of_a_folder_are_summed_by_rule_and_by_experiment_or_document(first, monkeypatch, capsys):
    lines = output_of(capsys, monkeypatch, first)
    assert lines[1:6] == [
        ["all", "3", "7.5", "8.0", "2.0", "100.0"],
        ["of", "000-classifier", "1", "2.5", "4.0", "0.0", "100.0"],
        ["classifier", "2", "5.0", "4.0", "2.0", "100.0"],
        ["rule", "figure", "1", "2.5", "4.0", "0.0", "100.0"],
        ["train", "2", "5.0", "4.0", "2.0", "100.0"],
    ]
    monkeypatch.chdir(first)
    assert output_of(capsys, monkeypatch) == lines


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("benchmarks/figure/000-classifier/data.tsv", b""),
        ("benchmarks/figure/000-classifier/data.tsv", b"s\tmax_rss\n"),
        ("benchmarks/figure/000-classifier/data.tsv", b"s\tmax_rss\n-\t-\n"),
        ("logs/figure/000-classifier/data.log", b'cost: {"cpu_s": 1\n'),
        ("logs/figure/000-classifier/data.log", b"cost: \xff\n"),
        ("logs/figure/000-classifier/data.log", b"cost: 1\n"),
    ],
)
def test_a_damaged_benchmark_or_log_is_left_out_and_named(first, monkeypatch, capsys, path, content):
    (first / "results" / path).write_bytes(content)
    monkeypatch.setattr(sys, "argv", ["costs", str(first)])
    costs.main()
    found = capsys.readouterr()
    assert "figure" not in found.out and "train" in found.out
    assert "1 jobs do not count" in found.err and "figure/000-classifier/data.tsv among them" in found.err


def test_costs_of_two_folders_are_compared(first, second, tmp_path, monkeypatch, capsys):
    with pytest.raises(UserError, match="contain no costs of a job"):
        output_of(capsys, monkeypatch, tmp_path)
    lines = output_of(capsys, monkeypatch, first, second)
    assert ["train", "2", "4.0", "2.0", "1", "1.0", "0.5", "-1", "-3.0", "-1.5"] in lines
    assert ["page", "0", "0.0", "0.0", "2", "3.0", "0.0", "2", "3.0", "0.0"] in lines
    assert ["all", "3", "8.0", "2.0", "3", "4.0", "0.5", "0", "-4.0", "-1.5"] in lines


@pytest.fixture
def runs(config, tmp_path, monkeypatch):
    """A function that estimates three seeds with these settings; one seed ran with 7 steps."""
    monkeypatch.chdir(tmp_path)
    block = config["experiments"]["phase_portrait"]
    block["grids"]["portrait"]["axes"]["seeds"] = 3

    def plan(**settings):
        return Plan({**config, "experiments": {"phase_portrait": {**block, **settings}}})

    ran = next(iter(plan(steps=7).points.values()))
    measurements = Measurements()
    measurements.add(0, "loss", 1.0)
    (tmp_path / ran.path).parent.mkdir(parents=True)
    write_run(ran.path, measurements, ran.spec, "")
    name = ran.path.removeprefix("results/runs/").removesuffix("/run.parquet")
    write_costs(tmp_path, f"train/{name}", cpu=72.0, wall=36.0)
    return lambda **settings: costs.estimate_runs(plan(**settings), costs.costs_in_folder(tmp_path))


def test_a_run_costs_as_much_as_another_seed_did(runs):
    found = runs(steps=7)
    assert list(found["cpu_s"]) == [72, 72, 72]
    assert costs.list_unmeasured(found) == []
    on_gpu = found.assign(gpu=[True, False, False])
    for estimated, gpu_hours in ((found, 0), (on_gpu, 0.01)):
        hours = costs.sum_estimates(estimated).loc["phase_portrait"]
        assert list(hours) == pytest.approx([3, 3, 0.06, gpu_hours, 0.01])


def test_the_cost_of_a_run_with_other_settings_is_not_used(runs, tmp_path, monkeypatch, capsys):
    found = runs(steps=8)
    hours = costs.sum_estimates(found).loc["all"]
    assert list(hours[:2]) == [3, 0]
    assert pd.isna(hours["CPU hours"])
    # Only one of the three seeds is listed.
    assert costs.list_unmeasured(found) == [found["path"].iloc[0]]
    (tmp_path / "config.yaml").write_text((ROOT / "config.yaml").read_text())
    (tmp_path / "few.yaml").write_text("only: [phase_portrait]\nexperiments: {phase_portrait: {steps: 8}}\n")
    listed = output_of(capsys, monkeypatch, "--unmeasured", "--configfile", "few.yaml")
    assert len(listed) == 1
    assert "/experiment=phase_portrait/" in listed[0][0]


@pytest.mark.slow
def test_every_job_of_the_workflow_has_its_cost(finished):
    jobs = costs.costs_in_folder(finished.folder)
    made = finished.folder / "results"
    patterns = {"train": "**/run.parquet", "aggregate": "tables/*.parquet", "figure": "figures/*/*.pdf"}
    patterns |= {"judge": "claims/*.parquet", "interactive": "interactive/*/*.json", "data": "data/*.npz"}
    patterns |= {"list_claims": "claims.md", "page": "report.html"}
    assert dict(jobs["rule"].value_counts()) == {rule: len(list(made.glob(each))) for rule, each in patterns.items()}
    assert (jobs["mathematics_s"] <= jobs["cpu_s"]).all()
    assert (jobs["peak_memory_mb"] > 20).all()
    assert (jobs["wall_s"] > 0).all()
    # Runs and data sets compute; tables and figures do not.
    assert ((jobs["mathematics_s"] > 0) == jobs["rule"].isin(["train", "data"])).all()
    assert all(run.exists() for run in jobs["run"].dropna())
