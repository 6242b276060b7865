from itertools import pairwise

import numpy as np
import pandas as pd

from reproduce import api

TABLES = ("saddle_to_saddle",)
# Nets from independent weights, and the scales of these.
RANDOM = api.Selection("saddle_to_saddle", depth=2, init="gaussian", width=6, scale=1e-6, learning_rate=0.002)
SCALES = (0.01, 1e-4, 1e-6)
# The widget's nets, from the smallest of its starts.
TWO_LAYERS = RANDOM.but(init="near_identity", scale=1e-5, learning_rate=0.005)
THREE_LAYERS = RANDOM.but(depth=3, init="near_identity", scale=0.1, learning_rate=0.0003)
# Nets whose modes all start at about 0.001, by the number of layers.
EQUAL_STARTS = {1: TWO_LAYERS.but(depth=1, scale=0.001), 2: TWO_LAYERS.but(scale=0.0316), 3: THREE_LAYERS}
# A net has learned its target when the loss is at most this.
LEARNED = 1e-4
_SINGULAR_VALUES = np.array([6, 4, 3, 2, 1, 0.5])


def decisions() -> api.Decisions:
    """Return the tests of the statements. Modes count from 1, the strongest."""
    larger, _, smallest = nets = [RANDOM.but(scale=scale) for scale in SCALES]
    times = [_modes(each, "half_time") for each in nets]
    slower, wide = larger.but(learning_rate=0.001), larger.but(width=1000)
    lazy = wide.but(scale=1, learning_rate=0.0001)
    growth = np.log(100**2) / (4 * RANDOM["learning_rate"]) * (1 / _SINGULAR_VALUES[-1] - 1 / _SINGULAR_VALUES[0])
    formula = api.family("mode", range(1, 7), lambda mode: _over_formula(smallest, mode=mode))
    by_depth = {depth: _modes(each, "half_time") for depth, each in EQUAL_STARTS.items()}
    rises = {depth: api.final(each, "rise_time") / by_depth[depth][1] for depth, each in EQUAL_STARTS.items()}
    spreads = {depth: own[6] / own[1] for depth, own in by_depth.items()}
    return api.Decisions(
        {
            "imbalance_is_conserved": (
                api.final(slower, "imbalance_drift") / api.final(larger, "imbalance_drift")
            ).every(0.45, 0.55),
            "global_minima_are_found": {
                f"scale {api.text_of(each['scale'])}": api.final(each, "train_loss").every(0, LEARNED) for each in nets
            },
            "weights_align": {
                f"{each['width']:,} units": api.extreme(each, "overlap", pick="min").every(0.99, 1.01)
                for each in (larger, wide)
            },
            "wide_nets_are_lazy": {
                "change of the weights": api.final(lazy, "movement").every(0, 0.1),
                "smallest overlap": api.extreme(lazy, "overlap", pick="min").every(0, 0.5),
                "loss": api.final(lazy, "train_loss").every(0, LEARNED),
            },
            "strengths_are_logistic": (
                _modes(TWO_LAYERS, "half_time") / _modes(TWO_LAYERS, "theory_half_time")
            ).between(0.97, 1.03),
            "modes_come_in_strict_order": times[-1].steps().every(least=1),
            "learning_times": formula.every(0.8, 1.25),
            "separations_widen": (times[-1] - times[0]).steps() > 0,
            "gap_grows_by_2111": {
                f"to {api.text_of(scale)}": (less[6] - less[1] - (more[6] - more[1])).between(growth - 5, growth + 5)
                for scale, (more, less) in zip(SCALES[1:], pairwise(times), strict=True)
            },
            "loss_rests_on_plateaus": _modes(smallest, "plateau").between(0.95, 1.05),
            "one_layer_has_no_steps": (by_depth[1] / _modes(EQUAL_STARTS[1], "theory_half_time")).between(0.99, 1.01),
            "depth_sharpens_steps": {f"rise, {depth} layers": rises[depth] - rises[depth - 1] < 0 for depth in (2, 3)}
            | {f"separation, {depth} layers": spreads[depth] - spreads[depth - 1] > 0 for depth in (2, 3)},
            "theory_starts_at_the_diagonal": _largest_error(THREE_LAYERS, theory="sorted_half_time")
            - _largest_error(THREE_LAYERS, theory="theory_half_time")
            > 0,
            "updates_have_low_rank": {
                "independent weights": _mean_rank(smallest) < 1.42,
                "widget, 2 layers": _mean_rank(TWO_LAYERS) < 1.42,
                "widget, 3 layers": _mean_rank(THREE_LAYERS) < 1.42,
            },
        }
    )


def _modes(nets: api.Selection, metric: str) -> api.Family:
    return api.family("mode", range(1, 7), lambda mode: api.final(nets, metric, index=mode - 1))


@api.each_run
def _largest_error(run: pd.DataFrame, theory: str) -> float:
    actual, expected = (api.values_by_index(api.require_rows(run, metric)) for metric in ("half_time", theory))
    return 100 * (actual / expected - 1).abs().max(skipna=False)


@api.each_run
def _over_formula(run: pd.DataFrame, mode: int) -> float:
    """Return a mode's half time divided by that of eq. 10, with the factor 2 of the loss's gradient."""
    strength, rate, scale = _SINGULAR_VALUES[mode - 1], run["learning_rate"].iloc[0], run["scale"].iloc[0]
    half_time = api.values_by_index(api.require_rows(run, "half_time")).get(mode - 1, np.nan)
    return half_time * 4 * rate * strength / np.log(strength / scale**2 - 1)


@api.each_run
def _mean_rank(run: pd.DataFrame) -> float:
    """Return the mean of the stable rank between two records, weighted by the loss that is removed between them."""
    losses, ranks = (api.by_index(api.require_rows(run, metric))[0] for metric in ("train_loss", "stable_rank"))
    return np.average((ranks[1:].to_numpy() + ranks[:-1].to_numpy()) / 2, weights=-np.diff(losses))
