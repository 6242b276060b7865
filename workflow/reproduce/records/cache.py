"""Cache digests of files and fingerprints of code in JSON files, which may be deleted."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from reproduce.errors import UserError
from reproduce.records.files import Paths, digest_of, sha256_of
from reproduce.records.paths import CACHE, RESULTS
from reproduce.records.record import Record, read_record, record_of
from reproduce.records.sealed import read_sealed, write_sealed

# Within these nanoseconds, a file can change twice and keep the same ctime.
_TICK = 2 * 10**9


class Cache:
    """A mapping of keys to texts in a folder, with one JSON file per part, read when it is first used."""

    def __init__(self, folder: Path | str, version: str) -> None:
        """Use only texts of this version, a digest of the code that finds them."""
        self._folder, self.version = Path(folder), version
        # Part → key → [state, text].
        self._parts: dict[str, dict[str, list[str]]] = {"": {}}
        self._changed: set[str] = set()

    def text(self, part: str, key: str, state: str, find: Callable[[], str]) -> str:
        """Return the text of a key; find it if the cache has none, or if the state has changed.

        part: the name of the file; "" keeps the text in this process only
        state: the present state of everything that the text depends on
        """
        if part not in self._parts:
            saved = read_sealed(self._folder / f"{part}.json")
            self._parts[part] = saved["texts"] if saved.get("version") == self.version else {}
        found = self._parts[part].get(key)
        if found is None or found[0] != state:
            found = self._parts[part][key] = [state, find()]
            self._changed |= {part} - {""}
        return found[1]

    def save(self) -> None:
        """Write each part with a new text."""
        for part in self._changed:
            # In a read-only folder, or if two plans write at once, the next plan finds the texts itself.
            with suppress(UserError):
                write_sealed(self._folder / f"{part}.json", {"version": self.version, "texts": self._parts[part]})


class FileCache(Cache):
    """A cache of digests of files, and of records.

    A file counts as unchanged while its size, times and inode are the same. No program can set the ctime, so neither a
    copy with the old time stamps nor a file written after the clock was set back passes for the same file.

    stored: whether results lie on a storage of Snakemake; then nothing is known of them, and no file in results/ counts
    """

    def __init__(self, folder: Path | str = CACHE, *, stored: bool = False) -> None:
        super().__init__(folder, "SHA-256 by path")
        self.stored = stored
        # Path of a record → its state, and its content.
        self._records: dict[str, tuple[str, Record]] = {}

    def _is_stored(self, path: Path | str) -> bool:
        return self.stored and os.fspath(path).startswith(RESULTS)

    def _sha256(self, path: Path | str) -> str:
        """Return the SHA-256 of a file, "" if there is none."""
        if self._is_stored(path):
            return ""
        # Another program may delete the file while it is read.
        with suppress(OSError):
            status = os.stat(path)
            # One part per folder, so that a job on a data set does not load the digests of 100,000 runs.
            part = "-".join(os.fspath(path).split("/")[:-1][:3])
            settled = time.time_ns() - status.st_ctime_ns > _TICK
            return self.text(part if settled else "", str(path), _state(status), lambda: sha256_of(path))
        return ""

    def exist(self, paths: Paths) -> bool:
        """Return whether files exist, as results on a storage do; their digests are empty."""
        return all(self._is_stored(path) or os.path.exists(path) for path in paths)

    def digest(self, paths: Paths) -> str:
        """Return the SHA-256 of one input, or that of the digests of several."""
        return digest_of(paths, self._sha256)

    def record(self, path: str) -> Record | None:
        """Return the record of a result: an empty one if it has none or other bytes, None if there is no file."""
        return self.last_record(path) if self.digest([path]) else None

    def last_record(self, path: str) -> Record:
        """Return the record of a result, also if the file is missing; an empty one as `record` does."""
        name = record_of(path)
        with suppress(OSError):
            state = _state(os.stat(name))
            if self._records.get(name, ("",))[0] != state:
                self._records[name] = state, read_record(name)
            record, digest = self._records[name][1], self.digest([path])
            if not self._is_stored(path) and (not digest or record.is_of(path, digest)):
                return record
        return Record()


def _state(status: os.stat_result) -> str:
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
