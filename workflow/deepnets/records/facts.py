"""Facts about files, found once and remembered for as long as a file is the same."""

import json
import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.atomic import replacing

# Nanoseconds within which a file may change again without another time of change.
_TICK = 2 * 10**9


class Facts:
    """What was found out about files.

    A file is the same while its size, its times, and its place on the disk are. The time of change among them is none
    that a program can set: neither a copy with its old time stamps nor a clock that was set back passes for the same.
    """

    def __init__(self, memory: Path | str, finders: str) -> None:
        """Take up what was saved in a folder, if it was found by the same code.

        finders: a fingerprint of the code that finds facts.
        """
        self._memory, self._finders = Path(memory), finders
        # One part per folder of results: who asks for a data set does not read what is known of 100,000 runs.
        self._parts: dict[str, dict[str, dict]] = {}
        self._news: set[str] = set()

    def of(self, path: Path | str, name: str, find: Callable[[Path | str], str]) -> str:
        """Return a named fact about a file, "" where there is no such file. find: finds it, where it is not known."""
        with suppress(OSError):
            return self._of(path, name, find)
        # It went while it was read.
        return ""

    def _of(self, path: Path | str, name: str, find: Callable[[Path | str], str]) -> str:
        state = _state(path)
        if state is None:
            return ""
        part = "-".join(Path(path).parent.parts[:3]).replace("/", "")
        if part not in self._parts:
            self._parts[part] = self._saved(part)
        known = self._parts[part].get(str(path))
        if known is None or known["state"] != state:
            known = self._parts[part][str(path)] = {"state": state, "found": time.time_ns()}
        if name not in known:
            known[name] = find(path)
            self._news.add(part)
        return known[name]

    def save(self) -> None:
        """Save all facts but those of files that had just changed when they were found."""
        for part in self._news:
            found = self._parts[part].items()
            kept = {path: known for path, known in found if known["found"] - known["state"][2] > _TICK}
            # Two plans at once, or a folder that may not be written to: the next plan finds the facts itself.
            with suppress(UserError), replacing(self._memory / f"{part}.json") as unfinished:
                unfinished.write_text(json.dumps({"finders": self._finders, "files": kept}), encoding="utf-8")

    def _saved(self, part: str) -> dict[str, dict]:
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            saved = json.loads((self._memory / f"{part}.json").read_text(encoding="utf-8"))
            if saved["finders"] == self._finders:
                return {path: known for path, known in saved["files"].items() if _sound(known)}
        return {}


def _state(path: Path | str) -> list[int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    # A pipe would keep whoever reads it waiting.
    if not stat.S_ISREG(found.st_mode):
        return None
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def _sound(known: object) -> bool:
    """Whether a saved entry is as `Facts` saves it: a user may have edited the file."""
    match known:
        case {"state": [int(), int(), int(), int()], "found": int(), **facts}:
            return all(isinstance(fact, str) for fact in facts.values())
    return False
