"""Program: judge the claims of one document from the tables of its experiments."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from deepnets.claims.claim import CHECK, Claim, Coverage, Erratum
from deepnets.claims.criteria import NOT_TESTABLE, Criterion, Each, Every, Judgement
from deepnets.claims.estimate import Estimate, Measured, MeasuredParts, estimate
from deepnets.claims.evidence import Evidence
from deepnets.claims.headline import OWN, REPLAYED
from deepnets.claims.numbers_in_words import Words, estimate_in_words, parts_in_words
from deepnets.code.modules import PACKAGE, Package
from deepnets.config.seeds import expand_seeds
from deepnets.data.mnist import SUBSET, merged_mnist
from deepnets.errors import UserError
from deepnets.records.atomic import replacing
from deepnets.records.content import guard_inputs
from deepnets.records.job import Job
from deepnets.records.ledgers import COVERAGE, ERRATUM, ERRATUM_OF_FORM, LEDGER_SCHEMA
from deepnets.records.tables import metadata_of, read_table, write_table
from deepnets.tables.rows import NoSuchMetricError, NotRecordedError

# If a claim's own code fails, its remark begins with this text.
FAULT = "this claim could not be judged: "
NO_VALUE = estimate(np.array([]))


def main(job: Job, tables: list[Path], output: Path) -> None:
    """Judge the entries of the ledger that the code names, and write one row per entry, in the same order.

    tables: files with the names of their experiments.
    """
    document, entries = job.spec["document"], job.function()
    module, package = job.code.partition(":")[0], Package()
    _refuse_unknown_figures(entries, module, package)
    with replacing(output) as unfinished, guard_inputs({path.stem: [path] for path in tables}) as inputs:
        read = {path.stem: read_table(path) for path in tables}
        mnist = merged_mnist([metadata_of(table)["mnist"] for table in read.values()])
        frames = {name: table.to_pandas() for name, table in read.items()}
        # The fingerprint does not cover docstrings and names of figures, which can stop this job but change no result.
        grids = {name: grids_of_spec(metadata_of(table)["spec"]) for name, table in read.items()}
        evidence = Evidence(frames, grids, _read_metric_docs(module, package))
        rows = [{**row_of_entry(each, evidence, mnist), "document": document} for each in entries]
        write_table(unfinished, pa.Table.from_pylist(rows, schema=LEDGER_SCHEMA), job.provenance(inputs, mnist))


def grids_of_spec(spec: str) -> list[dict]:
    """Return the grids in the spec of a table, with seeds as a list."""
    grids = json.loads(spec)["grids"]
    return [{**grid, "axes": {**grid["axes"], "seed": expand_seeds(grid["axes"]["seed"])}} for grid in grids]


def row_of_entry(entry: Claim | Erratum | Coverage, evidence: Evidence, mnist: str) -> Mapping[str, object]:
    """Return the row of a ledger's entry. mnist: as in `Provenance`."""
    if isinstance(entry, Erratum):
        return _erratum_row(entry)
    return _coverage_row(entry) if isinstance(entry, Coverage) else row_of(entry, evidence, mnist)


def row_of(claim: Claim, evidence: Evidence, mnist: str) -> Mapping[str, object]:
    """Return the row of a claim: its statement, our value and the verdict.

    If the measure or the criterion raises an error, the verdict is "not testable", and the error is the reason.

    mnist: as in `Provenance`.
    raises: UserError for a name that no config could contain.
    """
    evidence.forget()
    ours, whole = "", NO_VALUE
    if claim.needs_full_mnist and mnist == SUBSET:
        judgement = Judgement(NOT_TESTABLE, "these results are of the embedded subset of MNIST")
    else:
        try:
            measured = _measure(claim, evidence)
            judgement = claim.criterion.judge(measured)
            ours, whole = _our_value(claim, measured, evidence)
        except NotRecordedError as reason:
            judgement = Judgement(NOT_TESTABLE, str(reason))
        except UserError as error:
            raise UserError(f"claim {claim.name}: {error}") from None
        except Exception as error:  # An error in one claim must not stop the others.
            judgement = Judgement(NOT_TESTABLE, f"{FAULT}{type(error).__name__}: {error}")
    finite = whole.values[np.isfinite(whole.values)]
    return {
        "claim": claim.name,
        "kind": claim.kind,
        "weight": claim.weight,
        "main": claim.main,
        "draw": REPLAYED if claim.replayed and claim.weight != CHECK else OWN,
        "place": claim.place,
        "figure": claim.figure,
        "statement": claim.statement,
        "quantity": claim.quantity,
        "printed": claim.printed,
        "document_value": claim.criterion.value,
        "document_error": claim.criterion.error,
        "ours": ours,
        "value": whole.mean if not len(whole.values) else finite.mean() if len(finite) else np.nan,
        "standard_error": whole.error,
        "least": finite.min() if len(finite) else np.nan,
        "greatest": finite.max() if len(finite) else np.nan,
        "count": whole.count,
        "runs": "; ".join(evidence.used),
        "criterion": claim.criterion.words,
        "because": claim.because,
        "revised": claim.revised,
        "verdict": judgement.verdict,
        "remark": judgement.remark,
        "explanation": claim.explanation,
    }


def _measure(claim: Claim, evidence: Evidence) -> Measured | MeasuredParts:
    try:
        measured = claim.measure(evidence)
    except NoSuchMetricError as reason:
        evidence.refuse_unknown_metric(reason.metric)
        raise
    for part in measured.values() if isinstance(measured, Mapping) else ():
        if isinstance(part, NoSuchMetricError):
            evidence.refuse_unknown_metric(part.metric)
    return measured


def _our_value(claim: Claim, measured: Measured | MeasuredParts, evidence: Evidence) -> tuple[str, Estimate]:
    """Return our value as text and as an estimate. With several parts, the estimate contains only a count."""
    if not isinstance(measured, Mapping):
        found = estimate(measured)
        return _words_of(claim, found, claim.criterion, evidence).all, found
    parts = {name: estimate(each) for name, each in measured.items() if not isinstance(each, Exception)}
    criteria = claim.criterion.parts if isinstance(claim.criterion, Each) else {}
    text = parts_in_words({name: _words_of(claim, each, criteria[name], evidence) for name, each in parts.items()})
    counts = {each.counts for each in parts.values()}
    return text, replace(NO_VALUE, counts=counts.pop()) if len(counts) == 1 else NO_VALUE


def _words_of(claim: Claim, found: Estimate, criterion: Criterion, evidence: Evidence) -> Words:
    """Return our value in words; for a setting claim, all values that the config contains."""
    if claim.kind == "setting":
        return Words(", ".join(f"{value:g}" for value in np.unique(found.values)))
    # The extreme value decides a bound on each value. It also decides an ordering, where we show the mean for its size.
    extreme = claim.kind in ("bound", "identity") and isinstance(criterion, Every)
    # There is one value per seed; a single run may be subtracted from all or divide all.
    of = "seeds" if evidence.seeds - {1} == {found.number} else "values"
    return estimate_in_words(found, document=criterion.value, bounds=criterion.bounds, extreme=extreme, of=of)


def _refuse_unknown_figures(entries: list[Claim | Erratum | Coverage], module: str, package: Package) -> None:
    """Raise UserError if a claim names a figure that its document does not have."""
    room = f"{module.removeprefix(f'{PACKAGE}.').removesuffix('.claims.ledger').replace('.', '/')}/figures"
    # Figures that are temporarily hidden by an underscore count too.
    known = {name.lstrip("_") for each in package.modules_in(room) for name in package.module(each).definitions}
    for entry in entries:
        if isinstance(entry, Claim) and entry.figure and entry.figure not in known:
            public = sorted(name for each in package.modules_in(room) for name in package.public_functions(each))
            raise UserError(f"claim {entry.name}: no figure is called {entry.figure!r}; allowed: {', '.join(public)}")


def _read_metric_docs(module: str, package: Package) -> dict[str, set[str]]:
    """Return experiment → the words in the docstring of its `run`, which lists the metrics.

    The experiments are those in TABLES. Each may also record `diverged`.
    """
    tables = package.constant(module, "TABLES")
    experiments = tables if isinstance(tables, tuple) else ()
    entries = {name: f"{PACKAGE}.experiments.{name}.run:run" for name in experiments}
    return {name: {"diverged", *re.findall(r"\w+", package.docstring(entry))} for name, entry in entries.items()}


def _erratum_row(erratum: Erratum) -> Mapping[str, object]:
    return _row_without_claim(
        claim=erratum.name,
        kind=ERRATUM_OF_FORM if erratum.form else ERRATUM,
        place=erratum.place,
        statement=erratum.statement,
        remark=erratum.evidence,
    )


def _coverage_row(coverage: Coverage) -> Mapping[str, object]:
    return _row_without_claim(claim=COVERAGE, kind=COVERAGE, statement=coverage.words)


def _row_without_claim(*, kind: str, **texts: str) -> Mapping[str, object]:
    empty = {each.name: "" if pa.types.is_string(each.type) else np.nan for each in LEDGER_SCHEMA}
    return {**empty, **texts, "kind": kind, "verdict": kind}
