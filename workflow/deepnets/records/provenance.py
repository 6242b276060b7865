"""What every result records about its origin: spec, code, data and environment, but no clock, host, user or path."""

import hashlib
import json
import platform
import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from workflow.deepnets.errors import UserError

Paths = Sequence[Path | str]
# In a style a # begins a comment, but not between quotes, which are kept.
_COMMENT = re.compile(rb'("[^"]*")|#.*')


def sha256_of(path: Path | str) -> str:
    """Return the SHA-256 of what counts of a file, as 64 hexadecimal digits: its bytes, of a style its settings."""
    with open(path, "rb") as file:
        if Path(path).suffix == ".mplstyle":
            return hashlib.sha256(_settings_in(file)).hexdigest()
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(paths: Paths, digest: Callable[[Any], str] = sha256_of) -> str:
    """Return the digest of one file, or the SHA-256 of the digests of several, in their order."""
    if len(paths) == 1:
        return digest(paths[0])
    return hashlib.sha256("".join(map(digest, paths)).encode()).hexdigest()


@contextmanager
def unchanged(inputs: Mapping[str, Paths]) -> Generator[dict[str, str]]:
    """Yield the digest of each input of a job, by name, for a block that reads them.

    Raises UserError if one is missing, or is another when the block ends: a result would name what it was not made of.
    """
    before = _digests(inputs)
    yield before
    after = _digests(inputs)
    if changed := [str(paths[0]) for name, paths in inputs.items() if after[name] != before[name]]:
        raise UserError(f"{', '.join(changed)} changed while this job read it; start snakemake again")


def inputs_text(inputs: Mapping[str, str]) -> str:
    """Return the text that identifies what a job read: name of each input → digest."""
    return json.dumps(inputs, sort_keys=True)


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python and of packages that are installed, without importing them."""
    return {"python": platform.python_version(), **{package: _version(package) for package in sorted(packages)}}


def _digests(inputs: Mapping[str, Paths]) -> dict[str, str]:
    try:
        return {name: digest_of(paths) for name, paths in inputs.items()}
    except FileNotFoundError as error:
        raise UserError(f"{error.filename} is missing; make it with: snakemake --cores 1 {error.filename}") from None


def _settings_in(style: Iterable[bytes]) -> bytes:
    """Return the lines of a style that set something, without comments and blanks around them."""
    return b"\n".join(filter(None, (_COMMENT.sub(rb"\1", line).strip() for line in style)))


@cache
def _version(distribution: str) -> str:
    try:
        # The build tag (+cpu, +cu130) stays: the builds round differently.
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


@dataclass(frozen=True)
class Provenance:
    """The origin of one result.

    spec: canonical JSON; code: ENTRY@FINGERPRINT; inputs: name of each file read → SHA-256;
    mnist: "full" or "subset" where the result depends on MNIST, else ""; packages: those that the code reaches.
    """

    spec: str
    code: str
    inputs: dict[str, str] = field(default_factory=dict)
    mnist: str = ""
    packages: tuple[str, ...] = ()

    def as_metadata(self) -> dict[str, str]:
        """Return the provenance as flat text fields, environment included, as files carry it."""
        return {
            "spec": self.spec,
            "code": self.code,
            "inputs": inputs_text(self.inputs),
            "mnist": self.mnist,
            "versions": json.dumps(versions(self.packages), sort_keys=True),
        }
