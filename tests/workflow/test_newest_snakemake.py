"""This project uses some undocumented parts of Snakemake: whether its newest release still has them."""

import os
import re
import subprocess
import sys

import pytest
from test_staleness import CLASSIFIER, CLASSIFIER_RUNS, NOTHING, assert_stale

pytestmark = pytest.mark.nightly


def test_the_workflow_runs_with_the_newest_release_of_snakemake(small_project, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("newest")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "snakemake>=9.27,<10"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"pip reaches no index: {done.stderr}")
    # Before the pinned one, which the tests' environment contains.
    found = os.pathsep.join([str(folder), str(small_project.folder / "workflow")])
    snakemake = small_project.snakemake
    monkeypatch.setattr(small_project, "snakemake", lambda *arguments: snakemake(*arguments, PYTHONPATH=found))
    version = small_project.snakemake("--version").stdout.strip()
    (installed,) = folder.glob("snakemake-*.dist-info")
    assert re.match(r"snakemake-(.*)\.dist-info", installed.name)[1] == version
    done = small_project.snakemake()
    assert done.returncode == 0, done.stdout + done.stderr
    assert_stale(small_project, NOTHING)
    small_project.edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)")
    assert_stale(small_project, CLASSIFIER_RUNS)
