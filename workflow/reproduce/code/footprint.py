"""The footprint of a job: the modules of the two packages that it imported, and the functions of them that ran.

The loader of modules (reproduce/__init__.py) records both. A job with equal inputs runs the same code until it meets a
changed piece (code/fingerprint.py), so a change of other code cannot change its result. The code param of a result is
what its job would record if it ran the same functions of the present sources.
"""

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence

from reproduce import RAN, SOURCES
from reproduce.code.fingerprint import fingerprint, open_pieces
from reproduce.code.modules import LAUNCHER, Package
from reproduce.records.cache import Cache
from reproduce.records.paths import CACHE
from reproduce.records.record import Record

# Module → the names of its functions that ran, EVERY if all count.
Footprint = Mapping[str, Sequence[str]]
EVERY = "*"
# These start before all others, or still run when the record is written, so all their functions count.
_WHOLE = ("reproduce.jobs", "reproduce.records")
# It computes fingerprints, and so changes them itself.
_NOT_COUNTED = "reproduce.code."
# The first ones run before anything is recorded, the third one in the process that starts the job.
_OUTSIDE = (LAUNCHER, "reproduce", "reproduce.records.command")


def taken() -> tuple[str, Footprint, tuple[str, ...]]:
    """Return the fingerprint of what this job ran so far, its footprint, and the packages that it imported."""
    names: dict[str, list[str]] = {module: [] for module in [*SOURCES] if not module.startswith(_NOT_COUNTED)}
    for key in [*RAN]:
        module, _, name = key.partition(":")
        if module in names:
            names[module].append(name)
    package, sources = Package(), {**SOURCES}
    for each in _OUTSIDE:
        names[each], sources[each] = [], package.source(each) or None
    whole = {each for each in names if each in _OUTSIDE or each.startswith(_WHOLE)}
    footprint = {each: [EVERY] if each in whole else sorted(names[each]) for each in sorted(names)}
    packages = tuple(sorted(package.distributions({name.partition(".")[0] for name in [*sys.modules]})))
    code = fingerprint(footprint, sources, open_pieces()) + package.digest_of_pins(packages)
    return code, footprint, packages


class Codes:
    """The code param of each result, from the footprint in its record."""

    def __init__(self, package: Package) -> None:
        self._package, self._pieces, self._sources = package, open_pieces(), package.sources
        texts = (f"{name} {hashlib.sha256(text).hexdigest()}" for name, text in sorted(self._sources.items()))
        self.version = hashlib.sha256("\n".join(texts).encode()).hexdigest()
        pins = package.digest_of_pins(package.versions)
        self._cache = Cache(CACHE, f"{self.version} {self._pieces.version} {pins}")

    def of(self, entry: str, record: Record) -> str:
        """Return `ENTRY@FINGERPRINT` of the functions that a record names."""

        def find() -> str:
            digits = fingerprint(record.footprint, self._sources, self._pieces)
            return digits + self._package.digest_of_pins(record.packages.keys() - {"python"})

        ran = json.dumps([record.footprint, sorted(record.packages)])
        return f"{entry}@{self._cache.text('code', hashlib.sha256(ran.encode()).hexdigest()[:20], '', find)}"

    def save(self) -> None:
        """Write the cache, with the pieces of all modules, which jobs read."""
        everything = {key: list[str]() for key in self._sources}
        self._cache.text("code", "all", "", lambda: fingerprint(everything, self._sources, self._pieces))
        self._pieces.save()
        self._cache.save()
