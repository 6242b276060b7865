"""The provenance of a result: spec, code, inputs and package versions, without time, host, user or path."""

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
    """Return the digest of one file, or the SHA-256 of the digests of several files, in their order."""
    if len(paths) == 1:
        return digest(paths[0])
    return hashlib.sha256("".join(map(digest, paths)).encode()).hexdigest()


def inputs_text(inputs: Mapping[str, str]) -> str:
    """Return the inputs of a job, name → digest, as JSON."""
    return json.dumps(inputs, sort_keys=True)


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the installed versions of Python and of packages, without importing these."""
    return {"python": platform.python_version(), **{package: _version(package) for package in sorted(packages)}}


@cache
def _version(distribution: str) -> str:
    try:
        # With the build tag (+cpu, +cu130), because the builds round differently.
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


@dataclass(frozen=True)
class Provenance:
    """The origin of one result.

    spec: canonical JSON
    code: ENTRY@FINGERPRINT
    inputs: name of each input → digest
    mnist: "full" or "subset" if the result depends on MNIST, else ""
    packages: the packages that the code reaches
    """

    spec: str
    code: str
    inputs: dict[str, str] = field(default_factory=dict)
    mnist: str = ""
    packages: tuple[str, ...] = ()

    def as_stamp(self) -> dict[str, str]:
        """Return the provenance as text fields, with the installed versions of the packages."""
        return {
            "spec": self.spec,
            "code": self.code,
            "inputs": inputs_text(self.inputs),
            "mnist": self.mnist,
            "versions": json.dumps(versions(self.packages), sort_keys=True),
        }
