"""The figures of random products and tanh nets, drawn from tables of known numbers."""

import numpy as np
import pandas as pd
import pytest

from deepnets.documents.saxe_2013.figures import products, tanh_nets
from deepnets.documents.saxe_2013.random_nets import distance_from_law
from deepnets.theory import random_products, tanh_variance
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


def bars(axis):
    """Return values and edges of the only histogram of a panel."""
    (patch,) = axis.patches
    return patch.get_data().values, patch.get_data().edges


def test_distances_equal_the_statistic_of_kolmogorov_and_smirnov():
    # Just below the third of four values the law has 0.9, and the share of values is a half.
    assert distance_from_law(np.array([0.95, 0.2, 0.9, 0.25])) == pytest.approx(0.4)
    # At the last of the three values the law has only 0.3.
    assert distance_from_law(np.array([0.1, 0.2, 0.3])) == pytest.approx(0.7)
    assert distance_from_law(np.array([0.1, 0.3, 0.8, 0.9]), above=0.5) == pytest.approx(0.3)
    assert distance_from_law(np.array([0.1]), above=0.5) == 0


def test_singular_values_are_drawn_with_their_laws_by_depth():
    logs = np.log([1.9, 1.5, 1.0, 0.1])
    deep = np.log([3.0, 0.5, 1e-3, 1e-9])
    figure = products.product_singular_values(
        table(spectrum(logs), spectrum(deep, depth=5), spectrum(np.array([0.0, 2e-15, -5e-15, 0.0]), init="orthogonal"))
    )
    wide, deep_wide, narrow, deep_narrow = figure.axes
    assert (wide.get_title(), deep_wide.get_title()) == ("depth 1", "depth 5")
    for axis, values in ((wide, np.exp(logs)), (deep_narrow, deep / np.log(10))):
        expected = np.histogram(values, bins=50, density=True)
        for shown, wanted in zip(bars(axis), expected, strict=True):
            np.testing.assert_allclose(shown, wanted)
    law = next(line for line in wide.lines if line.get_label() == "law")
    np.testing.assert_allclose(law.get_ydata(), np.sqrt(np.maximum(4 - law.get_xdata() ** 2, 0)) / np.pi, atol=1e-6)
    (law,) = deep_narrow.lines
    expected = random_products.log_singular_value_density(law.get_xdata() * np.log(10), 5) * np.log(10)
    np.testing.assert_allclose(law.get_ydata(), expected, atol=1e-6)
    assert law.get_xdata()[0] == pytest.approx(-9)
    off = 100 * distance_from_law(random_products.log_singular_value_shares(logs, 1))
    assert texts(narrow) == [f"D = {off:.1f} %\northogonal: 1 ± 5e-15"]
    assert [line.get_xdata()[0] for line in wide.lines if line.get_label() == "orthogonal"] == [pytest.approx(1)]


def test_notes_have_the_number_and_size_of_products_and_nets():
    logs = np.log([1.9, 1.5, 1.0, 0.1])
    shown = table(spectrum(np.tile(logs, 3)), spectrum(np.tile(logs, 2), seed=1), spectrum(logs, depth=5))
    assert "size 4, 1 to 5 products of each setting" in notes(products.product_singular_values(shown))
    means = table(growing_nets(np.zeros((3, 2))), growing_nets(np.zeros((3, 2)), seed=1))
    assert "size 4, 4 products of each setting" in notes(products.mean_log_singular_values(means))
    nets = table(tanh_run(np.tile(logs, 2)))
    assert "size 4, 2 nets of each setting" in notes(tanh_nets.jacobian_singular_values(nets))
    layers = tanh_variance.variances(np.array([1.0, 2.0]), 1.5, 3)
    ran = tanh_variances(layers[[0, 1, 3]], 0.1, starts=[1.0, 2.0], depth=3, gain=1.5)
    assert "size 4, 2 nets of each setting" in notes(tanh_nets.variance_map(table(ran)))


def test_values_are_divided_by_the_gain_to_the_power_of_the_depth():
    plain, logs = np.log([1.9, 1.5, 1.0, 0.1]), 3 * np.log(7) + np.log([1.9, 1.5, 1.0, 0.1])
    eigenvalues = 7.0**3 * np.array([0.5j, -0.5j, 0.01, -0.9])
    scaled = table(spectrum(logs, eigenvalues, depth=3, gain=7.0))
    wide, narrow = products.product_singular_values(scaled).axes
    np.testing.assert_allclose(bars(narrow)[1][[0, -1]], plain[[-1, 0]] / np.log(10))
    assert wide.get_xlabel() == r"$\sigma$, in units of 7$^L$"
    plane, within, _ = products.product_eigenvalues(scaled).axes
    assert plane.get_title(loc="right").startswith("depth 3\nat 0: 25.0 %, law ")
    np.testing.assert_allclose(within.lines[0].get_xdata(), [0.01, 0.5, 0.5, 0.9])


def test_eigenvalues_are_counted_in_bins_one_of_which_is_centred_at_0():
    # One value is in the bin at the origin, one in the bin left of it, two share a bin on the right.
    values = [0.04 + 0.04j, -0.06, 0.52 + 0.31j, 0.48 + 0.31j, 0.9 - 0.2j]
    figure = products.product_eigenvalues(table(spectrum(np.zeros(5), values, depth=5)))
    plane, within, bar = figure.axes
    density = plane.collections[0].get_array().filled(0).reshape(25, 25)
    places = {(12, 11): 1, (15, 17): 2, (10, 21): 1}
    assert {place: round(value * 5 * 0.01) for place, value in np.ndenumerate(density) if value} == places
    law = 100 * random_products.eigenvalue_share_in_square(0.05, 5)
    assert plane.get_title(loc="right") == f"depth 5\nat 0: 20.0 %, law {law:.1f} %"
    assert (bar.get_ylim(), bar.get_ylabel()) == (pytest.approx((20, 40)), "density")
    radii = np.sort(np.abs(values))
    np.testing.assert_allclose(within.lines[0].get_xydata(), np.stack([radii, [20, 40, 60, 80, 100]], axis=1))
    law = within.lines[1]
    np.testing.assert_allclose(law.get_ydata(), 100 * np.minimum(law.get_xdata(), 1) ** 0.4)
    # The law has 0.0566^0.4 = 0.317 at the first of five values, and 0.571^0.4 = 0.8 at the third.
    off = max(abs(share**0.4 - rank / 5) for n, share in enumerate(radii) for rank in (n, n + 1))
    assert texts(within) == [f"D = {100 * off:.1f} %"]


def test_eigenvalues_that_may_be_rounding_do_not_count_as_distance_from_the_law():
    # Most eigenvalues are far inside the bin at the origin, where the law of one matrix has almost none.
    values = np.array([1e-9, 1e-9, 1e-9, 0.9])
    _, within, _ = products.product_eigenvalues(table(spectrum(np.zeros(4), values))).axes
    # At the last value the law has 0.81, and the share of values rises from 3/4 to 4/4.
    assert texts(within) == ["D = 19.0 %"]


def test_orthogonal_products_have_a_row_of_their_own():
    circle = np.exp(1j * np.array([0.3, -0.3, 2.0, -2.0]))
    figure = products.product_eigenvalues(
        table(spectrum(np.zeros(4), [0.2, 0.3, 0.4, 0.5]), spectrum(np.zeros(4), circle, init="orthogonal"))
    )
    gaussian, orthogonal, within, _ = figure.axes
    assert gaussian.collections[0].norm.vmax == orthogonal.collections[0].norm.vmax > 1
    assert gaussian.get_ylabel().startswith("Gaussian")
    assert orthogonal.get_ylabel().startswith("orthogonal")
    assert orthogonal.get_title(loc="right") == "depth 1\nat 0: 0.0 %"
    lines = {line.get_label(): line for line in within.lines}
    np.testing.assert_allclose(lines["Gaussian"].get_xdata(), [0.2, 0.3, 0.4, 0.5])
    np.testing.assert_allclose(lines["orthogonal"].get_xdata(), 1)


def growing_nets(means, **axes):
    """Return nets with these mean log singular values after 0, 1, … layers."""
    metrics = {("mean_log_singular_value", layer): values for layer, values in enumerate(means)}
    return run(metrics, block="mean_logs", depth=len(means) - 1, **axes)


def test_mean_logarithms_are_compared_with_theory():
    slope = random_products.mean_log_singular_value(4, 1) + np.log(2)
    errors = np.array([[0.0, 0.0], [0.1, 0.3], [-0.4, 0.2]])
    nets = slope * np.arange(3)[:, np.newaxis] + errors
    flat = np.log(2) * np.arange(3)[:, np.newaxis] + np.zeros((3, 2))
    figure = products.mean_log_singular_values(
        table(growing_nets(nets, gain=2.0), growing_nets(flat, gain=2.0, init="orthogonal"))
    )
    lines, differences = figure.axes
    measured, theory, of_flat, flat_theory = (line.get_ydata() for line in lines.lines)
    np.testing.assert_allclose(measured, nets.mean(axis=1))
    np.testing.assert_allclose(theory, slope * np.arange(3))
    np.testing.assert_allclose([of_flat, flat_theory], [np.log(2) * np.arange(3)] * 2)
    np.testing.assert_allclose(differences.lines[0].get_ydata(), [0, 0.2, -0.1], atol=1e-15)
    # The bars are one standard error of two nets.
    heights = np.ptp([path.vertices[:, 1] for path in differences.collections[0].get_paths()])
    assert heights == pytest.approx((0.2 + 0.1 / np.sqrt(2)) - (-0.1 - 0.3 / np.sqrt(2)))
    labels = [text.get_text() for text in lines.get_legend().get_texts()]
    assert labels[0] == f"Gaussian: {100 * 0.2 / abs(2 * slope):.2f} %"
    assert labels[1].startswith("orthogonal: 0.00 %")


def tanh_run(logs, **axes):
    depth = axes.pop("depth", 3)
    metrics = {("input_variance", 0): [1.0], ("log_singular_value", depth): logs}
    return run(metrics, block="jacobians", depth=depth, activation="tanh", **{"init": "orthogonal", **axes})


def test_jacobians_are_compared_with_theory_by_gain():
    logs = np.array([-0.5, -1.0, -2.0, -4.5, -0.5, -1.5, -2.0, -5.0])
    figure = tanh_nets.jacobian_singular_values(table(tanh_run(logs, gain=1.1), tanh_run(logs - 1, gain=0.9)))
    low, high = figure.axes
    assert [axis.get_title() for axis in (low, high)] == ["gain 0.9", "gain 1.1"]
    for shown, wanted in zip(bars(high), np.histogram(logs / np.log(10), bins=40, density=True), strict=True):
        np.testing.assert_allclose(shown, wanted)
    variances = [1.0]
    for _ in range(2):
        variances.append(float(tanh_variance.next_variance(variances[-1], 1.1)))
    mean = sum(np.log(1.1) + tanh_variance.mean_log_slope(variance) for variance in variances)
    root = sum(np.log(1.1**2 * tanh_variance.mean_square_slope(variance)) for variance in variances) / 2
    expected = [mean, root, logs.mean(), np.log(np.mean(np.exp(2 * logs))) / 2]
    np.testing.assert_allclose([line.get_xdata()[0] for line in high.lines], np.array(expected) / np.log(10))
    # Each net has four singular values. The means of ln σ are −2 and −2.25, those of log₁₀ σ −0.87 and −0.98.
    error = 100 * abs(logs.mean() / mean - 1)
    assert texts(high) == [f"−0.92 ± 0.05\ntheory −{-mean / np.log(10):.2f}\nerror {error:.1f} %"]
    assert "mean of $\\log_{10}\\sigma$" in [text.get_text() for text in figure.legends[0].get_texts()]


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


def notes(figure):
    legends = [*figure.legends, *(axis.get_legend() for axis in figure.axes if axis.get_legend())]
    return " ".join([figure.get_suptitle(), *(legend.get_title().get_text() for legend in legends)])


def test_activations_that_a_figure_leaves_out_are_named():
    logs = np.log([1.9, 1.5, 1.0, 0.1])
    spectra = table(spectrum(logs, [0.5, 0.2j]), spectrum(logs + 5, [0.5, 0.2j], activation="tanh"))
    for draw in (products.product_singular_values, products.product_eigenvalues):
        assert "not drawn: activation tanh" in notes(draw(spectra))
        assert "not drawn: activation tanh" in notes(draw(spectra[spectra["activation"] == "tanh"]))
    means = table(growing_nets(np.zeros((3, 2))), growing_nets(np.zeros((3, 2)), activation="tanh"))
    assert "not drawn: activation tanh" in notes(products.mean_log_singular_values(means))
    nets = table(tanh_run(logs), tanh_run(logs).assign(activation="linear"))
    figure = tanh_nets.jacobian_singular_values(nets)
    assert "not drawn: activation linear" in notes(figure)
    np.testing.assert_allclose(bars(figure.axes[0])[0].sum(), 40 / np.ptp(logs / np.log(10)))
    layers = tanh_variance.variances(np.array([1.0]), 1.5, 3)
    ran = tanh_variances(layers[[0, 1, 3]], 0.1, starts=[1.0], depth=3, gain=1.5)
    assert "not drawn: activation linear" in notes(tanh_nets.variance_map(table(ran, ran.assign(activation="linear"))))


def test_runs_without_the_metric_of_a_figure_are_ignored():
    other = run({("variance", 1): [1.0]}, gain=0.5)
    figure = products.product_singular_values(table(other, spectrum(np.log([1.9, 1.5, 1.0, 0.1]))))
    assert texts(figure.axes[1])[0].startswith("D = ")
    figure = products.product_singular_values(table(other))
    assert all("no such" in " ".join(text.split()) for axis in figure.axes for text in texts(axis))


def test_the_message_on_a_diverged_run_has_its_layer():
    figure = products.product_eigenvalues(table(run({("input_variance", 0): [1.0], ("diverged", 4): [1.0]}, depth=9)))
    said = " ".join(" ".join(texts(figure.axes[0])).split())
    assert said == "Nothing to show: the only run left the finite numbers at layer 4"
