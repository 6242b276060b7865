import numpy as np
import pandas as pd
import pytest

import evidence
from deepnets.documents.synthesis.claims import _half_time
from deepnets.documents.synthesis.figures.learning_time import depth_and_learning_time
from deepnets.documents.synthesis.quantities import effective_rank, ranks_halfway
from deepnets.documents.synthesis.runs import BY_DEPTH, BY_SCALE
from reproduce.claims.estimate import AtLeast
from reproduce.tables.table import Table

pytestmark = pytest.mark.usefixtures("off_screen")
_BASE = {
    "classifier": {"init": "xavier_normal", "rank": 0, "data_seed": 0, "target_loss": 0.01},
    "hierarchy": {"dataset": "plain", "init": "fan_sum_normal"},
    "learning_time": {"block": "depths", "width": 100},
    "mnist_modes": {"depth": 2, "init": "row_normalized"},
}


def rows(experiment, metric, values, *, step=0, **axes):
    return evidence.rows(metric, values, step=step, **{**_BASE[experiment], "seed": 0, **axes})


def classifier(net, singular_values, accuracy):
    axes = {key: net[key] for key in ("block", "depth", "scale", "learning_rate", "rank")}
    start = {"train_loss": 2.3, "singular_value": singular_values}
    end = {"train_loss": 0.01, "singular_value": singular_values, "test_accuracy": accuracy}
    at_steps = [(at, *each) for at, metrics in ((0, start), (50, end)) for each in metrics.items()]
    return pd.concat(rows("classifier", metric, values, step=at, **axes) for at, metric, values in at_steps)


def classifiers():
    """Return a net of each depth and scale: with n layers, 7 − n equal singular values and an accuracy of 50 + 5n %."""
    nets = [classifier(net, np.ones(7 - depth), 0.5 + 0.05 * depth) for depth, net in BY_DEPTH.items()]
    sizes = zip(BY_SCALE.values(), (1, 3, 5), strict=True)
    return pd.concat([*nets, *(classifier(net, np.ones(size), 0.9 - 0.1 * size) for net, size in sizes)])


def half_times():
    net = {"scale": 1, "learning_rate": 10, "block": "depth_and_scale"}
    return pd.concat(rows("hierarchy", "half_time", time, depth=depth, **net) for depth, time in ((2, 80), (3, 40)))


def points_of(line):
    return {tuple(np.round(point, 6)) for point in np.transpose(np.asarray(line.get_data(), float))}


def test_the_effective_rank_of_equal_values_is_their_number_without_zeros():
    assert effective_rank(np.array([3.0, 3, 3, 0])) == pytest.approx(3)
    assert effective_rank(np.array([2.0, 1, 1])) == pytest.approx(np.exp(0.5 * np.log(2) + 0.5 * np.log(4)))
    assert np.isnan(effective_rank(np.zeros(2)))


def test_the_halfway_rank_is_that_at_half_the_initial_loss():
    net = {"depth": 2, "block": "sliders", "scale": 1, "learning_rate": 200}
    losses, values = (1, 0.6, 0.5, 0.1), ([0, 0], [1, 0], [1, 1], [3, 1])
    table = pd.concat(
        [rows("hierarchy", "train_loss", loss, step=step, **net) for step, loss in enumerate(losses)]
        + [rows("hierarchy", "singular_value", value, step=step, **net) for step, value in enumerate(values)]
    )
    assert ranks_halfway(table, "singular_value").tolist() == pytest.approx([2])
    assert np.isnan(ranks_halfway(table[table["step"] < 2], "singular_value").iloc[0])


def test_without_a_recorded_loss_that_of_the_modes_is_used():
    strengths = ([0, 0], [2, 0], [2, 2])
    net = {"block": "small", "scale": 1}
    frames = [rows("mnist_modes", "mode_strength", each, step=step, **net) for step, each in enumerate(strengths)]
    table = pd.concat([rows("mnist_modes", "data_singular_value", [2, 2], **net), *frames])
    # The loss is 8, 4, 0, so it has halved when one mode is learned.
    assert ranks_halfway(table, "mode_strength").tolist() == pytest.approx([1])


def test_lower_bounds_of_learning_times_are_triangles_and_no_points():
    # At 20 layers one of two nets has learned, after 1,600 updates.
    times = [rows("learning_time", "train_loss", 1, step=1700, depth=19, init="gaussian", seed=seed) for seed in (0, 1)]
    for depth, time in ((9, 90), (19, 1600)):
        times.append(rows("learning_time", "learning_time", time, depth=depth, init="gaussian"))
    figure = depth_and_learning_time(*map(Table.by_hand, (pd.concat(times), half_times(), classifiers())))
    drawn = {line.get_marker(): points_of(line) for line in figure.axes[0].get_lines()}
    assert (drawn["v"], drawn["^"]) == ({(10, 90)}, {(20, 1650)})


def test_the_time_of_a_net_that_has_not_learned_is_at_least_its_last_update():
    net = {"block": "depth_and_scale", "depth": 3, "scale": 0.2, "learning_rate": 10}
    frames = [rows("hierarchy", "train_loss", 1, step=250, **net, seed=seed) for seed in range(3)]
    frames += [rows("hierarchy", "half_time", 230, **net), rows("hierarchy", "diverged", 1, step=250, **net, seed=2)]
    found = _half_time(3, 0.2)({"hierarchy": Table.by_hand(pd.concat(frames))})
    assert isinstance(found, AtLeast)
    assert found.values.tolist() == pytest.approx([230, 250, np.nan], nan_ok=True)
