"""Claims: the statements of a document that our runs are compared with."""

from dataclasses import dataclass

from reproduce.claims.criteria import Criterion
from reproduce.claims.measures import Measure

THEOREM = "theorem"
# Theorems are counted apart: no result of a run could contradict them.
MAIN, SUPPORTING, BESIDE, OURS = "main", "supporting", "beside", "ours"
WEIGHTS = (MAIN, SUPPORTING, THEOREM, BESIDE, OURS)
# Why a claim is not reproduced: every explanation begins with one of these sentences.
REASONS = ("The document contradicts itself.", "Our nets or data differ.", "It does not hold.", "We cannot tell.")


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One number or one statement of a document.

    name: unique in the document.
    place: where the document contains it.
    figure: our figure that shows it, "" if there is none.
    kind: one of `KINDS` in records/statements.py; a theorem is stated or proved for all runs.
    statement: the document's statement in our words, with its unit.
    quantity: what is measured, with its unit, such as "test accuracy, %".
    printed: the value as the document prints it, "" if it prints none, or only that of another quantity.
    measure: our value.
    criterion: when our value agrees with the document; because: why this criterion.
    main: why this is one of the document's main statements, such as "a section's title"; "" if it is not.
    ours: whether the statement is this project's own, not a document's.
    beside: whether it is of a work beside the document, such as its authors' code or another picture.
    replayed: whether the runs use the document's own random numbers, so that the claim tests our code.
    no_draws: whether the runs draw no random numbers, so that one run decides.
    full_data: whether what stands in for a data set would give other numbers.
    revised: why the criterion was changed after a value had been seen, "" if it was not.
    explanation: for a claim that is not reproduced, one of `REASONS`, and which conclusions of the document still hold.
    """

    name: str
    place: str
    figure: str = ""
    kind: str
    statement: str
    quantity: str = ""
    printed: str = ""
    measure: Measure
    criterion: Criterion
    because: str
    main: str = ""
    ours: bool = False
    beside: bool = False
    replayed: bool = False
    no_draws: bool = False
    full_data: bool = False
    revised: str = ""
    explanation: str = ""

    @property
    def weight(self) -> str:
        """Whether the claim is a main or a supporting result, a theorem, or a statement that no document makes."""
        if self.ours or self.beside:
            return OURS if self.ours else BESIDE
        return THEOREM if self.kind == THEOREM else MAIN if self.main else SUPPORTING
