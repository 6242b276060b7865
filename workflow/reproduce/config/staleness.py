"""Decide whether results are current: whether their records contain what their jobs would record now."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from reproduce.code.fingerprint import without_pins
from reproduce.config.plan import Plan, Result
from reproduce.records.cache import FileCache
from reproduce.records.opened import digests_of
from reproduce.records.record import Record


class Params(NamedTuple):
    """The settings, the code and the inputs that determine a result, as the params of its job.

    spec: canonical JSON
    code: ENTRY@FINGERPRINT
    inputs: JSON, name of each input, and of each file that the code opened → SHA-256
    """

    spec: str
    code: str
    inputs: str


class Staleness:
    """A judge of the results of a plan. cache: the digests of files."""

    def __init__(self, plan: Plan, cache: FileCache) -> None:
        self._codes, self._cache = plan.codes, cache

    def code_now(self, path: str, result: Result, record: Record | None = None) -> str:
        """Return the code that the job of a result would record now, if it ran the functions that its record names."""
        # Of results on a storage, no record is known, so all code counts.
        return self._codes.of(result.entry, record or self._cache.last_record(path), every=self._cache.stored)

    def inputs_now(self, path: str, result: Result, record: Record | None = None) -> str:
        """Return the inputs that the job of a result would record now.

        A missing input does not make a result stale: use the digest recorded when it was read.
        """
        record = record or self._cache.last_record(path)
        inputs = {
            name: self._cache.digest(paths) if self._cache.exist(paths) else record.inputs.get(name, "")
            for name, paths in result.inputs.items()
        }
        return _inputs_text(inputs, digests_of(record.files))

    def recorded(self, record: Record, result: Result) -> Params:
        """Return what the job of a result recorded."""
        # Several sources give the same data set, and its record contains none: use the source from the config.
        spec = result.spec if record.spec in result.recorded_specs else record.spec
        return Params(spec, record.code, _inputs_text(record.inputs, record.files))

    def reasons(self, path: str, result: Result) -> tuple[str, ...]:
        """Return why a result is not current: missing, damaged, or which params differ; none if it is current."""
        record = self._cache.record(path)
        if not record:
            return ("missing",) if record is None else ("damaged",)
        recorded = self.recorded(record, result)
        now = Params(result.spec, self.code_now(path, result, record), self.inputs_now(path, result, record))
        found = [name for name in Params._fields if getattr(recorded, name) != getattr(now, name)]
        if "code" in found and without_pins(recorded.code) == without_pins(now.code):
            found[found.index("code")] = "package"
        return tuple(found)


def _inputs_text(inputs: Mapping[str, str], files: Mapping[str, str]) -> str:
    return json.dumps({**inputs, **files}, sort_keys=True)
