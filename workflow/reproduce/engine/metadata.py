"""Keep Snakemake's metadata of each result equal to the result's own stamp.

Snakemake compares the params of a job with those in its metadata. But the metadata may be missing (the result was
copied here, or its job outlived the workflow) or belong to another file (the result was replaced). The stamp of each
result contains the same three params: spec, code, and the digests of the inputs. So before every plan, the metadata is
written from the stamps.
"""

import json
import os
from ast import literal_eval
from collections.abc import Mapping
from zlib import crc32

from reproduce.config.plan import Result
from reproduce.engine.snakemake_internals import Metadata, MetadataRecord
from reproduce.records.cache import FileCache
from reproduce.records.paths import ARCHIVE, CLAIM_LIST, RUNS
from reproduce.records.provenance import inputs_text

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
    "results/notebooks": "notebook",
}


def inputs_param(path: str, result: Result, cache: FileCache) -> str:
    """Return the param `inputs` of the job of a result: the digests of its inputs, as the stamp writes them.

    A missing input does not make a result stale: use the digest recorded when it was read.
    """
    exist = {name: cache.exist(paths) for name, paths in result.inputs.items()}
    recorded = {} if all(exist.values()) else _recorded_inputs(path, result, cache)
    # The archive contains all bytes of its inputs.
    digest = cache.digest_of_bytes if path == ARCHIVE else cache.digest
    return inputs_text(
        {name: digest(paths) if exist[name] else recorded.get(name, "") for name, paths in result.inputs.items()}
    )


def sync_snakemake_metadata(results: Mapping[str, Result], cache: FileCache) -> None:
    """Overwrite Snakemake's metadata of every existing result with the result's own stamp; clear it for damaged files.

    The metadata of a missing file stays, because Snakemake compares it with what would make the file now.
    """
    metadata = Metadata()
    for path, result in results.items():
        stamp = cache.stamp(path)
        if stamp is None:
            continue
        params, record = _params(stamp, result), metadata.read(path) or _new_record(path)
        checksums = _checksums(stamp, result, cache)
        if metadata.differs(record, params, checksums):
            metadata.write(path, record, params, checksums)


def _params(stamp: Mapping[str, str], result: Result) -> list[str]:
    """Return the params of the job that made a file; none for a damaged file."""
    if not stamp:
        return []
    # Several sources give the same data set, and its stamp contains none: use the source from the config.
    spec = result.spec if stamp["spec"] in result.stamps else stamp["spec"]
    return [spec, stamp["code"], stamp["inputs"]]


def _checksums(stamp: Mapping[str, str], result: Result, cache: FileCache) -> dict[str, str]:
    """Return path → SHA-256 of the inputs whose content digest equals the recorded one.

    With these checksums, Snakemake ignores a new time stamp of an input, even if a job made it again with other bytes.
    """
    recorded = json.loads(stamp["inputs"]) if stamp else {}
    same = [paths for name, paths in result.inputs.items() if recorded.get(name) == cache.digest(paths)]
    return {path: cache.digest_of_bytes([path]) for paths in same for path in paths}


def _recorded_inputs(path: str, result: Result, cache: FileCache) -> dict[str, str]:
    """Return the recorded digests of the inputs of a result, from its stamp or, if it is missing, from the metadata."""
    if stamp := cache.stamp(path):
        return json.loads(stamp["inputs"])
    record = Metadata().read(path) or MetadataRecord()
    # Metadata contains params without names. Neither a spec nor a code is a mapping with the names of the inputs.
    texts = (literal_eval(param) for param in record.params or [])
    mappings = (json.loads(text) for text in texts if text.startswith("{"))
    return next((inputs for inputs in mappings if inputs.keys() == result.inputs.keys()), {})


def _new_record(path: str) -> MetadataRecord:
    """Return a record of a job that Snakemake did not run, with the fields that Snakemake's report reads."""
    rule = next(rule for part, rule in _RULES.items() if path.startswith(part))
    time = os.path.getmtime(path) if os.path.exists(path) else 0.0
    return MetadataRecord(rule=rule, job_hash=crc32(path.encode()), starttime=time, endtime=time)
