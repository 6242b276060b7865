"""The axes of a table, which identify its runs; and the settings, which are groups of runs.

A table has one column for each axis and the columns of a record. A run is one combination of all axes. A setting is
one combination of the axes except the seed: seeds repeat a setting.
"""

import numpy as np
import pandas as pd

# All other columns are axes.
RECORD_COLUMNS = ("step", "metric", "index", "value")


def axes_of(table: pd.DataFrame, *without: str) -> list[str]:
    """Return the names of the axes, in the order of the columns.

    without: axes that the caller does not need, such as "seed".
    """
    return [column for column in table.columns if column not in RECORD_COLUMNS and column not in without]


def swept_axes(runs: pd.DataFrame) -> list[str]:
    """Return the axes that have several values, except the seed, in the order of the columns."""
    return [axis for axis in axes_of(runs, "seed") if runs[axis].nunique() > 1]


def begin_blocks(axes: pd.DataFrame) -> np.ndarray:
    """Return which rows differ from the row before, shape (rows,).

    Most rows repeat the axes of the row before. Dropping these first takes a tenth of a search among all rows.
    """
    first = np.zeros(len(axes), dtype=bool)
    first[:1] = True
    for axis in axes:
        values = axes[axis].array
        first[1:] |= np.asarray(values[1:] != values[:-1])
    return first


def run_index(runs: pd.DataFrame) -> pd.MultiIndex:
    """Return the axes of each run, in the order of the table, one entry per run."""
    axes = runs[axes_of(runs)]
    return pd.MultiIndex.from_frame(axes[begin_blocks(axes)].drop_duplicates())


def group_by_setting(runs: pd.DataFrame, *besides: str) -> list[tuple[dict[str, object], pd.DataFrame]]:
    """Return each setting with its rows, sorted by the values of the swept axes.

    besides: swept axes that do not divide the runs, because the figure shows their values elsewhere, e.g. along x.
    returns: pairs (axis → value for the swept axes, without `besides`; rows). If nothing is swept: one pair with {}.
    """
    axes = [axis for axis in swept_axes(runs) if axis not in besides]
    if not axes:
        return [] if runs.empty else [({}, runs)]
    return [({axis: rows[axis].iloc[0] for axis in axes}, rows) for _, rows in runs.groupby(axes, observed=True)]


def merge_blocks(runs: pd.DataFrame) -> pd.DataFrame:
    """Drop the axis "block", and keep one row where several blocks recorded the same run."""
    runs = runs.drop(columns="block")
    return runs[~runs.drop(columns="value").duplicated()]
