from itertools import pairwise

import numpy as np
import pandas as pd

from deepnets.theory.mixed_dynamics import mode_rate
from reproduce import api

TABLES = ("mixed_dynamics",)
# Figure 2 has 200 inputs.
SIZES = (("mixed_dynamics", {"block": "plane"}, {"size": (200, "inputs")}),)
_NET = api.Selection("mixed_dynamics", depth=2, block="nets", size=200, learning_rate=0.02)
# dynamics.ipynb, and the same with 200 inputs.
FIGURE_1 = _NET.but(size=500, learning_rate=0.2, threshold_exponent=0.4, width_exponent=2.25)
_SMALLER = FIGURE_1.but(size=200)
# main.ipynb: four of its nets, and the smallest test errors that it prints.
MIXED = _NET.but(threshold_exponent=0.394828, width_exponent=2.256897)
_NETS = {
    "active": _NET.but(threshold_exponent=-0.45, width_exponent=1.75),
    "mixed": MIXED,
    "border": _NET.but(threshold_exponent=0.913793, width_exponent=2.293103),
    "lazy": _NET.but(threshold_exponent=1.372414, width_exponent=2.8),
}
_PRINTED = {"active": 0.0524916, "mixed": 0.19458978, "border": 0.5241348, "lazy": 0.6397212}
# Figure 2, with fewer nets.
PLANE = api.Selection("mixed_dynamics", depth=2, block="plane", learning_rate=0.02)
WIDTHS = PLANE.but(threshold_exponent=0.4, width_exponent=[1.25, 1.75, 2.25, 2.75])


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    error = {name: api.final(net, "smallest_test_error") for name, net in _NETS.items()}
    rank = {name: api.final(net, "stable_rank") for name, net in _NETS.items()}
    updates = {name: api.updates(net, "smallest_test_error") for name, net in _NETS.items()}
    return api.Decisions(
        {
            "one_formula_describes_learning": api.extreme(_SMALLER, "distance", pick="max").every(greatest=0.03),
            "modes_grow_by_the_formula": _growth_ratios(MIXED).every(0.99, 1.01),
            "all_modes_start_lazy": {
                name: api.final(net, "initial_norm").every(greatest=1) for name, net in _NETS.items()
            },
            "active_modes_converge_rapidly": _time_of_mode(MIXED, mode=1) / _time_of_mode(MIXED, mode=101) < 0.5,
            "random_weights_converge": api.final(_SMALLER, "train_error").every(greatest=1e-3),
            "mixed_regime_has_a_low_rank_bias": {name: rank["lazy"] - rank[name] > 0 for name in ("active", "mixed")},
            "formula_describes_figure_1": {
                f"{part} error after {step}": (
                    api.at_step(FIGURE_1, f"{part}_error", step) - api.at_step(FIGURE_1, f"formula_{part}_error", step)
                ).every(-0.01, 0.01)
                for part in ("train", "test")
                for step in (1, 51)
            },
            "smallest_test_errors": {name: error[name].draws(value, "loss") for name, value in _PRINTED.items()},
            "only_active_nets_find_the_signal": {"active": error["active"] < 0.1, "lazy": error["lazy"] > 0.5}
            | {f"{far} less {near}": error[far] - error[near] > 0 for near, far in pairwise(_NETS)},
            "formula_errs_as_the_root_of_width": api.measure(
                lambda nets: api.fit_power_law(*largest_distances(nets))[0], WIDTHS
            ).near(-0.5, "exponent"),
            "low_errors_take_long": {
                f"{slow} less {fast}": updates[slow] - updates[fast] > 0
                for slow, fast in (("active", "mixed"), ("mixed", "border"), ("lazy", "border"))
            },
        }
    )


@api.each_run
def _growth_ratios(run: pd.DataFrame) -> np.ndarray:
    threshold = run["size"].iloc[0] ** run["threshold_exponent"].iloc[0]
    strengths, growths = (api.require_rows(run, metric)["value"].to_numpy() for metric in ("strength", "growth"))
    return growths * 2 * threshold / mode_rate(strengths, threshold)


@api.each_run
def _time_of_mode(run: pd.DataFrame, mode: int) -> float:
    """Return after how many updates 80 % of a mode is learned; raises NotTestableError if it was not."""
    learned = api.require_rows(run, "growth", index=mode)["step"].max() + 1
    if learned >= run["step"].max():
        raise api.NotTestableError(f"training ended before 80 % of mode {mode} was learned")
    return learned


def largest_distances(nets: pd.DataFrame) -> tuple[np.ndarray, pd.DataFrame]:
    """Return widths, and the largest distance from the formula for each of them and each seed."""
    largest = api.require_rows(nets, "distance").groupby(["width_exponent", "seed"])["value"].max().unstack()
    return np.floor(nets["size"].iloc[0] ** largest.index.to_numpy(float)), largest
