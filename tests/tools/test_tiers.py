"""Slow tests run if their subject changed since the recorded commit."""

import re
import subprocess

import pytest

from conftest import ROOT
from deepnets.tools.changed import jobs
from tiers import GREEN, chosen, runs

RULES, LIBRARY = "workflow/rules/runs.smk", "workflow/deepnets/figures/sheet.py"


@pytest.fixture
def repository(tmp_path):
    """A repository whose only commit is the recorded one."""
    for path in (RULES, LIBRARY, "README.md", "config.yaml", GREEN):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("one\n")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    (tmp_path / GREEN).write_bytes(subprocess.check_output([*git, "rev-parse", "HEAD"], cwd=tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("path", "tiers"),
    [
        ("README.md", set()),
        (RULES, {"cluster"}),
        ("workflow/profiles/slurm/new.yaml", {"cluster"}),
        ("config.yaml", {"science"}),
    ],
)
def test_a_tier_runs_if_its_files_changed(repository, monkeypatch, path, tiers):
    monkeypatch.setattr("tiers._stale_jobs", lambda *_: [])
    (repository / path).parent.mkdir(parents=True, exist_ok=True)
    (repository / path).write_text("two\n")
    assert chosen(repository).keys() == tiers
    assert all(path in why for why in chosen(repository).values())


def test_science_runs_for_the_jobs_whose_code_changed(repository, monkeypatch):
    monkeypatch.setattr("tiers._stale_jobs", lambda *_: ["train hierarchy", "draw claims"])
    assert chosen(repository) == {}
    (repository / LIBRARY).write_text("two\n")
    wanted = ",".join(chosen(repository))
    assert runs(["science", "train hierarchy"], wanted)
    assert not runs(["science", "train zero_init"], wanted)
    assert not runs(["nightly"], wanted)
    assert runs(["nightly"], "all")


@pytest.mark.parametrize("record", [None, "", "0" * 40])
def test_all_tiers_run_without_a_recorded_commit(repository, record):
    (repository / GREEN).unlink()
    if record is not None:
        (repository / GREEN).write_text(record)
    assert chosen(repository).keys() == {"cluster", "science"}


def test_science_tests_name_existing_jobs(default_plan):
    texts = [path.read_text() for path in (ROOT / "tests/experiments").glob("*.py")]
    marks = [mark for text in texts for mark in re.findall(r"mark\.science\((.*)\)", text)]
    assert marks
    assert {name for mark in marks for name in re.findall('"(.+?)"', mark)} <= jobs(default_plan.package).keys()
