"""A job runs the present sources, and records the code that the next plan computes from them, wherever they lie."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from conftest import ROOT
from reproduce.code.footprint import Codes
from reproduce.code.modules import Package
from reproduce.records.record import read_record
from reproduce.records.tables import read_run
from small_package import copied_sources

ENTRY = "deepnets.experiments.toy.run:run"
TOY = '''
from pathlib import Path

import numpy as np

from reproduce import api


def run(spec: dict) -> api.Measurements:
    """Measure it.

    - value
    """
    measurements = api.Measurements()
    measurements.add(0, "value", 1.0 * np.loadtxt(Path(__file__).with_name("curve.csv")))
    return measurements
'''


@pytest.fixture(params=["checkout", "link", "installed"])
def start(request, tmp_path, monkeypatch):
    """The folder of both packages, and the command that starts a job. It is a checkout, a link to one, or installed."""
    folder, command = tmp_path / "workflow", [sys.executable]
    if request.param == "installed":
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path], check=True)
        folder, command = Path(sysconfig.get_path("purelib", vars={"base": tmp_path})), [tmp_path / "bin/python"]
        (folder / "other.pth").write_text(sysconfig.get_path("purelib"))
    copied_sources(folder)
    toy = folder / "deepnets/experiments/toy"
    toy.mkdir()
    for name, text in {"__init__.py": "", "run.py": TOY, "curve.csv": "1"}.items():
        (toy / name).write_text(text)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    if request.param == "installed":
        return folder, [*command, "-m", "reproduce.jobs"]
    shutil.copy(ROOT / "workflow/launch.py", folder)
    if request.param == "link":
        (tmp_path / "link").symlink_to(folder)
        folder = tmp_path / "link"
    return folder, [*command, folder / "launch.py"]


def edit(path, old, new):
    """Edit a source, and keep its size and time stamp, by which Python itself would run its old bytecode."""
    before, text = path.stat(), path.read_text(encoding="utf-8")
    assert text.count(old) >= 1 and len(old) == len(new)
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_the_code_that_a_job_records_is_that_of_the_present_sources(start):
    folder, command = start
    run = folder / "deepnets/experiments/toy/run.py"
    options = ["train", "--spec", "{}", "--entry", ENTRY, "--record", "record.json", "--output", "run.parquet"]

    def value():
        done = subprocess.run([*command, *options], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return read_run("run.parquet")["value"].to_pylist()

    def code():
        return Codes(Package(folder)).of(ENTRY, record)

    assert value() == [1.0]
    record = read_record("record.json")
    assert record.footprint["deepnets.experiments.toy.run"] == ["run"]
    assert "deepnets/experiments/toy/curve.csv" in record.files
    assert record.code == code()
    edit(run, "Measure it.", "Measure ten")
    edit(folder / "reproduce/__init__.py", "Mechanics: ", "MECHANICS: ")
    edit(folder / "reproduce/jobs/job.py", "start snakemake again", "start Snakemake again")
    assert record.code == code()
    edit(folder / "reproduce/__init__.py", "_BY_HASH", "_BY_HUSH")
    assert record.code != code()
    edit(folder / "reproduce/__init__.py", "_BY_HUSH", "_BY_HASH")
    edit(run, "1.0", "2.0")
    assert record.code != code()
    assert value() == [2.0]
    assert read_record("record.json").code == code()
