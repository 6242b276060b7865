"""The measures of the claims of document 003, from small tables written out here."""

import numpy as np
import pytest

from deepnets.claims.claim import Claim
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.documents.hierarchy.claims.ledger import ledger
from deepnets.documents.hierarchy.measures import (
    features,
    plateaus,
    regression,
    representations,
    singular_values,
)
from deepnets.documents.hierarchy.runs import MAIN
from deepnets.jobs.judge import row_of
from evidence import table

# This loss has a drop for each level of the tree: at steps 4 to 6, 10 to 11, 14 to 15 and 19 to 21.
LOSS = [1, 1, 1, 1, 1, 0.85, 0.7, 0.7, 0.7, 0.7, 0.7, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.25, 0.1, 0, 0, 0, 0]


def curve(values, index=0):
    return {(step, index): float(value) for step, value in enumerate(values)}


def at_start(values):
    return {(0, index): float(value) for index, value in enumerate(values)}


def evidence_of(*runs, settings=None, experiment="hierarchy", first_seed=2021):
    """Return evidence of runs with these metrics and consecutive seeds, in one block."""
    seeds = list(range(first_seed, first_seed + len(runs)))
    named = [({"seed": seed, "block": "main"}, metrics) for seed, metrics in zip(seeds, runs, strict=True)]
    axes = {"seed": seeds, "block": ["main"], "depth": [1], "init": ["none"]}
    return Evidence({experiment: table(named)}, {experiment: [{"axes": axes, "settings": settings or {}}]})


def test_drops_are_counted_and_runs_that_diverged_are_not():
    once = [1, 0.5, 0.25, 0.1, 0.05] + [0.025] * 20
    found = evidence_of(
        {"train_loss": curve(LOSS)},
        {"train_loss": curve(once)},
        {"train_loss": curve([1, 0]), "diverged": {(2, 0): 1.0}},
    )
    assert plateaus.count_of_drops()(found).tolist() == [4, 1]
    with pytest.raises(NotTestableError, match="diverged"):
        plateaus.count_of_drops(seed=2023)(found)


def test_a_slow_fall_is_not_counted_as_a_drop():
    # A fall of 0.02 per update is less than a tenth of the fastest, 0.3.
    found = evidence_of({"train_loss": curve([1, 0.7, 0.68, 0.66, 0.64, 0.34])})
    assert plateaus.count_of_drops()(found).tolist() == [2]


@pytest.mark.parametrize(("number", "step"), [(0, 2), (1, 8), (2, 12), (3, 17), (4, 24)])
def test_the_value_on_a_plateau_is_that_at_its_middle(number, step):
    found = evidence_of({"train_loss": curve(LOSS), "rsm": curve(range(25), index=3)})
    assert plateaus.on_plateau(number, "rsm", index=3)(found).tolist() == [step]


def test_a_run_without_all_plateaus_has_no_value_on_them():
    found = evidence_of({"train_loss": curve([1, 1, 0.5, 0.5, 0])})
    assert np.isnan(plateaus.on_plateau(1, "train_loss")(found)).all()
    assert np.isnan(plateaus.time_of_drop(0)(found)).all()


@pytest.mark.parametrize(("number", "time"), [(0, 5), (1, 10.5), (2, 14.5), (3, 19 + 0.125 / 0.15)])
def test_a_drop_is_half_done_midway_between_plateaus(number, time):
    found = evidence_of({"train_loss": curve(LOSS)})
    assert plateaus.time_of_drop(number)(found) == pytest.approx([time])


def test_the_length_of_a_plateau_is_relative_to_the_drop_after_it():
    found = evidence_of({"train_loss": curve(LOSS)})
    # There are plateaus of 4, 4, 3, 4 updates before drops of 2, 1, 1, 2 updates.
    assert plateaus.plateau_to_drop()(found).tolist() == [4]


def test_gradients_on_plateaus_are_the_smallest_of_the_two_longest():
    norms = np.full(25, 8.0)
    # These are the last update before the first drop and the first after it. The third plateau is shorter.
    norms[[4, 6]] = 2, 1
    norms[11:15] = 6
    found = evidence_of({"train_loss": curve(LOSS), "gradient_norm": curve(norms)})
    assert plateaus.gradient_on_plateaus()(found).tolist() == [2 / 8]
    sparse = evidence_of({"train_loss": curve(LOSS), "gradient_norm": curve(norms)}, {"train_loss": curve(LOSS)})
    with pytest.raises(NotTestableError, match="record_rsm_every"):
        plateaus.gradient_on_plateaus()(sparse)


def test_the_time_of_a_prediction_is_that_of_its_rise_or_its_fall():
    values = [0, -0.25, 0.5, 0.5, 0, -1]
    found = evidence_of({"illusory_prediction": curve(values, index=3)})
    assert plateaus.time_of_prediction(0.125, item=3)(found).tolist() == [1.5]
    assert plateaus.time_of_prediction(-0.5, item=3, falling=True)(found).tolist() == [4.5]
    assert np.isnan(plateaus.time_of_prediction(0.6, item=3)(found)).all()


HALVES = [10, 20, 30, 32, 50, 51, 52, 55]


def test_the_mode_of_a_prediction_is_that_of_the_nearest_level():
    late = {"illusory_prediction": curve([0] * 29 + [1], index=0), "half_time": at_start(HALVES)}
    never = {"illusory_prediction": curve([0] * 30, index=0), "half_time": at_start(HALVES)}
    found = plateaus.mode_of_prediction(0.5, item=0)(evidence_of(late, never))
    # 28.5 is nearer to 31, the mean of the third level, than to 20.
    assert found[0] == 3
    assert np.isnan(found[1])


def test_half_times_of_a_level_are_means_over_its_modes():
    found = evidence_of({"half_time": at_start(HALVES)})
    assert singular_values.half_time_of_level(2)(found).tolist() == [31]
    assert singular_values.half_time_of_level(3)(found).tolist() == [52]
    assert [singular_values.wait_after_level(level)(found).tolist() for level in range(3)] == [[10], [10], [18]]
    assert singular_values.scatter_of_last_half_times()(found).tolist() == [5 / 18]


def test_modes_that_were_not_reached_have_no_half_time():
    found = evidence_of({"half_time": at_start(HALVES[:3])})
    assert np.isnan(singular_values.half_time_of_level(2)(found)).all()
    assert np.isnan(singular_values.wait_after_level(1)(found)).all()


def test_times_are_shifted_to_the_data_of_the_first_seed():
    first = {"half_time": at_start(HALVES), "predicted_half_time": at_start([9, *HALVES[1:]])}
    second = {"half_time": at_start([14, *HALVES[1:]]), "predicted_half_time": at_start([12, *HALVES[1:]])}
    times = plateaus.times_on_first_data(singular_values.half_time_of_level(0), 0)
    assert times(evidence_of(first, second)).tolist() == [10, 14 - 12 + 9]
    with pytest.raises(NotTestableError, match="2021"):
        times(evidence_of(first, second, first_seed=5))


ENDS = [10, 8, 6, 6, 4, 4, 4, 3]


def test_singular_values_are_compared_by_level():
    metrics = {
        "singular_value": {(step, mode): value * step / 2 for step in (0, 1, 2) for mode, value in enumerate(ENDS)},
        "data_singular_value": at_start([10, 8, 6, 6, 4, 4, 4, 2]),
        "theory_singular_value": at_start([5, 8, 6, 6, 7, 7, 7, 7]),
    }
    found = evidence_of(metrics)
    assert singular_values.share_of_level(3)(found).tolist() == [0.375]
    assert singular_values.scatter_of_last_singular_values()(found).tolist() == [0.5]
    assert singular_values.distance_from_data()(found).tolist() == [0.5]
    assert [singular_values.ratio_to_tree(level)(found).tolist() for level in (0, 1, 3)] == [[2], [1], [0.5]]
    assert singular_values.count_of_modes()(found).tolist() == [8]
    assert singular_values.scatter_of_shallow_times()(found).tolist() == [0]


def test_the_scatter_of_shallow_times_is_that_of_half_times():
    # The modes rise linearly to 1 at the updates 1, 2, … 8.
    values = {(step, mode): min(step / (1 + mode), 1.0) for step in range(12) for mode in range(8)}
    assert singular_values.scatter_of_shallow_times()(evidence_of({"singular_value": values})).tolist() == [4 - 0.5]


def test_the_distance_of_a_run_is_that_of_the_mode_that_differs_most_from_its_narrow_net():
    late, early = (
        {"half_time": at_start(HALVES), "predicted_half_time": at_start(np.array(HALVES) - lags)}
        for lags in (np.array([2, 0, 1, 0, 0, 0, 0, 1]), np.array([0, -3, 0, 0, 0, 1, 0, 0]))
    )
    unlearned = {"half_time": at_start(HALVES[:3]), "predicted_half_time": at_start(HALVES)}
    found = singular_values.distance_from_narrow_nets()(evidence_of(late, early, unlearned))
    assert found[:2].tolist() == [2, -3]
    assert np.isnan(found[2])


def test_the_unexplained_loss_is_the_loss_minus_the_squares_of_modes_not_yet_learned():
    found = evidence_of({"train_loss": curve(LOSS), "data_singular_value": at_start([3, 2, 1, 1, 1, 1, 1, 1])})
    # The squares are 9, 4 and six times 1, so the plateaus have 0.7 - 10/19, 0.5 - 6/19 and 0.25 - 4/19.
    assert plateaus.unexplained_on_plateaus()(found) == pytest.approx([0.5 - 6 / 19])


def test_plateaus_are_compared_only_if_each_level_has_a_drop():
    once = {"train_loss": curve([1] * 20 + [0.5, 0]), "gradient_norm": curve([1] * 22)}
    assert np.isnan(plateaus.plateau_to_drop()(evidence_of(once))).all()
    assert np.isnan(plateaus.gradient_on_plateaus()(evidence_of(once))).all()


def slider_runs(losses):
    """Return evidence of one run for each pair of a rate and a scale."""
    axes = [{"block": "main", "seed": 2021, "learning_rate": rate, "scale": scale} for rate, scale in losses]
    runs = [
        (each, {"train_loss": curve(loss), **({"diverged": {(2, 0): 1.0}} if len(loss) < 3 else {})})
        for each, loss in zip(axes, losses.values(), strict=True)
    ]
    held = {name: sorted({each[name] for each in axes}) for name in axes[0]}
    return Evidence({"hierarchy": table(runs)}, {"hierarchy": [{"axes": held, "settings": {}}]})


def test_settings_within_the_sliders_are_unstable_if_a_loss_rises_or_diverges():
    stable = {(1, 0.1): [1, 0.5, 0.5 + 1e-8], (1, 1): [2, 1, 0], (20, 0.1): [1, 1, 1], (20, 1): [1, 0.5, 0.6]}
    beyond = {(99, 0.1): [1, 2, 3], (99, 1): [1, 2, 3]}
    unstable = plateaus.unstable_settings((1, 20), (0.1, 1), block="main")
    assert unstable(slider_runs(stable | beyond)).tolist() == [1]
    assert unstable(slider_runs({**stable, (20, 1): [1, 0.5, 0.4]})).tolist() == [0]
    assert unstable(slider_runs({**stable, (1, 1): [1, 0.5]})).tolist() == [2]


def similarities(*matrices):
    return {(step, cell): value for step, matrix in enumerate(matrices) for cell, value in enumerate(matrix.ravel())}


def test_claims_on_similarities_use_the_last_ones():
    matrix = np.diag([4.0, 4, 2, 1, 1, 1, 1, 1])
    matrix[0, 1] = matrix[1, 0] = 2
    found = evidence_of({"rsm": similarities(np.full((8, 8), 9.0), matrix)})
    assert representations.closeness(0, 1, 2)(found).tolist() == [2]
    # The dot products 4 and 2 are cosines of 1 and 0.5.
    assert representations.distance_from_cosines()(found).tolist() == [3]
    # The corner has the eigenvalues 6 and 2.
    assert representations.least_similarity_eigenvalue()(found) == pytest.approx([1 / 6])


def test_the_overlap_of_a_contrast_with_its_mode_is_1():
    # The modes have strengths 4, 3, 2: all items, animals against plants, fish against birds.
    contrast = np.array([1, 1, 1, 1, -1, -1, -1, -1]) / 8**0.5
    fish = np.array([1, 1, -1, -1, 0, 0, 0, 0]) / 2
    matrix = 4 * np.full((8, 8), 1 / 8) + 3 * np.outer(contrast, contrast) + 2 * np.outer(fish, fish)
    found = evidence_of({"rsm": similarities(matrix)})
    assert representations.overlap_of_modes((tuple(contrast),), (1,))(found) == pytest.approx([1])
    assert representations.overlap_of_modes((tuple(fish),), (1,))(found) == pytest.approx([0])
    assert representations.overlap_of_modes((tuple(fish), tuple(contrast)), (1, 2))(found) == pytest.approx([1])
    assert representations.overlap_of_modes((tuple(fish), tuple(contrast)), (1, 3))(found) == pytest.approx([0])
    assert representations.overlap_of_modes((tuple(fish + contrast),), (2, 3))(found) == pytest.approx([0.5])


def test_the_cosine_on_a_plateau_is_that_at_its_middle():
    matrix = np.eye(8)
    matrix[0, 0], matrix[0, 3], matrix[3, 0] = 4, 1, 1
    steps = [np.eye(8)] * 10 + [matrix] * 4 + [np.eye(8)] * 11
    found = evidence_of({"train_loss": curve(LOSS), "rsm": similarities(*steps)})
    assert plateaus.cosine_on_plateau(2, 0, 3)(found).tolist() == [0.5]


FEATURES = np.array([[1, 1], [1, -1], [-1, 1], [-1, 1], [1, 1], [1, 1], [1, -1], [1, -1]])


def test_features_are_compared_with_those_of_the_picture():
    weights = FEATURES.astype(float)
    weights[5, 1] = 0.5
    metrics = {"feature": at_start(FEATURES.ravel()), "least_squares_weight": at_start(weights.ravel())}
    found = evidence_of(metrics)
    picture = ("11", "10", "01", "01", "11", "11", "10", "11")
    assert features.share_of_cells(picture)(found).tolist() == [15 / 16]
    assert features.sizes_of_features()(found).tolist() == [1, 1]
    assert features.mean_feature()(found).tolist() == [6 / 16]
    # Items 0 and 1 differ in one of their two features, all other pairs in none.
    assert features.share_of_split_siblings()(found).tolist() == [1 / 8]
    assert features.distance_of_solution_from_features()(found).tolist() == [0.5]
    assert features.error_of_svd()(found)[0] < 1e-14


def test_the_added_feature_is_that_of_the_config():
    found = evidence_of({}, {"train_loss": curve(LOSS)}, settings={"data": {"draw": 1, "added_feature": [1, -1]}})
    assert features.agreement_with_added_feature([1, -1], block="main")(found).tolist() == [1]
    assert features.agreement_with_added_feature([1, 1], block="main")(found).tolist() == [0]


def test_the_spread_at_5000_equals_that_of_the_document():
    assert features.spread_at_5000()(evidence_of({"train_loss": curve(LOSS)})).tolist() == [0.01]


def test_claims_on_the_regression_are_measured_from_its_weights():
    true, estimated = [3.0, 0, 0, 2], [3.04, 0, 0.06, 2]
    metrics = {"true_weight": true, "estimated_weight": estimated, "standard_error": [0.02] * 4}
    found = evidence_of({name: at_start(values) for name, values in metrics.items()}, experiment="regression")
    assert regression.rounded_errors()(found).tolist() == [1]
    assert regression.largest_scaled_error()(found) == pytest.approx([3])
    assert regression.largest_cosine_of_eigenvectors()(found).tolist() == [0]
    oblique = evidence_of({"true_weight": at_start([1, 1, 0, 2])}, experiment="regression")
    assert regression.largest_cosine_of_eigenvectors()(oblique) == pytest.approx([0.5**0.5])


def test_runs_with_a_different_setting_make_every_claim_not_testable():
    names = ("data_singular_value", "train_loss", "singular_value", "feature", "rsm", "half_time", "gradient_norm")
    metrics = {name: {(0, 0): 1.0} for name in names}
    blocks = {"main": 2, "zero_depth": 1, "shark": 2, "parrot": 2, "bones": 2, "sliders": 2, "depths": 3}
    seeds = [2021, 2022]
    runs, grids = [], []
    for block, depth in blocks.items():
        axes = {"block": block, "depth": depth, "init": "fan_sum_normal", "scale": 1e-12, "learning_rate": 100}
        runs += [({**axes, "seed": seed}, metrics) for seed in seeds]
        # These are the document's settings, except the number of features.
        settings = {name: value for name, value in MAIN.items() if name not in axes} | {"features": 100}
        held = {**{name: [value] for name, value in axes.items()}, "seed": seeds}
        grids.append({"axes": held, "settings": {**settings, "record_rsm_every": 1, "recorded_features": 10}})
    regression = table([({"seed": 2021}, {"true_weight": {(0, 0): 1.0}})])
    of_regression = {"inputs": 3, "outputs": 3, "samples": 12, "weight_bound": 10, "noise": 0.01}
    axes = {"depth": [1], "init": ["none"], "seed": [2021]}
    found = Evidence(
        {"hierarchy": table(runs), "regression": regression},
        {"hierarchy": grids, "regression": [{"axes": axes, "settings": of_regression}]},
    )
    claims = [each for each in ledger() if isinstance(each, Claim) and each.kind != "setting"]
    verdicts = {each.name: row_of(each, found, "")["verdict"] for each in claims}
    assert set(verdicts.values()) == {"not testable here"}, verdicts
