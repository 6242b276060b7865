"""Parts of a record: digests of inputs, versions of packages, and words on what is reduced; no time, host or user."""

import hashlib
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Sequence
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
