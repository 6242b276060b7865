"""The provenance of a result: spec, code, inputs and package versions, without time, host, user or path."""

import hashlib
import json
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
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


def merge_reduced(texts: Iterable[str]) -> str:
    """Merge the words of several inputs on what is reduced, each once, in order; "" if nothing is."""
    return "; ".join(dict.fromkeys(part for text in texts if text for part in text.split("; ")))


def words_on_reduced(reduced: str) -> str:
    """Return the mark of a figure or a chart that shows results of less than a whole data set."""
    return f"{reduced[0].upper()}{reduced[1:]}: not the document's numbers"


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the installed versions of Python and of packages, without importing these."""
    return {
        "python": platform.python_version(),
        **{package: _installed().get(_normalize(package), "not installed") for package in sorted(packages)},
    }


@cache
def _installed() -> dict[str, str]:
    """Return distribution → version with its build tag (+cpu, +cu130), because builds round differently.

    Read from the names of folders: importing importlib.metadata would take a tenth of a job's start.
    """
    found: dict[str, str] = {}
    for folder in filter(os.path.isdir, sys.path):
        for name in os.listdir(folder):
            distribution, _, version = name.removesuffix(".dist-info").partition("-")
            if name.endswith(".dist-info"):
                # The first folder on the path counts, as for imports.
                found.setdefault(_normalize(distribution), version)
    return found


def _normalize(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


@dataclass(frozen=True)
class Provenance:
    """The origin of one result.

    spec: canonical JSON
    code: ENTRY@FINGERPRINT
    inputs: name of each input → digest
    reduced: what stood in for a data set, or was smaller than it, in words; "" if nothing
    packages: the packages that the code reaches
    """

    spec: str
    code: str
    inputs: dict[str, str] = field(default_factory=dict)
    reduced: str = ""
    packages: tuple[str, ...] = ()

    def as_stamp(self) -> dict[str, str]:
        """Return the provenance as text fields, with the installed versions of the packages."""
        return {
            "spec": self.spec,
            "code": self.code,
            "inputs": inputs_text(self.inputs),
            "reduced": self.reduced,
            "versions": json.dumps(versions(self.packages), sort_keys=True),
        }
