"""Files that appear whole or not at all."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workflow.deepnets.errors import UserError

# Seconds after which no job that lost its workflow is still at work on a file.
_ORPHAN_LIFE = 86_400


def check_writable(folder: Path | str, *, levels: int = 0) -> None:
    """Raise UserError if a folder exists, or some so many levels below it, and results cannot be written there.

    Snakemake removes a job's old result before it finds that it may not write the new one's log.
    """
    folder = Path(folder)
    if folder.exists() and not (folder.is_dir() and os.access(folder, os.R_OK | os.W_OK | os.X_OK)):
        raise UserError(f"{folder.absolute()} must be a folder that you may write to; it is not")
    if levels and folder.exists():
        for each in sorted(each for each in folder.iterdir() if each.is_dir()):
            check_writable(each, levels=levels - 1)


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Yield a temporary file beside `path` that takes its place once the block has succeeded.

    A block that fails, a full disk or a folder without write permission leave `path` as it was.
    Raises UserError, with the system's reason, where the file cannot be written.
    """
    path = Path(path)
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(path)
        # The suffix stays last: matplotlib takes the format from it.
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}.", suffix=f".partial{path.suffix}")
        os.close(descriptor)
        temporary = Path(name)
        yield temporary
        with open(temporary, "rb") as written:
            os.fsync(written.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}; nothing was left in its place") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _remove_leftovers(path: Path) -> None:
    """Remove what killed jobs left of this file long ago; a younger one may belong to an orphan that still writes."""
    for partial in path.parent.glob(f".{path.stem}.*.partial{path.suffix}"):
        with suppress(FileNotFoundError):
            if time.time() - partial.stat().st_mtime > _ORPHAN_LIFE:
                partial.unlink()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
