import os
import shutil

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reproduce.code import fingerprint_cache
from reproduce.code.closure import Closure
from reproduce.code.fingerprint import code_of, entries_of, modules_of, packages_of
from reproduce.code.fingerprint_cache import FingerprintCache, verify
from reproduce.code.modules import Package
from reproduce.code.science import PINS, TRANSITIVE_PINS
from reproduce.code.science import SCIENCE as PACKAGE
from reproduce.config.plan import Plan
from reproduce.errors import UserError
from reproduce.records.paths import CACHE
from small_package import CONSTRAINTS, ENTRY, PINNED, SOURCES, copied_sources, joined, package

JOB = ("train", f"{PACKAGE}.experiments.regression.run:run")
EDIT = ('"weight_bound"', '"weight_bouns"')
# A module that this job uses, and one that it does not.
REACHED, OTHER = "deepnets/experiments/regression/run.py", "deepnets/theory/tree_spectrum.py"


@pytest.fixture
def checkout(tmp_path):
    return copied_sources(tmp_path)


@pytest.fixture
def followed(monkeypatch):
    """A list with one element for each time that code was followed instead of read from the cache."""
    calls = []
    monkeypatch.setattr("reproduce.code.closure.Closure", lambda package: calls.append(package) or Closure(package))
    return calls


def plan_again(checkout, folder):
    """Return the job's code and its packages, as computed by the next plan."""
    found = FingerprintCache(Package(checkout), folder)
    result = found.of(*JOB)
    found.save()
    return result


def followed_again(checkout):
    closure = Closure(Package(checkout))
    return code_of(*JOB, closure), packages_of(closure, *entries_of(*JOB))


def edit(path, old, new):
    """Change a source, but keep its size and time stamps."""
    before, text = path.stat(), path.read_text()
    assert text.count(old) >= 1
    assert len(old) == len(new)
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_a_job_follows_its_code_only_if_it_is_not_cached(checkout, followed, monkeypatch):
    monkeypatch.setattr(fingerprint_cache, "Package", lambda root=checkout: Package(root))
    monkeypatch.chdir(checkout)
    code, packages = followed_again(checkout)
    assert verify("train", code) == packages
    assert followed.pop()
    plan_again(checkout, CACHE)
    followed.clear()
    assert verify("train", code) == packages
    assert not followed
    edit(checkout / REACHED, *EDIT)
    for _ in range(2):
        with pytest.raises(UserError, match="changed after this job was planned"):
            verify("train", code)
        # The first cache was filled only before the edit.
        shutil.rmtree(checkout / CACHE, ignore_errors=True)


def test_a_plan_is_the_same_with_and_without_the_cache(config, tmp_path, monkeypatch, followed):
    monkeypatch.chdir(tmp_path)
    # A few experiments, which have every kind of job.
    config["only"] = ["mnist_dynamics", "regression"]
    first = Plan(config)
    listed = {**first.results, **first.on_request}
    assert followed
    first.fingerprints.save()
    followed.clear()
    second = Plan(config)
    assert {**second.results, **second.on_request} == listed
    assert second.packages == first.packages
    assert not followed


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (REACHED, *EDIT),
        (OTHER, "branches", "brunches"),
        (PINS, "numpy==2", "numpy==3"),
        (TRANSITIVE_PINS, "kiwisolver==1.5.1", "kiwisolver==1.5.2"),
    ],
)
def test_only_an_edit_of_used_code_is_followed_even_with_the_old_time_stamp(checkout, followed, name, old, new):
    folder = checkout / ".snakemake/cache"
    before = plan_again(checkout, folder)
    edit(checkout / name, old, new)
    followed.clear()
    after = plan_again(checkout, folder)
    assert bool(followed) == (name != OTHER)
    assert after == followed_again(checkout)
    assert (after != before) == (name in (REACHED, PINS))


def test_code_edited_while_it_is_followed_is_not_cached_for_the_old_sources(checkout):
    folder, before = checkout / ".snakemake/cache", followed_again(checkout)
    planned = FingerprintCache(Package(checkout), folder)
    edit(checkout / REACHED, *EDIT)
    assert planned.of(*JOB) == followed_again(checkout) != before
    planned.save()
    edit(checkout / REACHED, *EDIT[::-1])
    assert plan_again(checkout, folder) == before


@pytest.mark.parametrize("old", ["@", "numpy", "run"])
def test_damaged_code_in_the_cache_is_not_used(checkout, old):
    folder = checkout / ".snakemake/cache"
    before, kept = plan_again(checkout, folder), folder / "code.json"
    assert old in kept.read_text()
    kept.write_text(kept.read_text().replace(old, "x"))
    assert plan_again(checkout, folder) == before


@pytest.mark.parametrize("program", ["train", "page"])
def test_the_cache_depends_on_every_module_that_is_read(program):
    entry = JOB[1] if program == "train" else f"reproduce.jobs.{program}:main"
    closure = Closure(Package())
    code_of(program, entry, closure)
    assert closure.package._modules.keys() <= set(modules_of(closure, *entries_of(program, entry)))


LAUNCHER = {
    "reproduce/jobs/__init__": "",
    "reproduce/jobs/__main__": "def main():\n    return 1",
    "reproduce/jobs/train": "def main(job):\n    return 2",
}
# The contents that an example may give to each file of a small package.
PLACES = {
    "entry": [
        SOURCES["entry"],
        SOURCES["entry"].replace("STEPS = 3", "STEPS = 4"),
        SOURCES["entry"].replace("# a comment", "# another comment"),
        SOURCES["entry"].replace("deep.offset(step)", "EXTRA"),
        joined(SOURCES["entry"].replace("halve(step)", "spare.EXTRA"), f"from {PACKAGE} import spare"),
        SOURCES["entry"].replace("halve(step)", "'notes.txt'"),
        SOURCES["entry"].replace("numpy", "scipy"),
    ],
    "middle": [
        SOURCES["middle"],
        joined(SOURCES["middle"], f"from {PACKAGE} import spare"),
        SOURCES["middle"].replace("SCALE, Base", "SCALE, SPARE, Base").replace("x - 1", "SPARE"),
        SOURCES["middle"].replace("deep import SCALE, Base", "spare import Base, EXTRA").replace("* SCALE", "* EXTRA"),
        "SCALE = (",
    ],
    "deep": [SOURCES["deep"], SOURCES["deep"].replace("2.0", "3.0"), joined(SOURCES["deep"], "SHOWN = print(SPARE)")],
    "spare": [
        None,
        "EXTRA = 1",
        f"from {PACKAGE}.deep import SCALE as EXTRA, Base",
        f"from {PACKAGE}.middle import Half as Base\nEXTRA = sorted([2])",
        "print(1)",
    ],
    "spare/__init__": [None, None, "EXTRA = 3"],
    "deep/__init__": [None, None, None, SOURCES["deep"]],
    "reproduce/jobs/train": [
        LAUNCHER["reproduce/jobs/train"],
        f"from {PACKAGE} import spare\n\ndef main(job):\n    return 2",
    ],
    "pins": [PINNED, {**PINNED, "numpy": "2.1"}, {**PINNED, "scipy": "1.0"}],
    "constraints": [CONSTRAINTS, CONSTRAINTS.replace("blas", "mkl")],
    "file": [None, "notes.txt"],
}


@settings(max_examples=15)
@example([("entry", SOURCES["entry"].replace("halve(step)", "'notes.txt'")), ("file", "notes.txt")])
@example([("deep/__init__", SOURCES["deep"])])
@given(st.lists(st.sampled_from([(name, each) for name in PLACES for each in PLACES[name]]), max_size=12))
def test_cached_code_equals_new_code_after_any_edits(tmp_path_factory, edits):
    folder = tmp_path_factory.mktemp("package", numbered=True)

    def found(codes):
        try:
            return codes()
        except UserError as error:
            return str(error)

    def anew():
        closure = Closure(Package(folder))
        return code_of("train", ENTRY, closure), packages_of(closure, *entries_of("train", ENTRY))

    def kept():
        cache = FingerprintCache(Package(folder), folder / "cache")
        try:
            return cache.of("train", ENTRY)
        finally:
            cache.save()

    now = {name: each[0] for name, each in PLACES.items()}
    # At the end all edits are undone, so that the first cached code may be valid again.
    for name, content in [("entry", SOURCES["entry"]), *edits, *now.items()]:
        now[name] = content
        shutil.rmtree(folder / PACKAGE, ignore_errors=True)
        modules = {name: now[name] for name in PLACES if name not in ("pins", "constraints", "file")}
        sources = {**SOURCES, **LAUNCHER, **modules}
        package(folder, {n: text for n, text in sources.items() if text is not None}, now["pins"], now["constraints"])
        if now["file"]:
            (folder / PACKAGE / now["file"]).touch()
        assert found(kept) == found(anew)


def test_a_new_file_beside_the_sources_is_checked(checkout):
    folder = checkout / ".snakemake/cache"
    before = plan_again(checkout, folder)
    twin = checkout / REACHED.replace(".py", "/__init__.py")
    twin.parent.mkdir()
    twin.touch()
    with pytest.raises(UserError, match="are both the module"):
        plan_again(checkout, folder)
    twin.unlink()
    # Bytecode is no source.
    cache = checkout / "deepnets/__pycache__/module.pyc"
    cache.parent.mkdir()
    cache.touch()
    assert plan_again(checkout, folder) == before
