"""The installed packages and their versions, for records."""

import os
import platform
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import PurePath


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the installed versions of Python and of packages, without importing these.

    A version has its build tag (+cpu, +cu130), because builds round differently.
    """
    names = {package: PurePath(metadata_of(package)).stem for package in sorted(packages)}
    found = {package: name.partition("-")[2] or "not installed" for package, name in names.items()}
    return {"python": platform.python_version(), **found}


def metadata_of(distribution: str) -> str:
    """Return the folder with the metadata of an installed package, "" if it is not installed."""
    return _installed().get(_normalize(distribution), "")


@cache
def _installed() -> dict[str, str]:
    """Return distribution → folder with its metadata, named NAME-VERSION.dist-info.

    Read from the names of folders: importing importlib.metadata would take a fifth of a job's start.
    """
    found: dict[str, str] = {}
    # The first folder on the path counts, as for imports.
    for folder in filter(os.path.isdir, reversed(sys.path)):
        names = (name for name in os.listdir(folder) if name.endswith(".dist-info"))
        found |= {_normalize(name.partition("-")[0]): f"{folder}/{name}" for name in names}
    return found


def _normalize(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()
