"""The undocumented parts of Snakemake that this project replaces or writes, and why.

A nightly test runs the workflow with Snakemake's newest release (tests/workflow/test_newest_snakemake.py).
"""

import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

from snakemake.common import overwrite_function_params
from snakemake.exceptions import WorkflowError
from snakemake.io import IOFile
from snakemake.iocontainers import InputFiles as InputFiles
from snakemake.iocontainers import OutputFiles as OutputFiles
from snakemake.iocontainers import Wildcards as Wildcards
from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord
from snakemake.persistence.file import FilePersistence

from reproduce.errors import UserError

# Snakemake's `workflow` object, not typed because most of its attributes are None before a Snakefile is read.
Workflow = Any


def inspected(function: Callable) -> Callable:
    """Store the parameters of a function where Snakemake (undocumented) looks before it inspects it, for each job."""
    overwrite_function_params(function, signature(function).parameters)  # ty: ignore[invalid-argument-type]
    return function


@cache
def compare_texts_without_pandas() -> None:
    """Make Snakemake compare params that are texts, as ours are, without the import of pandas, a tenth of a start.

    Undocumented is that it takes the `repr` of a text.
    """
    serialize = FilePersistence._serialize_param.fget

    def serialize_param(self: FilePersistence, value: object) -> object:
        return repr(value) if type(value) is str else serialize(self)(value)

    FilePersistence._serialize_param = serialize_param  # ty: ignore[invalid-assignment]


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


class Metadata:
    """Snakemake's metadata: one record per result, each in a file below .snakemake/metadata.

    Undocumented are FilePersistence._write_record, the fields of MetadataRecord, and the formats of params (sorted
    `repr`s without names) and of input checksums ("sha256:" and 64 digits). If any of them changes, a second start no
    longer prints "Nothing to be done", or no longer finds stale results.
    """

    def __init__(self) -> None:
        # The workflow itself holds the lock.
        self._persistence = FilePersistence(nolock=True)

    def read(self, path: str) -> MetadataRecord | None:
        """Return the record of a result, None if there is none."""
        return self._persistence.metadata(IOFile(path))

    def differs(self, record: MetadataRecord, params: Iterable[str], checksums: Mapping[str, str]) -> bool:
        """Return whether a record has another format or other params, or lacks a SHA-256 of an input."""
        return (
            record.record_format_version != RECORD_FORMAT_VERSION
            or record.params != _format_params(params)
            or not _format_checksums(checksums).items() <= (record.input_checksums or {}).items()
        )

    def write(self, path: str, record: MetadataRecord, params: Iterable[str], checksums: Mapping[str, str]) -> None:
        """Write the record of a result with these params and input checksums (path → SHA-256)."""
        record.record_format_version = RECORD_FORMAT_VERSION
        record.params = _format_params(params)
        record.input_checksums = _format_checksums(checksums)
        self._persistence._write_record(path, record)


def _format_checksums(checksums: Mapping[str, str]) -> dict[str, str]:
    return {path: f"sha256:{digest}" for path, digest in checksums.items()}


def _format_params(params: Iterable[str]) -> list[str]:
    return sorted(map(repr, params))
