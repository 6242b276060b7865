"""Versions of the installed packages, for records."""

import os
import platform
import re
import sys
from collections.abc import Iterable
from functools import cache


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
