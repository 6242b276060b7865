"""Write files that appear whole or not at all."""

import os
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from workflow.deepnets.errors import UserError


def check_writable(folder: Path | str, *, levels: int = 0) -> None:
    """Raise UserError if a folder exists and is not writable, or a folder up to so many levels below it.

    Snakemake removes a job's old result before it notices that it may not write the new log.
    """
    folder = Path(folder)
    # A link to nowhere does not exist, and yet no folder can be made in its place.
    if os.path.lexists(folder) and not (folder.is_dir() and os.access(folder, os.R_OK | os.W_OK | os.X_OK)):
        raise UserError(f"{folder.absolute()} must be a folder that you may write to; it is not")
    if levels and folder.exists():
        for each in sorted(each for each in folder.iterdir() if each.is_dir()):
            check_writable(each, levels=levels - 1)


def check_folders(paths: Iterable[str]) -> None:
    """Raise UserError if a file, or a link to nowhere, lies where one of these paths needs a folder."""
    holding = set(map(os.path.dirname, paths))
    for folder in sorted({above for each in holding for above in (Path(each), *Path(each).parents)}):
        if os.path.lexists(folder) and not folder.is_dir():
            raise UserError(f"{folder.absolute()} must be a folder, for results; it is not: move it away")


@contextmanager
def replacing(path: Path | str) -> Generator[Path]:
    """Yield a temporary file in the folder of `path`, and rename it to `path` after the block has succeeded.

    If the block fails, the disk is full or the folder is read-only, `path` stays as it was. If several jobs write one
    path, the job that began last wins: it deletes the temporary files of the others. So a job that outlived its killed
    workflow cannot replace a newer result, if the whole job is inside the block.
    Raises UserError with the system's reason if the file cannot be written.
    """
    path = Path(path)
    descriptor = temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _take_over(path)
        # The suffix stays last: programs take the format from it.
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}.", suffix=f".partial{path.suffix}")
        temporary = Path(name)
        yield temporary
        if not _still_there(temporary, descriptor):
            raise UserError(f"another job began to write {path} after this one; the result of this one is dropped")
        os.fsync(descriptor)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        if temporary is not None and error.filename not in (None, str(temporary)):
            # The block could not read one of its own files.
            raise
        raise UserError(f"cannot write {path}: {error.strerror or error}; nothing was left in its place") from error
    finally:
        if temporary is not None:
            os.close(descriptor)
            temporary.unlink(missing_ok=True)


def _take_over(path: Path) -> None:
    """Delete the temporary files of others: jobs that were killed, and orphans that are still running."""
    for partial in path.parent.glob(f".{escape(path.stem)}.*.partial{path.suffix}"):
        partial.unlink(missing_ok=True)


def _still_there(temporary: Path, descriptor: int) -> bool:
    """Return whether a name is still that of the file that was opened: another program may have replaced it."""
    try:
        return os.path.samestat(temporary.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
