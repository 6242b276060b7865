"""Measures: functions that compute a claim's value from the results, one value for each run or pair of runs."""

import math
from collections.abc import Callable
from functools import partial, wraps
from typing import Concatenate, ParamSpec

import numpy as np
import pandas as pd

from deepnets.claims.claim import Measure
from deepnets.claims.estimate import Estimate, estimate
from deepnets.claims.evidence import EVERY, Evidence, NotTestableError
from deepnets.tables.axes import axes_of, run_index
from deepnets.tables.estimates import fit_line
from deepnets.tables.rows import NotRecordedError, last_rows, require_rows

_P = ParamSpec("_P")


def as_measure(function: Callable[Concatenate[Evidence, _P], np.ndarray]) -> Callable[_P, Measure]:
    """Turn a function of evidence and other arguments into a function of the other arguments that returns a measure.

    Use this in modules of one document only: a change of a decorated function makes all jobs that import it stale.
    """

    @wraps(function)
    def with_arguments(*args: _P.args, **wanted: _P.kwargs) -> Measure:
        return lambda evidence: function(evidence, *args, **wanted)

    return with_arguments


def final(experiment: str, metric: str, *, index: int = 0, factor: float = 1, **wanted: object) -> Measure:
    """Measure the last recorded value of a metric in each run, NaN if a run has none."""
    return lambda evidence: factor * _values_by_run(evidence.runs(experiment, **wanted), metric, index=index)


def at_step(experiment: str, metric: str, step: int, *, index: int = 0, factor: float = 1, **wanted: object) -> Measure:
    """Measure a metric at a recorded step in each run, NaN if a run has no such value."""
    return lambda evidence: factor * _values_by_run(evidence.runs(experiment, **wanted), metric, index=index, step=step)


def extreme(experiment: str, metric: str, *, pick: str, **wanted: object) -> Measure:
    """Measure the least ("min") or greatest ("max") value of a metric in each run, over steps and indices."""
    return lambda evidence: _values_by_run(evidence.runs(experiment, **wanted), metric, pick=pick)


def total(experiment: str, metric: str, **wanted: object) -> Measure:
    """Measure the sum of a metric's values in each run, over steps and indices."""
    return lambda evidence: _values_by_run(evidence.runs(experiment, **wanted), metric, pick="sum")


def updates(experiment: str, metric: str, **wanted: object) -> Measure:
    """Measure the last update at which a metric was recorded in each run."""
    return lambda evidence: _values_by_run(evidence.runs(experiment, **wanted), metric, pick="last", column="step")


def setting(experiment: str, name: str, **axes: object) -> Measure:
    """Measure the values of a setting or an axis in those grids of the config that have these axes."""
    return lambda evidence: np.array(evidence.settings(experiment, name, **axes), dtype=float)


def count_of_seeds(experiment: str, **wanted: object) -> Measure:
    """Measure the number of seeds of the runs with these axes."""
    return lambda evidence: np.array([evidence.runs(experiment, **wanted)["seed"].nunique()], dtype=float)


def difference(minuend: Measure, subtrahend: Measure) -> Measure:
    """Measure the differences of paired values; one side may be a single value."""
    return lambda evidence: _combine_pairs(minuend(evidence), subtrahend(evidence), np.subtract)


def ratio(numerator: Measure, denominator: Measure) -> Measure:
    """Measure the ratios of paired values; one side may be a single value."""
    return lambda evidence: _combine_pairs(numerator(evidence), denominator(evidence), np.divide)


def difference_of_means(minuend: Measure, subtrahend: Measure) -> Callable[[Evidence], Estimate]:
    """Measure the difference of the means of two groups of unpaired runs; its standard error is √(se₁² + se₂²).

    If one group is a single run, the error is NaN.
    """

    def measure_difference(evidence: Evidence) -> Estimate:
        first, second = estimate(minuend(evidence)), estimate(subtrahend(evidence))
        error = math.hypot(first.error, second.error)
        return Estimate(first.mean - second.mean, error, (*first.counts, *second.counts))

    return measure_difference


def ratio_of_means(numerator: Measure, denominator: Measure) -> Callable[[Evidence], Estimate]:
    """Measure the ratio of the means of two groups of unpaired runs; relative errors add in quadrature."""

    def measure_ratio(evidence: Evidence) -> Estimate:
        above, below = estimate(numerator(evidence)), estimate(denominator(evidence))
        quotient = above.mean / below.mean
        error = abs(quotient) * math.hypot(above.error / above.mean, below.error / below.mean)
        return Estimate(quotient, error, (*above.counts, *below.counts))

    return measure_ratio


def concatenate_values(*measures: Measure) -> Measure:
    """Concatenate the values of several measures."""
    return lambda evidence: np.concatenate([measure(evidence) for measure in measures])


def constant(value: float) -> Measure:
    """Measure a constant, such as the subtrahend of a difference."""
    return lambda evidence: np.array([value])


def not_testable(reason: str) -> Measure:
    """Raise NotTestableError, for a statement that no run here can judge; the reason becomes the claim's remark."""

    def refuse(evidence: Evidence) -> np.ndarray:
        raise NotTestableError(reason)

    return refuse


def reduce_values(measure: Measure, by: Callable[[np.ndarray], float]) -> Measure:
    """Reduce the values of a measure to one number, such as their mean, maximum or count."""
    return lambda evidence: np.array([by(measure(evidence))], dtype=float)


def of_paper_size(measure: Measure) -> Measure:
    """Return the same measure; if the results lack its runs, the error message names configs/paper_size.yaml."""

    def measure_or_name_config(evidence: Evidence) -> np.ndarray:
        try:
            return measure(evidence)
        except NotRecordedError as reason:
            raise NotTestableError(f"{reason}; configs/paper_size.yaml may: it has the paper's sizes") from None

    return measure_or_name_config


def slope(experiment: str, metric: str, *, over: str, **wanted: object) -> Measure:
    """Measure the least-squares slope of a metric's final value against an axis, for each seed."""

    def measure_slope(evidence: Evidence) -> np.ndarray:
        ends = last_rows(require_rows(evidence.runs(experiment, **{over: EVERY, **wanted}), metric))
        table = ends.pivot_table(index=over, columns="seed", values="value")
        if len(table) < 2:
            raise NotTestableError(f"the config contains only one {over} of {experiment}, so there is no trend")
        return fit_line(table.index.to_numpy(float), table.to_numpy())[0]

    return measure_slope


def _values_by_run(
    runs: pd.DataFrame,
    metric: str,
    *,
    index: int | None = None,
    step: int | None = None,
    pick: str = "last",
    column: str = "value",
) -> np.ndarray:
    """Return one value for each run, in the order of the table."""
    places = {name: value for name, value in (("index", index), ("step", step)) if value is not None}
    rows = require_rows(runs, metric, **places)
    return _reduce_rows(rows, pick, column).reindex(run_index(runs)).to_numpy(float)


def _reduce_rows(rows: pd.DataFrame, pick: str, column: str) -> pd.Series:
    groups = rows.sort_values("step", kind="stable").groupby(axes_of(rows), observed=True, sort=False)[column]
    reduce_values = {"last": groups.last, "min": groups.min, "max": groups.max, "sum": partial(groups.sum, min_count=1)}
    return pd.Series(reduce_values[pick]())


def _combine_pairs(first: np.ndarray, second: np.ndarray, combine: np.ufunc) -> np.ndarray:
    if len(first) != len(second) and 1 not in (len(first), len(second)):
        raise NotTestableError(f"{len(first)} runs cannot be paired with {len(second)}")
    return combine(first, second)
