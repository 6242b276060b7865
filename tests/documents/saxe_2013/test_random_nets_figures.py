"""The figures of random products and tanh nets, drawn from tables of known numbers."""

import numpy as np
import pandas as pd
import pytest

from deepnets.documents.saxe_2013.figures import products, tanh_nets
from deepnets.documents.saxe_2013.random_nets import distance_from_law
from deepnets.theory import tanh_variance
from evidence import rows

pytestmark = pytest.mark.usefixtures("off_screen")

AXES = {"block": "products", "depth": 1, "init": "gaussian", "size": 4, "gain": 1.0, "activation": "linear", "seed": 0}


def run(metrics, **axes):
    """Return the rows of a run from {(metric, step): values}."""
    return pd.concat(rows(metric, values, step=step, **{**AXES, **axes}) for (metric, step), values in metrics.items())


def table(*runs):
    return pd.concat(runs, ignore_index=True)


def spectrum(logs, eigenvalues=(), **axes):
    depth, values = axes.get("depth", 1), np.array(eigenvalues, dtype=complex)
    metrics = {
        ("log_singular_value", depth): logs,
        ("singular_value", depth): np.exp(logs),
        ("eigenvalue_real", depth): values.real,
        ("eigenvalue_imag", depth): values.imag,
    }
    return run(metrics, **axes)


def texts(axis):
    return [text.get_text() for text in axis.texts]


def test_distances_equal_the_statistic_of_kolmogorov_and_smirnov():
    # Just below the third of four values the law has 0.9, and the share of values is a half.
    assert distance_from_law(np.array([0.95, 0.2, 0.9, 0.25])) == pytest.approx(0.4)
    # At the last of the three values the law has only 0.3.
    assert distance_from_law(np.array([0.1, 0.2, 0.3])) == pytest.approx(0.7)
    assert distance_from_law(np.array([0.1, 0.3, 0.8, 0.9]), above=0.5) == pytest.approx(0.3)
    assert distance_from_law(np.array([0.1]), above=0.5) == 0


def test_eigenvalues_that_may_be_rounding_do_not_count_as_distance_from_the_law():
    # Most eigenvalues are far inside the bin at the origin, where the law of one matrix has almost none.
    values = np.array([1e-9, 1e-9, 1e-9, 0.9])
    _, within, _ = products.product_eigenvalues(table(spectrum(np.zeros(4), values))).axes
    # At the last value the law has 0.81, and the share of values rises from 3/4 to 4/4.
    assert texts(within) == ["D = 19.0 %"]


def tanh_variances(means, spread, *, starts, depth, **axes):
    """Return two nets whose variances are `spread` above and below the means (layers, inputs)."""
    metrics = {("input_variance", 0): starts}
    for layer, values in zip((0, 1, depth), means, strict=True):
        metrics["variance", layer] = np.concatenate([np.array(values) * (1 - spread), np.array(values) * (1 + spread)])
    return run(metrics, block="variances", activation="tanh", depth=depth, **axes)


def test_the_variance_map_is_drawn_for_each_input_and_the_last_layer_for_the_first():
    starts = [1.0, 0.2, 3.0]
    theory = {gain: tanh_variance.variances(np.array(starts), gain, 30) for gain in (0.9, 1.5)}
    runs = [
        # At the higher gain, variances are 5 % too high after the first layer and 2 % too low after the last.
        tanh_variances(
            [starts, [1, 1.05][gain > 1] * layers[1], 0.98 * layers[30]], 0.1, starts=starts, depth=30, gain=gain
        )
        for gain, layers in theory.items()
    ]
    behind_one, ends = tanh_nets.variance_map(table(*runs)).axes
    for container, gain, factor in zip(behind_one.containers, (0.9, 1.5), (1, 1.05), strict=True):
        points = container.lines[0]
        np.testing.assert_allclose(points.get_xdata(), [0.2, 1, 3])
        expected = factor * theory[gain][1][[1, 0, 2]]
        np.testing.assert_allclose(points.get_ydata(), expected)
        (low, high) = (cap.get_ydata() for cap in container.lines[1])
        np.testing.assert_allclose((high - low) / 2, 0.1 * expected)
        assert container.get_label() == f"gain {gain:g}"
    assert behind_one.get_title(loc="right") == "largest error 5.0 %"
    np.testing.assert_allclose(ends.containers[0].lines[0].get_xdata(), [0.9, 1.5])
    expected = np.array([theory[gain][30][0] for gain in (0.9, 1.5)])
    np.testing.assert_allclose(ends.containers[0].lines[0].get_ydata(), 0.98 * expected)
    low, high = (cap.get_ydata() for cap in ends.containers[0].lines[1])
    np.testing.assert_allclose((high - low) / 2, 0.098 * expected)
    lines = {line.get_label(): line for line in ends.lines}
    np.testing.assert_allclose(lines["theory, 30 layers"].get_ydata(), expected)
    fixed = lines["fixed point"]
    np.testing.assert_allclose(fixed.get_ydata(), tanh_variance.fixed_point(fixed.get_xdata()))
    near = lines["near $g$ = 1"]
    np.testing.assert_allclose(near.get_ydata(), tanh_variance.fixed_point_near_one(near.get_xdata()))
    assert ends.get_title(loc="right") == "largest error 2.0 %"
