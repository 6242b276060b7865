import hashlib
import os
import time

import pytest

from reproduce.records import cache as module
from reproduce.records.cache import Cache, FileCache
from reproduce.records.record import Record, record_of, write_record


@pytest.fixture
def cache(tmp_path):
    return FileCache(tmp_path / "cache")


@pytest.fixture
def reads(monkeypatch):
    """The paths of the files whose digests were computed."""
    found = []
    monkeypatch.setattr(module, "sha256_of", lambda path: found.append(path) or path.read_text())
    return found


@pytest.mark.parametrize("way", ["new time", "old time", "in place"])
def test_new_content_of_the_same_size_is_noticed_with_any_time_stamp(cache, reads, tmp_path, way):
    file, new = tmp_path / "file", tmp_path / "new"
    file.write_text("one")
    new.write_text("two")
    before = file.stat()
    assert [cache.digest([file]) for _ in range(3)] == ["one"] * 3 and reads == [file]
    if way == "in place":
        # The clock of files is coarse, and only the ctime will differ.
        time.sleep(0.02)
        file.write_text("two")
    else:
        new.replace(file)
    if way != "new time":
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert cache.digest([file]) == "two"
    file.unlink()
    assert cache.digest([file]) == ""


def test_digests_are_kept_for_the_next_process_unless_the_file_has_just_changed(cache, reads, tmp_path, monkeypatch):
    (file := tmp_path / "file").write_text("one")
    # The file may change again without a new time stamp: the clock is coarse.
    for tick, count in ((module._TICK, 2), (-1, 3)):
        monkeypatch.setattr(module, "_TICK", tick)
        assert cache.digest([file]) == "one"
        cache.save()
        assert FileCache(tmp_path / "cache").digest([file]) == "one"
        assert len(reads) == count


@pytest.mark.parametrize(
    "damaged", ["", "[]", '{"version": "f", "texts": []}', '{"version": "f", "texts": {"key": 7}}']
)
def test_a_damaged_cache_and_one_of_another_version_count_as_empty(tmp_path, damaged):
    (tmp_path / "part.json").write_text(damaged)
    # Each cache reads what the one before it saved.
    for version, state, new, found in (("f", 1, "a", "a"), ("f", 1, "b", "a"), ("f", 2, "b", "b"), ("g", 2, "c", "c")):
        cache = Cache(tmp_path, version)
        assert cache.text("part", "key", f"state {state}", new.strip) == found
        cache.save()


def test_an_unwritable_cache_is_no_error(tmp_path):
    (tmp_path / "cache").touch()
    cache = Cache(tmp_path / "cache", "f")
    assert cache.text("part", "key", "state", lambda: "found") == "found"
    cache.save()


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
    stored = FileCache(tmp_path / "cache", stored=True)
    monkeypatch.chdir(tmp_path)
    assert stored.record("results/tables/e.parquet") is None and stored.exist(["results/tables/e.parquet"])
