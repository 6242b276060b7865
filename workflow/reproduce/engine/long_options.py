"""Pass the words of an option (a spec, or paths) to a program: on the command line, or in a file if they are too long.

The file's name is a hash of its content, so plans of several configs never write different texts to one file. There are
no locks: every plan that needs a file renews its time stamp, and files that no plan needed for a month are deleted.
"""

import hashlib
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from reproduce.errors import UserError
from reproduce.records.paths import OPTIONS

# Characters. Linux allows 128 KiB for one argument, and Snakemake passes the whole command, of up to seven options, as
# one.
_LONGEST = 16_000
_MONTH = 30 * 24 * 3600


def shorten(words: Sequence[str]) -> Sequence[str]:
    """Return the words of an option for the command line, or @FILE for a file with one word per line."""
    text = "\n".join(words)
    if len(text) <= _LONGEST:
        return words
    path = Path(OPTIONS, f"{hashlib.sha256(text.encode()).hexdigest()}.txt")
    try:
        _renew(path, text)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from error
    return [f"@{path}"]


def _renew(path: Path, text: str) -> None:
    try:
        os.utime(path)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, path)


def delete_old_options() -> None:
    """Delete the files that no plan needed for a month."""
    for path in Path(OPTIONS).glob("*"):
        # Another workflow may delete the file at the same time.
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < time.time() - _MONTH:
                path.unlink()
