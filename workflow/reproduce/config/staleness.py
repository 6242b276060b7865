"""Decide whether results are current: whether their records contain what their jobs would record now."""

from reproduce.code.fingerprint import without_pins
from reproduce.config.plan import Plan, Result
from reproduce.records.cache import FileCache
from reproduce.records.files import digests_of
from reproduce.records.record import Record


class Staleness:
    """A judge of the results of a plan. cache: the digests of files."""

    def __init__(self, plan: Plan, cache: FileCache) -> None:
        self._codes, self._cache = plan.codes, cache

    def inputs_now(self, record: Record, result: Result) -> dict[str, str]:
        """Return name → SHA-256 of each input, and of each file that the code opened, as the job would record now.

        A missing input does not make a result stale: use the digest recorded when it was read. But without its own
        record, as after a job that failed, it may have been stale.
        """
        inputs = {}
        for name, paths in result.inputs.items():
            missing = [str(path) for path in paths if not self._cache.exist([path])]
            known = missing and all(map(self._cache.last_record, missing))
            inputs[name] = record.inputs.get(name, "") if known else self._cache.digest(paths)
        return {**inputs, **digests_of(record.files)}

    def differences(self, path: str, result: Result) -> tuple[str, ...]:
        """Return in what a record differs from what its job would record now, even if the file is missing."""
        record = self._cache.last_record(path)
        if not record:
            return () if self._cache.record(path) is None else ("damaged",)
        code, files = self._codes.of(result.entry, record), {**record.inputs, **record.files}
        differ = {
            # Several sources give the same data set, and its record contains none.
            "spec": record.spec not in (result.spec, *result.recorded_specs),
            "code": without_pins(record.code) != without_pins(code),
            "package": without_pins(record.code) == without_pins(code) and record.code != code,
            "inputs": files != self.inputs_now(record, result),
        }
        return tuple(name for name, differs in differ.items() if differs)

    def reasons(self, path: str, result: Result) -> tuple[str, ...]:
        """Return why a result is not current: missing, damaged, or what differs; none if it is current."""
        return ("missing",) if self._cache.record(path) is None else self.differences(path, result)
