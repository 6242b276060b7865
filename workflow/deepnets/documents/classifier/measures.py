"""Measures that several sections of document 000's claims use."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from deepnets.claims.claim import Measure
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure, final, ratio
from deepnets.tables.estimates import fit_line
from deepnets.tables.matrices import by_run
from deepnets.tables.rows import Runs, last_rows, require_rows

ACCURACY = "test accuracy, %"
POINTS = "difference of test accuracies, percentage points"


def accuracy(runs: Runs) -> Measure:
    """Measure the final test accuracy of each run, in percent."""
    return final("classifier", "test_accuracy", factor=100, **runs)


def accuracy_of_all(runs: Runs) -> Measure:
    """Measure the final test accuracy in percent; raise NotTestableError if repetitions of the document are missing."""

    def measure(evidence: Evidence) -> np.ndarray:
        values, repetitions = accuracy(runs)(evidence), np.size(runs["seed"])
        if len(values) < repetitions:
            raise NotTestableError(
                f"the document averages over {repetitions} repetitions, but only {len(values)} were run"
            )
        return values

    return measure


@as_measure
def difference_by_draw(evidence: Evidence, minuend: Runs, subtrahend: Runs) -> np.ndarray:
    """Measure the difference of two nets' final test accuracies, in percentage points, on each draw of the points.

    Only draws of the points on which both nets were trained count.
    minuend, subtrahend: the runs of each net, with one init per draw.
    """
    first, second = (_accuracy_by_draw(evidence, runs) for runs in (minuend, subtrahend))
    differences = (first - second).dropna()
    if differences.empty:
        raise NotTestableError("the two nets share no draw of the points")
    return differences.to_numpy()


def third_over_first(runs: Runs) -> Measure:
    """Measure the ratio of the third to the first singular value of the trained matrix."""
    first, third = (final("classifier", "singular_value", index=index, **runs) for index in (0, 2))
    return ratio(third, first)


@as_measure
def appearance(evidence: Evidence, runs: Runs, mode: int) -> np.ndarray:
    """Measure the first recorded update at which a singular value reaches 1 % of the largest final singular value."""
    rows = evidence.runs("classifier", **runs)
    values, first = (by_run(require_rows(rows, "singular_value", index=index)) for index in (mode, 0))
    return (values >= first.ffill().iloc[-1] / 100).idxmax().to_numpy(float)


@as_measure
def least_second_over_first(evidence: Evidence, runs: Runs) -> np.ndarray:
    """Measure the smallest ratio of the second to the first singular value, after the first reaches 1 % of its end."""
    rows = evidence.runs("classifier", **runs)
    first, second = (by_run(require_rows(rows, "singular_value", index=index)) for index in (0, 1))
    return (second / first).where(first >= first.ffill().iloc[-1] / 100).min().to_numpy(float)


@as_measure
def root_mean_square_at_start(evidence: Evidence, runs: Runs) -> np.ndarray:
    """Measure the root mean square of all singular values before training."""
    rows = require_rows(evidence.runs("classifier", **runs), "singular_value", step=0)
    return np.sqrt((rows["value"] ** 2).groupby(rows["seed"]).mean()).to_numpy()


@as_measure
def slopes_against_depth(evidence: Evidence, by_depth: Mapping[int, Measure]) -> np.ndarray:
    """Fit a least-squares line to values against depth and return the slope, for each repetition.

    by_depth: depth → measure. A depth with a single run uses this run in all repetitions.
    """
    values = [measure(evidence) for measure in by_depth.values()]
    if len({len(each) for each in values} - {1}) > 1:
        raise NotTestableError("the depths have different numbers of repetitions, which cannot be paired")
    return fit_line(list(by_depth), np.array(np.broadcast_arrays(*values)))[0]


def _accuracy_by_draw(evidence: Evidence, runs: Runs) -> pd.Series:
    """Return the final test accuracy in percent, indexed by the draw of the points."""
    rows = last_rows(require_rows(evidence.runs("classifier", **runs), "test_accuracy"))
    return 100 * rows.set_index("data_seed")["value"]
