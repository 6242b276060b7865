from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pandas as pd

from deepnets.documents.classifier import runs
from reproduce import api

TABLES = ("classifier",)
# Depth → test accuracy in percent, read off the figure dln_classifier_depth.
_READ_OFF = {1: 53.0, 2: 59.8, 3: 69.6, 4: 75.4, 5: 77.1, 6: 78.8}
# How exactly we can read the pictures: errors in percentage points, in updates, and in singular values.
_POINTS, _UPDATES, _VALUES = 0.2, 10, 1
# Half of the accuracy that a second layer adds, in percentage points.
_LITTLE = (runs.ACCURACIES["two_layers"] - runs.ACCURACIES["linear"]) / 2
# Half of the accuracy that two further layers add, in percentage points.
_NEARER = (_READ_OFF[3] - runs.ACCURACIES["linear"]) / 2
# Singular values below this share of the first are negligible.
_NEGLIGIBLE = 0.05


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    linear, two_layers, large = (_accuracy(net) for net in (runs.LINEAR, runs.TWO_LAYERS, runs.LARGE_SCALE_INITS))
    near_zero, standard = runs.NEAR_ZERO_DATA_SETS, runs.STANDARD_SCALE
    # Nets with one layer, at other rates and thresholds.
    slower = {"rate 3": {"rate": 3}, "rate 1": {"rate": 1}, "threshold 0.001": {"threshold": 0.001}}
    changed = {name: runs.swept_net(1, **other) for name, other in slower.items()}
    updates = {name: api.updates(net, "train_loss") for name, net in {"own": runs.LINEAR, **changed}.items()}
    by_depth = api.family("depth", runs.DEPTHS, lambda depth: _accuracy(runs.DEPTHS[depth]))
    # The document's inits, and ours at the depths that have some.
    inits = api.family(
        "depth",
        runs.DEPTHS,
        lambda depth: _accuracy(runs.DEPTHS[depth].but(block=["depths", "more_inits"], seed=api.EVERY)),
    )
    ends = [api.final(standard, "singular_value", index=index) for index in (0, 1)]
    six_less_one = api.family(
        "rank", runs.CLASS_RANKS, lambda rank: _gain(*(runs.CLASS_RANKS[rank][end] for end in (6, 1)))
    )
    return api.Decisions(
        {
            "perfect_fit": {
                name: (100 * api.final(net, "train_accuracy")).prints(100)
                for name, net in runs.DOCUMENT.items()
                # The runs of depth 1 are the same.
                if net is not runs.LINEAR
            },
            "linear_accuracy": _replayed(runs.LINEAR),
            "rate_and_threshold_matter_little": {
                name: (_accuracy(net) - linear).between(-_LITTLE, _LITTLE) for name, net in changed.items()
            },
            "smaller_rates_and_thresholds_take_longer": {
                "rate 3 against 10": updates["rate 3"] - updates["own"] > 0,
                "rate 1 against 3": updates["rate 1"] - updates["rate 3"] > 0,
                "threshold 0.001 against 0.01": updates["threshold 0.001"] - updates["own"] > 0,
            },
            "initialization_matters_from_two_layers_on": {
                "one layer": _distance_from_mean(by_depth[1]).every(greatest=1e-9),
                "two layers": _distance_from_mean(by_depth[2]) > 0,
            },
            "two_zero_layers_stay_zero": {
                "two layers": (
                    api.final(runs.ZERO_START, "train_loss") - api.at_step(runs.ZERO_START, "train_loss", 0)
                ).equals(0),
                "one layer": (
                    api.at_step(runs.LINEAR, "train_loss", 10) - api.at_step(runs.LINEAR, "train_loss", 0)
                ).every(greatest=-0.1),
            },
            "two_layers_accuracy": _replayed(runs.TWO_LAYERS),
            "two_layers_uncertainty": api.reduce_values(
                _of_all(runs.TWO_LAYERS), lambda values: values.std() / len(values) ** 0.5
            ).prints(runs.STANDARD_ERRORS["two_layers"], places=1),
            "a_second_layer_helps": two_layers - linear > 0,
            "layers_help_at_one_rate": {
                "2 layers minus 1, rate 1": by_depth[2] - _accuracy(changed["rate 1"]) > 0,
                "3 layers minus 2, rate 0.1": api.difference_of_means(
                    _accuracy(runs.swept_net(3, rate=0.1)), _accuracy(runs.swept_net(2, rate=0.1))
                )
                > 0,
            },
            "parameterization_changes_the_solution": _third_over_first(runs.LINEAR) - _third_over_first(runs.TWO_LAYERS)
            > 0,
            "accuracies_by_depth": {
                f"depth {depth}": api.reduce_values(_of_all(net), np.mean).near(
                    _READ_OFF[depth], "replay", reading=_POINTS
                )
                for depth, net in runs.DEPTHS.items()
            },
            "deeper_is_better": {
                f"{deep} layers minus {shallow}": _gain(runs.DATA_SETS[deep], runs.DATA_SETS[shallow]) > 0
                for shallow, deep in pairwise(runs.DATA_SETS)
            },
            "deeper_is_better_on_the_documents_data": _slope_over_depth(by_depth) > 0,
            "deeper_is_better_at_smaller_rates_and_thresholds": {
                "a tenth of each rate": _slope_over_depth(
                    _swept(lambda depth: {"rate": _tenth(runs.LEARNING_RATES[depth])})
                )
                > 0,
                "a tenth of the threshold": _slope_over_depth(
                    _swept(lambda depth: {"threshold": _tenth(runs.TASK["target_loss"])})
                )
                > 0,
            },
            "each_layer_adds": {
                f"{deep} layers minus {shallow}": api.difference_of_means(inits[deep], inits[shallow]) > 0
                for shallow, deep in pairwise(runs.DEPTHS)
            },
            "rank_2_accuracy": _replayed(runs.RANK_2),
            "rank_2_is_best": _lead_over_the_best(_accuracy(runs.RANK_2), by_depth) > 0,
            "rank_2_is_best_on_other_data": _gain(runs.RANK_2_DATA_SETS, runs.DATA_SETS[6]) > 0,
            "near_zero_accuracy": _replayed(runs.NEAR_ZERO),
            "near_zero_is_like_rank_2": _gain(near_zero, runs.RANK_2_DATA_SETS).between(-_LITTLE, _LITTLE),
            "near_zero_picture": _picture(runs.NEAR_ZERO, end=1610, first=173, second=149),
            "modes_come_one_by_one": _appearance(near_zero, mode=1) - _appearance(near_zero, mode=0) > 10,
            "a_phase_of_rank_1_comes_first": _least_log_of_second_over_first(near_zero) < np.log(_NEGLIGIBLE),
            "training_ends_at_rank_2": {
                "second": api.final(near_zero, "singular_value", index=1) / api.final(near_zero, "singular_value")
                > _NEGLIGIBLE,
                "third": _third_over_first(near_zero) < _NEGLIGIBLE,
            },
            "rest_stays_at_its_start": {
                name: _is_around(1e-4, api.final(runs.NEAR_ZERO.but(seed=0), "singular_value", index=index))
                for index, name in enumerate(("third", "fourth", "fifth"), 2)
            },
            # At scale 10³, rounding changes the course of training: equal random numbers do not give equal results.
            "large_scale_accuracy": large.draws(
                runs.ACCURACIES["large_scale"], "share of images, %", error=runs.STANDARD_ERRORS["large_scale"]
            ),
            "large_scale_is_like_one_layer": {
                "minus one layer": (large - linear).between(-_NEARER, _NEARER),
                "two layers minus this": api.difference_of_means(two_layers, large) > 0,
            },
            # The mean of one and three layers, minus the net at this scale.
            "scale_removes_the_bias": 0.5
            * (
                _gain(runs.DATA_SETS[1], runs.LARGE_SCALE_DATA_SETS)
                + _gain(runs.DATA_SETS[3], runs.LARGE_SCALE_DATA_SETS)
            )
            > 0,
            "standard_scale_picture": _picture(standard, end=1350, first=77.4, second=73.3),
            "final_size_100": {"first": _is_around(100, ends[0]), "second": _is_around(100, ends[1])},
            "initial_size_1": _is_around(1, _root_mean_square_at_start(standard)),
            "start_is_near_zero_in_comparison": api.at_step(standard, "singular_value", 0) / ends[0] < 0.1,
            "depth_strengthens_the_bias": _slope_over_depth(
                api.family("depth", (2, 3, 6), lambda depth: _third_over_first(runs.DATA_SETS[depth]).apply(np.log))
            )
            < 0,
            "depth_helps_if_few_features_decide": (six_less_one[2, 4] > 0) | (six_less_one[6, 10] < 0),
        },
        settings=(runs.LINEAR, runs.TWO_LAYERS, *runs.DEPTHS.values(), runs.RANK_2, runs.NEAR_ZERO, runs.LARGE_SCALE),
    )


def _accuracy(net: api.Selection) -> api.Measure:
    return 100 * api.final(net, "test_accuracy")


def _of_all(net: api.Selection) -> api.Measure:
    """Measure test accuracies in percent; raise NotTestableError if repetitions of the document are missing."""

    def require_all(values: np.ndarray) -> np.ndarray:
        if len(values) < (count := np.size(net["seed"])):
            raise api.NotTestableError(
                f"the document averages over {count} repetitions, but only {len(values)} were run"
            )
        return values

    return _accuracy(net).apply(require_all)


def _replayed(net: api.Selection) -> api.Tested:
    """Test a mean accuracy of the text, which is exact because the runs replay the document's random numbers."""
    value = runs.ACCURACIES[net["block"]]
    return _of_all(net).prints(value, places=0 if value == round(value) else 1)


def _picture(net: api.Selection, *, end: float, first: float, second: float) -> dict[str, api.Tested]:
    """Test numbers read off a picture of singular values of the first repetition.

    end: the last update; first, second: the two largest singular values there.
    """
    shown = net.but(seed=0)
    return {
        "updates": api.updates(shown, "train_loss").near(end, "replay", reading=_UPDATES),
        "first value": api.final(shown, "singular_value", index=0).near(first, "replay", reading=_VALUES),
        "second value": api.final(shown, "singular_value", index=1).near(second, "replay", reading=_VALUES),
    }


def _is_around(size: float, values: api.Measure) -> api.Tested:
    return values.between(size / 10**0.5, size * 10**0.5)


def _gain(net: api.Selection, other: api.Selection) -> api.Measure:
    """Measure by how many percentage points a net is more accurate than another, on each draw that both have."""
    return api.on_shared_seeds(
        net, other, "test_accuracy", lambda own, others: 100 * own - 100 * others, axis="data_seed"
    )


def _third_over_first(net: api.Selection) -> api.Measure:
    return api.final(net, "singular_value", index=2) / api.final(net, "singular_value")


def _swept(changes: Callable[[int], dict[str, float]]) -> api.Family:
    """Measure accuracies at other rates or thresholds. changes: depth → arguments of `swept_net`."""
    return api.family("depth", runs.DATA_SETS, lambda depth: _accuracy(runs.swept_net(depth, **changes(depth))))


def _tenth(value: float) -> float:
    # In floating point, 0.1 · 0.03 is not the config's 0.003.
    return float(f"{value / 10:.6g}")


def _distance_from_mean(accuracies: api.Measure) -> api.Measure:
    return (accuracies - api.reduce_values(accuracies, np.mean)).apply(np.abs)


def _slope_over_depth(values: api.Family) -> api.Measure:
    """Fit a line to values against depth, for each repetition; a depth's single run belongs to all repetitions."""

    def fit(tables: api.Tables) -> np.ndarray:
        found = api.paired_values(tables, *values.values())
        return api.fit_line(list(values), np.array(np.broadcast_arrays(*found)))[0]

    return api.Measure(fit, *(selection for each in values.values() for selection in each.selections))


def _lead_over_the_best(values: api.Measure, others: api.Family) -> api.Measure:
    """Measure the difference of a mean from the greatest of other means."""

    def compute(tables: api.Tables) -> api.Estimate:
        best = max(others.values(), key=lambda each: each(tables).mean())
        return api.difference_of_means(values, best)(tables)

    return api.Measure(compute, *(selection for each in (values, *others.values()) for selection in each.selections))


@api.measured
def _appearance(net: pd.DataFrame, mode: int) -> np.ndarray:
    """Measure the first recorded update at which a singular value reaches 1 % of the largest final singular value."""
    values, first = (api.by_run(api.require_rows(net, "singular_value", index=index)) for index in (mode, 0))
    return (values >= first.ffill().iloc[-1] / 100).idxmax().to_numpy(float)


@api.measured
def _least_log_of_second_over_first(net: pd.DataFrame) -> np.ndarray:
    first, second = (api.by_run(api.require_rows(net, "singular_value", index=index)) for index in (0, 1))
    ratios = (second / first).where(first >= first.ffill().iloc[-1] / 100).min()
    with np.errstate(invalid="ignore"):
        return np.log(ratios.to_numpy(float))


@api.each_run
def _root_mean_square_at_start(run: pd.DataFrame) -> float:
    return np.sqrt((api.require_rows(run, "singular_value", step=0)["value"] ** 2).mean())
