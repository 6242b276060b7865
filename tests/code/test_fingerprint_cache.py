"""The fingerprints that plans keep are those that would be found again, whatever changed in the meantime."""

import os

import pytest
from small_package import copied_sources

from workflow.deepnets.code import fingerprint_cache
from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import code_of, entries_of, packages_of
from workflow.deepnets.code.fingerprint_cache import FingerprintCache
from workflow.deepnets.code.modules import PACKAGE, PINS, TRANSITIVE_PINS, Package
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.errors import UserError

JOB = ("train", f"{PACKAGE}.experiments.regression.run:run")
# A module that this job reaches, and one that it does not.
REACHED, OTHER = "workflow/deepnets/experiments/regression/run.py", "workflow/deepnets/theory/tree_spectrum.py"


@pytest.fixture
def checkout(tmp_path):
    """Sources that a test may edit."""
    return copied_sources(tmp_path)


@pytest.fixture
def followed(monkeypatch):
    """Count how often code is followed instead of read from the cache."""
    calls = []
    monkeypatch.setattr(fingerprint_cache, "Closure", lambda package: calls.append(package) or Closure(package))
    return calls


def plan_again(checkout, folder):
    """Return the code of the job and its packages as the next plan finds them."""
    found = FingerprintCache(Package(checkout), folder)
    result = found.of(*JOB)
    found.save()
    return result


def followed_again(checkout):
    closure = Closure(Package(checkout))
    return code_of(*JOB, closure), packages_of(closure, *entries_of(*JOB))


def edit(path, old, new):
    """Change a source and give it the size and the times that it had."""
    before, text = path.stat(), path.read_text()
    assert text.count(old) >= 1
    assert len(old) == len(new)
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_what_is_kept_is_what_would_be_found(checkout, followed):
    folder = checkout / ".snakemake/cache"
    first = plan_again(checkout, folder)
    assert first == followed_again(checkout)
    assert len(followed) == 1
    assert plan_again(checkout, folder) == first
    assert len(followed) == 1


def test_a_config_is_planned_from_the_cache_as_without_it(config, tmp_path, monkeypatch, followed):
    monkeypatch.chdir(tmp_path)
    # Jobs of every kind, of a few experiments.
    config["only"] = ["mnist_dynamics", "regression"]
    first = Plan(config)
    listed = dict(first.results)
    assert followed
    first.fingerprints.save()
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
        (TRANSITIVE_PINS, "kiwisolver==1.5.1", "kiwisolver==1.5.2"),
    ],
)
def test_an_edit_that_shows_in_no_time_stamp_is_followed(checkout, followed, name, old, new):
    folder = checkout / ".snakemake/cache"
    before = plan_again(checkout, folder)
    edit(checkout / name, old, new)
    followed.clear()
    after = plan_again(checkout, folder)
    assert followed
    assert after == followed_again(checkout)
    assert (after != before) == (name in (REACHED, PINS))


def test_an_edit_while_code_is_followed_is_not_kept_for_the_sources_before_it(checkout):
    folder, before = checkout / ".snakemake/cache", followed_again(checkout)
    planned = FingerprintCache(Package(checkout), folder)
    edit(checkout / REACHED, '"weight_bound"', '"weight_bouns"')
    assert planned.of(*JOB) == followed_again(checkout) != before
    planned.save()
    edit(checkout / REACHED, '"weight_bouns"', '"weight_bound"')
    assert plan_again(checkout, folder) == before


def test_a_file_that_appears_beside_the_sources_is_judged(checkout):
    folder = checkout / ".snakemake/cache"
    before = plan_again(checkout, folder)
    twin = checkout / REACHED.replace(".py", ".so")
    twin.touch()
    with pytest.raises(UserError, match="are both the module"):
        plan_again(checkout, folder)
    twin.unlink()
    shadow = checkout / "numpy.py"
    shadow.touch()
    with pytest.raises(UserError, match="any job would import it in place of a module numpy"):
        plan_again(checkout, folder)
    shadow.unlink()
    # Bytecode is no source.
    cache = checkout / "workflow/__pycache__/module.pyc"
    cache.parent.mkdir()
    cache.touch()
    assert plan_again(checkout, folder) == before
