from collections.abc import Callable
from itertools import pairwise

import numpy as np

from deepnets.documents.classifier import measures, printed, runs
from reproduce import api

TABLES = ("classifier",)
# How exactly we can read the pictures of singular values: errors in updates, and in singular values.
_UPDATES, _VALUES = 10, 1
# Half of the accuracy that a second layer adds, in percentage points.
_LITTLE = (printed.ACCURACIES["two_layers"] - printed.ACCURACIES["linear"]) / 2
# Half of the accuracy that two further layers add, in percentage points.
_NEARER = (printed.READ_OFF[3] - printed.ACCURACIES["linear"]) / 2
# Singular values below this share of the first are negligible.
_NEGLIGIBLE = 0.05


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    little, near_zero = api.Between(-_LITTLE, _LITTLE), runs.NEAR_ZERO_DATA_SETS
    final_values = [api.final(runs.STANDARD_SCALE, "singular_value", index=index) for index in (0, 1)]
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
                name: (measures.accuracy(runs.swept_net(1, **other)) - measures.accuracy(runs.swept_net(1)), little)
                for name, other in (
                    ("rate 3", {"rate": 3}),
                    ("rate 1", {"rate": 1}),
                    ("threshold 0.001", {"threshold": 0.001}),
                )
            },
            "smaller_rates_and_thresholds_take_longer": {
                "rate 3 against 10": _update_count(1, rate=3) - _update_count(1) > 0,
                "rate 1 against 3": _update_count(1, rate=1) - _update_count(1, rate=3) > 0,
                "threshold 0.001 against 0.01": _update_count(1, threshold=0.001) - _update_count(1) > 0,
            },
            "initialization_matters_from_two_layers_on": {
                "one layer": measures.distance_from_mean(runs.DEPTHS[1]).every(greatest=1e-9),
                "two layers": measures.distance_from_mean(runs.DEPTHS[2]) > 0,
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
                measures.accuracy_of_all(runs.TWO_LAYERS), lambda values: values.std() / len(values) ** 0.5
            ).prints(printed.STANDARD_ERRORS["two_layers"], places=1),
            "a_second_layer_helps": measures.accuracy(runs.TWO_LAYERS) - measures.accuracy(runs.LINEAR) > 0,
            "layers_help_at_one_rate": {
                "2 layers minus 1, rate 1": measures.accuracy(runs.swept_net(2))
                - measures.accuracy(runs.swept_net(1, rate=1))
                > 0,
                "3 layers minus 2, rate 0.1": api.difference_of_means(
                    measures.accuracy(runs.swept_net(3, rate=0.1)), measures.accuracy(runs.swept_net(2, rate=0.1))
                )
                > 0,
            },
            "parameterization_changes_the_solution": measures.share_of_first(runs.LINEAR, index=2)
            - measures.share_of_first(runs.TWO_LAYERS, index=2)
            > 0,
            "accuracies_by_depth": {
                f"depth {depth}": api.reduce_values(measures.accuracy_of_all(net), np.mean).near(
                    printed.READ_OFF[depth], "replay", reading=printed.READING_ERROR
                )
                for depth, net in runs.DEPTHS.items()
            },
            "deeper_is_better": {
                f"{deep} layers minus {shallow}": measures.difference_by_draw(
                    runs.DATA_SETS[deep], runs.DATA_SETS[shallow]
                )
                > 0
                for shallow, deep in pairwise(runs.DATA_SETS)
            },
            "deeper_is_better_on_the_documents_data": measures.slopes_against_depth(
                {depth: measures.accuracy(net) for depth, net in runs.DEPTHS.items()}
            )
            > 0,
            "deeper_is_better_at_smaller_rates_and_thresholds": {
                "a tenth of each rate": _slopes_of_swept(
                    lambda depth: runs.swept_net(depth, rate=_tenth(runs.LEARNING_RATES[depth]))
                )
                > 0,
                "a tenth of the threshold": _slopes_of_swept(
                    lambda depth: runs.swept_net(depth, threshold=_tenth(runs.TASK["target_loss"]))
                )
                > 0,
            },
            "each_layer_adds": {
                f"{deep} layers minus {deep - 1}": api.difference_of_means(
                    measures.with_more_inits(deep), measures.with_more_inits(deep - 1)
                )
                > 0
                for deep in list(runs.LEARNING_RATES)[1:]
            },
            "rank_2_accuracy": _replayed(runs.RANK_2),
            "rank_2_is_best": measures.lead_of_rank_2() > 0,
            "rank_2_is_best_on_other_data": measures.difference_by_draw(runs.RANK_2_DATA_SETS, runs.DATA_SETS[6]) > 0,
            "near_zero_accuracy": _replayed(runs.NEAR_ZERO),
            "near_zero_is_like_rank_2": (
                measures.difference_by_draw(runs.NEAR_ZERO_DATA_SETS, runs.RANK_2_DATA_SETS),
                little,
            ),
            "near_zero_picture": _picture(runs.NEAR_ZERO, end=1610, first=173, second=149),
            "modes_come_one_by_one": measures.appearance(near_zero, 1) - measures.appearance(near_zero, 0) > 10,
            "a_phase_of_rank_1_comes_first": api.measure(measures.least_second_over_first, near_zero).apply(
                np.errstate(invalid="ignore")(np.log)
            )
            < np.log(_NEGLIGIBLE),
            "training_ends_at_rank_2": {
                "second": measures.share_of_first(near_zero, index=1) > _NEGLIGIBLE,
                "third": measures.share_of_first(near_zero, index=2) < _NEGLIGIBLE,
            },
            "rest_stays_at_its_start": {
                name: (api.final(runs.NEAR_ZERO.but(seed=0), "singular_value", index=index), _around(1e-4))
                for index, name in enumerate(("third", "fourth", "fifth"), 2)
            },
            # At scale 10³, rounding changes the course of training: equal random numbers do not give equal results.
            "large_scale_accuracy": measures.accuracy(runs.LARGE_SCALE).draws(
                printed.ACCURACIES["large_scale"], "share of images, %", error=printed.STANDARD_ERRORS["large_scale"]
            ),
            "large_scale_is_like_one_layer": (
                measures.accuracy(runs.LARGE_SCALE) - measures.accuracy(runs.LINEAR)
            ).between(-_NEARER, _NEARER),
            "scale_removes_the_bias": measures.lead_of_one_and_three_layers(runs.LARGE_SCALE_DATA_SETS) > 0,
            "standard_scale_picture": _picture(runs.STANDARD_SCALE, end=1350, first=77.4, second=73.3),
            "final_size_100": {
                name: (values, _around(100)) for name, values in zip(("first", "second"), final_values, strict=True)
            },
            "initial_size_1": (api.measure(measures.root_mean_square_at_start, runs.STANDARD_SCALE), _around(1)),
            "start_is_near_zero_in_comparison": api.at_step(runs.STANDARD_SCALE, "singular_value", 0) / final_values[0]
            < 0.1,
            "depth_strengthens_the_bias": measures.slopes_against_depth(
                {depth: measures.log_of_third_over_first(net) for depth, net in runs.DATA_SETS.items() if depth > 1}
            )
            < 0,
        },
        settings=(runs.LINEAR, runs.TWO_LAYERS, *runs.DEPTHS.values(), runs.RANK_2, runs.NEAR_ZERO, runs.LARGE_SCALE),
    )


def _replayed(selection: api.Selection) -> api.Tested:
    """Return the test of a mean accuracy that is exact because the runs replay the document's random numbers."""
    value = printed.ACCURACIES[selection["block"]]
    return measures.accuracy_of_all(selection).prints(value, places=0 if value == round(value) else 1)


def _picture(selection: api.Selection, *, end: float, first: float, second: float) -> dict[str, api.Tested]:
    """Return the tests of numbers read off a picture of singular values of the first repetition.

    end: the last update; first, second: the two largest singular values there.
    """
    shown = selection.but(seed=0)
    return {
        "updates": api.updates(shown, "train_loss").near(end, "replay", reading=_UPDATES),
        "first value": api.final(shown, "singular_value", index=0).near(first, "replay", reading=_VALUES),
        "second value": api.final(shown, "singular_value", index=1).near(second, "replay", reading=_VALUES),
    }


def _around(size: float) -> api.Between:
    """Return the criterion that a power of ten is the nearest one."""
    return api.Between(size / 10**0.5, size * 10**0.5)


def _update_count(depth: int, **changed: float) -> api.Measure:
    return api.updates(runs.swept_net(depth, **changed), "train_loss")


def _slopes_of_swept(net: Callable[[int], api.Selection]) -> api.Measure:
    """Measure the slope of test accuracy against depth, in percentage points per layer. net: depth → runs."""
    return measures.slopes_against_depth({depth: measures.accuracy(net(depth)) for depth in runs.DATA_SETS})


def _tenth(value: float) -> float:
    # In floating point, 0.1 · 0.03 is not the config's 0.003.
    return float(f"{value / 10:.6g}")
