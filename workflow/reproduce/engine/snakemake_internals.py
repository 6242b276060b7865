"""The undocumented parts of Snakemake that this project replaces or writes, and why.

A nightly test runs the workflow with Snakemake's newest release (tests/workflow/test_newest_snakemake.py).
"""

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from snakemake.exceptions import WorkflowError
from snakemake.persistence.file import FilePersistence

from reproduce.errors import UserError

# Snakemake's `workflow` object, not typed because most of its attributes are None before a Snakefile is read.
Workflow = Any


@cache
def keep_locks_of_others() -> None:
    """Make a start that ends delete only its own locks, and not their folder, into which another start may be writing.

    Undocumented are these methods and `_lockfile`, the paths of the own locks. A start that has none is `--unlock`.
    """
    delete, read = FilePersistence._delete_locks, FilePersistence._read_locks

    def delete_locks(self: FilePersistence) -> None:
        if not self._lockfile:
            delete(self)
        while self._lockfile:
            Path(self._lockfile.popitem()[1]).unlink(missing_ok=True)

    def read_locks(self: FilePersistence) -> Iterable[tuple[str, str]]:
        # Another start may delete its locks meanwhile.
        while True:
            with suppress(FileNotFoundError):
                return [*read(self)]

    FilePersistence._delete_locks, FilePersistence._read_locks = delete_locks, read_locks


class Error(WorkflowError):
    """An error of which Snakemake prints only the message: it looks up the traceback, and finds none here."""

    # contextlib sets it.
    __traceback__ = property(lambda self: None, lambda self, traceback: None)  # ty: ignore[invalid-assignment]


@contextmanager
def workflow_errors(*, silent: bool = False) -> Generator[None]:
    """Make Snakemake print a UserError without the traceback that it prints for errors that are not its own.

    silent: print the message here, because Snakemake prints no errors (`--quiet all`)
    """
    try:
        yield
    except UserError as error:
        if silent:
            print(f"error: {error}", file=sys.stderr)
        raise Error(str(error)) from None
