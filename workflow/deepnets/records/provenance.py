"""What every result says of its own making: spec, code, data and environment, but no clock, host, user or path."""

import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path


def sha256_of(path: Path | str) -> str:
    """Return the SHA-256 of a file's bytes as 64 hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(paths: Sequence[Path | str]) -> str:
    """Return the SHA-256 of one file, or of the digests of several, in their order."""
    if len(paths) == 1:
        return sha256_of(paths[0])
    return hashlib.sha256("".join(map(sha256_of, paths)).encode()).hexdigest()


def versions() -> dict[str, str]:
    """Return the versions of Python, torch and numpy that are installed, without importing them."""
    return {"python": platform.python_version(), "torch": _version("torch"), "numpy": _version("numpy")}


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
    mnist: "full" or "subset" where MNIST is behind the result, else "".
    """

    spec: str
    code: str
    inputs: dict[str, str] = field(default_factory=dict)
    mnist: str = ""

    def as_metadata(self) -> dict[str, str]:
        """Return the provenance as flat text fields, environment included, as files carry it."""
        return {
            "spec": self.spec,
            "code": self.code,
            "inputs": json.dumps(self.inputs, sort_keys=True),
            "mnist": self.mnist,
            "versions": json.dumps(versions(), sort_keys=True),
        }
