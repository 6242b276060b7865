"""Choosing nets and simulations from the table of the experiment `propagation`."""

import numpy as np
import pandas as pd

from workflow.deepnets.figures._rows import rows_of


def runs_of(table: pd.DataFrame, **axes_of_runs: object) -> pd.DataFrame:
    """Return all rows of the runs whose axes have the given values."""
    chosen = np.ones(len(table), dtype=bool)
    for axis, value in axes_of_runs.items():
        chosen &= (table[axis] == value).to_numpy()
    return table[chosen]


def widest(table: pd.DataFrame, **axes_of_runs: object) -> pd.DataFrame:
    """Return the rows of the widest nets; among them the fully connected ones, if there are any."""
    rows = runs_of(table, **axes_of_runs)
    rows = rows[rows["width"] == rows["width"].max()]
    return rows[rows["kernel"] == rows["kernel"].min()]


def narrowest(table: pd.DataFrame, **axes_of_runs: object) -> pd.DataFrame:
    """Return the rows of the narrowest nets of the kernel that the widest have."""
    rows = runs_of(table, **axes_of_runs, kernel=widest(table, **axes_of_runs)["kernel"].min())
    return rows[rows["width"] == rows["width"].min()]


def by_simulation(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return a metric with a row for each layer and a column for each simulation, of which a seed has many."""
    chosen = rows_of(rows, metric)
    if chosen.empty:
        return pd.DataFrame(index=pd.Index([], dtype=int), dtype=float)
    simulation = ["depth", "gain", "bias", "batch", "seed", "index"]
    return chosen.pivot(index="step", columns=simulation, values="value")
