"""Program: judge the claims of one document by the tables of its experiments."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from workflow.deepnets.claims.claim import Claim, Erratum
from workflow.deepnets.claims.criteria import NOT_TESTABLE, Judgement
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.config.seeds import listed
from workflow.deepnets.data.mnist import SUBSET, merged_mnist
from workflow.deepnets.records.atomic import replacing
from workflow.deepnets.records.job import Job
from workflow.deepnets.records.ledgers import ERRATUM, LEDGER_SCHEMA
from workflow.deepnets.records.provenance import unchanged
from workflow.deepnets.records.tables import metadata_of, read_table, write_table
from workflow.deepnets.tables.rows import NotRecordedError


def main(job: Job, tables: list[Path], output: Path) -> None:
    """Judge the entries of the ledger that the code names, and write a row for each, in their order.

    tables: each named like its experiment.
    """
    document, entries = job.spec["document"], job.function()
    with replacing(output) as unfinished, unchanged({path.stem: [path] for path in tables}) as inputs:
        read = {path.stem: read_table(path) for path in tables}
        mnist = merged_mnist([metadata_of(table)["mnist"] for table in read.values()])
        frames = {name: table.to_pandas() for name, table in read.items()}
        evidence = Evidence(frames, {name: _grids_of(table) for name, table in read.items()})
        rows = [_erratum(each) if isinstance(each, Erratum) else row_of(each, evidence, mnist) for each in entries]
        rows = [{"document": document, **row} for row in rows]
        write_table(unfinished, pa.Table.from_pylist(rows, schema=LEDGER_SCHEMA), job.provenance(inputs, mnist))


def _grids_of(table: pa.Table) -> list[dict]:
    """Return the grids of a table's runs, every axis with a list of its values."""
    grids = json.loads(metadata_of(table)["spec"])["grids"]
    return [{**grid, "axes": {**grid["axes"], "seed": listed(grid["axes"]["seed"])}} for grid in grids]


def row_of(claim: Claim, evidence: Evidence, mnist: str) -> Mapping[str, object]:
    """Return the row of a claim: what it states, what the results give, and the verdict. mnist: as in `Provenance`."""
    sample = np.array([])
    if claim.needs_full_mnist and mnist == SUBSET:
        judgement = Judgement(NOT_TESTABLE, "these results are of the embedded subset of MNIST")
    else:
        try:
            sample = np.asarray(claim.measure(evidence), dtype=float)
            judgement = claim.rule.judge(sample)
        except NotRecordedError as reason:
            judgement = Judgement(NOT_TESTABLE, str(reason))
    finite = sample[np.isfinite(sample)]
    many = len(finite) > 1
    return {
        "claim": claim.name,
        "kind": claim.kind,
        "place": claim.place,
        "figure": claim.figure,
        "statement": claim.statement,
        "printed": claim.printed,
        "document_value": claim.rule.value,
        "document_error": claim.rule.error,
        "value": finite.mean() if len(finite) else np.nan,
        "standard_error": finite.std(ddof=1) / np.sqrt(len(finite)) if many else np.nan,
        "least": finite.min() if len(finite) else np.nan,
        "greatest": finite.max() if len(finite) else np.nan,
        "count": len(sample),
        "deviation": judgement.deviation,
        "rule": claim.rule.words,
        "because": claim.because,
        "revised": claim.revised,
        "verdict": judgement.verdict,
        "remark": judgement.remark,
    }


def _erratum(erratum: Erratum) -> Mapping[str, object]:
    texts = {name: "" for name in ("figure", "printed", "rule", "because", "revised", "remark")}
    numbers = dict.fromkeys(
        ("document_value", "document_error", "value", "standard_error", "least", "greatest", "deviation"), np.nan
    )
    return {
        **texts,
        **numbers,
        "claim": erratum.name,
        "kind": ERRATUM,
        "place": erratum.place,
        "statement": erratum.statement,
        "count": 0,
        "remark": erratum.evidence,
        "verdict": ERRATUM,
    }
