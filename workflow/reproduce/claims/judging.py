"""Judge claims: measure our values, decide by the criteria, and write the rows of a ledger."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from traceback import extract_tb, format_list
from types import MappingProxyType

import numpy as np

from reproduce.claims.claim import THEOREM, Claim
from reproduce.claims.claims_in_words import Words, estimate_in_words, parts_in_words, quoted_number
from reproduce.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, Criterion, Each, Every, Judgement
from reproduce.claims.estimate import Estimate, Measured, MeasuredParts, estimate
from reproduce.claims.measures import Tables
from reproduce.errors import UserError
from reproduce.records.ledgers import LedgerRow
from reproduce.records.paths import shown
from reproduce.records.record import merge_reduced
from reproduce.records.statements import QUOTE
from reproduce.tables.rows import NotRecordedError
from reproduce.tables.selection import runs_in_words
from reproduce.tables.words import Sizes, diverged_text, reduced_sizes

# If a claim's own code fails, its remark begins with this text.
FAULT = "this claim could not be judged: "
# The explanation of a claim that failed although nobody has explained why.
UNEXPECTED = "Unexpected: verdicts.csv records another verdict, made with the default config on the full data sets."
NO_VALUE = estimate(np.array([]))


def row_of(claim: Claim, tables: Tables, reduced: str = "", sizes: Sizes = MappingProxyType({})) -> LedgerRow:
    """Return the row of a claim: its statement, our value and the verdict.

    If the measure or the criterion raises an error, the verdict is "not testable", and the error is the reason. It is
    also printed, so that Snakemake's output shows it.

    reduced: as in `Record`.
    sizes: the documents' own sizes.
    raises: UserError for a name that no config could contain: somebody mistyped it.
    """
    ours, away, whole, digest = "", "", NO_VALUE, ""
    if claim.full_data and reduced:
        judgement = Judgement(NOT_TESTABLE, f"these results are of the {reduced}")
    else:
        try:
            measured = claim.measure(tables)
            judgement = claim.criterion.judge(measured, exact=claim.exact, main=bool(claim.row.main))
            ours, away, whole = _our_value(claim, measured, tables)
            digest = _digest(measured)
        except NotRecordedError as reason:
            judgement = Judgement(NOT_TESTABLE, str(reason))
        except UserError as error:
            raise UserError(f"claim {claim.name}: {error}") from None
        except Exception as error:  # An error in one claim must not stop the others.
            frames = extract_tb(error.__traceback__)
            # The last frame of a document that ran before the error, or the last frame of all.
            frame = ([each for each in frames if "/documents/" in each.filename] or frames)[-1]
            place = f"{shown(Path(frame.filename))}, {frame.name}"
            judgement = Judgement(NOT_TESTABLE, f"{FAULT}{type(error).__name__}: {error} ({place})")
            # Only here with the line, which no fingerprint contains.
            print(f"claim {claim.name}: {judgement.remark}", *format_list([frame]), sep="\n", end="")
    smaller, lost = "", dict[str, None]()
    if judgement.verdict != NOT_TESTABLE:
        read = [(each, tables[each.experiment]) for each in claim.measure.selections if each.experiment in tables]
        chosen = [(table.points[rows], table.diverged[rows]) for each, table in read for rows in [each.matches(table)]]
        points = [(each.experiment, runs) for (each, _), (runs, _) in zip(read, chosen, strict=True)]
        smaller = merge_reduced([reduced, reduced_sizes(points, sizes)])
        lost = dict.fromkeys(diverged_text(*each) for each in chosen)
    finite = whole.values[np.isfinite(whole.values)]
    return replace(
        claim.row,
        ours=ours,
        value=whole.mean if len(finite) == len(whole.values) else finite.mean() if len(finite) else np.nan,
        standard_error=whole.error,
        least=finite.min() if len(finite) else np.nan,
        greatest=finite.max() if len(finite) else np.nan,
        count=whole.count,
        difference=away,
        digest=digest,
        runs=runs_in_words(claim.measure.selections, tables),
        verdict=judgement.verdict,
        reduced=smaller,
        remark="; ".join(filter(None, [judgement.remark, *lost])),
        explanation=claim.row.explanation or (UNEXPECTED if judgement.verdict == NOT_REPRODUCED else ""),
    )


def quote_numbers(rows: list[LedgerRow]) -> list[LedgerRow]:
    """Return the rows of a ledger with our numbers in the explanations, in place of {claim} or {claim/part}."""
    by_claim = {row.claim: row for row in rows}

    def fill(text: str) -> str:
        return QUOTE.sub(lambda found: quoted_number(found[1], by_claim)[0] or "–", text)

    return [replace(row, explanation=fill(row.explanation)) for row in rows]


def _digest(measured: Measured | MeasuredParts) -> str:
    parts = measured if isinstance(measured, Mapping) else {"": measured}
    found = {name: estimate(each) for name, each in parts.items() if not isinstance(each, Exception)}
    # Values near zero are rounding errors, which depend on the processor.
    numbers = {
        name: [f"{value:.5g}" if abs(value) > 1e-8 else "0" for value in (each.mean, *each.values)]
        for name, each in found.items()
    }
    return hashlib.sha256(repr(numbers).encode()).hexdigest()[:12]


def _our_value(claim: Claim, measured: Measured | MeasuredParts, tables: Tables) -> tuple[str, str, Estimate]:
    """Return our value, its difference from the document's, and an estimate: of several parts, only its count."""
    selections = {each for each in claim.measure.selections if each.experiment in tables}
    seeds = {each.seeds(tables[each.experiment]) for each in selections}
    if not isinstance(measured, Mapping):
        found = _shown(estimate(measured), claim.criterion)
        return _words_of(claim, found, claim.criterion, seeds).all, claim.criterion.difference(found), found
    criteria = claim.criterion.parts if isinstance(claim.criterion, Each) else {}
    measures = {name: each for name, each in measured.items() if not isinstance(each, Exception)}
    parts = {name: _shown(estimate(each), criteria[name]) for name, each in measures.items()}
    text = parts_in_words({name: _words_of(claim, each, criteria[name], seeds) for name, each in parts.items()})
    away = {name: difference for name, each in parts.items() if (difference := criteria[name].difference(each))}
    counts = {each.counts for each in parts.values()}
    whole = replace(NO_VALUE, counts=counts.pop()) if len(counts) == 1 else NO_VALUE
    return text, "; ".join(f"{name}: {difference}" for name, difference in away.items()), whole


def _shown(found: Estimate, criterion: Criterion) -> Estimate:
    """Return the estimate with the mean that the criterion judges."""
    return found.geometric if criterion.positive else found


def _words_of(claim: Claim, found: Estimate, criterion: Criterion, seeds: set[int]) -> Words:
    """Return our value in words. seeds: the numbers of seeds of the selections that the claim reads."""
    # The extreme value decides a bound on each value. It also decides an ordering, where we show the mean for its size.
    bounds = (criterion.least, criterion.greatest) if isinstance(criterion, Every) else None
    extreme = claim.row.kind in ("bound", THEOREM) and bounds is not None and bounds[0] < bounds[1]
    # There is one value per seed; a single run may be subtracted from all or divide all.
    of = "seeds" if seeds - {1} == {found.number} else "values"
    return estimate_in_words(found, document=criterion.value, bounds=bounds, extreme=extreme, of=of)
