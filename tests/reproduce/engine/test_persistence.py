"""Snakemake plans a job of ours if, and only if, a record differs: neither its own metadata nor time stamps count."""

import os
import subprocess
import sys

import pytest

from conftest import ROOT

# The smallest workflow that asks for results with records (one, two) and for another rule's (other).
SNAKEFILE = """
from types import SimpleNamespace
from reproduce.engine.jobs import Differences
from reproduce.engine.persistence import answer_from_records
from reproduce.records.files import sha256_of

jobs = SimpleNamespace(
    has_records=lambda paths: bool(paths) and paths[0] in ("one", "two"),
    differences=lambda paths: Differences({path: (config[path],) for path in paths if path in config}),
    digest=sha256_of,
)
build = workflow._build_dag


def answer_and_build():
    answer_from_records(workflow, jobs)
    build()


workflow._build_dag = answer_and_build


rule all:
    input: "one", "two", "other"


rule run:
    input: "data"
    output: "{name}"
    wildcard_constraints: name="one|two|other"
    params: spec=config.get("spec", "")
    shell: "cp {input} {output}"
"""


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    """A function that returns what Snakemake plans in a folder with all results, for a config."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "data").write_text("images")

    def start(*arguments):
        command = [sys.executable, "-m", "snakemake", "--cores", "1", *arguments]
        variables = {**os.environ, "PYTHONPATH": str(ROOT / "workflow")}
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    start.folder = folder
    start()
    return start


def outputs(words):
    return {name for name in ("one", "two", "other") if f"output: {name}\n" in words}


def test_only_a_record_that_differs_makes_a_result_of_ours_stale(planned):
    assert outputs(planned("--dry-run")) == set()
    words = planned("--dry-run", "--config", "two=code, inputs")
    assert outputs(words) == {"two"}
    assert "Params have changed since last execution: code, inputs" in words
    listed = planned("--list-params-changes", "--config", "two=code, inputs").splitlines()
    assert "two" in listed and "one" not in listed
    # Of a rule that a user added, Snakemake itself compares the params, and ours do not count.
    assert outputs(planned("--dry-run", "--config", "spec=2")) == {"other"}


def test_a_touched_input_and_lost_metadata_make_nothing_stale(planned):
    (planned.folder / "data").touch()
    assert outputs(planned("--dry-run")) == set()
    for path in (planned.folder / ".snakemake/metadata").iterdir():
        path.unlink()
    assert outputs(planned("--dry-run")) == {"other"}
