"""What document 004 prints of its matrices, cell by cell, and how far ours are from it."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import Evidence, NotTestableError, axes_of
from workflow.deepnets.documents.zero_init.runs import QUOTED, UPDATES

# torch prints three rows and columns at each end of a matrix, of shape (out, in); the last three columns are alike.
CORNER = 6
# Row of the print → its first three cells and the fourth; the document breaks off in the last row.
PRINTED_CELLS = {
    0: (1.1448e00, -7.5209e-03, -6.2786e-06, -2.4932e-04),
    1: (-1.6591e-02, 1.1818e00, -6.2500e-06, 1.1423e-03),
    2: (-3.7327e-05, -6.4429e-04, 9.9996e-01, -4.0734e-05),
    3: (2.1381e-04, 7.8031e-04, 1.0636e-10, 1.2327e-05),
    4: (5.3667e-04, 8.4930e-04, 3.0437e-11, 1.3962e-05),
    5: (4.9626e-04, 1.4102e-03),
}
# What rounding alone does: standard deviations over 15 runs of the printed net that took the images of each batch in
# another order, which changes nothing but the order of float32 sums.
ROUNDING_OF_CELLS = {
    0: (2.65e-03, 6.72e-04, 7.87e-12, 7.93e-06),
    1: (3.42e-04, 5.84e-04, 6.23e-12, 9.32e-06),
    2: (6.61e-09, 2.44e-05, 0.0, 4.23e-07),
    3: (4.16e-05, 2.38e-05, 1.29e-14, 1.04e-07),
    4: (2.92e-05, 6.33e-05, 3.63e-14, 2.83e-07),
    5: (9.13e-05, 7.29e-05),
}


def _cells(matrix: str, step: int, **wanted: object) -> Callable[[Evidence], np.ndarray]:
    """Measure the printed cells of a matrix, (runs, rows, columns); NaN where a run lacks them."""

    def measured(evidence: Evidence) -> np.ndarray:
        runs = evidence.runs("zero_init", **wanted)
        rows = runs[(runs["metric"] == f"{matrix}_corner_weight") & (runs["step"] == step)]
        if rows.empty:
            raise NotTestableError(f"the runs recorded no cells of the {matrix} matrix at step {step}")
        every = pd.MultiIndex.from_frame(runs[axes_of(runs)].drop_duplicates())
        cells = rows.set_index([*axes_of(runs), "index"])["value"].unstack().reindex(every)
        return cells.to_numpy().reshape(-1, CORNER, CORNER)

    return measured


def farthest(matrix: str, step: int, expected: np.ndarray, *, rows: int = CORNER, **runs: object) -> Measure:
    """Measure the largest distance of a printed cell from what it is to be, in the first rows, of each run."""
    cells = _cells(matrix, step, **runs)
    return lambda evidence: np.abs(cells(evidence) - expected)[:, :rows].max(axis=(1, 2))


def partial_corner() -> np.ndarray:
    """Return the printed cells of a partial identity that narrows."""
    return np.diag([1.0, 1, 1, 0, 0, 0])


def of_both(error: float) -> float:
    """Return the error of a difference of two values that have the same."""
    return float(np.sqrt(2) * error)


def two_digits(error: float) -> float:
    """Round an error as one writes it."""
    return float(f"{error:.2g}")


def error_of_cell(value: float, rounding: float) -> float:
    """Return the standard error of a difference from a cell that is printed to five digits."""
    unit = 10.0 ** (np.floor(np.log10(abs(value))) - 4)
    return float(np.hypot(of_both(rounding), unit / np.sqrt(12)))


def deviation_of_row(row: int, columns: list[int]) -> Measure:
    """Measure how far the farthest of these cells of a printed row is from its print, in units of the error."""
    cells = _cells("second", UPDATES, **QUOTED)
    printed = np.array([PRINTED_CELLS[row][column] for column in columns])
    errors = np.array([error_of_cell(PRINTED_CELLS[row][column], ROUNDING_OF_CELLS[row][column]) for column in columns])
    return lambda evidence: (np.abs(cells(evidence)[:, row, columns] - printed) / errors).max(axis=1)


def spread_of_last_columns(evidence: Evidence) -> np.ndarray:
    """Return how far the last three cells of a printed row differ, over their size, at most."""
    last = _cells("second", UPDATES, **QUOTED)(evidence)[:, :, 3:]
    return (np.ptp(last, axis=2) / np.abs(last).max(axis=2)).max(axis=1)
