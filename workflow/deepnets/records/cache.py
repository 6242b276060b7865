"""Digests, stamps and fingerprints, kept for later starts, audits and jobs in JSON files that may be deleted."""

import json
import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.atomic import replacing
from workflow.deepnets.records.paths import CACHE
from workflow.deepnets.records.provenance import Paths, digest_of, sha256_of

# Nanoseconds within which a file may change again without another time of change.
_TICK = 2 * 10**9


class Cache:
    """Texts by keys, in a folder with one JSON file for each part: a part is read when it is first used."""

    def __init__(self, folder: Path | str, version: str) -> None:
        """Keep texts that were found by one version, a digest of the code that finds them."""
        self._folder, self._version = Path(folder), version
        # Part → key → [state, text].
        self._parts: dict[str, dict[str, list[str]]] = {"": {}}
        self._changed: set[str] = set()

    def text(self, part: str, key: str, state: Callable[[str], str], find: Callable[[], str]) -> str:
        """Return the text of a key, and find it if none was found, or if what the found one depends on has changed.

        part: the name of its file; "" keeps the text in this process only. state: returns the state now of what a
        text depends on.
        """
        if part not in self._parts:
            self._parts[part] = self._saved(part)
        found = self._parts[part].get(key)
        if found is None or found[0] != state(found[1]):
            text = find()
            found = self._parts[part][key] = [state(text), text]
            self._changed |= {part} - {""}
        return found[1]

    def save(self) -> None:
        """Write each part with a new text."""
        for part in self._changed:
            content = {"version": self._version, "texts": self._parts[part]}
            # Two plans at once, or a read-only folder: the next plan finds the texts itself.
            with suppress(UserError), replacing(self._folder / f"{part}.json") as unfinished:
                unfinished.write_text(json.dumps(content, indent=0), encoding="utf-8")

    def _saved(self, part: str) -> dict[str, list[str]]:
        """Return a saved part without damaged entries: a user may have edited the file."""
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            saved = json.loads((self._folder / f"{part}.json").read_text(encoding="utf-8"))
            if saved["version"] == self._version:
                return {key: found for key, found in saved["texts"].items() if list(map(type, found)) == [str, str]}
        return {}


class FileCache(Cache):
    """Facts about files.

    A file is the same while its size, its times and its inode are. No program can set the time of change: a copy with
    the old time stamps does not pass for the same file, nor does a file written after the clock was set back.
    """

    def of(self, path: Path | str, name: str, find: Callable[[Path | str], str]) -> str:
        """Return a named fact about a file, "" if there is no such file; `find` returns it if it is not known."""
        # The file may also go while it is read.
        with suppress(OSError):
            status = os.stat(path)
            # Reading a pipe would block.
            if stat.S_ISREG(status.st_mode):
                state = f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
                # One part for each folder of results: who needs a data set need not read the facts about 100,000 runs.
                part = "-".join(os.fspath(path).split("/")[:-1][:3])
                settled = time.time_ns() - status.st_ctime_ns > _TICK
                return self.text(part if settled else "", f"{name} {path}", lambda _: state, lambda: find(path))
        return ""

    def digest_of_bytes(self, paths: Paths) -> str:
        """Return the SHA-256 of one file, or one of those of several."""
        return digest_of(paths, lambda path: self.of(path, "sha256", sha256_of))

    def digest(self, paths: Paths) -> str:
        """Return the digest of what counts of one file, or of several, as the stamps of their readers record it."""
        return digest_of(paths, lambda path: self.of(path, "content", _content_digest))

    def stamp(self, path: str) -> dict[str, str] | None:
        """Return a result's stamp as a mapping: empty where the file is damaged, None where there is no file."""
        text = self.of(path, "stamp", _stamp_text)
        return json.loads(text) if text else None


def open_file_cache() -> FileCache:
    """Return the digests and stamps that earlier starts read, if the same code read them."""
    return FileCache(CACHE, digest_of(sorted(Path(__file__).parent.glob("*.py")), sha256_of))


def _content_digest(path: Path | str) -> str:
    # Imported here for the same reason as below.
    from workflow.deepnets.records.content import content_digest

    return content_digest(path)


def _stamp_text(path: Path | str) -> str:
    # Imports numpy and pyarrow, which a plan does not need if the cache contains all stamps.
    from workflow.deepnets.records.stamps import stamp_of

    try:
        return json.dumps(asdict(stamp_of(path)))
    except UserError:
        return "{}"
