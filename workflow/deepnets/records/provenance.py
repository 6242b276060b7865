"""What every result records about its origin: spec, code, data and environment, but no clock, host, user or path."""

import hashlib
import json
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

Paths = Sequence[Path | str]


def sha256_of(path: Path | str) -> str:
    """Return the SHA-256 of a file's bytes, as 64 hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(paths: Paths, digest: Callable[[Any], str]) -> str:
    """Return the digest of one file, or the SHA-256 of the digests of several, in their order."""
    if len(paths) == 1:
        return digest(paths[0])
    return hashlib.sha256("".join(map(digest, paths)).encode()).hexdigest()


def inputs_text(inputs: Mapping[str, str]) -> str:
    """Return the text that identifies what a job read: name of each input → digest."""
    return json.dumps(inputs, sort_keys=True)


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python and of packages that are installed, without importing them."""
    return {"python": platform.python_version(), **{package: _version(package) for package in sorted(packages)}}


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
