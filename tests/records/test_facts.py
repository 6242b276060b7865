import os
from pathlib import Path

import pytest

from workflow.deepnets.records import facts as module
from workflow.deepnets.records.facts import Facts


@pytest.fixture
def finder():
    """Finds a file's text, and counts how often it is asked."""

    def find(path):
        find.asked += 1
        return path.read_text()

    find.asked = 0
    return find


@pytest.fixture
def told(tmp_path):
    path = tmp_path / "told"
    path.write_text("one")
    return path


def test_a_fact_is_found_once_in_a_process(tmp_path, told, finder):
    facts = Facts(tmp_path / "memory", "f")
    assert [facts.of(told, "text", finder) for _ in range(3)] == ["one"] * 3
    assert finder.asked == 1
    assert facts.of(told, "length", lambda path: "3") == "3"


@pytest.mark.parametrize("old_time", [False, True])
def test_another_content_of_the_same_size_is_seen_whatever_its_time_stamp(tmp_path, told, finder, old_time):
    facts, before = Facts(tmp_path / "memory", "f"), told.stat()
    assert facts.of(told, "text", finder) == "one"
    new = tmp_path / "new"
    new.write_text("two")
    if old_time:
        os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
    new.replace(told)
    assert facts.of(told, "text", finder) == "two"


def test_a_file_that_is_not_there_has_no_facts(tmp_path, told, finder):
    facts = Facts(tmp_path / "memory", "f")
    assert facts.of(tmp_path / "nowhere", "text", finder) == ""
    facts.of(told, "text", finder)
    told.unlink()
    assert facts.of(told, "text", finder) == ""


def test_facts_are_remembered_unless_the_file_had_just_changed(tmp_path, told, finder, monkeypatch):
    # At once: the file may change again in the same tick of the clock.
    facts = Facts(tmp_path / "memory", "f")
    facts.of(told, "text", finder)
    facts.save()
    assert Facts(tmp_path / "memory", "f").of(told, "text", finder) == "one"
    assert finder.asked == 2

    monkeypatch.setattr(module, "_TICK", -1)
    facts.save()
    assert Facts(tmp_path / "memory", "f").of(told, "text", finder) == "one"
    assert finder.asked == 2


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[1]", '{"finders": "f"}', '{"finders": "f", "files": {"told": 3}}'),
        '{"finders": "f", "files": {"TOLD": {"state": [1], "found": 1}}}',
        '{"finders": "f", "files": {"TOLD": {"state": [1, 2, 3, 4], "found": "a"}}}',
        '{"finders": "f", "files": {"TOLD": {"state": [1, 2, 3, 4], "found": 1, "text": 3}}}',
    ],
)
def test_an_unreadable_memory_is_none(tmp_path, told, finder, text, monkeypatch):
    monkeypatch.setattr(module, "_TICK", -1)
    facts = Facts(tmp_path / "memory", "f")
    facts.of(told, "text", finder)
    facts.save()
    (saved,) = (tmp_path / "memory").iterdir()
    saved.write_text(text.replace("TOLD", str(told)))
    facts = Facts(tmp_path / "memory", "f")
    assert facts.of(told, "text", finder) == "one"
    assert finder.asked == 2
    facts.save()


def test_what_is_known_of_runs_is_not_read_for_a_data_set(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_TICK", -1)
    monkeypatch.chdir(tmp_path)
    paths = [Path("results/data/mnist.npz"), *(Path(f"results/runs/experiment=e/seed={n}/run.parquet") for n in "01")]
    facts = Facts("memory", "f")
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_text(path.name)
        assert facts.of(path, "text", Path.read_text) == path.name
    facts.save()
    assert len(list(Path("memory").iterdir())) == 2
    read = []
    monkeypatch.setattr(
        Path, "read_text", lambda path, encoding: (read.append(path.name), path.read_bytes().decode())[1]
    )
    facts = Facts("memory", "f")
    assert facts.of(paths[0], "text", lambda _: "found again") == "mnist.npz"
    assert read == ["results-data.json"]
    assert [facts.of(path, "text", lambda _: "found again") for path in paths[1:]] == ["run.parquet"] * 2
    assert len(read) == 2


def test_facts_do_not_outlive_the_code_that_found_them(tmp_path, told, finder, monkeypatch):
    monkeypatch.setattr(module, "_TICK", -1)
    facts = Facts(tmp_path / "memory", "f")
    facts.of(told, "text", finder)
    facts.save()
    assert [Facts(tmp_path / "memory", code).of(told, "text", lambda path: "new") for code in "fg"] == ["one", "new"]


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), lambda path: path.symlink_to(path), os.mkfifo])
def test_what_is_no_ordinary_file_has_no_facts(tmp_path, finder, make):
    make(tmp_path / "odd")
    assert Facts(tmp_path / "memory", "f").of(tmp_path / "odd", "text", finder) == ""


def test_a_file_that_goes_while_it_is_read_has_no_facts(tmp_path, told):
    def find(path):
        path.unlink()
        return path.read_text()

    assert Facts(tmp_path / "memory", "f").of(told, "text", find) == ""
