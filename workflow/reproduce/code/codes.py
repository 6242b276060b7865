"""The code params of results: what their jobs would record if they ran the same functions of the present sources."""

import hashlib
import json

from reproduce.code.fingerprint import fingerprint, open_pieces
from reproduce.code.footprint import Footprint
from reproduce.code.modules import Package
from reproduce.errors import UserError
from reproduce.records.cache import Cache
from reproduce.records.paths import CACHE
from reproduce.records.record import Record


class Codes:
    """The code param of each result, from the footprint in its record."""

    def __init__(self, package: Package) -> None:
        self._package, self._pieces = package, open_pieces()
        self._sources = package.sources
        state = hashlib.sha256(b"".join(sorted(hashlib.sha256(text).digest() for text in self._sources.values())))
        self.version = state.hexdigest()
        self._cache = Cache(CACHE, self.version)
        self._known: dict[str, str] = {}

    def of(self, entry: str, record: Record) -> str:
        """Return `ENTRY@FINGERPRINT` of the functions that a record names."""
        # Many results have the same footprint.
        ran = json.dumps([record.footprint, sorted(record.packages)])
        if ran not in self._known:
            name = hashlib.sha256(ran.encode()).hexdigest()[:20]
            digits = self._cache.text("code", name, "", lambda: self._fingerprint(record.footprint))
            self._known[ran] = digits + self._package.digest_of_pins(record.packages.keys() - {"python"})
        return f"{entry}@{self._known[ran]}"

    def _fingerprint(self, footprint: Footprint) -> str:
        try:
            return fingerprint(footprint, self._sources, self._pieces)
        except (SyntaxError, ValueError) as error:
            raise UserError(f"{error.args}: not Python") from error

    def save(self) -> None:
        """Write the cache, with the pieces of all modules, which jobs read."""
        everything = {key: list[str]() for key in self._sources}
        self._cache.text("code", "all", "", lambda: fingerprint(everything, self._sources, self._pieces))
        self._pieces.save()
        self._cache.save()
