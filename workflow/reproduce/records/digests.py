"""Digests of files, which records contain: of the inputs and results of a job, and of files that its code opened."""

import hashlib
import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reproduce.errors import UserError

Paths = Sequence[Path | str]
# The folder of both packages. In a checkout, the repository is the folder above it.
_PACKAGES = Path(__file__).resolve().parents[2]
REPOSITORY = _PACKAGES.parent if (_PACKAGES / "launch.py").is_file() else _PACKAGES


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


def name_of(path: str) -> str:
    """Return the name of a file in records: its path from the folder of both packages."""
    return os.path.relpath(path, _PACKAGES)


def digest_of_opened(name: str) -> str:
    """Return the SHA-256 of a file of this repository, or of the names in a folder; "" if there is nothing."""
    path = _PACKAGES / name
    if path.is_dir():
        # Python makes its folder of bytecode at the first import.
        names = sorted(each for each in os.listdir(path) if each != "__pycache__")
        return hashlib.sha256("\n".join(names).encode()).hexdigest()
    return sha256_of(path) if path.is_file() else ""


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """Return name → digest of files that code opened: a result depends on them, as it does on the code."""
    return {name: digest_of_opened(name) for name in names}


def _digests(inputs: Mapping[str, Paths]) -> dict[str, str]:
    try:
        return {name: digest_of(paths, sha256_of) for name, paths in inputs.items()}
    except FileNotFoundError as error:
        raise UserError(f"{error.filename} is missing; make it with: snakemake --cores 1 {error.filename}") from None
