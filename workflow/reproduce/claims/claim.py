"""Claims: the statements of a document that our runs are compared with."""

from typing import Any

from reproduce.claims.criteria import NOT_TESTABLE, Criterion
from reproduce.claims.measures import Measure
from reproduce.records.ledgers import LedgerRow

THEOREM = "theorem"
# Theorems are counted apart: no result of a run could contradict them.
MAIN, SUPPORTING, BESIDE, OURS = "main", "supporting", "beside", "ours"
WEIGHTS = (MAIN, SUPPORTING, THEOREM, BESIDE, OURS)
# Whether the runs use the document's own random numbers or not.
REPLAYED, OWN = "replayed", "own"
# Why a claim is not reproduced: every explanation begins with one of these sentences.
REASONS = ("The document contradicts itself.", "Our nets or data differ.", "It does not hold.", "We cannot tell.")


class Claim:
    """One number or one statement of a document: a row of its ledger without a verdict, and what decides it.

    name: unique in the document.
    measure: our value.
    criterion: when our value agrees with the document.
    ours: whether the statement is this project's own, not a document's.
    beside: whether it is of a work beside the document, such as its authors' code or another picture.
    replayed: whether the runs use the document's own random numbers, so that the claim tests our code.
    no_draws: whether the runs draw no random numbers, so that one run decides.
    full_data: whether what stands in for a data set would give other numbers.
    texts: those of `LedgerRow`: kind, place, statement and because; figure, quantity, printed, main, revised and
        explanation if there are any.
    """

    def __init__(
        self,
        name: str,
        measure: Measure,
        criterion: Criterion,
        *,
        ours: bool = False,
        beside: bool = False,
        replayed: bool = False,
        no_draws: bool = False,
        full_data: bool = False,
        **texts: Any,
    ) -> None:
        self.name, self.measure, self.criterion, self.full_data = name, measure, criterion, full_data
        self.exact = replayed or no_draws
        if ours or beside:
            weight = OURS if ours else BESIDE
        else:
            weight = THEOREM if texts["kind"] == THEOREM else MAIN if texts.get("main") else SUPPORTING
        self.row = LedgerRow(
            claim=name,
            weight=weight,
            draw=REPLAYED if replayed and weight != THEOREM else OWN,
            document_value=criterion.value,
            document_error=criterion.error,
            region=criterion.region,
            criterion=criterion.words,
            verdict=NOT_TESTABLE,
            **texts,
        )
