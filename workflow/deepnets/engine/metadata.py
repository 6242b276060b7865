"""Snakemake's metadata of each result, brought in line with the result's own stamp.

Snakemake compares the params of a job with those in its metadata. The metadata can be missing: the result was copied
here, or its job outlived the workflow. It can belong to another file: the result was replaced, by hand or by an old
copy. Each result carries a stamp with the same three params: its spec, its code, and the digests of its inputs. So
before every plan the stamps are read, and the metadata is written from them.
"""

import json
import os
from ast import literal_eval
from collections.abc import Mapping
from zlib import crc32

from workflow.deepnets.config.plan import Result
from workflow.deepnets.engine.snakemake_internals import Metadata, MetadataRecord
from workflow.deepnets.records.cache import FileCache
from workflow.deepnets.records.paths import ARCHIVE, CLAIMS, MNIST, RUNS, WHITENED
from workflow.deepnets.records.provenance import inputs_text

# The rule that makes the files below a path.
_RULES = {
    MNIST: "fetch",
    WHITENED: "whiten",
    RUNS: "train",
    "results/tables": "aggregate",
    CLAIMS: "ledger",
    "results/claims/": "judge",
    "results/report": "page",
    "results/figures": "figure",
    "results/interactive": "interactive",
}


def inputs_param(path: str, result: Result, cache: FileCache) -> str:
    """Return the param that changes with the content of a result's inputs, in the words of the result's stamp.

    A missing input does not make a result stale: the digest recorded when it was read is used.
    """
    exist = {name: all(map(os.path.exists, paths)) for name, paths in result.inputs.items()}
    recorded = {} if all(exist.values()) else _recorded_inputs(path, result, cache)
    # An archive holds the bytes of its inputs.
    digest = cache.digest_of_bytes if path == ARCHIVE else cache.digest
    return inputs_text(
        {name: digest(paths) if exist[name] else recorded.get(name, "") for name, paths in result.inputs.items()}
    )


def sync_snakemake_metadata(results: Mapping[str, Result], cache: FileCache) -> None:
    """Overwrite Snakemake's metadata of every existing result with the result's own stamp; clear it for damaged files.

    The metadata of a missing file stays: what made it is compared with what would make it now.
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
    # Several sources give the same data set, and its stamp names none: take the source that the config names.
    spec = result.spec if stamp["spec"] in result.stamps else stamp["spec"]
    return [spec, stamp["code"], stamp["inputs"]]


def _checksums(stamp: Mapping[str, str], result: Result, cache: FileCache) -> dict[str, str]:
    """Return the SHA-256 of the inputs whose content is that which was read.

    By these Snakemake recognises an input under a new time stamp, also one that was made again with other bytes.
    """
    read = json.loads(stamp["inputs"]) if stamp else {}
    same = [paths for name, paths in result.inputs.items() if read.get(name) == cache.digest(paths)]
    return {path: cache.digest_of_bytes([path]) for paths in same for path in paths}


def _recorded_inputs(path: str, result: Result, cache: FileCache) -> dict[str, str]:
    """Return the digests of what a file's job read, from the file's stamp or, if it is missing, from the metadata."""
    if stamp := cache.stamp(path):
        return json.loads(stamp["inputs"])
    record = Metadata().read(path) or MetadataRecord()
    # Metadata holds params without names. Neither a spec nor a code is a mapping with the names of the inputs.
    texts = (literal_eval(param) for param in record.params or [])
    mappings = (json.loads(text) for text in texts if text.startswith("{"))
    return next((read for read in mappings if read.keys() == result.inputs.keys()), {})


def _new_record(path: str) -> MetadataRecord:
    """Return a record with what Snakemake's report needs of a job that it did not see."""
    rule = next(rule for part, rule in _RULES.items() if path.startswith(part))
    made = os.path.getmtime(path) if os.path.exists(path) else 0.0
    return MetadataRecord(rule=rule, job_hash=crc32(path.encode()), starttime=made, endtime=made)
