"""The code of jobs, kept for later plans until a source changes.

To follow the code of all jobs takes 1.5 s, to read all sources a few hundredths. Only plans use this: a job
follows its own code again before it starts, and stops if the entry was wrong.
"""

import hashlib
import sys
from functools import cached_property
from pathlib import Path

from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import code_of, entries_of, packages_of
from workflow.deepnets.code.modules import PINS, TRANSITIVE_PINS, Package
from workflow.deepnets.code.refusals import check_root
from workflow.deepnets.records.cache import Cache


class FingerprintCache(Cache):
    """The code param of each job of a package, and the other packages that the job reaches."""

    def __init__(self, package: Package, folder: Path | str) -> None:
        """Raises UserError if Python would import a file at the root in place of a module."""
        check_root(package)
        super().__init__(folder, digest_of_sources(package))
        self._package = package

    @cached_property
    def _closure(self) -> Closure:
        return Closure(self._package)

    def of(self, program: str, entry: str) -> tuple[str, tuple[str, ...]]:
        """Return `ENTRY@FINGERPRINT` and the names of the packages; raises UserError if code cannot be followed."""

        def find() -> str:
            packages = packages_of(self._closure, *entries_of(program, entry))
            return " ".join([code_of(program, entry, self._closure), *packages])

        code, *packages = self.text("code", f"{program} {entry}", "", find).split()
        return code, tuple(packages)

    def save(self) -> None:
        """Write the codes, unless a source changed since the digest: they may be of the sources before or after."""
        if self._changed and digest_of_sources(Package(self._package.root)) == self._version:
            super().save()


def digest_of_sources(package: Package) -> str:
    """Return a digest of all that decides what jobs reach: modules and pins, the names of all other files, Python."""
    digest = hashlib.sha256(f"{sys.version_info[:3]} {sys.prefix}\n".encode())
    for path in package.files:
        name = path.relative_to(package.root).as_posix()
        counts = name.endswith(".py") or name in (PINS, TRANSITIVE_PINS)
        content = hashlib.sha256(path.read_bytes()).hexdigest() if counts else ""
        digest.update(f"{name}\n{content}\n".encode())
    return digest.hexdigest()
