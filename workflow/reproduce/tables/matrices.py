"""The values of a metric as a matrix. Rows: steps, indices or an axis; columns: seeds, indices or runs.

Each matrix is NaN where nothing was recorded. No function averages: the `by_…` functions raise UserError if
two rows belong in one cell; the message names the axes in which the rows differ.
"""

import numpy as np
import pandas as pd

from reproduce.errors import UserError
from reproduce.tables.axes import axes_of, run_index
from reproduce.tables.rows import require_rows


def by_seed(rows: pd.DataFrame, *, down: str = "step") -> pd.DataFrame:
    """Return the values with one column per seed.

    rows: of one metric and one setting.
    down: the column whose values become the rows of the matrix: "step", "index" or an axis such as "depth".
    """
    return _pivot(rows, down, "seed")


def by_index(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the values of one metric and one run, steps × indices."""
    return _pivot(rows, "step", "index")


def by_simulation(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the values with one row per step or layer, and one column per simulation: (seed, index).

    rows: of one metric and one setting, where the index counts the simulations within a run.
    """
    return _pivot(rows, "step", ["seed", "index"])


def by_run(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the values of one metric and one index with one column per run, sorted by the axes."""
    # A pivot over several columns keeps the order of the rows.
    return _pivot(rows, "step", axes_of(rows)).sort_index(axis="columns")


def labelled(runs: pd.DataFrame, metric: str) -> pd.Series:
    """Return the values of a metric, labelled by the number of the run in `run_index(runs)`, the step and the index.

    Arithmetic aligns labels, and gives NaN where one side recorded nothing: `labelled(runs, "loss") - labelled(runs,
    "theory_loss")`. `unstack` makes a matrix of them; `groupby("run")` reduces them to one value for each run.
    raises: NotRecordedError if no run recorded the metric.
    """
    rows = require_rows(runs, metric)
    numbers = run_index(runs).get_indexer(pd.MultiIndex.from_frame(rows[axes_of(runs)]))
    return rows.assign(run=numbers).set_index(["run", "step", "index"])["value"]


def recordings(runs: pd.DataFrame, metric: str, /, **axes: object) -> np.ndarray:
    """Return all values of a metric as an array of shape (runs, steps, indices); NaN where a run has no value.

    runs: all rows of the runs; the first dimension is in the order of `run_index(runs)`.
    axes: restrict the rows as in `rows_of`, for example step=0; they do not restrict the runs.
    raises: NotRecordedError if no run recorded the metric.
    """
    rows, every = require_rows(runs, metric, **axes), run_index(runs)
    of_runs = every.get_indexer(pd.MultiIndex.from_frame(rows[axes_of(runs)]))
    steps, of_steps = np.unique(rows["step"].to_numpy(), return_inverse=True)
    indices = rows["index"].to_numpy()
    values = np.full((len(every), len(steps), indices.max() + 1), np.nan)
    values[of_runs, of_steps, indices] = rows["value"]
    return values


def _pivot(rows: pd.DataFrame, down: str, across: str | list[str]) -> pd.DataFrame:
    cell = [down, across] if isinstance(across, str) else [down, *across]
    if rows.duplicated(cell).any():
        others = [name for name in ("metric", *axes_of(rows), "index") if name not in cell]
        varied = [name for name in others if rows[name].nunique() > 1] or ["row per cell"]
        raise UserError(f"a matrix needs rows with one {' and one '.join(varied)}; select them with rows_of")
    return rows.pivot(index=down, columns=across, values="value")
