import numpy as np
import pandas as pd
from scipy.special import stdtrit

from deepnets.documents.zero_init.printed import CELLS, CORNER
from deepnets.documents.zero_init.runs import AUTHORS, BLOCKS_OF_AUTHORS, PRINTED, UPDATES
from reproduce import api

# The effect of rounding: standard deviations over 15 runs of the printed net. In each run, the images of each batch
# have a different order, which changes only the order of float32 sums.
_RUNS = 15
ROUNDING_OF_LOSS, ROUNDING_OF_COUNT = 0.00106, 3.8
_ROUNDING_OF_CELLS = {
    0: (2.65e-03, 6.72e-04, 7.87e-12, 7.93e-06),
    1: (3.42e-04, 5.84e-04, 6.23e-12, 9.32e-06),
    2: (6.61e-09, 2.44e-05, 0.0, 4.23e-07),
    3: (4.16e-05, 2.38e-05, 1.29e-14, 1.04e-07),
    4: (2.92e-05, 6.33e-05, 3.63e-14, 2.83e-07),
    5: (9.13e-05, 7.29e-05),
}
# Why a run is missing.
_ELSEWHERE = "configs/paper_size.yaml may: it has the paper's sizes"


def cell_after_epoch(row: int, column: int) -> api.Measure:
    """Measure a printed cell of the second weight matrix after one epoch."""
    return api.at_step(PRINTED, "second_corner_weight", UPDATES, index=row * CORNER + column)


def tolerance_of_rounding(rounding: float, *, unit: float = 0.0, parts: int = 1) -> float:
    """Return how far a printed value may be from ours at 99 % if only rounding differs, to two significant digits.

    rounding: standard deviation of each of the two values, estimated from 15 runs; unit: the unit of the last printed
    digit; parts: the number of values that one claim compares, by which the probability of an error is divided.
    """
    error = np.hypot(np.sqrt(2) * rounding, unit / np.sqrt(12))
    return float(f"{stdtrit(_RUNS - 1, 1 - 0.005 / parts) * error:.2g}")


def tolerance_of_cell(row: int, column: int) -> float:
    """Return how far a printed cell, which has five digits, may be from ours."""
    unit = 10.0 ** (np.floor(np.log10(abs(CELLS[row][column]))) - 4)
    return tolerance_of_rounding(_ROUNDING_OF_CELLS[row][column], unit=unit, parts=sum(map(len, CELLS.values())))


def rank_without_biases(width: int, init: str, step: int) -> api.Measure:
    """Measure the rank of a net of the authors' notebook at a step."""

    def compute(tables: api.Tables) -> np.ndarray:
        ranks = _ranks_without_biases(tables, width, init)
        if step not in ranks.index:
            raise api.NotTestableError(f"the runs recorded no rank at step {step}; {_ELSEWHERE}")
        return ranks[[step]].to_numpy()

    return api.Measure(compute, AUTHORS.but(width=width, init=init))


def highest_rank_without_biases(width: int, init: str) -> api.Measure:
    """Measure the highest rank of a net of the authors' notebook, for each seed."""
    every = AUTHORS.but(width=width, init=init, seed=api.EVERY)
    return api.Measure(
        lambda tables: _rows_without_biases(tables, every).groupby("seed")["value"].max().to_numpy(), every
    )


def difference_of_ranks_beyond_inputs() -> api.Measure:
    """Measure the difference between the ranks of partial identities at n_h = 1024 and at n_h = 2048, at each log."""

    def compute(tables: api.Tables) -> np.ndarray:
        narrow, wide = (_ranks_without_biases(tables, width, "partial_identity") for width in (1024, 2048))
        return narrow.sub(wide).abs().to_numpy()

    return api.Measure(compute, AUTHORS.but(width=[1024, 2048], init="partial_identity"))


def least_share_of_full_rank(runs: pd.DataFrame) -> np.ndarray:
    """Return the smallest rank of each run, divided by the width."""
    rows = api.require_rows(runs, "rank")
    return (rows["value"] / rows["width"]).groupby([rows["width"], rows["seed"]]).min().to_numpy()


def _ranks_without_biases(tables: api.Tables, width: int, init: str) -> pd.Series:
    """Return the ranks of a net of the authors' notebook: step → rank."""
    return _rows_without_biases(tables, AUTHORS.but(width=width, init=init)).set_index("step")["value"]


def _rows_without_biases(tables: api.Tables, net: api.Selection) -> pd.DataFrame:
    """Return the ranks of nets of the authors' notebook as rows."""
    width, table = net["width"], api.table_of(tables, net)
    blocks = net.among(table)["block"].unique().tolist()
    if not blocks:
        raise api.NotTestableError(f"the config contains no such net at n_h = {width}; {_ELSEWHERE}")
    block = next((block for block in BLOCKS_OF_AUTHORS[width] if block in blocks), blocks[0])
    return api.require_rows(net.but(block=block).rows(table), "rank")
