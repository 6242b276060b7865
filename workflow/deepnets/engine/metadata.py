"""What Snakemake remembers of each result, brought into line with what the result says of itself.

Snakemake compares the params of a job with those in its own records. A record can be missing: the result was copied
here, or its job outlived the workflow. It can be of another file: the result was replaced, by hand or by an old copy.
So before every plan the files are asked. Each carries a stamp, which says just what its job's params say: its spec, its
code, and the digests of its inputs.
"""

import json
import os
from ast import literal_eval
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from zlib import crc32

from snakemake.io import IOFile
from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord
from snakemake.persistence.file import FilePersistence

from workflow.deepnets.config.results import Result
from workflow.deepnets.errors import UserError
from workflow.deepnets.records import provenance
from workflow.deepnets.records.facts import Facts
from workflow.deepnets.records.paths import CLAIMS, FACTS, MNIST, PAGE, RUNS, WHITENED
from workflow.deepnets.records.provenance import digest_of, inputs_text, sha256_of

# Whose jobs make the files below a path.
_RULES = {
    MNIST: "fetch",
    WHITENED: "whiten",
    RUNS: "train",
    "results/tables": "aggregate",
    CLAIMS: "ledger",
    "results/claims/": "judge",
    PAGE: "page",
    "results/figures": "figure",
    "results/interactive": "interactive",
}


def facts_of_earlier_plans() -> Facts:
    """Return what earlier plans found out about the files, if the same code found it."""
    return Facts(FACTS, digest_of(sorted(Path(provenance.__file__).parent.glob("*.py"))))


def inputs_param(path: str, result: Result, facts: Facts) -> str:
    """Return the param that changes with the content of a result's inputs, as the result's stamp will say it.

    An input that is not there speaks against no result: it is taken for what was read.
    """
    there = {name: all(map(os.path.exists, paths)) for name, paths in result.inputs.items()}
    read = {} if all(there.values()) else _inputs_read(path, result, facts)
    return inputs_text(
        {name: _digest(paths, facts) if there[name] else read.get(name, "") for name, paths in result.inputs.items()}
    )


def all_inputs_param(results: Mapping[str, Result], facts: Facts) -> str:
    """Return the param that changes with the content of any result, for a job that reads them all."""
    return _digest(tuple(results), facts)


def remind(results: Mapping[str, Result], facts: Facts) -> None:
    """Let Snakemake's record of each file that is there say what the file's stamp says, of a damaged one nothing.

    The record of a missing file stays: what is needed of it again is compared with that.
    """
    persistence = FilePersistence(nolock=True)
    for path, result in results.items():
        stamp = stamp_known(path, facts)
        if stamp is None:
            continue
        params = _params(stamp, result)
        record = persistence.metadata(IOFile(path)) or _new_record(path)
        if record.record_format_version != RECORD_FORMAT_VERSION or record.params != params:
            record.record_format_version = RECORD_FORMAT_VERSION
            record.params = params
            record.input_checksums = _checksums(stamp, result, facts)
            persistence._write_record(path, record)


def _inputs_read(path: str, result: Result, facts: Facts) -> dict[str, str]:
    """Return the digests of what the job behind a file read: as its stamp says or, of a missing file, its record."""
    if stamp := stamp_known(path, facts):
        return json.loads(stamp["inputs"])
    record = FilePersistence(nolock=True).metadata(IOFile(path)) or MetadataRecord()
    # Params stand there without names. Of a spec and a code, neither is a mapping with the names of the inputs.
    texts = (literal_eval(param) for param in record.params or [])
    mappings = (json.loads(text) for text in texts if text.startswith("{"))
    return next((read for read in mappings if read.keys() == result.inputs.keys()), {})


def _new_record(path: str) -> MetadataRecord:
    """Return a record with what Snakemake's report wants to know of a job that nobody saw."""
    rule = next(rule for part, rule in _RULES.items() if path.startswith(part))
    made = os.path.getmtime(path) if os.path.exists(path) else 0.0
    return MetadataRecord(rule=rule, job_hash=crc32(path.encode()), starttime=made, endtime=made)


def stamp_known(path: str, facts: Facts) -> dict[str, str] | None:
    """Return a file's stamp as a mapping: empty where the file is damaged, None where there is no file."""
    told = facts.of(path, "stamp", _told_by)
    return json.loads(told) if told else None


def _told_by(path: str) -> str:
    # Imports numpy and pyarrow, for which a plan that finds all files known has no use.
    from workflow.deepnets.records.stamps import stamp_of

    try:
        return json.dumps(asdict(stamp_of(path)))
    except UserError:
        return "{}"


def _params(stamp: Mapping[str, str], result: Result) -> list[str]:
    """Return the params of the job that made a file, as Snakemake writes them down."""
    if not stamp:
        return []
    # Several sources give the same data set, which says what it holds: whichever is asked for, it is the one.
    spec = result.spec if stamp["spec"] in result.stamps else stamp["spec"]
    return sorted(map(repr, (spec, stamp["code"], stamp["inputs"])))


def _checksums(stamp: Mapping[str, str], result: Result, facts: Facts) -> dict[str, str]:
    """Return the checksums by which Snakemake knows an input that was read, though it has a new time stamp."""
    read = json.loads(stamp["inputs"]) if stamp else {}
    alone = {paths[0]: read[name] for name, paths in result.inputs.items() if name in read and len(paths) == 1}
    same = [paths for name, paths in result.inputs.items() if read.get(name) == _digest(paths, facts)]
    together = {path: facts.of(path, "sha256", sha256_of) for paths in same for path in paths}
    return {path: f"sha256:{digest}" for path, digest in {**alone, **together}.items()}


def _digest(paths: tuple[str, ...], facts: Facts) -> str:
    return digest_of(paths, lambda path: facts.of(path, "sha256", sha256_of))
