"""Measures of random nets; each measure applies a function to one metric's rows in each run."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import as_measure
from deepnets.claims.section import Runs
from deepnets.tables.axes import split_runs
from deepnets.tables.rows import divergence_steps, require_rows, rows_of


@as_measure
def measure_each_run(
    evidence: Evidence, metric: str, measure: Callable[[pd.DataFrame], float | np.ndarray], wanted: Runs
) -> np.ndarray:
    """Apply a function to a metric's rows in each run; NaN if a run diverged before it recorded the metric."""
    recorded = [rows_of_run(run, metric) for run in select_random_nets(evidence, wanted)]
    return np.hstack([measure(rows) if len(rows) else np.nan for rows in recorded])


def select_random_nets(evidence: Evidence, wanted: Runs) -> list[pd.DataFrame]:
    """Return the rows of each run of random nets."""
    return split_runs(evidence.runs("spectra", **wanted))


def rows_of_run(run: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the rows of one metric of a run; none if the run diverged before it recorded the metric."""
    return require_rows(run, metric) if divergence_steps(run).empty else rows_of(run, metric)


def read_values(rows: pd.DataFrame) -> np.ndarray:
    """Return the values of rows."""
    return rows["value"].to_numpy()


def last_values(rows: pd.DataFrame) -> np.ndarray:
    """Return the values after the last layer of a run."""
    return rows.loc[rows["step"] == rows["depth"], "value"].to_numpy()


def reshape_by_net(rows: pd.DataFrame) -> np.ndarray:
    """Return the values of a run as an array of shape (nets, units). Each net must have recorded one value per unit."""
    return rows.sort_values("index")["value"].to_numpy().reshape(-1, axis_value(rows, "size"))


def axis_value(rows: pd.DataFrame, axis: str) -> int:
    """Return a run's value of an axis."""
    return int(rows[axis].iloc[0])
