import hashlib
import os
from pathlib import Path

import pytest

from reproduce.records import cache as module
from reproduce.records.cache import Cache, FileCache
from reproduce.records.record import Record, record_of, write_record


@pytest.fixture
def finder():
    """A function that reads a file's text and counts its calls."""

    def find(path):
        find.calls += 1
        return path.read_text()

    find.calls = 0
    return find


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file"
    path.write_text("one")
    return path


@pytest.fixture
def cache(tmp_path):
    return FileCache(tmp_path / "cache", "f")


def test_a_fact_is_computed_once_per_process(cache, file, finder):
    assert [cache.of(file, "text", finder) for _ in range(3)] == ["one"] * 3
    assert finder.calls == 1
    assert cache.of(file, "length", lambda path: "3") == "3"


@pytest.mark.parametrize("old_time", [False, True])
def test_new_content_of_the_same_size_is_noticed_with_any_time_stamp(cache, tmp_path, file, finder, old_time):
    before = file.stat()
    assert cache.of(file, "text", finder) == "one"
    new = tmp_path / "new"
    new.write_text("two")
    if old_time:
        os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
    new.replace(file)
    assert cache.of(file, "text", finder) == "two"


def test_a_file_that_is_missing_or_disappears_while_it_is_read_has_no_facts(cache, tmp_path, file, finder):
    assert cache.of(tmp_path / "nowhere", "text", finder) == ""
    cache.of(file, "text", finder)
    file.unlink()
    assert cache.of(file, "text", finder) == ""
    file.write_text("one")
    assert cache.of(file, "length", lambda path: path.unlink() or path.read_text()) == ""


def test_facts_are_cached_unless_file_or_code_has_just_changed(cache, tmp_path, file, finder, monkeypatch):
    # The file may change again without a new time stamp: the clock is coarse.
    cache.of(file, "text", finder)
    cache.save()
    assert FileCache(tmp_path / "cache", "f").of(file, "text", finder) == "one"
    assert finder.calls == 2

    monkeypatch.setattr(module, "_TICK", -1)
    assert cache.of(file, "text", finder) == "one"
    cache.save()
    assert FileCache(tmp_path / "cache", "f").of(file, "text", finder) == "one"
    assert finder.calls == 3
    assert FileCache(tmp_path / "cache", "g").of(file, "text", lambda path: "new") == "new"


@pytest.mark.parametrize(
    "damaged",
    [
        *("", "{", "[]", "{}", '{"version": "f"}', '{"version": "f", "texts": []}'),
        *('{"version": "f", "texts": {"KEY": 3}}', '{"version": "f", "texts": {"KEY": []}}'),
        *('{"version": "f", "texts": {"KEY": ["STATE"]}}', '{"version": "f", "texts": {"KEY": ["STATE", 3]}}'),
    ],
)
def test_a_damaged_cache_counts_as_empty(tmp_path, damaged):
    saved = tmp_path / "part.json"
    saved.write_text(damaged.replace("KEY", "key").replace("STATE", "state"))
    cache = Cache(tmp_path, "f")
    assert cache.text("part", "key", lambda _: "state", lambda: "found") == "found"
    cache.save()
    assert Cache(tmp_path, "f").text("part", "key", lambda _: "state", lambda: "found again") == "found"


def test_an_unwritable_cache_is_no_error(tmp_path):
    (tmp_path / "cache").touch()
    cache = Cache(tmp_path / "cache", "f")
    assert cache.text("part", "key", lambda _: "state", lambda: "found") == "found"
    cache.save()


def test_facts_about_runs_are_not_loaded_for_a_data_set(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_TICK", -1)
    monkeypatch.chdir(tmp_path)
    paths = [Path("results/data/mnist.npz"), *(Path(f"results/runs/experiment=e/seed={n}/run.parquet") for n in "01")]
    cache = FileCache("cache", "f")
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_text(path.name)
        assert cache.of(path, "text", Path.read_text) == path.name
    cache.save()
    assert len(list(Path("cache").iterdir())) == 2
    read = []
    monkeypatch.setattr(
        Path, "read_text", lambda path, encoding: (read.append(path.name), path.read_bytes().decode())[1]
    )
    cache = FileCache("cache", "f")
    assert cache.of(paths[0], "text", lambda _: "found again") == "mnist.npz"
    assert read == ["results-data.json"]
    assert [cache.of(path, "text", lambda _: "found again") for path in paths[1:]] == ["run.parquet"] * 2
    assert len(read) == 2


@pytest.mark.parametrize(
    ("make", "record"),
    [(lambda path: path.mkdir(), Record()), (lambda path: path.symlink_to(path), None), (os.mkfifo, Record())],
)
def test_folders_and_pipes_are_damaged_files_and_circular_links_are_none(cache, tmp_path, make, record):
    make(tmp_path / "odd")
    assert cache.record(str(tmp_path / "odd")) == record


def test_a_record_counts_for_the_bytes_that_it_names_and_is_read_again_after_a_change(cache, tmp_path, monkeypatch):
    result, digest = tmp_path / "results/tables/e.parquet", hashlib.sha256(b"rows").hexdigest()
    assert cache.record(str(result)) is None
    result.parent.mkdir(parents=True)
    result.write_bytes(b"rows")
    assert cache.record(str(result)) == Record()
    for reduced in ("", "half"):
        record = Record('{"depth":1}', "module:run@1", reduced=reduced, outputs={"e.parquet": digest})
        write_record(record_of(result), record)
        assert cache.record(str(result)) == record
    result.write_bytes(b"rowz")
    assert cache.record(str(result)) == Record()
    # The records of results on a storage are not here.
    stored = FileCache(tmp_path / "cache", "f", stored=True)
    monkeypatch.chdir(tmp_path)
    assert stored.record("results/tables/e.parquet") is None and stored.exist(["results/tables/e.parquet"])
