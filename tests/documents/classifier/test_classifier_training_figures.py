"""The figures of document 000 about training, drawn from tables of known numbers."""

import numpy as np
import pandas as pd
import pytest

from deepnets.documents.classifier.figures import training as figures

pytestmark = pytest.mark.usefixtures("off_screen")
OWN_RATES = {1: 10.0, 2: 1.0, 3: 0.03}


def run(values, *, block="depths", depth=2, seed=0, metrics=("train_accuracy", "test_accuracy"), diverged=None, **axes):
    """Return the rows of one run: each metric's values by step, or only the divergence."""
    init = "zeros" if block == "linear" else "xavier_normal"
    axes = {"learning_rate": OWN_RATES[depth], "target_loss": 0.01, "init": init, **axes}
    axes = {"block": block, "data_seed": 0, "depth": depth, "rank": 0, "scale": 1.0, "seed": seed, **axes}
    found = [(step, metric, value) for metric in metrics for step, value in values.items()]
    if diverged is not None:
        found = [(0, "train_loss", 2.0), (diverged, "diverged", 1.0)]
    return pd.DataFrame([{**axes, "step": at, "metric": name, "index": 0, "value": value} for at, name, value in found])


def lines_of(axis):
    return {line.get_label(): line.get_xydata().tolist() for line in axis.get_lines() if line.get_label()[0] != "_"}


def bands_of(axis):
    """Return the lower and the upper end of each band at each step."""
    found = []
    for band in axis.collections:
        corners = band.get_paths()[0].vertices
        steps = np.unique(corners[:, 0])
        found.append({step: (np.min(at := corners[corners[:, 0] == step, 1]), np.max(at)) for step in steps})
    return found


def test_accuracies_are_means_in_which_a_run_that_has_ended_keeps_its_last_value():
    parts = [
        run({0: 0.1, 10: 0.5}, metrics=["train_accuracy"], depth=1),
        run({0: 0.2, 10: 0.3}, metrics=["test_accuracy"], depth=1),
        run({0: 0.1, 10: 0.8, 14: 1.0}, metrics=["train_accuracy"], depth=3),
        run({0: 0.3, 10: 0.6, 19: 0.9}, metrics=["train_accuracy"], depth=3, seed=1),
        run({0: 0.1, 10: 0.4, 14: 0.6}, metrics=["test_accuracy"], depth=3),
        run({0: 0.1, 10: 0.5, 19: 0.7}, metrics=["test_accuracy"], depth=3, seed=1),
        run({0: 0.9, 10: 0.9}, depth=3, block="rates", learning_rate=0.1),
    ]
    training, testing = figures.accuracy_along_the_run(pd.concat(parts)).axes
    assert list(lines_of(training)) == ["1 layer", "3 layers"]
    np.testing.assert_allclose(lines_of(training)["1 layer"], [[0, 10], [10, 50]])
    # After 14 updates, the second repetition keeps its value after 10.
    np.testing.assert_allclose(lines_of(training)["3 layers"], [[0, 20], [10, 70], [14, 80], [19, 95]])
    np.testing.assert_allclose(lines_of(testing)["1 layer"], [[0, 20], [10, 30]])
    np.testing.assert_allclose(lines_of(testing)["3 layers"], [[0, 10], [10, 45], [14, 55], [19, 65]])
    # The standard error of two values, with divisor n, is half their distance divided by the root of two.
    (_, band) = bands_of(training)
    for step, mean, half in ((0, 20, 10), (10, 70, 10), (14, 80, 20), (19, 95, 5)):
        np.testing.assert_allclose(band[step], [mean - half / 2**0.5, mean + half / 2**0.5])


def sweep(*, block, depth, seeds, **axes):
    """Return repetitions that end with these (accuracy, updates), and are worse at their start."""
    return pd.concat(
        [
            run({0: 0.01, updates: accuracy}, block=block, depth=depth, seed=seed, **axes)
            for seed, (accuracy, updates) in enumerate(seeds)
        ]
    )


OWN = [
    sweep(block="linear", depth=1, seeds=[(0.5, 100)]),
    # The third repetition exists in no sweep.
    sweep(block="depths", depth=2, seeds=[(0.6, 50), (0.64, 70), (0.1, 9999)]),
    sweep(block="depths", depth=3, seeds=[(0.7, 30), (0.7, 30)]),
]


def errorbars(axis):
    """Return the points and the half lengths of their bars by label."""
    found = {}
    for container in axis.containers:
        points, _, (bars,) = container.lines
        halves = [(segment[1] - segment[0]).max() / 2 for segment in bars.get_segments()]
        found[container.get_label()] = (points.get_xydata(), halves)
    return found


def test_a_rate_that_diverges_is_left_out_and_counted():
    lost = run({}, diverged=7, block="rates", learning_rate=100.0)
    parts = [*OWN, sweep(block="rates", depth=2, learning_rate=0.1, seeds=[(0.58, 500)]), lost]
    figure = figures.accuracy_by_rate_and_threshold(pd.concat(parts))
    np.testing.assert_allclose(errorbars(figure.axes[0])["2 layers"][0], [[0.1, 58], [1, 60]])
    assert "1 of 3 runs left the finite numbers at update 7" in figure.legends[0].get_title().get_text().replace(
        "\n", " "
    )
    # Thresholds are not swept.
    for axis in figure.axes[1::2]:
        assert "the config contains no such runs" in axis.texts[0].get_text().replace("\n", " ")
