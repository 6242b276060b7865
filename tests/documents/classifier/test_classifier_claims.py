"""The claims of document 000, judged on runs with hand-made numbers."""

import numpy as np
import pytest

from deepnets.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, UNDECIDED
from deepnets.jobs.judge import row_of
from evidence import Claims, of_one_grid, table

CLAIMS = Claims("classifier")
measured, verdict = CLAIMS.measured, CLAIMS.verdict
SETTINGS = {"dimension": 10, "classes": 10, "samples": 100, "target_loss": 0.01}
# The axes of each block; in the sweep, depth and rate are added.
BLOCKS = {
    "linear": {"depth": 1, "init": "zeros", "rank": 0, "scale": 1.0, "learning_rate": 10.0},
    "two_layers": {"depth": 2, "init": "xavier_normal", "rank": 0, "scale": 1.0, "learning_rate": 1.0},
    "rank_2": {"depth": 2, "init": "xavier_normal", "rank": 2, "scale": 1.0, "learning_rate": 1.0},
    "near_zero": {"depth": 3, "init": "xavier_normal", "rank": 0, "scale": 1e-4, "learning_rate": 100.0},
    "large_scale": {"depth": 3, "init": "xavier_normal", "rank": 0, "scale": 1000.0, "learning_rate": 0.001},
    "standard_scale": {"depth": 3, "init": "xavier_normal", "rank": 0, "scale": 1.0, "learning_rate": 0.1},
    "depths": {"init": "xavier_normal", "rank": 0, "scale": 1.0},
    "data_sets": {"init": "xavier_normal", "rank": 0, "scale": 1.0},
}
RATES = {1: 10.0, 2: 1.0, 3: 0.03, 4: 0.03, 5: 0.03, 6: 0.03}


def run(block, seed, metrics, **axes):
    return {"block": block, "seed": seed, "data_seed": 0, **BLOCKS[block], **axes}, metrics


def sweep_run(depth, seed, metrics):
    return run("depths", seed, metrics, depth=depth, learning_rate=RATES[depth])


def evidence(*runs, **settings):
    return of_one_grid(
        "classifier", table(runs), ("block", "seed", "data_seed", *BLOCKS["linear"]), {**SETTINGS, **settings}
    )


def end(metric, value, index=0):
    # The claims must not read the value at step 0.
    return {metric: {(0, index): -1.0, (100, index): value}}


def accuracies(block, *values, **axes):
    return [run(block, seed, end("test_accuracy", value / 100), **axes) for seed, value in enumerate(values)]


def depths(values):
    """Return the runs of the sweep from {depth: accuracies in percent}."""
    return [
        sweep_run(depth, seed, end("test_accuracy", value / 100))
        for depth, several in values.items()
        for seed, value in enumerate(several)
    ]


def points(inputs, labels):
    recorded = {"input": {(0, index): value for index, value in enumerate(np.ravel(inputs))}}
    return {**recorded, "label": {(0, index): float(label) for index, label in enumerate(labels)}}


def directions(classes):
    """Return a point in the middle of each class's slice; the document computes the angle as arctan2(x₁, x₂)."""
    angles = -np.pi + (np.array(classes) + 0.5) * 2 * np.pi / 10
    return np.stack([np.sin(angles), np.cos(angles)], axis=1)


def test_points_are_checked_with_the_optimal_matrix():
    rng = np.random.default_rng(0)
    inputs = np.hstack([3 * directions(range(10)), rng.normal(size=(10, 8))])
    found = evidence(run("linear", 0, points(inputs, range(10))))
    assert measured("optimal_classifier", found).tolist() == [1]
    assert verdict("optimal_classifier", found) == REPRODUCED
    wrong = [1, 0, *range(2, 10)]
    assert measured("optimal_classifier", evidence(run("linear", 0, points(inputs, wrong)))).tolist() == [0.8]
    # A point near the edge of its slice is still nearer to its own middle than to the next one.
    inputs[3, :2] = [np.sin(-np.pi + 3.98 * np.pi / 5), np.cos(-np.pi + 3.98 * np.pi / 5)]
    assert measured("optimal_classifier", evidence(run("linear", 0, points(inputs, range(10))))).tolist() == [1]
    assert verdict("optimal_classifier", evidence(run("linear", 0, end("train_loss", 0.0)))) == NOT_TESTABLE


def test_points_that_several_runs_record_count_once():
    inputs, labels = np.hstack([directions([0, 1]), np.zeros((2, 8))]), [0, 2]
    twice = evidence(*(run("linear", seed, points(inputs, labels)) for seed in (0, 1)))
    assert measured("optimal_classifier", twice).tolist() == [0.5]


def test_the_optimal_matrix_has_rank_2():
    assert measured("optimal_classifier_has_rank_2", evidence(*accuracies("linear", 53))).tolist() == [2]
    other = evidence(*accuracies("linear", 53), classes=3)
    assert verdict("optimal_classifier_has_rank_2", other) == NOT_TESTABLE


@pytest.mark.parametrize(
    ("block", "mean"), [("linear", 53), ("two_layers", 60.3), ("rank_2", 85), ("near_zero", 84), ("large_scale", 57.5)]
)
def test_quoted_accuracies_are_means_over_the_repetitions_of_their_nets(block, mean):
    name = f"{block}_accuracy"
    around = [mean] if block == "linear" else [mean - 1, mean + 1] * 5
    assert measured(name, evidence(*accuracies(block, *around))) == pytest.approx(around)
    # The document's own uncertainty at scale 10³ is one point, as much as matters.
    agrees = UNDECIDED if block == "large_scale" else REPRODUCED
    assert verdict(name, evidence(*accuracies(block, *around))) == agrees
    far = [value + 9 for value in around]
    assert verdict(name, evidence(*accuracies(block, *far))) == NOT_REPRODUCED
    # Runs with another rate do not count.
    rate = 2 * BLOCKS[block]["learning_rate"]
    assert verdict(name, evidence(*accuracies(block, *around, learning_rate=rate))) == NOT_TESTABLE
    # Further repetitions do not count.
    assert measured(name, evidence(*accuracies(block, *around, 1, 2, 3))) == pytest.approx(around)


@pytest.mark.parametrize("block", ["two_layers", "rank_2", "near_zero"])
def test_a_mean_over_ten_repetitions_is_not_tested_with_fewer(block):
    row = row_of(CLAIMS[f"{block}_accuracy"], evidence(*accuracies(block, *[50] * 9)), "full")
    assert row["verdict"] == NOT_TESTABLE
    assert row["remark"] == "the document averages over 10 repetitions, but only 9 were run"


def test_the_printed_uncertainty_is_a_standard_error_with_divisor_n():
    found = evidence(*accuracies("two_layers", 57, 63, *[58, 62] * 4))
    assert measured("two_layers_uncertainty", found) == pytest.approx([np.sqrt(50 / 10 / 10)])
    assert verdict("two_layers_uncertainty", found) == NOT_REPRODUCED
    closer = evidence(*accuracies("two_layers", *[58, 62] * 5))
    assert verdict("two_layers_uncertainty", closer) == REPRODUCED


def test_nets_are_compared_with_the_linear_one_for_each_seed():
    linear = accuracies("linear", 50)
    two = evidence(*linear, *accuracies("two_layers", 60, 62, 61))
    assert measured("a_second_layer_helps", two) == pytest.approx([10, 12, 11])
    large = evidence(*linear, *accuracies("large_scale", 50, 51, 52))
    assert measured("large_scale_is_like_one_layer", large) == pytest.approx([0, 1, 2])
    assert verdict("large_scale_is_like_one_layer", large) == REPRODUCED
    # In the document, two layers are 7.3 points better than one.
    for values, found in (((56, 57, 58), NOT_REPRODUCED), ((52, 54, 56), UNDECIDED)):
        far = evidence(*linear, *accuracies("large_scale", *values))
        assert verdict("large_scale_is_like_one_layer", far) == found


def test_depths_are_compared_by_their_means_and_by_a_slope():
    rising = {depth: (50 + 4 * depth, 52 + 4 * depth, 51 + 4 * depth) for depth in RATES}
    found = evidence(*depths(rising))
    assert measured("deeper_is_better_on_the_documents_data", found) == pytest.approx([4] * 3)
    steps = measured("each_layer_adds", found)
    assert list(steps) == [f"{deep} layers minus {deep - 1}" for deep in range(2, 7)]
    for step in steps.values():
        # The difference of the means, and the combined standard error of two means of three values.
        assert (step.mean, step.error, step.counts) == (pytest.approx(4), pytest.approx(np.sqrt(2 / 3)), (3, 3))
    assert verdict("each_layer_adds", found) == REPRODUCED
    of_ten = {depth: several[:2] * 5 for depth, several in rising.items()}
    assert measured("accuracies_by_depth", evidence(*depths(of_ten)))["depth 4"] == pytest.approx([67])
    assert verdict("accuracies_by_depth", found) == NOT_TESTABLE
    read = {1: 53.0, 2: 59.8, 3: 69.6, 4: 75.4, 5: 77.1, 6: 78.8}
    # Only the mean counts, not the spread.
    as_read = {depth: (value - 9, value + 9.1) * 5 for depth, value in read.items()}
    assert verdict("accuracies_by_depth", evidence(*depths(as_read))) == REPRODUCED
    assert verdict("accuracies_by_depth", evidence(*depths({**as_read, 5: [77.4] * 10}))) == NOT_REPRODUCED
    falling = {depth: several[::-1] for depth, several in zip(RATES, reversed(rising.values()), strict=True)}
    for name in ("deeper_is_better_on_the_documents_data", "each_layer_adds"):
        assert verdict(name, evidence(*depths(falling))) == NOT_REPRODUCED


def test_on_many_data_sets_depths_are_compared_for_each_data_set():
    def runs(accuracies):
        return [
            run("data_sets", 0, end("test_accuracy", value / 100), data_seed=draw, learning_rate=RATES[depth], **net)
            for (depth, rank), values in accuracies.items()
            for draw, value in enumerate(values)
            for net in [{"depth": depth, "rank": rank, "init": "zeros" if depth == 1 else "xavier_normal"}]
        ]

    found = evidence(*runs({(1, 0): (40, 60), (2, 0): (45, 66), (3, 0): (50, 70), (6, 0): (60, 81), (2, 2): (70, 83)}))
    steps = {name: values.tolist() for name, values in measured("deeper_is_better", found).items()}
    assert steps == {
        "2 layers minus 1": pytest.approx([5, 6]),
        "3 layers minus 2": pytest.approx([5, 4]),
        "6 layers minus 3": pytest.approx([10, 11]),
    }
    assert measured("rank_2_is_best_on_other_data", found) == pytest.approx([10, 2])
    # Compare only data sets that both nets have; several inits on a data set count as their mean.
    fewer = runs({(6, 0): (60, 81), (2, 2): (0, 83)})
    more = {**fewer[1][0], "seed": 1}, end("test_accuracy", 0.79)
    assert measured("rank_2_is_best_on_other_data", evidence(fewer[1], fewer[3], more)) == pytest.approx([3])
    assert verdict("rank_2_is_best_on_other_data", evidence(fewer[0], fewer[3])) == NOT_TESTABLE
    # On half of the draws, the third layer changes nothing: ties are no wins, and four draws do not decide.
    ties = {(1, 0): (40, 41, 40, 41), (2, 0): (60, 61, 61, 60), (3, 0): (60, 61, 64, 64), (6, 0): (80, 81, 80, 81)}
    assert verdict("deeper_is_better", evidence(*runs(ties))) == UNDECIDED


def test_inits_change_accuracy_only_with_two_or_more_layers():
    name, same, different = "initialization_matters_from_two_layers_on", {1: (53, 53, 53)}, {2: (56, 59, 62)}
    distances = measured(name, evidence(*depths({**same, **different})))
    assert {part: values.tolist() for part, values in distances.items()} == {
        "one layer": [0, 0, 0],
        "two layers": pytest.approx([3, 0, 3]),
    }
    for other in ({1: (53, 54, 53), **different}, {**same, 2: (57, 57, 57)}):
        assert verdict(name, evidence(*depths(other))) == NOT_REPRODUCED


def test_rank_2_is_compared_with_the_best_depth():
    sweep = depths({depth: (60.0, 60.0) for depth in RATES} | {4: (79.0, 81.0)})
    found = evidence(*sweep, *accuracies("rank_2", 84, 86))
    lead = measured("rank_2_is_best", found)
    assert (lead.mean, lead.error) == (pytest.approx(5), pytest.approx(np.sqrt(2)))


def test_a_large_scale_takes_most_of_the_advantage_of_three_layers():
    sweep = [*depths({3: (70.0, 72.0), 6: (99.0, 99.0)}), *accuracies("linear", 53)]
    lost = measured("scale_removes_the_bias", evidence(*sweep, *accuracies("large_scale", 56, 58)))
    # The midpoint of 53 and 71 is 62; the standard errors are 1/2 and 1.
    assert (lost.mean, lost.error) == (pytest.approx(5), pytest.approx(np.sqrt(1.25)))
    assert verdict("scale_removes_the_bias", evidence(*sweep, *accuracies("large_scale", 66, 67))) == NOT_REPRODUCED


def modes(first, second, third=0.0, fifth=0.0):
    """Return singular values at each record; missing ones are 0.0."""
    curves = {0: first, 1: second, 2: third, 4: fifth}
    values = {
        (10 * step, index): float(value)
        for index, curve in curves.items()
        for step, value in enumerate(np.atleast_1d(curve))
    }
    return {"singular_value": values, "train_loss": {(0, 0): 2.3, (20, 0): 0.009}}


def test_pictures_of_singular_values_show_the_first_repetition():
    first, second = [1e-4, 170, 173.5], [2e-4, 1, 149.5]
    for block in ("near_zero", "standard_scale"):
        found = evidence(run(block, 0, modes(first, second)), run(block, 1, modes([1, 2, 9], [1, 2, 151])))
        shown = {name: values.tolist() for name, values in measured(f"{block}_picture", found).items()}
        assert shown == {"updates": [20], "first value": [173.5], "second value": [149.5]}
    criterion = CLAIMS["near_zero_picture"].criterion.parts["first value"]
    assert criterion.judge(np.array([173.5]), exact=True).verdict == REPRODUCED
    assert criterion.judge(np.array([174.1]), exact=True).verdict == NOT_REPRODUCED


def test_the_modes_after_the_second_are_compared_with_their_start():
    first = run("near_zero", 0, modes([1, 170, 200], [0, 1, 150], [0, 0, 2], [0, 0, 2e-4]))
    second = run("near_zero", 1, modes([1, 170, 100], [0, 1, 60], [0, 0, 3], [0, 0, 2e-4]))
    shares = {
        name: values.tolist() for name, values in measured("training_ends_at_rank_2", evidence(first, second)).items()
    }
    assert shares == {"second": pytest.approx([0.75, 0.6]), "third": pytest.approx([0.01, 0.03])}
    # The picture shows the first repetition.
    remaining = measured("rest_stays_at_its_start", evidence(first, second))
    assert {name: values.tolist() for name, values in remaining.items() if name != "fourth"} == {
        "third": [2],
        "fifth": [2e-4],
    }
    assert verdict("rest_stays_at_its_start", evidence(first, second)) == NOT_REPRODUCED
    for third, found in ((0.06, NOT_REPRODUCED), (0.04, REPRODUCED)):
        one = evidence(run("near_zero", 0, modes([1, 170, 200], [0, 1, 150], [0, 0, 200 * third])))
        assert verdict("training_ends_at_rank_2", one) == found
    standard = evidence(run("standard_scale", 0, modes([2, 50, 80], [1, 1, 70])))
    # The initial singular values are 2, 1, 0 and 0.
    assert measured("initial_size_1", standard) == pytest.approx([np.sqrt(5 / 4)])
    assert measured("start_is_near_zero_in_comparison", standard).tolist() == [0.025]
    assert {name: value.tolist() for name, value in measured("final_size_100", standard).items()} == {
        "first": [80],
        "second": [70],
    }


def test_in_a_phase_of_rank_1_the_second_mode_is_negligible():
    # Ratios count only once the first mode has appeared, at 1.73.
    found = evidence(run("near_zero", 0, modes([1, 10, 173], [1e-9, 0.2, 149])))
    assert measured("a_phase_of_rank_1_comes_first", found) == pytest.approx([0.02])
    at_once = evidence(run("near_zero", 0, modes([1, 10, 173], [1e-9, 9, 149])))
    assert verdict("a_phase_of_rank_1_comes_first", at_once) == NOT_REPRODUCED


def test_another_parameterisation_ends_at_another_solution():
    one = run("linear", 0, modes(10.0, 5.0, 2.0))
    two = [run("two_layers", seed, modes(10.0, 5.0, third)) for seed, third in enumerate((0.5, 1.5))]
    assert measured("parameterization_changes_the_solution", evidence(one, *two)) == pytest.approx([0.15, 0.05])


def test_a_mode_appears_at_a_hundredth_of_the_first_mode_s_end():
    # The modes appear at 1, a hundredth of the first mode's end: after 10 and 30 updates. The runs differ in length.
    slow = run("near_zero", 0, modes([0.5, 1, 50, 100], [0, 0.5, 0.99, 1]))
    quick = run("near_zero", 1, modes([0.5, 4, 400], [0, 0.5, 5]))
    found = evidence(slow, quick)
    assert measured("modes_come_one_by_one", found).tolist() == [20, 10]
    assert verdict("modes_come_one_by_one", found) == UNDECIDED
    at_once = evidence(run("near_zero", 0, modes([0.5, 1, 100], [0, 1, 2])))
    assert verdict("modes_come_one_by_one", at_once) == NOT_REPRODUCED
    none = evidence(run("near_zero", 0, end("train_loss", 0.0)))
    assert verdict("modes_come_one_by_one", none) == NOT_TESTABLE


def test_a_stronger_bias_is_a_ratio_of_third_to_first_mode_that_falls_with_depth():
    # ln(third/first) is −depth in one repetition and −2·depth in the other; depth 1 does not count.
    def ends(depth, slope):
        return modes(10.0, 5.0, 10 * np.exp(-slope * depth))

    runs = [sweep_run(depth, seed, ends(depth, slope)) for depth in range(2, 7) for seed, slope in enumerate((1, 2))]
    odd = [sweep_run(1, seed, modes(1.0, 1.0, 1.0)) for seed in (0, 1)]
    assert measured("depth_strengthens_the_bias", evidence(*odd, *runs)) == pytest.approx([-1, -2])


@pytest.mark.parametrize("other", [{"samples": 50}, {"dimension": 3}, {"classes": 3}, {"target_loss": 0.1}])
def test_runs_of_another_task_judge_no_claim(other):
    runs = [*accuracies("linear", 53), *accuracies("two_layers", 60), *depths({depth: (60.0,) for depth in RATES})]
    found = evidence(*runs, **other)
    for name in (
        "linear_accuracy",
        "a_second_layer_helps",
        "deeper_is_better_on_the_documents_data",
        "accuracies_by_depth",
    ):
        assert verdict(name, found) == NOT_TESTABLE, name
