"""Files of this repository that the code of a job opened: a result depends on them, as it does on the code."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from reproduce.records.digests import sha256_of

# The folder of both packages. In a checkout, the repository is the folder above it.
_PACKAGES = Path(__file__).resolve().parents[2]
REPOSITORY = _PACKAGES.parent if (_PACKAGES / "launch.py").is_file() else _PACKAGES


def name_of(path: str) -> str:
    """Return the name of a file in records: its path from the folder of both packages."""
    return os.path.relpath(path, _PACKAGES)


def digest_of_opened(name: str) -> str:
    """Return the SHA-256 of a file, or of the names in a folder; "" if there is nothing."""
    path = _PACKAGES / name
    if path.is_dir():
        # Python makes its folder of bytecode at the first import.
        names = sorted(each for each in os.listdir(path) if each != "__pycache__")
        return hashlib.sha256("\n".join(names).encode()).hexdigest()
    return sha256_of(path) if path.is_file() else ""


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """Return the digests of files, by their names."""
    return {name: digest_of_opened(name) for name in names}
