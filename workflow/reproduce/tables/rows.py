"""Rows of a table: runs with given axes, rows of a metric, the first seed, the last step, diverged runs."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from reproduce.errors import check_name
from reproduce.tables.axes import axes_of

# Experiment → the metrics that its docstring lists. Jobs fill it before they call the code of a document.
DOCUMENTED: dict[str, set[str]] = {}


class NotRecordedError(Exception):
    """The runs do not contain the rows that a caller needs; the message names the metric."""


def runs_of(table: pd.DataFrame, /, **axes: object) -> pd.DataFrame:
    """Return all rows of the runs with the given axes.

    axes: the value of each axis, or a list or tuple of allowed values; "step" and "index" work too.
    """
    return table[_matches(table, axes)]


def runs_except(table: pd.DataFrame, /, **axes: object) -> pd.DataFrame:
    """Return all rows except those that `runs_of` returns for the same axes."""
    return table[~_matches(table, axes)]


def rows_of(table: pd.DataFrame, metric: str, /, **axes: object) -> pd.DataFrame:
    """Return the rows of one metric, possibly none.

    axes: as in `runs_of`, for example index=0, step=0 or seed=3.
    """
    return runs_of(table, metric=metric, **axes)


def require_rows(table: pd.DataFrame, metric: str, /, **axes: object) -> pd.DataFrame:
    """Return the rows of one metric; raise NotRecordedError if there is none. axes: as in `rows_of`."""
    rows = rows_of(table, metric, **axes)
    if rows.empty:
        where = f" at step {axes['step']}" if "step" in axes else ""
        raise NotRecordedError(f"the runs recorded no {metric}{where}")
    return rows


def first_seed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the smallest seed."""
    return rows[rows["seed"] == rows["seed"].min()]


def last_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows at the last step of each run.

    rows: of one metric, since metrics may end at different steps.
    """
    last = rows.groupby(axes_of(rows), observed=True, sort=False)["step"].transform("max")
    return rows[rows["step"] == last]


def values_by_index(rows: pd.DataFrame) -> pd.Series:
    """Return one value for each index, in ascending order of the index.

    rows: of one metric, at one step of one run; if an index occurs twice, its first row counts.
    """
    return rows.drop_duplicates("index").set_index("index")["value"].sort_index()


def divergence_steps(runs: pd.DataFrame) -> pd.Series:
    """Return the steps at which runs diverged, one per diverged run or simulation."""
    return rows_of(runs, "diverged")["step"]


def runs_with_metric(runs: pd.DataFrame, *metrics: str) -> pd.DataFrame:
    """Return all rows of the runs that recorded at least one of the metrics."""
    return runs[_has_recorded(runs, metrics)]


def drop_infinite(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with finite values, which a figure can draw; a run with an infinite one diverged there."""
    finite = np.isfinite(runs["value"])
    if finite.all():
        return runs
    lost = runs[np.isinf(runs["value"]) & ~_has_recorded(runs, ("diverged",))]
    ends = lost.sort_values("step").drop_duplicates(axes_of(runs)).assign(metric="diverged", index=0, value=1.0)
    return pd.concat([runs[finite], ends]).astype({"metric": "category"})


def drop_diverged(runs: pd.DataFrame) -> pd.DataFrame:
    """Return all rows of the runs that did not diverge."""
    return runs[~_has_recorded(runs, ("diverged",))]


def _matches(table: pd.DataFrame, axes: dict[str, object]) -> np.ndarray:
    """Return for each row whether its axes have the given values; shape (rows,)."""
    matches = np.ones(len(table), dtype=bool)
    for axis, value in axes.items():
        check_name(axis, "axis", table.columns)
        if axis == "metric":
            _check_metrics(value if isinstance(value, list | tuple) else [value])
        column = table[axis]
        matches &= (column.isin(value) if isinstance(value, list | tuple) else column == value).to_numpy()
    return matches


def _check_metrics(metrics: Iterable[object]) -> None:
    """Raise UserError for a metric that no experiment of this job documents; without a job, nothing is checked."""
    for metric in metrics if DOCUMENTED else ():
        check_name(metric, f"metric of {', '.join(DOCUMENTED)}", set().union(*DOCUMENTED.values()))


def _has_recorded(runs: pd.DataFrame, metrics: tuple[str, ...]) -> np.ndarray:
    """Return for each row whether its run recorded one of the metrics; shape (rows,)."""
    _check_metrics(metrics)
    keys = [runs[axis] for axis in axes_of(runs)]
    return runs["metric"].isin(metrics).groupby(keys, observed=True).transform("any").to_numpy(dtype=bool)
