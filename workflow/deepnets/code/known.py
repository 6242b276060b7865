"""The code of jobs, found once and remembered for as long as no source changes.

To follow the code of all jobs takes a second and a half; to read all sources, a few hundredths. Plans alone remember: a
job follows its own code anew before it starts, so that it would notice a wrong memory.
"""

import hashlib
import json
import sys
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import code_of, entries_of, packages_of
from workflow.deepnets.code.modules import BROUGHT, PINS, Package
from workflow.deepnets.code.refusals import check_root
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.atomic import replacing


class KnownCode:
    """The code param of each job of a package, and the other packages that the job reaches."""

    def __init__(self, package: Package, memory: Path | str) -> None:
        """Take up what was saved in a file, if it was found in the same sources.

        Raises UserError where a file at the root would be imported in place of a module.
        """
        check_root(package)
        self._package, self._memory = package, Path(memory)
        self._sources = digest_of_sources(package)
        self._known = self._saved()
        self._news = False

    @cached_property
    def _closure(self) -> Closure:
        return Closure(self._package)

    def code(self, program: str, entry: str) -> str:
        """Return `ENTRY@FINGERPRINT`; raises UserError where reached code cannot be followed."""
        return self._of(program, entry)[0]

    def packages(self, program: str, entry: str) -> tuple[str, ...]:
        """Return the other packages that a job reaches; raises UserError where reached code cannot be followed."""
        return tuple(self._of(program, entry)[1:])

    def save(self) -> None:
        """Save all that is known, if there is anything new."""
        # Two plans at once, or a folder that may not be written to: the next plan follows the code itself.
        with suppress(UserError):
            if self._news:
                with replacing(self._memory) as unfinished:
                    said = {"sources": self._sources, "jobs": self._known}
                    unfinished.write_text(json.dumps(said, indent=0), encoding="utf-8")

    def _of(self, program: str, entry: str) -> list[str]:
        job = f"{program} {entry}"
        if job not in self._known:
            packages = packages_of(self._closure, *entries_of(program, entry))
            self._known[job] = [code_of(program, entry, self._closure), *packages]
            self._news = True
        return self._known[job]

    def _saved(self) -> dict[str, list[str]]:
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            saved = json.loads(self._memory.read_text(encoding="utf-8"))
            if saved["sources"] == self._sources:
                return {job: found for job, found in saved["jobs"].items() if _sound(job, found)}
        return {}


def digest_of_sources(package: Package) -> str:
    """Return a digest of all that decides what jobs reach: modules and pins, the names of all other files, Python."""
    digest = hashlib.sha256(f"{sys.version_info[:3]} {sys.prefix}\n".encode())
    for path in package.files:
        name = path.relative_to(package.root).as_posix()
        counts = name.endswith(".py") or name in (PINS, BROUGHT)
        content = hashlib.sha256(path.read_bytes()).hexdigest() if counts else ""
        digest.update(f"{name}\n{content}\n".encode())
    return digest.hexdigest()


def _sound(job: str, found: object) -> bool:
    """Whether a saved entry is as `KnownCode` saves it: a user may have edited the file."""
    entry = job.partition(" ")[2]
    return isinstance(found, list) and all(isinstance(each, str) for each in found) and found[0].startswith(f"{entry}@")
