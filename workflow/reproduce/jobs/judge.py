"""Program: judge the claims of one document from the tables of its experiments."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from traceback import extract_tb
from typing import Any

import numpy as np
import pyarrow as pa

from reproduce.claims.claim import THEOREM, Claim, Coverage, Erratum
from reproduce.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, Criterion, Each, Every, Judgement
from reproduce.claims.estimate import Estimate, Measured, MeasuredParts, estimate
from reproduce.claims.headline import OWN, REPLAYED
from reproduce.claims.measures import Tables
from reproduce.claims.numbers_in_words import Words, estimate_in_words, parts_in_words
from reproduce.claims.settings import compare_settings
from reproduce.claims.statements import join_statements
from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE
from reproduce.errors import UserError
from reproduce.jobs.frames import to_frame
from reproduce.page.claims_in_words import quoted_number
from reproduce.records.atomic import replacing
from reproduce.records.content import guard_inputs
from reproduce.records.job import Job
from reproduce.records.ledgers import COVERAGE, ERRATUM, ERRATUM_OF_FORM, LEDGER_SCHEMA, SETTING
from reproduce.records.paths import shown
from reproduce.records.provenance import merge_reduced
from reproduce.records.statements import QUOTE, read_blocks
from reproduce.records.tables import metadata_of, read_table, write_table
from reproduce.tables.rows import NoSuchMetricError, NotRecordedError
from reproduce.tables.selection import Selection

# Experiment → the words of the docstring that lists its metrics.
Metrics = Mapping[str, set[str]]
# If a claim's own code fails, its remark begins with this text.
FAULT = "this claim could not be judged: "
# The explanation of a claim that failed although nobody has explained why.
UNEXPECTED = "Unexpected: verdicts.csv records another verdict, made with the default config on the full data sets."
NO_VALUE = estimate(np.array([]))


def main(job: Job, statements: list[Path], tables: list[Path], output: Path) -> None:
    """Judge the statements of a document by the tests that the code returns, and write one row per entry, in order.

    statements: claims.md; tables: files with the names of their experiments.
    """
    module, package = job.code.partition(":")[0], Package()
    with (
        replacing(output) as unfinished,
        guard_inputs({"statements": statements, **{path.stem: [path] for path in tables}}) as inputs,
    ):
        read = {path.stem: read_table(path) for path in tables}
        reduced = merge_reduced(metadata_of(table)["reduced"] for table in read.values())
        frames = {name: to_frame(table) for name, table in read.items()}
        ledger, (path,) = job.function(), statements
        entries = join_statements(read_blocks(path), ledger.tests)
        _refuse_unknown_figures(entries, module, package)
        # The fingerprint does not cover docstrings and names of figures, which can stop this job but change no result.
        documented = _read_metric_docs(module, package)
        rows = quote_numbers([row_of_entry(each, frames, reduced, documented) for each in entries])
        rows += [_row_without_claim(kind=SETTING, **row) for row in compare_settings(ledger.settings, frames)]
        rows = [{**row, "document": job.spec["document"]} for row in rows]
        write_table(unfinished, pa.Table.from_pylist(rows, schema=LEDGER_SCHEMA), job.provenance(inputs, reduced))


def row_of_entry(
    entry: Claim | Erratum | Coverage, tables: Tables, reduced: str = "", documented: Metrics | None = None
) -> Mapping[str, object]:
    """Return the row of a ledger's entry; arguments as in `row_of`."""
    if isinstance(entry, Erratum):
        return _erratum_row(entry)
    return _coverage_row(entry) if isinstance(entry, Coverage) else row_of(entry, tables, reduced, documented)


def row_of(claim: Claim, tables: Tables, reduced: str = "", documented: Metrics | None = None) -> Mapping[str, object]:
    """Return the row of a claim: its statement, our value and the verdict.

    If the measure or the criterion raises an error, the verdict is "not testable", and the error is the reason. It is
    also printed, so that Snakemake's output shows it.

    reduced: as in `Provenance`.
    documented: experiment in TABLES → the words of the docstring that lists its metrics; None allows any metric.
    raises: UserError for a name that no config could contain: somebody mistyped it.
    """
    ours, whole, digest = "", NO_VALUE, ""
    if claim.needs_full_data and reduced:
        judgement = Judgement(NOT_TESTABLE, f"these results are of the {reduced}")
    else:
        try:
            measured = _measure(claim, tables, documented)
            judgement = claim.criterion.judge(measured, exact=claim.replayed or claim.no_draws)
            ours, whole = _our_value(claim, measured, tables)
            digest = _digest(measured)
        except NotRecordedError as reason:
            judgement = Judgement(NOT_TESTABLE, str(reason))
        except UserError as error:
            raise UserError(f"claim {claim.name}: {error}") from None
        except Exception as error:  # An error in one claim must not stop the others.
            judgement = Judgement(NOT_TESTABLE, f"{FAULT}{type(error).__name__}: {error} ({_line_of(error)})")
            print(f"claim {claim.name}: {judgement.remark}")
    finite = whole.values[np.isfinite(whole.values)]
    return {
        "claim": claim.name,
        "kind": claim.kind,
        "weight": claim.weight,
        "main": claim.main,
        "draw": REPLAYED if claim.replayed and claim.weight != THEOREM else OWN,
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
        "digest": digest,
        "runs": "; ".join(dict.fromkeys(_runs_of(each, tables) for each in claim.measure.selections)),
        "criterion": claim.criterion.words,
        "because": claim.because,
        "revised": claim.revised,
        "verdict": judgement.verdict,
        "remark": judgement.remark,
        "explanation": claim.explanation or (UNEXPECTED if judgement.verdict == NOT_REPRODUCED else ""),
    }


def quote_numbers(rows: list[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Return the rows of a ledger with our numbers in the explanations, in place of {claim} or {claim/part}."""
    by_claim: dict[str, Mapping[str, Any]] = {str(row["claim"]): row for row in rows}

    def fill(text: str) -> str:
        return QUOTE.sub(lambda found: quoted_number(found[1], by_claim)[0] or "–", text)

    return [{**row, "explanation": fill(str(row["explanation"]))} for row in rows]


def _runs_of(selection: Selection, tables: Tables) -> str:
    return selection.of(tables[selection.experiment]) if selection.experiment in tables else str(selection)


def _line_of(error: Exception) -> str:
    """Return FILE:LINE of the last line of a document that ran before an error, or of the last line of all."""
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/documents/" in frame.filename] or frames
    return f"{shown(Path(own[-1].filename))}:{own[-1].lineno}"


def _digest(measured: Measured | MeasuredParts) -> str:
    parts = measured if isinstance(measured, Mapping) else {"": measured}
    found = {name: estimate(each) for name, each in parts.items() if not isinstance(each, Exception)}
    # Values near zero are rounding errors, which depend on the processor.
    numbers = {
        name: [f"{value:.5g}" if abs(value) > 1e-8 else "0" for value in (each.mean, *each.values)]
        for name, each in found.items()
    }
    return hashlib.sha256(repr(numbers).encode()).hexdigest()[:12]


def _measure(claim: Claim, tables: Tables, documented: Metrics | None) -> Measured | MeasuredParts:
    experiments = {selection.experiment for selection in claim.measure.selections}
    if documented is not None and (unread := sorted(experiments - documented.keys())):
        raise UserError(f"TABLES does not contain {unread[0]!r}; it contains {', '.join(documented)}")
    try:
        measured = claim.measure(tables)
    except NoSuchMetricError as reason:
        _refuse_unknown_metric(reason.metric, tables, documented)
        raise
    for part in measured.values() if isinstance(measured, Mapping) else ():
        if isinstance(part, NoSuchMetricError):
            _refuse_unknown_metric(part.metric, tables, documented)
    return measured


def _refuse_unknown_metric(metric: str, tables: Tables, documented: Metrics | None) -> None:
    """Raise UserError for a metric that no experiment documents."""
    if documented is not None and not any(metric in words for words in documented.values()):
        recorded = sorted({each for table in tables.values() for each in table["metric"].unique()})
        raise UserError(f"no docstring of `run` lists the metric {metric!r}; recorded were {', '.join(recorded)}")


def _our_value(claim: Claim, measured: Measured | MeasuredParts, tables: Tables) -> tuple[str, Estimate]:
    """Return our value as text and as an estimate. With several parts, the estimate contains only a count."""
    selections = {each for each in claim.measure.selections if each.experiment in tables}
    seeds = {each.seeds(tables[each.experiment]) for each in selections}
    if not isinstance(measured, Mapping):
        found = estimate(measured)
        return _words_of(claim, found, claim.criterion, seeds).all, found
    parts = {name: estimate(each) for name, each in measured.items() if not isinstance(each, Exception)}
    criteria = claim.criterion.parts if isinstance(claim.criterion, Each) else {}
    text = parts_in_words({name: _words_of(claim, each, criteria[name], seeds) for name, each in parts.items()})
    counts = {each.counts for each in parts.values()}
    return text, replace(NO_VALUE, counts=counts.pop()) if len(counts) == 1 else NO_VALUE


def _words_of(claim: Claim, found: Estimate, criterion: Criterion, seeds: set[int]) -> Words:
    """Return our value in words. seeds: the numbers of seeds of the selections that the claim reads."""
    # The extreme value decides a bound on each value. It also decides an ordering, where we show the mean for its size.
    extreme = claim.kind in ("bound", THEOREM) and isinstance(criterion, Every)
    # There is one value per seed; a single run may be subtracted from all or divide all.
    of = "seeds" if seeds - {1} == {found.number} else "values"
    return estimate_in_words(found, document=criterion.value, bounds=criterion.bounds, extreme=extreme, of=of)


def _refuse_unknown_figures(entries: list[Claim | Erratum | Coverage], module: str, package: Package) -> None:
    """Raise UserError if a claim names a figure that its document does not have."""
    room = f"{module.removesuffix('.claims').replace('.', '/')}/figures"
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
    entries = {name: f"{SCIENCE}.experiments.{name}.run:run" for name in experiments}
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


def _row_without_claim(*, kind: str, **texts: str) -> dict[str, object]:
    empty = {each.name: "" if pa.types.is_string(each.type) else np.nan for each in LEDGER_SCHEMA}
    return {**empty, **texts, "kind": kind, "verdict": kind}
