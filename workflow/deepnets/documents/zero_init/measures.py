"""Measures of weight matrices: norms and singular values before training, printed cells, and ranks."""

import numpy as np
import pandas as pd

from deepnets.claims.claim import Measure
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure, at_step, of_paper_size
from deepnets.data.mnist import CLASSES, PIXELS
from deepnets.documents.zero_init.printed import CELLS, CORNER
from deepnets.documents.zero_init.runs import (
    AUTHORS,
    BEFORE_TRAINING,
    BLOCKS_OF_AUTHORS,
    PRINTED,
    RIGHT,
    UPDATES,
)
from deepnets.tables.matrices import recordings
from deepnets.tables.rows import require_rows

# The effect of rounding: standard deviations over 15 runs of the printed net. In each run, the images of each batch
# have a different order, which changes only the order of float32 sums.
ROUNDING_OF_LOSS, ROUNDING_OF_COUNT = 0.00106, 3.8
_ROUNDING_OF_CELLS = {
    0: (2.65e-03, 6.72e-04, 7.87e-12, 7.93e-06),
    1: (3.42e-04, 5.84e-04, 6.23e-12, 9.32e-06),
    2: (6.61e-09, 2.44e-05, 0.0, 4.23e-07),
    3: (4.16e-05, 2.38e-05, 1.29e-14, 1.04e-07),
    4: (2.92e-05, 6.33e-05, 3.63e-14, 2.83e-07),
    5: (9.13e-05, 7.29e-05),
}


@as_measure
def values_in_config(evidence: Evidence, axis: str, **runs: object) -> np.ndarray:
    """Measure the values of an axis that the config contains for these runs."""
    return np.array(evidence.values("zero_init", axis, **runs), dtype=float)


def with_width(width: int, measure: Measure, **runs: object) -> Measure:
    """Return the measure for runs of this width. Without such runs, all parts of a claim then give the same reason."""

    def measured(evidence: Evidence) -> np.ndarray:
        if width not in evidence.values("zero_init", "width", **runs):
            raise NotTestableError(f"the config contains no such net at n_h = {width}")
        return measure(evidence)

    return of_paper_size(measured)


def layer_shapes(width: int) -> list[tuple[int, int]]:
    """Return (number of inputs, number of outputs) of each layer."""
    return [(PIXELS, PIXELS), (PIXELS, width), (width, width), (width, CLASSES)]


@as_measure
def norm_ratios(
    evidence: Evidence, init: str, expected: list[float], *, width: int = RIGHT, **axes: object
) -> np.ndarray:
    """Measure the squared norm of each layer before training, divided by the expected squared norm, layer by layer."""
    layers = [
        at_step(
            "zero_init", "squared_norm", 0, index=layer, factor=1 / norm, **BEFORE_TRAINING[width], init=init, **axes
        )
        for layer, norm in enumerate(expected)
    ]
    return np.concatenate([layer(evidence) for layer in layers])


def norms_over_partial_identity(init: str, *, width: int = RIGHT) -> Measure:
    """Measure the squared norm of each layer before training, divided by the squared norm of a partial identity."""
    return norm_ratios(init, [min(pair) for pair in layer_shapes(width)], width=width)


def deviations_from_kaiming(evidence: Evidence) -> np.ndarray:
    """Measure the squared norms of random layers minus their expected values, in standard deviations."""
    shapes = layer_shapes(RIGHT)
    ratios = norm_ratios("random", [2 * n_out for _, n_out in shapes])(evidence)
    deviations = np.array([np.sqrt(2 / (n_in * n_out)) for n_in, n_out in shapes])
    # Ordered by layer, then by run.
    return ((ratios.reshape(len(shapes), -1) - 1) / deviations[:, np.newaxis]).ravel()


@as_measure
def singular_values(evidence: Evidence, init: str) -> np.ndarray:
    """Measure the largest and the smallest singular value of the second weight matrix before training."""
    ends = [
        at_step("zero_init", "second_singular_value", 0, index=index, **BEFORE_TRAINING[RIGHT], init=init)
        for index in (0, 1)
    ]
    return np.concatenate([end(evidence) for end in ends])


def partial_corner() -> np.ndarray:
    """Return the printed cells of a partial identity with fewer outputs than inputs."""
    return np.diag([1.0, 1, 1, 0, 0, 0])


def spray_corner() -> np.ndarray:
    """Return the printed cells of Spray's second matrix, if no random zero of a padded row is among these cells."""
    return (1 - partial_corner()) / (PIXELS - 1)


def hadamard_corner(n_in: int, n_out: int) -> np.ndarray:
    """Return the printed cells of ZerO's matrix, which is a scaled corner of Sylvester's Hadamard matrix.

    n_in, n_out: the matrix has the shape (n_out, n_in).
    """
    matrix = np.ones((1, 1))
    while len(matrix) < n_out:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    rows, columns = ([0, 1, 2, size - 3, size - 2, size - 1] for size in (n_out, n_in))
    return matrix[np.ix_(rows, columns)] / np.sqrt(len(matrix))


@as_measure
def farthest_cell(
    evidence: Evidence, matrix: str, step: int, expected: np.ndarray, *, rows: int = CORNER, **runs: object
) -> np.ndarray:
    """Measure, in each run, the largest difference between the first printed rows of a matrix and the expected rows."""
    return np.abs(_cells(evidence, matrix, step, **runs) - expected)[:, :rows].max(axis=(1, 2))


def spread_of_last_columns(evidence: Evidence) -> np.ndarray:
    """Measure (maximum − minimum) / maximum for the last three cells of each printed row; use the largest ratio."""
    last = _cells(evidence, "second", UPDATES, **PRINTED)[:, :, 3:]
    return (np.ptp(last, axis=2) / np.abs(last).max(axis=2)).max(axis=1)


def error_of_difference(rounding: float, *, unit: float = 0.0) -> float:
    """Return the standard error of the difference between our value and a printed value.

    rounding: standard deviation of each value due to rounding in float32; unit: the unit of the last printed digit.
    """
    return float(np.hypot(np.sqrt(2) * rounding, unit / np.sqrt(12)))


def error_of_cell(row: int, column: int) -> float:
    """Return the standard error of the difference between our value and a printed cell, which has five digits."""
    unit = 10.0 ** (np.floor(np.log10(abs(CELLS[row][column]))) - 4)
    return error_of_difference(_ROUNDING_OF_CELLS[row][column], unit=unit)


def ranks_without_biases(evidence: Evidence, width: int, init: str) -> pd.Series:
    """Return the ranks of a net of the authors' notebook: step → rank."""
    net = {**AUTHORS, "width": width, "init": init}
    try:
        blocks = evidence.values("zero_init", "block", **net)
    except NotTestableError:
        raise NotTestableError(f"the config contains no such net at n_h = {width}") from None
    block = next((block for block in BLOCKS_OF_AUTHORS[width] if block in blocks), blocks[0])
    return require_rows(evidence.runs("zero_init", **net, block=block), "rank").set_index("step")["value"]


@as_measure
def rank_without_biases(evidence: Evidence, width: int, init: str, step: int) -> np.ndarray:
    """Measure the rank of a net of the authors' notebook at a step."""
    ranks = ranks_without_biases(evidence, width, init)
    if step not in ranks.index:
        raise NotTestableError(f"the runs recorded no rank at step {step}")
    return ranks[[step]].to_numpy()


@as_measure
def highest_rank_without_biases(evidence: Evidence, width: int, init: str) -> np.ndarray:
    """Measure the highest rank of a net of the authors' notebook."""
    return np.array([ranks_without_biases(evidence, width, init).max()])


def _cells(evidence: Evidence, matrix: str, step: int, **runs: object) -> np.ndarray:
    """Return our values of a matrix's printed cells, of shape (runs, rows, columns); NaN if a run lacks them."""
    cells = recordings(evidence.runs("zero_init", **runs), f"{matrix}_corner_weight", step=step)
    return cells.reshape(-1, CORNER, CORNER)
