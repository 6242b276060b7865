"""Write files that appear whole or not at all."""

import os
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from reproduce.errors import UserError


def check_writable(folder: Path | str, *, levels: int = 0) -> None:
    """Raise UserError if a folder, or one up to `levels` levels below it, exists and is not writable.

    Snakemake would delete a job's old result before it fails to write the log.
    """
    folder = Path(folder)
    # `exists` is false for a broken link, but no folder can be made in its place.
    if os.path.lexists(folder) and not (folder.is_dir() and os.access(folder, os.R_OK | os.W_OK | os.X_OK)):
        raise UserError(f"{folder.absolute()} must be a folder that you may write to; it is not")
    if levels and folder.exists():
        for each in sorted(each for each in folder.iterdir() if each.is_dir()):
            check_writable(each, levels=levels - 1)


def check_folders(paths: Iterable[str]) -> None:
    """Raise UserError if a file or a broken link is where one of these paths needs a folder."""
    folders, above = set[str](), set(paths)
    while above := set(map(os.path.dirname, above)) - folders:
        folders |= above
    for folder in sorted(folders):
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise UserError(f"{Path(folder).absolute()} must be a folder, for results; it is not: move it away")


@contextmanager
def replacing(path: Path | str) -> Generator[Path]:
    """Yield a temporary file in the folder of `path`; rename it to `path` if the block succeeds.

    If the block fails, `path` stays as it was. If several jobs write one path, the last to begin wins: it deletes the
    temporary files of the others. So if the block is the whole job, a job that outlived its killed workflow cannot
    replace a newer result. Raises UserError if the file cannot be written.
    """
    path = Path(path)
    descriptor, temporary = -1, None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _delete_partial_files(path)
        # The suffix stays last: programs infer the format from it.
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}.", suffix=f".partial{path.suffix}")
        temporary = Path(name)
        yield temporary
        if not _is_same_file(temporary, descriptor):
            raise _overtaken(path)
        os.fsync(descriptor)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        if temporary is not None and error.filename not in (None, str(temporary)):
            # The error is about another file, which the block reads.
            raise
        if temporary is not None and not _is_same_file(temporary, descriptor):
            raise _overtaken(path) from error
        raise UserError(f"cannot write {path}: {error.strerror or error}; nothing was left in its place") from error
    finally:
        if temporary is not None:
            os.close(descriptor)
            temporary.unlink(missing_ok=True)


def _overtaken(path: Path) -> UserError:
    return UserError(f"another job began to write {path} after this one; the result of this one is dropped")


def _delete_partial_files(path: Path) -> None:
    """Delete the temporary files of other jobs, killed or still running."""
    for partial in path.parent.glob(f".{escape(path.stem)}.*.partial{path.suffix}"):
        partial.unlink(missing_ok=True)


def _is_same_file(temporary: Path, descriptor: int) -> bool:
    """Return whether no other job deleted or replaced the opened file."""
    try:
        return os.path.samestat(temporary.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
