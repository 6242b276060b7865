"""The measures of the claims of document 003, from small tables written out here."""

import numpy as np
import pandas as pd
import pytest

from deepnets.documents.hierarchy import measures, plateaus
from deepnets.documents.hierarchy.runs import BONES, DEPTHS, MAIN, PARROT, REGRESSION, SHARK, SLIDERS, ZERO_DEPTH
from deepnets.tables.rows import NotRecordedError
from deepnets.tables.selection import NotTestableError, add_grids
from evidence import Claims, of_one_grid, table

CLAIMS = Claims("hierarchy")
AXES = ("block", "dataset", "depth", "init", "scale", "learning_rate")

# This loss has a drop for each level of the tree: at steps 4 to 6, 10 to 11, 14 to 15 and 19 to 21.
LOSS = [1, 1, 1, 1, 1, 0.85, 0.7, 0.7, 0.7, 0.7, 0.7, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.25, 0.1, 0, 0, 0, 0]


def curve(values, index=0):
    return {(step, index): float(value) for step, value in enumerate(values)}


def at_start(values):
    return {(0, index): float(value) for index, value in enumerate(values)}


def frame_of(*runs, first_seed=2021, **axes):
    """Return the rows of runs with these metrics and consecutive seeds."""
    return table([({**axes, "seed": first_seed + place}, metrics) for place, metrics in enumerate(runs)])


def runs_of_document(*runs, first_seed=2021):
    """Return tables of runs with the document's settings."""
    axes = {name: MAIN[name] for name in AXES}
    settings = {name: value for name, value in MAIN.wanted.items() if name not in axes}
    return of_one_grid("hierarchy", frame_of(*runs, first_seed=first_seed, **axes), [*AXES, "seed"], settings)


def test_drops_are_counted_and_runs_that_diverged_are_not():
    once = [1, 0.5, 0.25, 0.1, 0.05] + [0.025] * 20
    found = frame_of(
        {"train_loss": curve(LOSS)},
        {"train_loss": curve(once)},
        {"train_loss": curve([1, 0]), "diverged": {(2, 0): 1.0}},
    )
    assert plateaus.count_of_drops(found).tolist() == [4, 1]
    with pytest.raises(NotTestableError, match="diverged"):
        plateaus.count_of_drops(found[found["seed"] == 2023])


def test_a_slow_fall_is_not_counted_as_a_drop():
    # A fall of 0.02 per update is less than a tenth of the fastest, 0.3.
    found = frame_of({"train_loss": curve([1, 0.7, 0.68, 0.66, 0.64, 0.34])})
    assert plateaus.count_of_drops(found).tolist() == [2]


@pytest.mark.parametrize(("number", "step"), [(0, 2), (1, 8), (2, 12), (3, 17), (4, 24)])
def test_the_value_on_a_plateau_is_that_at_its_middle(number, step):
    found = frame_of({"train_loss": curve(LOSS), "rsm": curve(range(25), index=3)})
    assert plateaus.on_plateau(found, number, "rsm", index=3).tolist() == [step]


def test_a_run_without_all_plateaus_has_no_value_on_them():
    found = frame_of({"train_loss": curve([1, 1, 0.5, 0.5, 0])})
    assert np.isnan(plateaus.on_plateau(found, 1, "train_loss")).all()
    assert np.isnan(plateaus.time_of_drop(found, 0)).all()


@pytest.mark.parametrize(("number", "time"), [(0, 5), (1, 10.5), (2, 14.5), (3, 19 + 0.125 / 0.15)])
def test_a_drop_is_half_done_midway_between_plateaus(number, time):
    found = frame_of({"train_loss": curve(LOSS)})
    assert plateaus.time_of_drop(found, number) == pytest.approx([time])


def test_the_length_of_a_plateau_is_relative_to_the_drop_after_it():
    found = frame_of({"train_loss": curve(LOSS)})
    # There are plateaus of 4, 4, 3, 4 updates before drops of 2, 1, 1, 2 updates.
    assert plateaus.plateau_to_drop(found).tolist() == [4]


def test_gradients_on_plateaus_are_the_smallest_of_the_two_longest():
    norms = np.full(25, 8.0)
    # These are the last update before the first drop and the first after it. The third plateau is shorter.
    norms[[4, 6]] = 2, 1
    norms[11:15] = 6
    found = frame_of({"train_loss": curve(LOSS), "gradient_norm": curve(norms)})
    assert plateaus.gradient_on_plateaus(found).tolist() == [2 / 8]
    sparse = frame_of({"train_loss": curve(LOSS), "gradient_norm": curve(norms)}, {"train_loss": curve(LOSS)})
    with pytest.raises(NotTestableError, match="record_rsm_every"):
        plateaus.gradient_on_plateaus(sparse)


def test_the_time_of_a_prediction_is_that_of_its_rise_or_its_fall():
    values = [0, -0.25, 0.5, 0.5, 0, -1]
    found = frame_of({"illusory_prediction": curve(values, index=3)})
    assert plateaus.time_of_prediction(found, 0.125, item=3).tolist() == [1.5]
    assert plateaus.time_of_prediction(found, -0.5, item=3, falling=True).tolist() == [4.5]
    assert np.isnan(plateaus.time_of_prediction(found, 0.6, item=3)).all()


HALVES = [10, 20, 30, 32, 50, 51, 52, 55]


def test_the_mode_of_a_prediction_is_that_of_the_nearest_level():
    late = {"illusory_prediction": curve([0] * 29 + [1], index=0), "half_time": at_start(HALVES)}
    never = {"illusory_prediction": curve([0] * 30, index=0), "half_time": at_start(HALVES)}
    found = plateaus.mode_of_prediction(frame_of(late, never), 0.5, item=0)
    # 28.5 is nearer to 31, the mean of the third level, than to 20.
    assert found[0] == 3
    assert np.isnan(found[1])


def test_half_times_of_a_level_are_means_over_its_modes():
    found = frame_of({"half_time": at_start(HALVES)})
    assert measures.mean_of_level(found, "half_time", 2).tolist() == [31]
    assert measures.mean_of_level(found, "half_time", 3).tolist() == [52]
    assert [measures.wait_after_level(found, level).tolist() for level in range(3)] == [[10], [10], [18]]
    assert measures.scatter_of_last_level(found, "half_time").tolist() == [5 / 18]


def test_modes_that_were_not_reached_have_no_half_time():
    found = frame_of({"half_time": at_start(HALVES[:3])})
    assert np.isnan(measures.mean_of_level(found, "half_time", 2)).all()
    assert np.isnan(measures.wait_after_level(found, 1)).all()


def test_times_are_shifted_to_the_data_of_the_first_seed():
    first = {"half_time": at_start(HALVES), "predicted_half_time": at_start([9, *HALVES[1:]])}
    second = {"half_time": at_start([14, *HALVES[1:]]), "predicted_half_time": at_start([12, *HALVES[1:]])}
    times = CLAIMS.measured("half_times_of_modes", runs_of_document(first, second))
    assert times["first mode"].tolist() == [10, 14 - 12 + 9]
    times = CLAIMS.measured("half_times_of_modes", runs_of_document(first, second, first_seed=5))
    assert "seed 2021" in str(times["first mode"])


ENDS = [10, 8, 6, 6, 4, 4, 4, 3]


def test_singular_values_are_compared_by_level():
    metrics = {
        "singular_value": {(step, mode): value * step / 2 for step in (0, 1, 2) for mode, value in enumerate(ENDS)},
        "data_singular_value": at_start([10, 8, 6, 6, 4, 4, 4, 2]),
        "theory_singular_value": at_start([5, 8, 6, 6, 7, 7, 7, 7]),
    }
    found, tables = frame_of(metrics), runs_of_document(metrics)
    shares = CLAIMS.measured("shares_of_modes", tables)
    assert [share.tolist() for share in shares.values()] == [[0.8], [0.6], [0.375]]
    ratios = CLAIMS.measured("tree_spectrum", tables)
    assert [ratio.tolist() for ratio in ratios.values()] == [[2], [1], [1], [0.5]]
    assert measures.scatter_of_last_level(found, "singular_value").tolist() == [0.5]
    assert measures.distance_from_data(found).tolist() == [0.5]
    assert measures.scatter_of_shallow_times(found).tolist() == [0]


@pytest.mark.parametrize(("runs", "verdict"), [(10, "reproduced"), (4, "undecided")])
def test_one_net_whose_last_modes_are_apart_decides_nothing(runs, verdict):
    # The last modes are learned within 2 updates, or 4 in one run, at least 18 after the others.
    halves = [[*HALVES[:4], 50, 50, 50, 52 if run else 54] for run in range(runs)]
    values = [at_start([10, 8, 6, 6, 4, 4, 4, 3.9 - run / 100]) for run in range(runs)]
    metrics = [
        {"half_time": at_start(half), "singular_value": value} for half, value in zip(halves, values, strict=True)
    ]
    assert CLAIMS.verdict("last_four_are_a_group", runs_of_document(*metrics)) == verdict


def test_the_scatter_of_shallow_times_is_that_of_half_times():
    # The modes rise linearly to 1 at the updates 1, 2, … 8.
    values = {(step, mode): min(step / (1 + mode), 1.0) for step in range(12) for mode in range(8)}
    assert measures.scatter_of_shallow_times(frame_of({"singular_value": values})).tolist() == [4 - 0.5]


def test_the_ratio_of_a_run_is_that_of_the_mode_that_differs_most_from_its_narrow_net():
    late, early = (
        {"half_time": at_start(HALVES), "predicted_half_time": at_start(np.array(HALVES) - lags)}
        for lags in (np.array([2, 0, 1, 0, 0, 0, 0, 1]), np.array([0, -3, 0, 0, 0, 1, 0, 0]))
    )
    unlearned = {"half_time": at_start(HALVES[:3]), "predicted_half_time": at_start(HALVES)}
    found = measures.ratio_to_narrow_nets(frame_of(late, early, unlearned))
    assert found[:2] == pytest.approx([10 / 8, 20 / 23])
    assert np.isnan(found[2])


def test_the_loss_on_plateaus_is_compared_with_the_squares_of_modes_not_yet_learned():
    found = frame_of({"train_loss": curve(LOSS), "data_singular_value": at_start([3, 2, 1, 1, 1, 1, 1, 1])})
    # The squares are 9, 4 and six times 1, so the losses 0.7, 0.5 and 0.25 are compared with 10/19, 6/19 and 4/19.
    assert plateaus.ratio_to_unexplained(found) == pytest.approx([0.5 / (6 / 19)])


def test_plateaus_are_compared_only_if_each_level_has_a_drop():
    once = {"train_loss": curve([1] * 20 + [0.5, 0]), "gradient_norm": curve([1] * 22)}
    assert np.isnan(plateaus.plateau_to_drop(frame_of(once))).all()
    assert np.isnan(plateaus.gradient_on_plateaus(frame_of(once))).all()


def slider_runs(losses):
    """Return the rows of one run for each pair of a rate and a scale."""
    return table(
        [
            (
                {"seed": 2021, "learning_rate": rate, "scale": scale},
                {"train_loss": curve(loss), **({"diverged": {(2, 0): 1.0}} if len(loss) < 3 else {})},
            )
            for (rate, scale), loss in losses.items()
        ]
    )


def test_settings_within_the_sliders_are_unstable_if_a_loss_rises_or_diverges():
    stable = {(1, 0.1): [1, 0.5, 0.5 + 1e-8], (1, 1): [2, 1, 0], (20, 0.1): [1, 1, 1], (20, 1): [1, 0.5, 0.6]}
    beyond = {(99, 0.1): [1, 2, 3], (99, 1): [1, 2, 3]}

    def unstable(losses):
        return plateaus.unstable_settings(slider_runs(losses), rates=(1, 20), scales=(0.1, 1)).tolist()

    assert unstable(stable | beyond) == [1]
    assert unstable({**stable, (20, 1): [1, 0.5, 0.4]}) == [0]
    assert unstable({**stable, (1, 1): [1, 0.5]}) == [2]
    with pytest.raises(NotRecordedError):
        unstable(beyond)


def similarities(*matrices):
    return {(step, cell): value for step, matrix in enumerate(matrices) for cell, value in enumerate(matrix.ravel())}


def test_claims_on_similarities_use_the_last_ones():
    matrix = np.diag([4.0, 4, 2, 1, 1, 1, 1, 1])
    matrix[0, 1] = matrix[1, 0] = 2
    found = runs_of_document({"rsm": similarities(np.full((8, 8), 9.0), matrix)})
    differences = CLAIMS.measured("similarities_follow_the_tree", found)
    assert [difference.tolist() for difference in differences.values()] == [[2], [0], [0]]


def test_the_overlap_of_a_contrast_with_its_mode_is_1():
    # The modes have strengths 4, 3, 2: all items, animals against plants, fish against birds.
    contrast = np.array([1, 1, 1, 1, -1, -1, -1, -1]) / 8**0.5
    fish = np.array([1, 1, -1, -1, 0, 0, 0, 0]) / 2
    matrix = 4 * np.full((8, 8), 1 / 8) + 3 * np.outer(contrast, contrast) + 2 * np.outer(fish, fish)
    found = frame_of({"rsm": similarities(matrix)})
    assert measures.overlap_of_modes(found, contrast, [1]) == pytest.approx([1])
    assert measures.overlap_of_modes(found, fish, [1]) == pytest.approx([0])
    assert measures.overlap_of_modes(found, fish + contrast, [2, 3]) == pytest.approx([0.5])


def test_the_cosine_on_a_plateau_is_that_at_its_middle():
    matrix = np.eye(8)
    matrix[0, 0], matrix[0, 3], matrix[3, 0] = 4, 1, 1
    steps = [np.eye(8)] * 10 + [matrix] * 4 + [np.eye(8)] * 11
    found = frame_of({"train_loss": curve(LOSS), "rsm": similarities(*steps)})
    assert plateaus.cosine_on_plateau(found, 2, 0, 3).tolist() == [0.5]


FEATURES = np.array([[1, 1], [1, -1], [-1, 1], [-1, 1], [1, 1], [1, 1], [1, -1], [1, -1]])


def test_features_are_compared_with_those_of_the_picture():
    found = frame_of({"feature": at_start(FEATURES.ravel())})
    picture = ("11", "10", "01", "01", "11", "11", "10", "11")
    assert measures.share_of_cells(found, picture).tolist() == [15 / 16]
    assert measures.error_of_svd(found)[0] < 1e-14


def test_claims_on_the_regression_are_measured_from_its_weights():
    true, estimated = [3.0, 0, 0, 2], [3.04, 0, 0.06, 2]
    metrics = {"true_weight": true, "estimated_weight": estimated, "standard_error": [0.02] * 4}
    found = frame_of({name: at_start(values) for name, values in metrics.items()})
    assert measures.rounded_errors(found).tolist() == [1]
    assert measures.largest_scaled_error(found) == pytest.approx([3])
    assert measures.largest_cosine_of_eigenvectors(found).tolist() == [0]
    oblique = frame_of({"true_weight": at_start([1, 1, 0, 2])})
    assert measures.largest_cosine_of_eigenvectors(oblique) == pytest.approx([0.5**0.5])


def test_runs_with_a_different_setting_make_every_claim_not_testable():
    names = ("data_singular_value", "train_loss", "singular_value", "feature", "rsm", "half_time", "gradient_norm")
    frames, grids = [], []
    for selection in (
        MAIN,
        ZERO_DEPTH,
        SHARK,
        PARROT,
        BONES,
        SLIDERS.but(scale=1, learning_rate=1),
        DEPTHS.but(depth=3),
    ):
        axes = {name: selection[name] for name in AXES}
        frames.append(frame_of({name: {(0, 0): 1.0} for name in names}, **axes))
        # These are the document's settings, except the number of features.
        settings = {name: value for name, value in selection.wanted.items() if name not in axes} | {"features": 100}
        grids.append(
            {"axes": {**{name: [value] for name, value in axes.items()}, "seed": [2021]}, "settings": settings}
        )
    regression = frame_of({"true_weight": {(0, 0): 1.0}}, init="none", depth=1)
    found = {
        "hierarchy": add_grids(pd.concat(frames), grids),
        **of_one_grid("regression", regression, ["init", "depth", "seed"], {**REGRESSION.wanted, "samples": 12}),
    }
    verdicts = {name: CLAIMS.verdict(name, found) for name in CLAIMS}
    assert set(verdicts.values()) == {"not testable here"}, verdicts
