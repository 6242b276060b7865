"""Measures of document 000's claims that several of its sections use."""

import numpy as np

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import as_measure, final, ratio
from workflow.deepnets.claims.section import Runs
from workflow.deepnets.tables.matrices import by_run
from workflow.deepnets.tables.rows import require_rows


@as_measure
def in_turn(evidence: Evidence, *measures: Measure) -> np.ndarray:
    """Measure all values of some measures, one after the other."""
    return np.concatenate([measure(evidence) for measure in measures])


def third_over_first(runs: Runs) -> Measure:
    """Measure the third singular value of the trained matrix over the first."""
    first, third = (final("classifier", "singular_value", index=index, **runs) for index in (0, 2))
    return ratio(third, first)


@as_measure
def appearance(evidence: Evidence, runs: Runs, mode: int) -> np.ndarray:
    """Measure the first recorded update at which a singular value is a hundredth of the largest at the end."""
    rows = evidence.runs("classifier", **runs)
    values, first = (by_run(require_rows(rows, "singular_value", index=index)) for index in (mode, 0))
    return (values >= first.ffill().iloc[-1] / 100).idxmax().to_numpy(float)


@as_measure
def least_second_over_first(evidence: Evidence, runs: Runs) -> np.ndarray:
    """Measure the least second over first singular value after the first is a hundredth of its end."""
    rows = evidence.runs("classifier", **runs)
    first, second = (by_run(require_rows(rows, "singular_value", index=index)) for index in (0, 1))
    return (second / first).where(first >= first.ffill().iloc[-1] / 100).min().to_numpy(float)
