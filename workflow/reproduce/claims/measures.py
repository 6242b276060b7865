"""Measures: what a claim computes from the runs of some selections, one value for each run or pair of runs.

Measures can be added, subtracted and divided: `final(NET, "test_loss") - final(NET, "train_loss")`.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from reproduce.claims.criteria import Between, Criterion, Every, Near, OneMoreDraw, Printed
from reproduce.claims.estimate import AtLeast, Estimate, Measured, MeasuredParts, estimate
from reproduce.errors import UserError, check_name
from reproduce.tables.axes import axes_of, run_index
from reproduce.tables.rows import DOCUMENTED, NotRecordedError, last_rows, require_rows, rows_of
from reproduce.tables.selection import NotTestableError, Selection
from reproduce.tables.table import Table
from reproduce.tables.words import listing

# Experiment → its table.
Tables = Mapping[str, Table]


class Tested(NamedTuple):
    """A measure with the criterion that decides it."""

    measure: "Measure"
    criterion: Criterion

    def __bool__(self) -> bool:
        """Refuse a chain: Python would drop its first bound."""
        raise UserError("`a < measure < b` would test only one bound; write `measure.between(a, b)`")


class Measure:
    """A function of the tables, and the selections whose runs it reads.

    compute: returns one value for each run or pair of runs, shape (n,); or an estimate without such values.
    """

    def __init__(self, compute: Callable[[Tables], Any], *selections: Selection) -> None:
        self._compute, self.selections = compute, selections

    def __call__(self, tables: Tables) -> Any:
        """Return the values. raises: NotRecordedError if the tables lack some of them."""
        return self._compute(tables)

    def __sub__(self, other: "Measure | float") -> "Measure":
        """Measure the differences of paired values; one side may be a single value."""
        return _combine(self, other, np.subtract)

    def __truediv__(self, other: "Measure | float") -> "Measure":
        """Measure the ratios of paired values; one side may be a single value."""
        return _combine(self, other, np.divide)

    def __add__(self, other: "Measure | float") -> "Measure":
        """Measure the sums of paired values; one side may be a single value."""
        return _combine(self, other, np.add)

    def __rmul__(self, factor: float) -> "Measure":
        """Measure the values times a factor."""
        return Measure(lambda tables: factor * self(tables), *self.selections)

    # A test: a measure with its criterion.

    def __gt__(self, bound: float) -> Tested:
        """Test that the mean is above a bound."""
        return Tested(self, Between(least=_number(bound)))

    def __lt__(self, bound: float) -> Tested:
        """Test that the mean is below a bound."""
        return Tested(self, Between(greatest=_number(bound)))

    def between(self, least: float = -math.inf, greatest: float = math.inf, of: str = "") -> Tested:
        """Test that the mean is between two bounds. of: the kind of quantity, as in `Between`."""
        return Tested(self, Between(least, greatest, of=of))

    def near(self, value: float, of: str, reading: float = 0) -> Tested:
        """Test that the mean differs from a value by less than matters to its kind. reading: as in `Near`."""
        return Tested(self, Near(value, of=of, reading=reading))

    def every(self, least: float = -math.inf, greatest: float = math.inf) -> Tested:
        """Test that every value is within bounds."""
        return Tested(self, Every(least, greatest))

    def equals(self, value: float) -> Tested:
        """Test that every value is this one."""
        return Tested(self, Every(value, value))

    def prints(self, value: float, places: int = 0) -> Tested:
        """Test that the mean rounds to a printed number. Arguments: as in `Printed`."""
        return Tested(self, Printed(value, places))

    def draws(self, value: float, of: str, error: float = 0) -> Tested:
        """Test that a value could be one more draw. Arguments: as in `OneMoreDraw`."""
        return Tested(self, OneMoreDraw(value, of=of, error=error))

    def apply(self, function: Callable[[np.ndarray], np.ndarray]) -> "Measure":
        """Measure a function of each value, such as np.log. Lower bounds stay such, if the function grows."""

        def compute(tables: Tables) -> np.ndarray | AtLeast:
            values = self(tables)
            return AtLeast(function(values.values)) if isinstance(values, AtLeast) else function(values)

        return Measure(compute, *self.selections)


def _number(bound: float) -> float:
    if not isinstance(bound, int | float):
        raise UserError("a test compares a measure with a number; write `a - b > 0` for `a > b`")
    return bound


def measure(
    function: Callable[..., Any], /, *selections: Selection, diverged: bool = False, **arguments: object
) -> Measure:
    """Measure a function of the rows of some selections.

    function: takes the rows of each selection (all metrics of its runs) and the arguments, and returns the values.
    diverged: as in `Selection.rows`.
    """

    def compute(tables: Tables) -> Any:
        values = function(*(each.rows(table_of(tables, each), diverged=diverged) for each in selections), **arguments)
        if np.ndim(values) > 1:
            name, shape = getattr(function, "__name__", "a measure"), " × ".join(map(str, np.shape(values)))
            raise UserError(f"{name} returns {shape} values; return one value for each run")
        return values

    return Measure(compute, *selections)


def measured(function: Callable[..., Any]) -> Callable[..., Measure]:
    """Turn a function of the rows of some selections into one of the selections, which returns a measure."""
    return wraps(function)(partial(measure, function))


def each_run(function: Callable[..., Any]) -> Callable[..., Measure]:
    """Turn a function of one run's rows into one of a selection: a measure of its values in all runs.

    The value is NaN in a run that diverged before it recorded what the function needs.
    """

    def of_runs(rows: pd.DataFrame, **arguments: object) -> np.ndarray:
        found = []
        for _, run in rows.groupby(axes_of(rows), observed=True, sort=False):
            try:
                found.append(function(run, **arguments))
            except NotRecordedError:
                if rows_of(run, "diverged").empty:
                    raise
                found.append(np.nan)
        return np.hstack(found)

    return wraps(function)(partial(measure, of_runs))


def combine_parts(parts: Mapping[str, Measure]) -> Measure:
    """Measure the parts of a claim, by their names; a part without values gives the error that explains why."""

    def compute(tables: Tables) -> MeasuredParts:
        found: dict[str, Measured | Exception] = {}
        for name, part in parts.items():
            try:
                found[name] = part(tables)
            except NotRecordedError as reason:
                found[name] = reason
        return found

    return Measure(compute, *_selections_of(*parts.values()))


def table_of(tables: Tables, selection: Selection) -> Table:
    """Return the table of a selection. raises: NotTestableError if the config has no runs of its experiment."""
    if DOCUMENTED:
        check_name(selection.experiment, "experiment in TABLES", DOCUMENTED)
    if selection.experiment not in tables:
        raise NotTestableError(f"the config contains no runs of {selection.experiment}")
    return tables[selection.experiment]


def final(selection: Selection, metric: str, *, index: int = 0) -> Measure:
    """Measure the last recorded value of a metric in each run, NaN if a run has none."""
    return measure(_values_by_run, selection, metric=metric, index=index)


def at_step(selection: Selection, metric: str, step: int, *, index: int = 0) -> Measure:
    """Measure a metric at a recorded step in each run, NaN if a run has no such value."""
    return measure(_values_by_run, selection, metric=metric, index=index, step=step)


def extreme(selection: Selection, metric: str, *, pick: str) -> Measure:
    """Measure the least ("min") or greatest ("max") value of a metric in each run, over steps and indices."""
    return measure(_values_by_run, selection, metric=metric, pick=pick)


def total(selection: Selection, metric: str) -> Measure:
    """Measure the sum of a metric's values in each run, over steps and indices."""
    return measure(_values_by_run, selection, metric=metric, pick="sum")


def updates(selection: Selection, metric: str) -> Measure:
    """Measure the last update at which a metric was recorded in each run."""
    return measure(_values_by_run, selection, metric=metric, pick="last", column="step")


def time_or_end(selection: Selection, metric: str) -> Measure:
    """Measure a time in updates; if a run records none, its last recorded step is a lower bound, unless it diverged."""

    def compute(runs: pd.DataFrame) -> np.ndarray | AtLeast:
        ends = _reduce_rows(runs, runs, "last", "step")
        found = _reduce_rows(runs, rows_of(runs, metric, index=0), "last", "value")
        bounds = np.isnan(found) & ~run_index(runs).isin(run_index(rows_of(runs, "diverged")))
        return AtLeast(np.where(bounds, ends, found)) if bounds.any() else found

    return measure(compute, selection)


def difference_of_means(minuend: Measure, subtrahend: Measure) -> Measure:
    """Measure the difference of the means of two groups of unpaired runs; its standard error is √(se₁² + se₂²).

    The values of one group may all be equal: then it adds no error.
    """
    return _combine_means(
        minuend, subtrahend, lambda first, second: (first.mean - second.mean, first.error, second.error)
    )


def ratio_of_means(numerator: Measure, denominator: Measure) -> Measure:
    """Measure the ratio of the means of two groups of unpaired runs; relative errors add in quadrature."""

    def divide(above: Estimate, below: Estimate) -> tuple[float, float, float]:
        quotient = above.mean / below.mean
        error, other = (abs(quotient) * each.error / abs(each.mean) for each in (above, below))
        return quotient, error, other

    return _combine_means(numerator, denominator, divide)


def _combine_means(
    group: Measure, other: Measure, combine: Callable[[Estimate, Estimate], tuple[float, float, float]]
) -> Measure:
    """Measure a combination of two means; its degrees of freedom are those of Welch and Satterthwaite.

    combine: returns it with the errors of both, in its unit; NaN if one of them is a single value.
    """

    def compute(tables: Tables) -> Estimate:
        first, second = estimate(group(tables)), estimate(other(tables))
        if second.at_least:
            raise NotTestableError("the runs of the second group did not end, so that the result has no bound")
        mean, *errors = combine(first, second)
        error = math.hypot(*errors)
        parts = [(each, of.freedom) for each, of in zip(errors, (first, second), strict=True) if each > 0]
        freedom = error**4 / sum(each**4 / free for each, free in parts) if parts and error > 0 else math.nan
        return Estimate(mean, error, (*first.counts, *second.counts), freedom, at_least=first.at_least)

    return Measure(compute, *_selections_of(group, other))


def not_testable(reason: str) -> Measure:
    """Raise NotTestableError, for a statement that no run here can judge; the reason becomes the claim's remark."""

    def refuse(tables: Tables) -> np.ndarray:
        raise NotTestableError(reason)

    return Measure(refuse)


def reduce_values(values: Measure, by: Callable[[np.ndarray], float]) -> Measure:
    """Reduce the values of a measure to one number, such as their mean, maximum or count."""
    return Measure(lambda tables: np.array([by(values(tables))], dtype=float), *values.selections)


def _selections_of(*measures: Measure) -> tuple[Selection, ...]:
    return tuple(selection for each in measures for selection in each.selections)


def _combine(first: Measure, other: Measure | float, combine: np.ufunc) -> Measure:
    second = other if isinstance(other, Measure) else Measure(lambda tables: np.array([other]))

    def compute(tables: Tables) -> np.ndarray | AtLeast:
        def with_second(values: np.ndarray) -> np.ndarray:
            return combine(*paired_values(tables, Measure(lambda _: values, *first.selections), second))

        return first.apply(with_second)(tables)

    return Measure(compute, *_selections_of(first, second))


def on_shared_seeds(
    first: Selection, other: Selection, metric: str, combine: Callable[..., Any], *, axis: str = "seed"
) -> Measure:
    """Measure a combination of the last values of a metric, such as np.divide, of the seeds that both nets have.

    axis: what is paired in place of seeds, such as draws of the data; of several runs with one value, the mean counts.
    """

    def compute(*nets: pd.DataFrame) -> np.ndarray:
        ours, theirs = (last_rows(require_rows(each, metric)).groupby(axis)["value"].mean() for each in nets)
        if not len(both := ours.index.intersection(theirs.index)):
            raise NotTestableError(f"no run of {other} has a {axis} of these runs")
        return combine(ours[both], theirs[both]).to_numpy()

    return measure(compute, first, other)


def paired_values(tables: Tables, *measures: Measure) -> list[np.ndarray]:
    """Return the values of measures, all in the order of the same seeds; a single value goes with all others.

    raises: NotTestableError if a seed has more runs on one side than on another, or for values that are lower bounds.
    """
    found = [each(tables) for each in measures]
    if any(isinstance(values, AtLeast) for values in found):
        raise NotTestableError("some runs did not end, so that the result has no bound")
    known = [_seeds_of(each, len(values), tables) for each, values in zip(measures, found, strict=True)]
    seeds = next(filter(None, known), list(range(max(map(len, found)))))
    for number, (values, own) in enumerate(zip(found, known, strict=True)):
        own = own or (seeds if len(values) in (1, len(seeds)) else list(range(len(values))))
        if sorted(own) != sorted(seeds):
            unpaired = set(own) ^ set(seeds) or seeds
            raise NotTestableError(f"runs cannot be paired: seed {listing(unpaired)} has more runs on one side")
        if own != seeds:
            found[number] = np.empty(len(values))
            found[number][np.argsort(seeds, kind="stable")] = values[np.argsort(own, kind="stable")]
    return found


def _seeds_of(values: Measure, count: int, tables: Tables) -> list[int]:
    """Return the seed of each of several values; none if the measure has not one value for each run or each seed."""
    for each in values.selections if count > 1 else ():
        table = tables[each.experiment]
        seeds = table.points.loc[each.matches(table), "seed"].tolist()
        for own in (seeds, sorted(set(seeds))):
            if len(own) == count:
                return own
    return []


def _values_by_run(
    runs: pd.DataFrame, metric: str, *, pick: str = "last", column: str = "value", **places: int
) -> np.ndarray:
    """Return one value for each run, in the order of the table. places: the index or the step, if only one counts."""
    return _reduce_rows(runs, require_rows(runs, metric, **places), pick, column)


def _reduce_rows(runs: pd.DataFrame, rows: pd.DataFrame, pick: str, column: str) -> np.ndarray:
    groups = rows.sort_values("step", kind="stable").groupby(axes_of(rows), observed=True, sort=False)[column]
    reduce_values = {"last": groups.last, "min": groups.min, "max": groups.max, "sum": partial(groups.sum, min_count=1)}
    return pd.Series(reduce_values[pick]()).reindex(run_index(runs)).to_numpy(float)
