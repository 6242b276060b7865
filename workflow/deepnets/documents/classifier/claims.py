"""Measures and criteria of the statements of document 000, a blog on implicit bias in deep linear classifiers."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from deepnets.documents.classifier.measures import (
    accuracy,
    accuracy_of_all,
    accuracy_of_optimal_matrix,
    appearance,
    difference_by_draw,
    distance_from_mean,
    lead_of_rank_2,
    least_second_over_first,
    log_of_third_over_first,
    mean_of_one_and_three_layers,
    rank_of_optimal_matrix,
    root_mean_square_at_start,
    share_of_first,
    slopes_against_depth,
)
from deepnets.documents.classifier.printed import ACCURACIES, READ_OFF, READING_ERROR, STANDARD_ERRORS
from deepnets.documents.classifier.runs import (
    DATA_SETS,
    DEPTHS,
    DOCUMENT,
    LARGE_SCALE,
    LEARNING_RATES,
    LINEAR,
    NEAR_ZERO,
    RANK_2,
    RANK_2_DATA_SETS,
    STANDARD_SCALE,
    TASK,
    TWO_LAYERS,
    swept_net,
)
from reproduce.claims.criteria import Between, Every, Is, Near, Printed
from reproduce.claims.measures import (
    Measure,
    at_step,
    difference_of_means,
    final,
    measure,
    reduce_values,
    updates,
)
from reproduce.claims.statements import Ledger, Test
from reproduce.tables.selection import Selection

TABLES = ("classifier",)
# How exactly we can read the pictures of singular values: errors in updates, and in singular values.
_UPDATES, _VALUES = 10, 1
# Half of the accuracy that a second layer adds, in percentage points.
_LITTLE = (ACCURACIES["two_layers"] - ACCURACIES["linear"]) / 2
# Singular values below this share of the first are negligible.
_NEGLIGIBLE = 0.05
_RISES, _FALLS = Between(least=0), Between(greatest=0)


def ledger() -> Ledger:
    """Return the measures and criteria of the statements."""
    little = Between(-_LITTLE, _LITTLE)
    final_values = [final(STANDARD_SCALE, "singular_value", index=index) for index in (0, 1)]
    return Ledger(
        {
            "perfect_fit": {
                name: (100 * final(runs, "train_accuracy"), Printed(100))
                for name, runs in DOCUMENT.items()
                # The runs of depth 1 are the same.
                if runs is not LINEAR
            },
            "linear_accuracy": _replayed(LINEAR),
            "rate_and_threshold_matter_little": {
                name: (accuracy(swept_net(1, **other)) - accuracy(swept_net(1)), little)
                for name, other in (
                    ("rate 3", {"rate": 3}),
                    ("rate 1", {"rate": 1}),
                    ("threshold 0.001", {"threshold": 0.001}),
                )
            },
            "smaller_rates_and_thresholds_take_longer": {
                "rate 3 against 10": (_update_count(1, rate=3) - _update_count(1), _RISES),
                "rate 1 against 3": (_update_count(1, rate=1) - _update_count(1, rate=3), _RISES),
                "threshold 0.001 against 0.01": (_update_count(1, threshold=0.001) - _update_count(1), _RISES),
            },
            "initialization_matters_from_two_layers_on": {
                "one layer": (distance_from_mean(DEPTHS[1]), Every(greatest=1e-9)),
                "two layers": (distance_from_mean(DEPTHS[2]), _RISES),
            },
            "two_layers_accuracy": _replayed(TWO_LAYERS),
            "two_layers_uncertainty": (
                # The document divides by n, our own standard errors by n − 1.
                reduce_values(accuracy_of_all(TWO_LAYERS), lambda values: values.std() / len(values) ** 0.5),
                Printed(STANDARD_ERRORS["two_layers"], places=1),
            ),
            "a_second_layer_helps": (accuracy(TWO_LAYERS) - accuracy(LINEAR), _RISES),
            "layers_help_at_one_rate": {
                "2 layers minus 1, rate 1": (accuracy(swept_net(2)) - accuracy(swept_net(1, rate=1)), _RISES),
                "3 layers minus 2, rate 0.1": (
                    difference_of_means(accuracy(swept_net(3, rate=0.1)), accuracy(swept_net(2, rate=0.1))),
                    _RISES,
                ),
            },
            "parameterization_changes_the_solution": (
                share_of_first(LINEAR, index=2) - share_of_first(TWO_LAYERS, index=2),
                _RISES,
            ),
            "accuracies_by_depth": {
                f"depth {depth}": (
                    reduce_values(accuracy_of_all(runs), np.mean),
                    Near(READ_OFF[depth], of="replay", reading=READING_ERROR),
                )
                for depth, runs in DEPTHS.items()
            },
            "deeper_is_better": {
                f"{deep} layers minus {shallow}": (difference_by_draw(DATA_SETS[deep], DATA_SETS[shallow]), _RISES)
                for shallow, deep in pairwise(DATA_SETS)
            },
            "deeper_is_better_on_the_documents_data": (
                slopes_against_depth({depth: accuracy(runs) for depth, runs in DEPTHS.items()}),
                _RISES,
            ),
            "deeper_is_better_at_smaller_rates_and_thresholds": {
                "a tenth of each rate": (
                    _slopes_of_swept(lambda depth: swept_net(depth, rate=_tenth(LEARNING_RATES[depth]))),
                    _RISES,
                ),
                "a tenth of the threshold": (
                    _slopes_of_swept(lambda depth: swept_net(depth, threshold=_tenth(TASK["target_loss"]))),
                    _RISES,
                ),
            },
            "each_layer_adds": {
                f"{deep} layers minus {deep - 1}": (
                    difference_of_means(accuracy(DEPTHS[deep]), accuracy(DEPTHS[deep - 1])),
                    _RISES,
                )
                for deep in list(LEARNING_RATES)[1:]
            },
            "optimal_classifier": (measure(accuracy_of_optimal_matrix, LINEAR), Is(1.0)),
            "optimal_classifier_has_rank_2": (measure(rank_of_optimal_matrix, LINEAR), Is(2)),
            "rank_2_accuracy": _replayed(RANK_2),
            "rank_2_is_best": (lead_of_rank_2(), _RISES),
            "rank_2_is_best_on_other_data": (difference_by_draw(RANK_2_DATA_SETS, DATA_SETS[6]), _RISES),
            "near_zero_accuracy": _replayed(NEAR_ZERO),
            "near_zero_picture": _picture(NEAR_ZERO, end=1610, first=173, second=149),
            "modes_come_one_by_one": (appearance(NEAR_ZERO, 1) - appearance(NEAR_ZERO, 0), Between(least=10)),
            "a_phase_of_rank_1_comes_first": (
                measure(least_second_over_first, NEAR_ZERO),
                Between(greatest=_NEGLIGIBLE),
            ),
            "training_ends_at_rank_2": {
                "second": (share_of_first(NEAR_ZERO, index=1), Between(least=_NEGLIGIBLE)),
                "third": (share_of_first(NEAR_ZERO, index=2), Between(greatest=_NEGLIGIBLE)),
            },
            "rest_stays_at_its_start": {
                name: (final(NEAR_ZERO.but(seed=0), "singular_value", index=index), _around(1e-4))
                for index, name in enumerate(("third", "fourth", "fifth"), 2)
            },
            # At scale 10³, rounding changes the course of training: equal random numbers do not give equal results.
            "large_scale_accuracy": (
                accuracy(LARGE_SCALE),
                Near(ACCURACIES["large_scale"], of="share of images, %", error=STANDARD_ERRORS["large_scale"]),
            ),
            "large_scale_is_like_one_layer": (
                accuracy(LARGE_SCALE) - accuracy(LINEAR),
                little,
            ),
            "scale_removes_the_bias": (
                difference_of_means(mean_of_one_and_three_layers(), accuracy(LARGE_SCALE)),
                _RISES,
            ),
            "standard_scale_picture": _picture(STANDARD_SCALE, end=1350, first=77.4, second=73.3),
            "final_size_100": {
                name: (values, _around(100)) for name, values in zip(("first", "second"), final_values, strict=True)
            },
            "initial_size_1": (measure(root_mean_square_at_start, STANDARD_SCALE), _around(1)),
            "start_is_near_zero_in_comparison": (
                at_step(STANDARD_SCALE, "singular_value", 0) / final_values[0],
                Between(greatest=0.1),
            ),
            "depth_strengthens_the_bias": (
                slopes_against_depth(
                    {depth: log_of_third_over_first(runs) for depth, runs in DEPTHS.items() if depth > 1}
                ),
                _FALLS,
            ),
        },
        settings=(LINEAR, TWO_LAYERS, *DEPTHS.values(), RANK_2, NEAR_ZERO, LARGE_SCALE),
    )


def _replayed(selection: Selection) -> Test:
    """Return the test of a mean accuracy that is exact because the runs replay the document's random numbers."""
    value = ACCURACIES[selection["block"]]
    return accuracy_of_all(selection), Printed(value, places=0 if value == round(value) else 1)


def _picture(selection: Selection, *, end: float, first: float, second: float) -> dict[str, Test]:
    """Return the tests of numbers read off a picture of singular values of the first repetition.

    end: the last update; first, second: the two largest singular values there.
    """
    shown = selection.but(seed=0)
    return {
        "updates": (updates(shown, "train_loss"), Near(end, of="replay", reading=_UPDATES)),
        "first value": (final(shown, "singular_value", index=0), Near(first, of="replay", reading=_VALUES)),
        "second value": (final(shown, "singular_value", index=1), Near(second, of="replay", reading=_VALUES)),
    }


def _around(size: float) -> Between:
    """Return the criterion that a power of ten is the nearest one."""
    return Between(size / 10**0.5, size * 10**0.5)


def _update_count(depth: int, **changed: float) -> Measure:
    return updates(swept_net(depth, **changed), "train_loss")


def _slopes_of_swept(net: Callable[[int], Selection]) -> Measure:
    """Measure the slope of test accuracy against depth, in percentage points per layer. net: depth → runs."""
    return slopes_against_depth({depth: accuracy(net(depth)) for depth in DATA_SETS})


def _tenth(value: float) -> float:
    # In floating point, 0.1 · 0.03 is not the config's 0.003.
    return float(f"{value / 10:.6g}")
