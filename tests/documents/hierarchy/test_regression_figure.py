"""The figure of the regression shows weights as a matrix, and errors if there is noise."""

from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest

from conftest import default_config
from deepnets.documents.hierarchy.figures.regression import regression_exercise
from deepnets.experiments.regression import run as regression

pytestmark = pytest.mark.usefixtures("off_screen")

SPEC = {**default_config()["experiments"]["regression"], "depth": 1, "init": "none"}


def table_of(*, seeds=2, **changes):
    runs = (pd.DataFrame(regression.run({**SPEC, **changes, "seed": seed}).columns()) for seed in range(seeds))
    return pd.concat([rows.assign(seed=seed) for seed, rows in enumerate(runs)], ignore_index=True)


def values(table, metric, seed=0):
    return table.loc[(table["metric"] == metric) & (table["seed"] == seed), "value"].to_numpy()


@pytest.mark.parametrize("size", [{}, {"outputs": 1, "inputs": 4}, {"noise": 0}, {"noise": 0, "outputs": 4}])
def test_weights_are_drawn_with_a_row_per_output(size):
    table, shape = table_of(**size), (size.get("outputs", 3), size.get("inputs", 3))
    for axis, metric in zip(regression_exercise(table).axes, ("true_weight", "estimated_weight"), strict=False):
        expected = values(table, metric).reshape(shape)
        np.testing.assert_array_equal(axis.images[0].get_array(), expected)
        for text, (place, value) in zip(axis.texts, np.ndenumerate(expected), strict=True):
            assert text.get_position() == place[::-1]
            # One decimal is printed.
            assert float(text.get_text()) == pytest.approx(value, abs=0.0501)


def test_many_weights_have_colours_and_no_numbers():
    figure = regression_exercise(table_of(outputs=9))
    assert not figure.axes[0].texts
    assert [axis.get_ylabel() for axis in figure.axes[3:]] == ["weight", "weight"]


def test_errors_are_sorted_in_units_of_their_standard_errors():
    table = table_of()
    errors = [
        (values(table, "estimated_weight", seed) - values(table, "true_weight", seed))
        / values(table, "standard_error", seed)
        for seed in (0, 1)
    ]
    points = regression_exercise(table).axes[2].lines[1]
    np.testing.assert_allclose(np.array(points.get_ydata(), float), np.sort(np.concatenate(errors)))
    assert points.get_xdata()[0] == NormalDist().inv_cdf(0.5 / 18)
    assert points.get_label() == "18 estimates of 2 seeds"


def test_without_noise_there_is_no_error_to_show():
    axis = regression_exercise(table_of(noise=0)).axes[2]
    assert not axis.lines
    assert "true weights up to rounding" in axis.texts[0].get_text().replace("\n", " ")
