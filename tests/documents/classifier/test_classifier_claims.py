"""What document 000's claims ask of tables, on runs made by hand."""

import numpy as np
import pytest
from evidence import Claims, of_one_grid, table

from workflow.deepnets.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from workflow.deepnets.documents.classifier.claims.ledger import ledger

CLAIMS = Claims(ledger())
measured, verdict = CLAIMS.measured, CLAIMS.verdict
SETTINGS = {"dimension": 10, "classes": 10, "samples": 100, "target_loss": 0.01}
# The axes of each block, but for depth and rate in the sweep.
BLOCKS = {
    "linear": {"depth": 1, "init": "zeros", "rank": 0, "scale": 1.0, "learning_rate": 10.0},
    "two_layers": {"depth": 2, "init": "xavier_normal", "rank": 0, "scale": 1.0, "learning_rate": 1.0},
    "rank_2": {"depth": 2, "init": "xavier_normal", "rank": 2, "scale": 1.0, "learning_rate": 1.0},
    "near_zero": {"depth": 3, "init": "xavier_normal", "rank": 0, "scale": 1e-4, "learning_rate": 100.0},
    "large_scale": {"depth": 3, "init": "xavier_normal", "rank": 0, "scale": 1000.0, "learning_rate": 0.001},
    "standard_scale": {"depth": 3, "init": "xavier_normal", "rank": 0, "scale": 1.0, "learning_rate": 0.1},
    "depths": {"init": "xavier_normal", "rank": 0, "scale": 1.0},
}
RATES = {1: 10.0, 2: 1.0, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}


def run(block, seed, metrics, **axes):
    return {"block": block, "seed": seed, **BLOCKS[block], **axes}, metrics


def swept(depth, seed, metrics):
    return run("depths", seed, metrics, depth=depth, learning_rate=RATES[depth])


def evidence(*runs, **settings):
    return of_one_grid("classifier", table(runs), ("block", "seed", *BLOCKS["linear"]), {**SETTINGS, **settings})


def end(metric, value, index=0):
    # What a run held before is not asked for.
    return {metric: {(0, index): -1.0, (100, index): value}}


def accuracies(block, *values, **axes):
    return [run(block, seed, end("test_accuracy", value / 100), **axes) for seed, value in enumerate(values)]


def depths(values):
    """Runs of the sweep: depth → accuracies in percent."""
    return [
        swept(depth, seed, end("test_accuracy", value / 100))
        for depth, several in values.items()
        for seed, value in enumerate(several)
    ]


def points(inputs, labels):
    recorded = {"input": {(0, index): value for index, value in enumerate(np.ravel(inputs))}}
    return {**recorded, "label": {(0, index): float(label) for index, label in enumerate(labels)}}


def directions(classes):
    """A point in the middle of the slice of each class, of whose angle the document takes arctan2(x₁, x₂)."""
    angles = -np.pi + (np.array(classes) + 0.5) * 2 * np.pi / 10
    return np.stack([np.sin(angles), np.cos(angles)], axis=1)


def test_points_are_held_against_the_slices_and_the_optimal_matrix():
    rng = np.random.default_rng(0)
    inputs = np.hstack([3 * directions(range(10)), rng.normal(size=(10, 8))])
    found = evidence(run("linear", 0, points(inputs, range(10))))
    for name in ("classes_are_directions", "optimal_classifier"):
        assert measured(name, found).tolist() == [1]
        assert verdict(name, found) == REPRODUCED
    wrong = [1, 0, *range(2, 10)]
    for name in ("classes_are_directions", "optimal_classifier"):
        assert measured(name, evidence(run("linear", 0, points(inputs, wrong)))).tolist() == [0.8]
    # A point near the edge of its slice is still nearer to its own middle than to the next.
    inputs[3, :2] = [np.sin(-np.pi + 3.98 * np.pi / 5), np.cos(-np.pi + 3.98 * np.pi / 5)]
    assert measured("optimal_classifier", evidence(run("linear", 0, points(inputs, range(10))))).tolist() == [1]
    assert verdict("classes_are_directions", evidence(run("linear", 0, end("train_loss", 0.0)))) == NOT_TESTABLE


def test_points_that_several_runs_record_count_once():
    inputs, labels = np.hstack([directions([0, 1]), np.zeros((2, 8))]), [0, 2]
    twice = evidence(*(run("linear", seed, points(inputs, labels)) for seed in (0, 1)))
    assert measured("classes_are_directions", twice).tolist() == [0.5]


def test_further_features_are_told_by_the_ratio_of_variances():
    from scipy.stats import f_oneway

    rng = np.random.default_rng(1)
    # Classes of unlike sizes.
    labels = np.repeat([0, 3, 7], [4, 5, 8])
    inputs = rng.normal(size=(17, 10)) + labels[:, np.newaxis] * np.array([0.0] * 9 + [1.0])
    ratios = measured("other_dimensions_confuse", evidence(run("linear", 0, points(inputs, labels))))
    expected = f_oneway(*(inputs[labels == kind, 2:] for kind in (0, 3, 7))).statistic
    np.testing.assert_allclose(ratios, expected)
    assert verdict("other_dimensions_confuse", evidence(run("linear", 0, points(inputs, labels)))) == NOT_REPRODUCED


def test_the_optimal_matrix_has_rank_2_beside_runs_of_the_task():
    assert measured("optimal_classifier_has_rank_2", evidence(*accuracies("linear", 53))).tolist() == [2]
    other = evidence(*accuracies("linear", 53), classes=3)
    assert verdict("optimal_classifier_has_rank_2", other) == NOT_TESTABLE


@pytest.mark.parametrize(
    ("block", "mean"), [("linear", 53), ("two_layers", 60.3), ("rank_2", 85), ("near_zero", 84), ("large_scale", 57.5)]
)
def test_quoted_accuracies_are_means_over_the_repetitions_of_their_nets(block, mean):
    name = f"{block}_accuracy"
    found = evidence(*accuracies(block, mean - 1, mean + 1))
    assert measured(name, found) == pytest.approx([mean - 1, mean + 1])
    assert verdict(name, found) == REPRODUCED
    assert verdict(name, evidence(*accuracies(block, mean + 9, mean + 10))) == NOT_REPRODUCED
    # Another rate is not the document's run.
    rate = 2 * BLOCKS[block]["learning_rate"]
    assert verdict(name, evidence(*accuracies(block, mean, mean, learning_rate=rate))) == NOT_TESTABLE


def test_the_printed_uncertainty_is_a_standard_error_with_divisor_n():
    found = evidence(*accuracies("two_layers", 59, 61, 62, 62))
    assert measured("two_layers_uncertainty", found) == pytest.approx([np.sqrt(6 / 4) / 2])
    assert verdict("two_layers_uncertainty", found) == REPRODUCED


def test_nets_are_compared_seed_by_seed_with_the_linear_one():
    linear = accuracies("linear", 50)
    two = evidence(*linear, *accuracies("two_layers", 60, 62, 61))
    assert measured("a_second_layer_helps", two) == pytest.approx([10, 12, 11])
    large = evidence(*linear, *accuracies("large_scale", 55, 57, 56))
    assert measured("large_scale_is_like_one_layer", large) == pytest.approx([5, 7, 6])
    assert verdict("large_scale_is_like_one_layer", large) == REPRODUCED
    far = evidence(*linear, *accuracies("large_scale", 65, 67, 66))
    assert verdict("large_scale_is_like_one_layer", far) == NOT_REPRODUCED


def test_depths_are_compared_by_their_means_and_by_a_slope():
    rising = {depth: (50 + 4 * depth, 52 + 4 * depth, 51 + 4 * depth) for depth in RATES}
    found = evidence(*depths(rising))
    assert measured("deeper_is_better", found) == pytest.approx([0.04] * 3)
    for deep in range(2, 7):
        # The mean difference, and one combined standard error on either side.
        error = np.sqrt(2 / 3)
        assert measured(f"depth_{deep}_beats_{deep - 1}", found) == pytest.approx([4 - error, 4 + error])
        assert verdict(f"depth_{deep}_beats_{deep - 1}", found) == REPRODUCED
    assert measured("accuracy_at_depth_4", found) == pytest.approx([66, 68, 67])
    falling = {depth: several[::-1] for depth, several in zip(RATES, reversed(rising.values()), strict=True)}
    assert verdict("deeper_is_better", evidence(*depths(falling))) == NOT_REPRODUCED
    assert verdict("depth_3_beats_2", evidence(*depths(falling))) == NOT_REPRODUCED


def test_the_lead_of_rank_2_is_over_the_best_depth():
    sweep = depths({depth: (60.0, 60.0) for depth in RATES} | {4: (79.0, 81.0)})
    found = evidence(*sweep, *accuracies("rank_2", 84, 86))
    assert measured("rank_2_is_best", found) == pytest.approx([5 - np.sqrt(2), 5 + np.sqrt(2)])


def test_a_large_scale_is_held_against_three_layers_of_the_sweep():
    sweep = depths({3: (70.0, 72.0), 6: (99.0, 99.0)})
    found = evidence(*sweep, *accuracies("large_scale", 56, 58))
    assert measured("scale_removes_the_bias", found) == pytest.approx([14 - np.sqrt(2), 14 + np.sqrt(2)])


def modes(first, second, third=0.0, fifth=0.0):
    """Singular values over records, 0.0 where there is none."""
    curves = {0: first, 1: second, 2: third, 4: fifth}
    values = {
        (10 * step, index): float(value)
        for index, curve in curves.items()
        for step, value in enumerate(np.atleast_1d(curve))
    }
    return {"singular_value": values, "train_loss": {(0, 0): 2.3, (20, 0): 0.009}}


def test_pictures_of_singular_values_are_told_by_their_ends():
    first, second = [1e-4, 170, 173], [2e-4, 1, 149]
    for block in ("near_zero", "standard_scale"):
        found = evidence(run(block, 0, modes(first, second)), run(block, 1, modes(first, [1, 2, 151])))
        assert measured(f"last_update_of_{block}", found).tolist() == [20, 20]
        assert measured(f"first_value_of_{block}", found).tolist() == [173, 173]
        assert measured(f"second_value_of_{block}", found).tolist() == [149, 151]
    near = evidence(run("near_zero", 0, modes(first, second, [0, 0, 2e-4], [0, 0, 5e-3])))
    assert measured("two_modes_fit_the_data", near).tolist() == [2e-4]
    assert measured("remaining_modes_stay_small", near).tolist() == [5e-3]
    assert verdict("two_modes_fit_the_data", near) == REPRODUCED
    assert verdict("remaining_modes_stay_small", near) == NOT_REPRODUCED
    assert measured("optimisation_terminates", near).tolist() == [0.009]
    standard = evidence(run("standard_scale", 0, modes([2, 50, 80], [1, 1, 70])))
    assert measured("initial_size_1", standard).tolist() == [2]
    assert measured("final_size_100", standard).tolist() == [80]


def test_modes_show_up_where_they_reach_a_hundredth_of_the_first_s_end():
    # Behind 10 and 30 updates: 1 is a hundredth of 100, though the second ends at 2. A run may end before another.
    slow = run("near_zero", 0, modes([0.5, 1, 50, 100], [0, 0.5, 0.99, 1]))
    quick = run("near_zero", 1, modes([0.5, 4, 400], [0, 0.5, 5]))
    found = evidence(slow, quick)
    assert measured("modes_come_one_by_one", found).tolist() == [20, 10]
    assert verdict("modes_come_one_by_one", found) == REPRODUCED
    at_once = evidence(run("near_zero", 0, modes([0.5, 1, 100], [0, 1, 2])))
    assert verdict("modes_come_one_by_one", at_once) == NOT_REPRODUCED
    none = evidence(run("near_zero", 0, end("train_loss", 0.0)))
    assert verdict("modes_come_one_by_one", none) == NOT_TESTABLE


def test_a_stronger_bias_is_a_falling_ratio_of_the_third_to_the_first_mode():
    # ln(third/first) = −depth in one repetition, −2·depth in the other; depth 1 is not asked.
    def ends(depth, slope):
        return modes(10.0, 5.0, 10 * np.exp(-slope * depth))

    runs = [swept(depth, seed, ends(depth, slope)) for depth in range(2, 7) for seed, slope in enumerate((1, 2))]
    odd = [swept(1, seed, modes(1.0, 1.0, 1.0)) for seed in (0, 1)]
    assert measured("depth_strengthens_the_bias", evidence(*odd, *runs)) == pytest.approx([-1, -2])
    assert verdict("depth_strengthens_the_bias", evidence(*odd, *runs)) == REPRODUCED


@pytest.mark.parametrize("other", [{"samples": 50}, {"dimension": 3}, {"classes": 3}, {"target_loss": 0.1}])
def test_another_task_says_nothing_of_the_document(other):
    runs = [*accuracies("linear", 53), *accuracies("two_layers", 60), *depths({depth: (60.0,) for depth in RATES})]
    found = evidence(*runs, **other)
    for name in ("linear_accuracy", "a_second_layer_helps", "deeper_is_better", "accuracy_at_depth_2"):
        assert verdict(name, found) == NOT_TESTABLE, name
