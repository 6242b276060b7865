"""Keep Snakemake's metadata of each result equal to the result's own record.

Snakemake compares the params of a job with those in its metadata. But the metadata may be missing (the result was
copied here, or its job outlived the workflow) or belong to another file (the result was replaced). The record of each
result contains the same three params: spec, code, and the digests of the inputs. So before every plan, the metadata is
written from the records.
"""

import os
from collections.abc import Mapping
from zlib import crc32

from reproduce.config.plan import Result
from reproduce.config.staleness import Staleness
from reproduce.engine.snakemake_internals import Metadata, MetadataRecord
from reproduce.records.cache import FileCache
from reproduce.records.paths import CLAIM_LIST, RUNS
from reproduce.records.record import Record, record_of

# Path → the rule that makes the files below it.
_RULES = {
    "results/data/": "data",
    RUNS: "train",
    "results/tables": "aggregate",
    CLAIM_LIST: "list_claims",
    "results/claims/": "judge",
    "results/report": "page",
    "results/figures": "figure",
    "results/interactive": "interactive",
}


def sync_snakemake_metadata(results: Mapping[str, Result], staleness: Staleness, cache: FileCache) -> None:
    """Overwrite Snakemake's metadata of every result, and of its record; clear it for damaged files.

    That of a missing file too, if its record is there: Snakemake compares it with what would make the file now.
    """
    metadata = Metadata()
    for path, result in results.items():
        record = cache.last_record(path)
        if not record and cache.record(path) is None:
            continue
        params = staleness.recorded(record, result) if record else ()
        checksums = _checksums(record, result, cache)
        for name in (path, record_of(path)):
            found = metadata.read(name) or _new_metadata(path)
            if metadata.differs(found, params, checksums):
                metadata.write(name, found, params, checksums)


def _checksums(record: Record, result: Result, cache: FileCache) -> dict[str, str]:
    """Return path → SHA-256 of the inputs with the recorded digests.

    With these checksums, Snakemake ignores a new time stamp of an input.
    """
    same = [paths for name, paths in result.inputs.items() if record.inputs.get(name) == cache.digest(paths)]
    return {path: cache.digest([path]) for paths in same for path in paths}


def _new_metadata(path: str) -> MetadataRecord:
    """Return metadata of a job that Snakemake did not run, with the fields that Snakemake's report reads."""
    rule = next(rule for part, rule in _RULES.items() if path.startswith(part))
    time = os.path.getmtime(path) if os.path.exists(path) else 0.0
    return MetadataRecord(rule=rule, job_hash=crc32(path.encode()), starttime=time, endtime=time)
