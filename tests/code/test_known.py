"""What plans remember of the code of jobs: just what following it anew would give, whatever happened to the memory."""

import json
import os
import shutil

import pytest
from conftest import ROOT

from workflow.deepnets.code import known
from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import code_of, entries_of, packages_of
from workflow.deepnets.code.known import KnownCode
from workflow.deepnets.code.modules import BROUGHT, PACKAGE, PINS, Package
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.errors import UserError

JOB = ("train", f"{PACKAGE}.experiments.regression.run:run")
# A module that this job reaches, and one that it does not.
REACHED, OTHER = "workflow/deepnets/experiments/regression/run.py", "workflow/deepnets/theory/tree_spectrum.py"


@pytest.fixture
def checkout(tmp_path):
    """Sources that a test may edit."""
    for name in ("workflow", "envs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.fixture
def followed(monkeypatch):
    """Count how often code is followed instead of remembered."""
    calls = []
    monkeypatch.setattr(known, "Closure", lambda package: calls.append(package) or Closure(package))
    return calls


def plan_again(checkout, memory):
    """Start anew, as the next plan does, and return what it knows of the job."""
    found = KnownCode(Package(checkout), memory)
    told = found.code(*JOB), found.packages(*JOB)
    found.save()
    return told


def followed_anew(checkout):
    closure = Closure(Package(checkout))
    return code_of(*JOB, closure), packages_of(closure, *entries_of(*JOB))


def edit(path, old, new):
    """Change a source and give it the size and the times that it had."""
    before, text = path.stat(), path.read_text()
    assert text.count(old) >= 1
    assert len(old) == len(new)
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_what_is_remembered_is_what_would_be_found(checkout, followed):
    memory = checkout / ".snakemake/code.json"
    first = plan_again(checkout, memory)
    assert first == followed_anew(checkout)
    assert len(followed) == 1
    assert plan_again(checkout, memory) == first
    assert len(followed) == 1


def test_a_config_is_planned_from_memory_as_without_it(config, tmp_path, monkeypatch, followed):
    monkeypatch.chdir(tmp_path)
    first = Plan(config)
    listed = dict(first.results)
    assert followed
    first.known_code.save()
    followed.clear()
    second = Plan(config)
    assert dict(second.results) == listed
    assert second.packages == first.packages
    assert not followed


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (REACHED, '"weight_bound"', '"weight_bouns"'),
        (OTHER, "branches", "brunches"),
        (PINS, "numpy==2", "numpy==3"),
        (BROUGHT, "kiwisolver==1.5.1", "kiwisolver==1.5.2"),
    ],
)
def test_an_edit_that_shows_in_no_time_stamp_is_followed(checkout, followed, name, old, new):
    memory = checkout / ".snakemake/code.json"
    before = plan_again(checkout, memory)
    edit(checkout / name, old, new)
    followed.clear()
    after = plan_again(checkout, memory)
    assert followed
    assert after == followed_anew(checkout)
    assert (after != before) == (name in (REACHED, PINS))


def test_what_comes_to_lie_beside_the_sources_is_judged(checkout):
    memory = checkout / ".snakemake/code.json"
    before = plan_again(checkout, memory)
    twin = checkout / REACHED.replace(".py", ".so")
    twin.touch()
    with pytest.raises(UserError, match="are both the module"):
        plan_again(checkout, memory)
    twin.unlink()
    shadow = checkout / "numpy.py"
    shadow.touch()
    with pytest.raises(UserError, match="any job would import it in place of a module numpy"):
        plan_again(checkout, memory)
    shadow.unlink()
    # Bytecode is none of the sources.
    cache = checkout / "workflow/__pycache__/module.pyc"
    cache.parent.mkdir()
    cache.touch()
    assert plan_again(checkout, memory) == before


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"sources": "@"}',
        '{"sources": "@", "jobs": []}',
        '{"sources": "@", "jobs": {"JOB": "text"}}',
        '{"sources": "@", "jobs": {"JOB": []}}',
        '{"sources": "@", "jobs": {"JOB": [1]}}',
        '{"sources": "@", "jobs": {"JOB": ["another:run@0123456789abcdef"]}}',
    ],
)
def test_a_damaged_memory_is_none(checkout, followed, damaged):
    memory = checkout / ".snakemake/code.json"
    before = plan_again(checkout, memory)
    sources = json.loads(memory.read_text())["sources"]
    memory.write_text(damaged.replace("@", sources, 1).replace("JOB", " ".join(JOB)))
    followed.clear()
    assert plan_again(checkout, memory) == before
    assert followed


def test_a_memory_that_cannot_be_written_stops_nothing(checkout):
    (checkout / ".snakemake").touch()
    assert plan_again(checkout, checkout / ".snakemake/code.json") == followed_anew(checkout)
