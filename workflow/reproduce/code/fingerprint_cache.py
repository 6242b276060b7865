"""Cache the code param of each job until a module that it reaches changes.

Following the code of all jobs takes 2 s, reading all sources a few hundredths.
"""

import hashlib
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reproduce.code.modules import Package
from reproduce.code.science import MECHANICS, PINS, TRANSITIVE_PINS
from reproduce.errors import UserError
from reproduce.records.cache import Cache
from reproduce.records.paths import CACHE

if TYPE_CHECKING:
    from reproduce.code.closure import Closure


class FingerprintCache(Cache):
    """A cache of the code param of each job, and of the other packages that the job reaches."""

    def __init__(self, package: Package, folder: Path | str) -> None:
        super().__init__(folder, _digest_of_surroundings(package))
        self._package = package

    @cached_property
    def _closure(self) -> "Closure":
        # Imported here and below: a job whose code is in the cache needs no static analysis.
        from reproduce.code.closure import Closure

        return Closure(self._package)

    def of(self, program: str, entry: str) -> tuple[str, tuple[str, ...]]:
        """Return `ENTRY@FINGERPRINT` and the names of the packages; raises UserError if code cannot be followed."""

        def find() -> str:
            from reproduce.code.fingerprint import code_of, entries_of, modules_of, packages_of

            closure, entries = self._closure, entries_of(program, entry)
            lists = packages_of(closure, *entries), modules_of(closure, *entries)
            return "\n".join([code_of(program, entry, closure), *map(" ".join, lists)])

        key = f"{program} {entry}"
        # Compute the state once per process: a plan needs the code of an experiment for each of its runs.
        text = self.text("", key, lambda _: "", lambda: self.text("code", key, self._state, find))
        code, packages, _ = text.split("\n")
        return code, tuple(packages.split())

    def _state(self, text: str) -> str:
        """Return a digest of a text and of the sources of the modules that it lists."""
        digest = hashlib.sha256(text.encode())
        for module in text.rpartition("\n")[2].split():
            digest.update(hashlib.sha256(self._package.source(module)).digest())
        return digest.hexdigest()

    def save(self) -> None:
        """Write the cache, unless files were added or deleted meanwhile: it may mix old and new files."""
        if self._changed and _digest_of_surroundings(Package(self._package.root)) == self._version:
            super().save()


def verify(program: str, code: str) -> tuple[str, ...]:
    """Return the packages that code reaches; raises UserError if `ENTRY@FINGERPRINT` no longer fits the sources.

    Otherwise the stamp would record the fingerprint of code that did not make the result.
    """
    entry = code.partition("@")[0]
    now, packages = FingerprintCache(Package(), CACHE).of(program, entry)
    if now != code:
        raise UserError(f"the code of {entry} changed after this job was planned; start snakemake again")
    return packages


def _digest_of_surroundings(package: Package) -> str:
    """Return a digest of everything that decides which code jobs reach, except their modules.

    This is Python, the pins, the static analysis, the cache, and the names of all other files.
    """
    digest = hashlib.sha256(f"{sys.version_info[:3]} {sys.prefix}\n".encode())
    counted = tuple(f"{MECHANICS}/{part}" for part in ("code/", "records/cache.py", "records/paths.py"))
    for path in package.files:
        name = path.relative_to(package.root).as_posix()
        counts = name in (PINS, TRANSITIVE_PINS) or (name.startswith(counted) and name.endswith(".py"))
        content = hashlib.sha256(path.read_bytes()).hexdigest() if counts else ""
        digest.update(f"{name}\n{content}\n".encode())
    return digest.hexdigest()
