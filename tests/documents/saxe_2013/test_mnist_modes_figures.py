"""The figures of the modes of whitened MNIST, drawn from tables of known numbers."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import evidence
from deepnets.documents.saxe_2013.figures import mnist_modes as figures

pytestmark = pytest.mark.usefixtures("off_screen")

SINGULAR_VALUES = np.array([0.5, 0.4, 0.2, 0.1])


rows = partial(evidence.rows, block="small", init="orthogonal", scale=1e-3, depth=2, seed=0)


def small(**axes):
    """Return rows of two seeds: in the first, modes are 4 % later than eq. 11 and 2 % later than eq. 26."""
    parts = []
    for seed, late in ((0, 1.04), (1, 1.0)):
        times = np.array([100, 110, 200, 300])
        parts += [
            rows("data_singular_value", SINGULAR_VALUES, seed=seed, **axes),
            rows("theory_half_time", times, seed=seed, **axes),
            rows("predicted_half_time", times * (1.02 if seed == 0 else 1), seed=seed, **axes),
            rows("half_time", times * late, seed=seed, **axes),
        ]
        for step, share in ((0, 0.0), (10, 0.5), (20, 1.0)):
            own = share + 0.2 * seed * (step == 10)
            parts += [
                rows("mode_strength", own * SINGULAR_VALUES, step=step, seed=seed, **axes),
                rows("theory_mode_strength", share * SINGULAR_VALUES, step=step, seed=seed, **axes),
                rows("predicted_mode_strength", (own + 0.05) * SINGULAR_VALUES, step=step, seed=seed, **axes),
            ]
    return pd.concat(parts)


def document():
    """Return rows of one seed in which the second mode starts above its half, and eq. 11 has no time."""
    axes = {"block": "document", "init": "row_normalized", "scale": 1.0}
    strengths = [rows("mode_strength", share * SINGULAR_VALUES, step=step, **axes) for step, share in ((5, 1), (9, 1))]
    return pd.concat(
        [
            rows("data_singular_value", SINGULAR_VALUES, **axes),
            rows("mode_strength", [0.1, 0.3, -0.1, 0], **axes),
            rows("half_time", [8, 12, 2], index=[0, 2, 3], **axes),
            rows("predicted_half_time", [2, 6, 2], index=[0, 2, 3], **axes),
            *strengths,
        ]
    )


def test_half_times_are_geometric_means_and_their_deviations_with_theory():
    figure = figures.mnist_half_times(pd.concat([small(), document()]))
    times, ratios = figure.axes
    containers = {container.get_label(): container for container in times.containers}
    assert list(containers) == [
        "orthogonal × 0.001:\neq. 11 ≤ 4 % off, eq. 26 ≤ 2 % off",
        "rows of norm 1 × 1:\neq. 11 has none, eq. 26 off by up to × 4\n1 of 4 start beyond half",
    ]
    small_start, documents = containers.values()
    points = small_start.lines[0].get_xydata()
    np.testing.assert_allclose(points[:, 0], [0.9, 1.9, 2.9, 3.9])
    np.testing.assert_allclose(points[:, 1], np.sqrt(1.04) * np.array([100, 110, 200, 300]))
    # One standard deviation of the logarithm is half of ln 1.04, so the bar ends at the two seeds.
    (low, high) = small_start.lines[2][0].get_segments()[0][:, 1]
    np.testing.assert_allclose([low, high], [100, 104])
    np.testing.assert_allclose(documents.lines[0].get_xydata(), [[1.1, 8], [3.1, 12], [4.1, 2]])
    marks = [line for line in times.get_lines() if line.get_marker() == "_" and line.get_color() == "k"]
    np.testing.assert_allclose(marks[0].get_xydata(), [[0.9, 100], [1.9, 110], [2.9, 200], [3.9, 300]])
    drawn = [line.get_xydata() for line in ratios.get_lines()]
    np.testing.assert_allclose(drawn[0][:, 1], 1.04 / 1.02)
    np.testing.assert_allclose(drawn[1][:, 1], 1)
    np.testing.assert_allclose(drawn[2], [[1.1, 4], [3.1, 2], [4.1, 1]])
    np.testing.assert_array_equal(drawn[3][:, 1], 1)
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["a", "b"]


def test_modes_that_do_not_reach_half_are_counted_and_an_initialisation_without_half_times_is_named():
    late = small()
    late = late[(late["metric"] != "half_time") | (late["index"] < 3) | (late["seed"] == 0)]
    (label,) = [text.get_text() for text in figures.mnist_half_times(late).legends[0].get_texts()]
    assert label.splitlines()[2] == "1 of 8 do not reach half"
    other = small(init="row_normalized")
    figure = figures.mnist_half_times(pd.concat([late, other[other["metric"] != "half_time"]]))
    assert figure.legends[0].get_title().get_text() == "2 seeds\nrows of norm 1 × 0.001: no half time"
