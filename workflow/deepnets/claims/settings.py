"""Claims on what a document sets: that the config asks for it, or that there are runs with it."""

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Is
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.tables.rows import NotRecordedError

AS_STATED = "A setting is the document's or it is not."
_ONE_OF = "Among the values of an axis, the document's is there or not; without it nothing is tested."


def as_set(
    name: str,
    place: str,
    statement: str,
    value: float,
    measure: Measure,
    *,
    figure: str = "",
    printed: str = "",
    because: str = AS_STATED,
    needs_full_mnist: bool = False,
) -> Claim:
    """Return a claim that what the config asks for is the document's. printed: where that is not the plain number."""
    return Claim(
        name=name,
        place=place,
        figure=figure,
        kind="setting",
        statement=statement,
        printed=printed or f"{value:g}",
        measure=measure,
        rule=Is(value),
        because=because,
        needs_full_mnist=needs_full_mnist,
    )


def run_with(
    name: str,
    place: str,
    statement: str,
    value: float,
    experiment: str,
    axis: str,
    *,
    figure: str = "",
    **runs: object,
) -> Claim:
    """Return a claim on a value of an axis that has several: there is a run with it, or nothing can be tested."""

    def measured(evidence: Evidence) -> np.ndarray:
        return evidence.runs(experiment, **{**runs, axis: value})[axis].unique().astype(float)

    return as_set(name, place, statement, value, of_paper_size(measured), figure=figure, because=_ONE_OF)


def of_paper_size(measure: Measure) -> Measure:
    """Say, where the results lack what is asked for, which config may give it."""

    def measured(evidence: Evidence) -> np.ndarray:
        try:
            return measure(evidence)
        except NotRecordedError as reason:
            raise NotTestableError(f"{reason}; configs/paper_size.yaml may: it has the paper's sizes") from None

    return measured
