from collections.abc import Callable

import numpy as np
import pandas as pd

from reproduce import api

TABLES = ("matrix_completion", "least_nuclear_norm")
# Figure 2.
LEAST_NORM = api.Selection("least_nuclear_norm", size=100, rank=5)
# Figures 1 to 3.
_TASK = api.Selection("matrix_completion", size=100, rank=5)
# Figure 3, and a larger scale: Theorem 3 holds for every scale.
FLOW = _TASK.but(block="dynamics", init="identity", learning_rate=0.1, entries=2000, scale=[0.001, 0.1])
FIGURE_3 = FLOW.but(scale=0.001)
# Figures 1 and 2.
SMALL = _TASK.but(block="completion", init="gaussian", scale=0.001)
FEW = _TASK.but(block="completion", init="gaussian", entries=2000)
SMALL_AND_FEW = SMALL.but(entries=2000)
# Figure 1, on the right; of a rank so high, 2,000 entries are hardly more than the numbers that determine the matrix.
_OF_RANK_10 = SMALL.but(rank=10, entries=3000)


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    error, rank, gap = (_by_depth(end) for end in (_error, _rank, sixth_over_fifth))
    error_5000, error_at_rank_10 = _by_depth(_error, SMALL.but(entries=5000)), _by_depth(_error, _OF_RANK_10)
    delay = _by_depth(_delay_of_fifth, FIGURE_3)
    return api.Decisions(
        {
            "error_falls_with_depth": error[1, 2, 3].steps() < 0,
            "error_falls_with_depth_at_rank_10": error_at_rank_10[2, 3, 4].less(2) < 0,
            "depth_helps_most_with_few_entries": (error[2] - error[3]) - (error_5000[2] - error_5000[3]) > 0,
            "error_falls_with_entries": error_5000[2] - error[2] < 0,
            "without_factors_nothing_is_completed": error[1].near(np.sqrt(0.8), "share"),
            "rank_falls_with_depth": rank[1, 2, 3].steps() < 0,
            "nuclear_norm_is_not_minimised": _against_least("nuclear_norm", np.divide)[3, 4] - 1 > 1e-3,
            "rank_is_below_that_of_the_least_norm": _against_least("effective_rank", np.subtract)[3, 4] < 0,
            "rank_falls_with_scale": _effect_of_scale(_rank)[2, 3] < 0,
            "error_falls_with_scale": _effect_of_scale(_error)[2, 3] < 0,
            "singular_value_flow": _by_depth(_error_of_flow, FLOW)[1, 2, 3].every(greatest=0.005),
            "depth_widens_the_gap": gap[3] - gap[2] < 0,
            # Without a second factor, all singular values move together, in each run.
            "depth_separates_singular_values": delay[1,].every(-0.1, 0.1)
            | (delay[2, 3] > 0.1)
            | (delay[2, 3].steps() > 0.1),
        },
        settings=(FIGURE_3.but(depth=[1, 2, 3], recorded_values=10), SMALL_AND_FEW.but(depth=[2, 3, 4]), _OF_RANK_10),
    )


def sixth_over_fifth(nets: api.Selection) -> api.Measure:
    """Measure the ratio of the sixth to the fifth singular value at the end."""
    return api.final(nets, "singular_value", index=5) / api.final(nets, "singular_value", index=4)


def _rank(nets: api.Selection) -> api.Measure:
    return api.final(nets, "effective_rank")


def _error(nets: api.Selection) -> api.Measure:
    """Measure the norm of the difference from the true matrix over the latter's norm: its entries have rms 1."""
    # A negative loss is invalid and becomes NaN.
    return api.final(nets, "test_loss").apply(np.errstate(invalid="ignore")(np.sqrt))


def _by_depth(end: Callable[[api.Selection], api.Measure], nets: api.Selection = SMALL_AND_FEW) -> api.Family:
    return api.family("depth", (1, 2, 3, 4), lambda depth: end(nets.but(depth=depth)))


def _effect_of_scale(end: Callable[[api.Selection], api.Measure]) -> api.Family:
    return _by_depth(lambda nets: end(nets.but(scale=0.001)) - end(nets.but(scale=1)), FEW)


def _against_least(metric: str, combine: np.ufunc) -> api.Family:
    least = LEAST_NORM.but(entries=2000)
    return _by_depth(lambda nets: api.on_shared_seeds(nets, least, metric, combine))


@api.measured
def _error_of_flow(runs: pd.DataFrame) -> np.ndarray:
    simulated, theory = (api.labelled(runs, f"{kind}singular_value_rate") for kind in ("", "theory_"))
    errors, rates = (each.abs().groupby("run") for each in (simulated - theory, theory))
    return (errors.max(skipna=False) / rates.max()).to_numpy()


@api.each_run
def _delay_of_fifth(run: pd.DataFrame) -> float:
    curves = api.by_index(api.require_rows(api.drop_diverged(run), "singular_value"))
    if len(curves) < 3 or 4 not in curves:
        raise api.NotTestableError("the runs recorded too few singular values")
    first, fifth = ((curves[mode] >= curves[mode].iloc[-1] / 2).idxmax() for mode in (0, 4))
    return np.float64(fifth) / first - 1
