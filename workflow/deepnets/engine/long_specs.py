"""Pass a spec to its program: on the command line, or in a file if it is too long.

The file's name is a hash of its content, so plans of several configs never write different texts to one file. There are
no locks: every plan that needs a file renews its time stamp, and files that no plan needed for a month are deleted.
"""

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

from deepnets.errors import UserError
from deepnets.records.paths import SPECS

# Characters. Linux allows 128 KiB for one argument, and Snakemake passes the whole command as one.
_LONGEST = 120_000
_MONTH = 30 * 24 * 3600


def argument_for(spec: str) -> str:
    """Return a spec as an argument for the command line: the spec itself, or @FILE for a file with the spec."""
    if len(spec) <= _LONGEST:
        return spec
    path = Path(SPECS, f"{hashlib.sha256(spec.encode()).hexdigest()}.json")
    try:
        _renew(path, spec)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from error
    return f"@{path}"


def _renew(path: Path, spec: str) -> None:
    try:
        os.utime(path)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(spec, encoding="utf-8")
        os.replace(unfinished, path)


def delete_old_specs() -> None:
    """Delete the files that no plan needed for a month."""
    for path in Path(SPECS).glob("*"):
        # Another workflow may delete the file at the same time.
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < time.time() - _MONTH:
                path.unlink()
