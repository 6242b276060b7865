"""Choosing rows of a tidy table, and summing seeds up."""

import numpy as np
import pandas as pd


def runs_of(table: pd.DataFrame, **axes: object) -> pd.DataFrame:
    """Return all rows of the runs whose axes have the given values."""
    chosen = np.ones(len(table), dtype=bool)
    for axis, value in axes.items():
        chosen &= (table[axis] == value).to_numpy()
    return table[chosen]


def rows_of(table: pd.DataFrame, metric: str, **axes: object) -> pd.DataFrame:
    """Return the rows of one metric, of the runs whose axes have the given values."""
    return runs_of(table, metric=metric, **axes)


def at_end(rows: pd.DataFrame) -> pd.DataFrame:
    """Return, of the rows of one metric and one index, the last of each run."""
    axes = [column for column in rows.columns if column not in ("step", "metric", "index", "value")]
    return rows[rows["step"] == rows.groupby(axes, observed=True, sort=False)["step"].transform("max")]


def by_seed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the values of one metric and one index: a row per step, a column per seed."""
    return rows.pivot(index="step", columns="seed", values="value")


def standard_error(values: pd.Series | np.ndarray) -> float:
    """Return the standard deviation over the root of the count, with divisor n, as the documents compute it."""
    return float(np.std(values) / np.sqrt(len(values)))
