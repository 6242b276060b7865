import numpy as np

from deepnets.data.mnist import PIXELS
from deepnets.documents.zero_init import measures, printed, runs
from reproduce import api

TABLES = ("zero_init",)
# Nets that are not wider than the input test nothing: the rank of their third matrix is at most n_h < 784.
_WIDER_THAN_INPUT = {f"n_h = {width}": runs.PARTIAL[width].but(**runs.RANKS) for width in (1024, 2048)}
# The inputs that are left of the images if squares of two by two pixels are averaged.
_FEWER = PIXELS // 4
# Width of a line, in ranks, in the left picture and in the right picture. The right picture has a coarser scale.
_LEFT_LINE, _RIGHT_LINE = 8.0, 20.0
# The logs at which ranks were read off. Width (or, at n_h = 2048, init) → ranks at the first log and at the second.
_MOMENTS = {"epoch 1": runs.FIRST_EPOCH, "epoch 20": runs.LAST_EPOCH}
_NARROW_RANKS = {256: (128, 154), 512: (331, 376), 1024: (502, 572)}
_WIDE_RANKS = {"partial identity": (502, 572), "ZerO": (833, 1075)}


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    zero, partial, random = (_final_rank(init) for init in ("zero", "partial_identity", "random"))
    return api.Decisions(
        {
            "test_loss": api.at_step(runs.PRINTED, "test_loss", runs.UPDATES).near(
                printed.TEST_LOSS, "replay", reading=measures.tolerance_of_rounding(measures.ROUNDING_OF_LOSS)
            ),
            "test_count": (printed.TEST_IMAGES * api.at_step(runs.PRINTED, "test_accuracy", runs.UPDATES)).near(
                printed.TEST_COUNT, "replay", reading=measures.tolerance_of_rounding(measures.ROUNDING_OF_COUNT)
            ),
            "second_matrix_after_training": {
                f"row {row if row < 3 else row - printed.CORNER + 256}, column {column}": measures.cell_after_epoch(
                    row, column
                ).near(value, "replay", reading=measures.tolerance_of_cell(row, column))
                for row, cells in printed.CELLS.items()
                for column, value in enumerate(cells)
            },
            "rank_below_784": {
                name: api.extreme(nets, "rank", pick="max").every(greatest=PIXELS - 1)
                for name, nets in _WIDER_THAN_INPUT.items()
            },
            "input_dimension_constrains_rank": {
                "partial identity, 196 over 784 inputs": (
                    _final_rank("partial_identity", runs.FEWER_INPUTS) / api.reduce_values(partial, np.mean)
                ).every(1 / 8, 1 / 2),
                "ZerO, 196 inputs": _final_rank("zero", runs.FEWER_INPUTS).every(_FEWER + 1, runs.RIGHT),
            },
            "theorem_1": measures.highest_rank_without_biases(1024, "partial_identity").every(greatest=PIXELS),
            "zero_exceeds_784": zero.every(PIXELS + 1, runs.RIGHT),
            "one_and_spray": {
                "OnE, highest rank": api.extreme(
                    runs.RIGHT_FIGURE.but(**runs.RANKS, init="one"), "rank", pick="max"
                ).every(greatest=PIXELS - 1),
                "Spray, lowest rank": api.extreme(
                    runs.RIGHT_FIGURE.but(**runs.RANKS, init="spray"), "rank", pick="min"
                ).every(runs.RIGHT - 1, runs.RIGHT),
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
                f"{name}, {words}": _read_rank(2048, init, step, rank, line)
                for name, init, line in (
                    ("partial identity", "partial_identity", _LEFT_LINE),
                    ("ZerO", "zero", _RIGHT_LINE),
                )
                for (words, step), rank in zip(_MOMENTS.items(), _WIDE_RANKS[name], strict=True)
            },
            "lines_of_1024_and_2048_coincide": measures.difference_of_ranks_beyond_inputs().every(greatest=_LEFT_LINE),
            "random_keeps_full_rank": (
                api.measure(
                    measures.least_share_of_full_rank,
                    # Random weights repeat nothing of the authors: any seeds serve.
                    runs.AUTHORS.but(
                        block="inits_without_bias", init="random", width=[runs.RIGHT, 2048], seed=api.EVERY
                    ),
                ).every(0.99, 1)
            ),
        },
        settings=(runs.EPOCH.but(**runs.RANKS, block=["widths", "inits"], width=list(runs.PARTIAL)),),
    )


def _final_rank(init: str, nets: api.Selection = runs.RIGHT_FIGURE) -> api.Measure:
    return api.final(nets.but(**runs.RANKS, init=init), "rank")


def _ranks_of_narrow_nets(moment: str) -> dict[str, api.Tested]:
    """Return the tests of the ranks of nets of at most 1,024 units, at one of the logs in `_MOMENTS`."""
    place = list(_MOMENTS).index(moment)
    return {
        f"n_h = {width}": _read_rank(width, "partial_identity", _MOMENTS[moment], ranks[place], _LEFT_LINE)
        for width, ranks in _NARROW_RANKS.items()
    }


def _read_rank(width: int, init: str, step: int, rank: int, line: float) -> api.Tested:
    """Return the test of a rank that was read off a line of this width, in ranks."""
    return measures.rank_without_biases(width, init, step).near(rank, "replay", reading=line)
