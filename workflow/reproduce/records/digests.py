"""Digests of files, which records contain."""

import hashlib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reproduce.errors import UserError

Paths = Sequence[Path | str]


def sha256_of(path: Path | str) -> str:
    """Return the SHA-256 of a file's bytes, as 64 hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(paths: Paths, digest: Callable[[Any], str]) -> str:
    """Return the digest of one file, or the SHA-256 of the digests of several files, in their order."""
    if len(paths) == 1:
        return digest(paths[0])
    return hashlib.sha256("".join(map(digest, paths)).encode()).hexdigest()


@contextmanager
def guard_inputs(inputs: Mapping[str, Paths]) -> Generator[dict[str, str]]:
    """Yield name → digest of the inputs of a job, for a block that reads them.

    Raises UserError if an input is missing, or has changed when the block ends: the record would name another input.
    """
    before = _digests(inputs)
    yield before
    after = _digests(inputs)
    if changed := [str(paths[0]) for name, paths in inputs.items() if after[name] != before[name]]:
        raise UserError(f"{', '.join(changed)} changed while this job read it; start snakemake again")


def _digests(inputs: Mapping[str, Paths]) -> dict[str, str]:
    try:
        return {name: digest_of(paths, sha256_of) for name, paths in inputs.items()}
    except FileNotFoundError as error:
        raise UserError(f"{error.filename} is missing; make it with: snakemake --cores 1 {error.filename}") from None
