"""How a spec reaches its program: on the command line or, where none holds it, in a file.

Several workflows may run in one folder. Each holds a lock on the files that its jobs will read, for as long as it
lives. A file that nobody holds can be deleted at any time, since whoever needs it writes it again.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.atomic import replacing
from workflow.deepnets.records.paths import SPECS

# Linux takes 128 KiB as one argument, and Snakemake makes one of the whole command.
_LONGEST = 120_000
# Times to try again, and the pause between them in seconds, where two workflows write one file.
_TRIALS, _PAUSE = 20, 0.05
# The files that this process holds, by path. They are closed, and the locks given up, when it ends in whatever way.
_held: dict[Path, BinaryIO] = {}


def argument_for(spec: str) -> str:
    """Return what stands for a spec on the command line of its job: the spec itself, or @FILE with the spec in it.

    The file is named after what it says: a plan of another config leaves it as it is. Raises UserError where it cannot
    be written.
    """
    if len(spec) <= _LONGEST:
        return spec
    path = _file_of(spec)
    for trial in range(_TRIALS):
        try:
            if _hold(path, spec):
                return f"@{path}"
        except UserError:
            # Of two that write the same at once one is told so, and finds the other's file.
            if trial == _TRIALS - 1:
                raise
        time.sleep(_PAUSE)
    raise UserError(f"{path} is deleted as soon as it is written; is another program at work in {path.parent}?")


def sweep(needed: Iterable[str]) -> None:
    """Delete the files of specs that are not among the needed ones and that no workflow holds."""
    kept = {_file_of(spec) for spec in needed if len(spec) > _LONGEST}
    for path in sorted(set(Path(SPECS).glob("*")) - kept):
        # Another workflow may have deleted it, or hold it; some file systems know no locks, and nothing goes there.
        with suppress(OSError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


def _file_of(spec: str) -> Path:
    return Path(SPECS, f"{hashlib.sha256(spec.encode()).hexdigest()}.json")


def _hold(path: Path, spec: str) -> bool:
    """Hold the file of a spec, which is written if it is not there; returns False where it went in between."""
    if not path.exists():
        with replacing(path) as unfinished:
            unfinished.write_text(spec, encoding="utf-8")
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return False
    with suppress(OSError):
        # Waits for nobody but a sweep that has this very file in its hands.
        fcntl.flock(file, fcntl.LOCK_SH)
    if not _still_there(path, file):
        file.close()
        return False
    if path in _held:
        _held[path].close()
    _held[path] = file
    return True


def _still_there(path: Path, file: BinaryIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
