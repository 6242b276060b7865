from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from deepnets.data.mnist import PIXELS
from deepnets.documents.zero_init import runs
from reproduce import api

TABLES = ("zero_init",)
# The inputs that are left of the images if squares of two by two pixels are averaged.
_FEWER = PIXELS // 4
# torch prints the first three and the last three rows and columns of a matrix, of shape (outputs, inputs). The last
# three columns are equal.
_CORNER = 6
# Printed row → the first four cells of this row. The document's output is cut off in the last row.
_CELLS = {
    0: (1.1448e00, -7.5209e-03, -6.2786e-06, -2.4932e-04),
    1: (-1.6591e-02, 1.1818e00, -6.2500e-06, 1.1423e-03),
    2: (-3.7327e-05, -6.4429e-04, 9.9996e-01, -4.0734e-05),
    3: (2.1381e-04, 7.8031e-04, 1.0636e-10, 1.2327e-05),
    4: (5.3667e-04, 8.4930e-04, 3.0437e-11, 1.3962e-05),
    5: (4.9626e-04, 1.4102e-03),
}
# The effect of rounding: standard deviations over 15 runs of the printed net. In each run, the images of each batch
# have a different order, which changes only the order of float32 sums.
_RUNS = 15
_ROUNDING_OF_LOSS, _ROUNDING_OF_COUNT = 0.00106, 3.8
_ROUNDING_OF_CELLS = {
    0: (2.65e-03, 6.72e-04, 7.87e-12, 7.93e-06),
    1: (3.42e-04, 5.84e-04, 6.23e-12, 9.32e-06),
    2: (6.61e-09, 2.44e-05, 0.0, 4.23e-07),
    3: (4.16e-05, 2.38e-05, 1.29e-14, 1.04e-07),
    4: (2.92e-05, 6.33e-05, 3.63e-14, 2.83e-07),
    5: (9.13e-05, 7.29e-05),
}
# Width of a line, in ranks, in the left picture and in the right picture. The right picture has a coarser scale.
_LEFT_LINE, _RIGHT_LINE = 8.0, 20.0
# The numbers of updates at the last log of the first epoch and of the last epoch. The last log of each epoch follows
# that epoch's update 901.
_LOGS = {"epoch 1": 901, "epoch 20": 19 * runs.UPDATES + 901}
# Width (or, at n_h = 2048, init) → ranks that were read off at these logs.
_NARROW_RANKS = {256: (128, 154), 512: (331, 376), 1024: (502, 572)}
_WIDE_RANKS = {"partial identity": (502, 572), "ZerO": (833, 1075)}
# Why a run is missing.
_ELSEWHERE = "configs/paper_size.yaml may: it has the paper's sizes"


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    zero, partial, random = (_final_rank(init) for init in ("zero", "partial_identity", "random"))
    one, spray = (runs.RIGHT_FIGURE.but(**runs.RANKS, init=init) for init in ("one", "spray"))
    loss, accuracy = (api.at_step(runs.PRINTED, f"test_{metric}", runs.UPDATES) for metric in ("loss", "accuracy"))
    return api.Decisions(
        {
            "test_loss": loss.near(runs.TEST_LOSS, "replay", reading=_tolerance(_ROUNDING_OF_LOSS)),
            "test_count": (runs.TEST_IMAGES * accuracy).near(
                runs.TEST_COUNT, "replay", reading=_tolerance(_ROUNDING_OF_COUNT)
            ),
            "second_matrix_after_training": {
                f"row {row if row < 3 else row - _CORNER + 256}, column {column}": _cell(row, column)
                for row, cells in _CELLS.items()
                for column in range(len(cells))
            },
            # Nets that are not wider than the input test nothing: the rank of their third matrix is at most n_h < 784.
            "rank_below_784": {
                f"n_h = {width}": api.extreme(runs.PARTIAL[width].but(**runs.RANKS), "rank", pick="max").every(
                    greatest=PIXELS - 1
                )
                for width in (1024, 2048)
            },
            "input_dimension_constrains_rank": {
                "partial identity, 196 over 784 inputs": (
                    _final_rank("partial_identity", runs.FEWER_INPUTS) / api.reduce_values(partial, np.mean)
                ).every(1 / 8, 1 / 2),
                "ZerO, 196 inputs": _final_rank("zero", runs.FEWER_INPUTS).every(_FEWER + 1, runs.RIGHT),
            },
            "theorem_1": _of_authors(
                1024, "partial_identity", lambda rows: rows.groupby("seed")["value"].max().to_numpy(), seed=api.EVERY
            ).every(greatest=PIXELS),
            "zero_exceeds_784": zero.every(PIXELS + 1, runs.RIGHT),
            "one_and_spray": {
                "OnE, highest rank": api.extreme(one, "rank", pick="max").every(greatest=PIXELS - 1),
                "Spray, lowest rank": api.extreme(spray, "rank", pick="min").every(runs.RIGHT - 1, runs.RIGHT),
                "Spray, test accuracy, %": (
                    100 * api.final(runs.RIGHT_FIGURE.but(init="spray"), "test_accuracy")
                ).every(0, 50),
            },
            "random_above_zero_above_partial_identity": {
                "ZerO − partial identity": (zero - partial).every(least=1),
                "random − ZerO": (random - zero).every(least=1),
            },
            "ranks_after_epoch_1": _ranks_of_narrow_nets("epoch 1"),
            "ranks_after_epoch_20": _ranks_of_narrow_nets("epoch 20"),
            "ranks_at_2048": {
                f"{name}, {log}": _read_rank(2048, init, log, _WIDE_RANKS[name], line)
                for name, init, line in (
                    ("partial identity", "partial_identity", _LEFT_LINE),
                    ("ZerO", "zero", _RIGHT_LINE),
                )
                for log in _LOGS
            },
            "lines_of_1024_and_2048_coincide": (
                _of_authors(1024, "partial_identity", _at_logs) - _of_authors(2048, "partial_identity", _at_logs)
            )
            .apply(np.abs)
            .every(greatest=_LEFT_LINE),
            # Random weights repeat nothing of the authors: any seeds serve.
            "random_keeps_full_rank": _least_share_of_full_rank(
                runs.AUTHORS.but(block="inits_without_bias", init="random", width=[runs.RIGHT, 2048], seed=api.EVERY)
            ).every(0.99, 1),
        },
        settings=(runs.EPOCH.but(**runs.RANKS, block=["widths", "inits"], width=list(runs.PARTIAL)),),
    )


def _tolerance(rounding: float, *, unit: float = 0.0, parts: int = 1) -> float:
    """Return how far a printed value may be from ours at 99 % if only rounding differs, to two significant digits.

    rounding: standard deviation of each of the two values, estimated from 15 runs; unit: the unit of the last printed
    digit; parts: the number of values that one claim compares, by which the probability of an error is divided.
    """
    error = np.hypot(np.sqrt(2) * rounding, unit / np.sqrt(12))
    return float(f"{stdtrit(_RUNS - 1, 1 - 0.005 / parts) * error:.2g}")


def _cell(row: int, column: int) -> api.Tested:
    """Test a printed cell of the second weight matrix after one epoch; it has five digits."""
    value, rounding = _CELLS[row][column], _ROUNDING_OF_CELLS[row][column]
    unit = 10.0 ** (np.floor(np.log10(abs(value))) - 4)
    measured = api.at_step(runs.PRINTED, "second_corner_weight", runs.UPDATES, index=row * _CORNER + column)
    tolerance = _tolerance(rounding, unit=unit, parts=sum(map(len, _CELLS.values())))
    return measured.near(value, "replay", reading=tolerance)


def _final_rank(init: str, nets: api.Selection = runs.RIGHT_FIGURE) -> api.Measure:
    return api.final(nets.but(**runs.RANKS, init=init), "rank")


def _ranks_of_narrow_nets(log: str) -> dict[str, api.Tested]:
    return {
        f"n_h = {width}": _read_rank(width, "partial_identity", log, ranks, _LEFT_LINE)
        for width, ranks in _NARROW_RANKS.items()
    }


def _read_rank(width: int, init: str, log: str, ranks: tuple[int, int], line: float) -> api.Tested:
    """Test a rank at one of the logs. ranks: read off at both; line: the width of the picture's line, in ranks."""

    def at_log(rows: pd.DataFrame) -> np.ndarray:
        if (found := rows.loc[rows["step"] == _LOGS[log], "value"]).empty:
            raise api.NotTestableError(f"the runs recorded no rank at step {_LOGS[log]}; {_ELSEWHERE}")
        return found.to_numpy()

    return _of_authors(width, init, at_log).near(ranks[list(_LOGS).index(log)], "replay", reading=line)


def _of_authors(
    width: int, init: str, of: Callable[[pd.DataFrame], np.ndarray], seed: object = runs.AUTHORS["seed"]
) -> api.Measure:
    """Measure a function of the ranks, as rows, of nets of the authors' notebook."""
    net = runs.AUTHORS.but(width=width, init=init, seed=seed)

    def compute(tables: api.Tables) -> np.ndarray:
        table = api.table_of(tables, net)
        blocks = net.among(table)["block"].unique().tolist()
        if not blocks:
            raise api.NotTestableError(f"the config contains no such net at n_h = {width}; {_ELSEWHERE}")
        block = next((block for block in runs.BLOCKS_OF_AUTHORS[width] if block in blocks), blocks[0])
        return of(api.require_rows(net.but(block=block).rows(table), "rank"))

    return api.Measure(compute, net)


def _at_logs(rows: pd.DataFrame) -> np.ndarray:
    return rows["value"].to_numpy()


@api.each_run
def _least_share_of_full_rank(run: pd.DataFrame) -> float:
    rows = api.require_rows(run, "rank")
    return (rows["value"] / rows["width"]).min()
