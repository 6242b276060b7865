"""The figures of document 002 show the values of the table for any part of the config, even with diverged runs."""

import numpy as np
import pandas as pd
import pytest
from propagation_table import AXES, band, line, net, table

from deepnets.documents.propagation.figures import moments, pathologies
from deepnets.documents.propagation.nets import describe_net
from deepnets.experiments.propagation.run import run
from deepnets.records.datasets import Dataset
from entries import FIGURES as FIGURES_OF_ALL

pytestmark = pytest.mark.usefixtures("off_screen")

# With these settings a run takes milliseconds.
SMALL = {"width": 8, "groups": 4, "depth": 4, "batch": 6, "simulations": 2, "record_first": 1, "record_evenly": 4}
FIGURES = [draw for name, draw in FIGURES_OF_ALL.items() if name.startswith("002-propagation-")]


@pytest.fixture(scope="module")
def dataset():
    generator = np.random.default_rng(0)
    images = generator.integers(0, 256, (50, 784)).astype(np.uint8)
    labels = generator.integers(0, 10, len(images)).astype(np.uint8)
    return Dataset({"train_images": images, "train_labels": labels}, "full", "")


def table_of(specs, dataset):
    return table(
        *(pd.DataFrame(run(spec, dataset).columns()).assign(**{axis: spec[axis] for axis in AXES}) for spec in specs)
    )


@pytest.fixture(scope="module")
def small(default_plan, dataset):
    """A table with one seed of every net of the default config."""
    return table_of(small_specs(default_plan), dataset)


@pytest.fixture(scope="module")
def shallow(default_plan, dataset):
    """A table of nets with a single layer."""
    specs = small_specs(default_plan, depth=1)
    return table_of([{**spec, "cloud_depths": [0, 1][: len(spec["cloud_depths"])]} for spec in specs], dataset)


@pytest.fixture(scope="module")
def single(default_plan, dataset):
    """A table of fully connected nets with a batch of one image."""
    return table_of(small_specs(default_plan, batch=1, kernel=1), dataset)


def small_specs(plan, **changes):
    """Return specs of one seed of every net in a plan, each small enough for milliseconds."""
    specs = {}
    for point in plan.points.values():
        if point.axes["experiment"] == "propagation" and point.axes["seed"] == 0:
            cloud = [depth for depth in (0, 4) if point.settings["cloud_depths"]]
            width = SMALL["width"] * (1 + (point.axes["width"] > 128))
            spec = {**point.settings, **point.axes, **SMALL, "width": width, "cloud_depths": cloud, **changes}
            # Nets that differ only in size become one.
            specs[str(sorted((axis, value) for axis, value in spec.items() if axis != "cloud_depths"))] = spec
    return specs.values()


def panels(figure):
    """Draw all parts of a figure and return its panels."""
    # Layout would take most of the time.
    figure.set_layout_engine("none")
    figure.draw_without_rendering()
    return figure.axes


def texts(axis):
    return " ".join(text.get_text().replace("\n", " ") for text in axis.texts)


@pytest.mark.parametrize("draw", FIGURES)
def test_each_figure_draws_every_net(draw, small):
    for axis in panels(draw(small)):
        assert axis.has_data()
        assert "Nothing to show" not in texts(axis)


@pytest.mark.parametrize("draw", FIGURES)
def test_nets_of_a_single_layer_are_drawn(draw, shallow):
    # Without a depth to double, a power law has no exponent.
    for axis in panels(draw(shallow)):
        assert axis.has_data() or "no unit l has a unit 2l" in texts(axis)


@pytest.mark.parametrize("draw", FIGURES)
def test_figures_without_their_block_have_a_message(draw, small):
    for axis in draw(small[small["block"] == "neither"]).axes:
        assert "Nothing to show: the config contains no such runs" in texts(axis)


# Normalised nets are convolutions, where one image has variance. The table of pathologies has its own message.
WITH_VARIANCE = ("normalized_resnets", "pathologies")


@pytest.mark.parametrize("draw", [figure for figure in FIGURES if figure.__name__ not in WITH_VARIANCE])
def test_figures_of_a_batch_of_one_image_have_a_message(draw, single):
    for axis in draw(single).axes:
        assert "signal or noise vanished or overflowed by layer 0 in every simulation (batch 1)" in texts(axis)


def test_diverged_nets_have_no_symptoms(single):
    (axis,) = pathologies.pathologies(single[single["block"] == "vanilla"]).axes
    assert [text.get_text() for text in axis.texts] == ["–"] * 4


def test_simulations_that_end_early_are_counted():
    ended = {"chi": {1: [1.0, 2.0, 3.0]}, "delta_chi": {1: [1.0, 2.0, 3.0]}, "diverged": {2: [1.0]}}
    figure = moments.vanilla(table(net({**ended, "effective_rank_signal": {1: [1.0, 2.0, 3.0]}}, kernel=3)))
    assert figure.get_suptitle().replace("\n", " ").endswith("3 simulations, 1 of which ended early")


# Vanilla nets

# The median is 2. The 16th and 84th percentiles of five simulations are at places 0.64 and 3.36.
FIVE = [3.0, 1.0, 5.0, 2.0, 1.5]
LOW, HIGH = 1 + 0.64 * 0.5, 3 + 0.36 * 2


def vanilla_net(factor=1.0, **axes):
    layers = {metric: {0: [9.0] * 5, 1: FIVE, 7: [2 * value for value in FIVE]} for metric in ("chi", "delta_chi")}
    layers["effective_rank_signal"] = {layer: [3 * value for value in FIVE] for layer in (1, 7)}
    layers["linear_residual"] = {layer: [value / layer for value in FIVE] for layer in (1, 7)}
    rows = net(layers, **axes)
    return rows.assign(value=factor * rows["value"])


def test_the_vanilla_figure_draws_medians_and_percentiles():
    increments, ranks, residuals = moments.vanilla(table(vanilla_net())).axes
    # Increments start at layer 1: the first linear layer is not counted.
    assert increments.lines[0].get_xydata() == pytest.approx(np.array([(1, 2), (7, 4)]))
    assert band(increments)[7] == pytest.approx((2 * LOW, 2 * HIGH))
    assert ranks.lines[0].get_xydata() == pytest.approx(np.array([(1, 6), (7, 6)]))
    assert band(ranks)[1] == pytest.approx((3 * LOW, 3 * HIGH))
    assert residuals.lines[0].get_xydata() == pytest.approx(np.array([(1, 2), (7, 2 / 7)]))
    assert residuals.get_yscale() == "log"
    assert [reference.get_ydata()[0] for reference in increments.lines[1:]] == pytest.approx(
        [1, 2**0.5, 1.2112], abs=1e-4
    )


@pytest.mark.parametrize(
    ("axis", "drawn", "other"), [("width", 512, 128), ("batch", 64, 8), ("gain", 2.0, 1.5), ("depth", 200, 7)]
)
def test_the_document_s_value_of_a_swept_axis_is_drawn_and_named(axis, drawn, other):
    values = ((1.0, drawn), (10.0, other))
    own, swept = (vanilla_net(factor, **{"kernel": 3, axis: value}) for factor, value in values)
    elsewhere = vanilla_net(100.0, block="widths", **{axis: 1})
    figure = moments.vanilla(table(swept, own, elsewhere))
    assert figure.axes[0].lines[0].get_ydata() == pytest.approx([2, 4])
    assert f"\nalso swept: {axis} ({other:g}), see" in figure.get_suptitle()


@pytest.mark.parametrize(
    ("axes", "expected"),
    [
        ({"kernel": 3, "width": 16, "batch": 1024}, "3 × 3 convolutions, 16 channels, 1,024 images of MNIST"),
        ({"norm": "layer"}, "layer norm feedforward, fully connected, 512 channels, 64 images of MNIST"),
        (
            {"init": "hyperball", "gain": 1.5, "bias": 0.25},
            "fully connected, 512 channels, uniform, gain 1.5, bias 0.25, 64 images of MNIST",
        ),
    ],
)
def test_figures_describe_what_was_simulated(axes, expected):
    assert describe_net(vanilla_net(**axes)) == f"{expected}, 5 simulations"


def test_histograms_show_changes_since_the_first_linear_layer():
    signal = {0: [1.0, 2.0, 3.0, 4.0], 50: [0.0, 2.0, 2.0, 4.0], 100: [1.0, 1.0, 1.0, 5.0]}
    noise = {layer: [10 * value for value in values] for layer, values in signal.items()}
    metrics = {"chi": signal, "log_nu2_signal": signal, "log_mu2_noise": noise}
    figure = moments.vanilla_histograms(table(net(metrics, block="vanilla_histograms", width=100)))
    said = [[text.get_text() for text in axis.texts] for axis in figure.axes]
    # The changes are −1, 0, −1, 0 and 0, −1, −2, 1, and the divisor is n − 1.
    assert said == [[r"$-0.5 \pm 0.6$", r"$-0.5 \pm 1.3$"], [r"$-5.0 \pm 5.8$", r"$-5.0 \pm 12.9$"]]
    for axis in figure.axes:
        assert [label.get_text() for label in axis.get_yticklabels()] == ["$l$ = 50", "$l$ = 100"]
    # Only the signal has the curve N(−5l/2N, 5l/N), in the unit of its row's histogram.
    curves = [[line for line in axis.lines if line.get_color() == "k"] for axis in figure.axes]
    assert not curves[1]
    changes = ([-1, 0, -1, 0], [0, -1, -2, 1])
    for row, (curve, layer, change) in enumerate(zip(curves[0], (50, 100), changes, strict=True)):
        x, drawn = curve.get_data()
        variance = 5 * layer / 100
        expected = np.exp(-((x + variance / 2) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
        bars = figure.axes[0].patches[row].get_data()
        densities, _ = np.histogram(change, bars.edges, density=True)
        unit = 0.85 / max(densities.max(), expected.max())
        np.testing.assert_allclose(drawn, unit * expected - row, rtol=1e-9)
        np.testing.assert_allclose(bars.values, unit * densities - row)
        assert bars.baseline == -row


# Batch-normalised nets

INCREMENTS = {
    "delta_chi_linear": {1: [1.1, 1.2, 1.3], 5: [1.0, 1.0, 1.0]},
    "delta_chi_bn": {1: [2.0, 2.0, 3.0], 5: [1.5, 1.5, 1.5]},
    "delta_chi_activation": {1: [1.5, 1.6, 1.7], 5: [1.2, 1.2, 1.2]},
    "delta_chi": {1: [4.0, 5.0, 6.0], 5: [1.8, 1.8, 1.8]},
    "chi": {0: [1.0] * 3, 1: [7.0, 8.0, 9.0], 5: [70.0, 80.0, 90.0]},
    "effective_rank_signal": {1: [2.0, 3.0, 4.0], 5: [1.0, 2.0, 3.0]},
    "effective_rank_noise": {1: [20.0, 30.0, 40.0], 5: [10.0, 20.0, 30.0]},
    "mu4_signal": {1: [3.0, 4.0, 5.0], 5: [6.0, 7.0, 8.0]},
    "nu1_abs_signal": {1: [0.5, 0.6, 0.7], 5: [0.2, 0.3, 0.4]},
}


def test_the_figure_of_batch_norm_feedforward_draws_each_metric():
    figure = moments.batch_normalized_feedforward(table(net(INCREMENTS, block="bn_ff", norm="batch")))
    increments, chi, ranks, tails = figure.axes
    assert line(increments, r"$\delta_\mathrm{BN}\chi^l$").get_ydata() == pytest.approx([2.4, 1.5])
    assert line(increments, r"$\delta_\phi\chi^l$").get_ydata() == pytest.approx([1.6, 1.2])
    assert line(increments, r"$\delta\chi^l$").get_ydata() == pytest.approx([5, 1.8])
    assert chi.lines[0].get_ydata() == pytest.approx([8, 80])
    assert line(ranks, r"$r_\mathrm{eff}(x^l)$").get_ydata() == pytest.approx([3, 2])
    assert line(ranks, r"$r_\mathrm{eff}(dx^l)$").get_ydata() == pytest.approx([30, 20])
    assert line(tails, r"$\mu_4(z^l)$").get_ydata() == pytest.approx([4, 7])
    assert line(tails, r"$\nu_1(|z^l|)$").get_ydata() == pytest.approx([0.6, 0.3])


def resnet(**changed):
    branch = {
        "delta_chi_layer": {1: [1.3, 1.3, 1.3], 5: [1.2, 1.2, 1.2]},
        "effective_rank_signal_branch": {1: [12.0, 13.0, 14.0], 5: [11.0, 12.0, 13.0]},
        "effective_rank_noise_branch": {1: [120.0, 130.0, 140.0], 5: [110.0, 120.0, 130.0]},
    }
    return table(net({**INCREMENTS, **branch, **changed}, block="bn_res", arch="residual", norm="batch"))


def test_the_figure_of_batch_norm_resnets_draws_the_branch_and_the_unit():
    increments, _, ranks, tails = moments.batch_normalized_resnet(resnet()).axes
    assert line(increments, r"$\delta_\mathrm{BN}\chi^{l,1}$").get_ydata() == pytest.approx([2, 1.5])
    # ReLU and the linear layer after it have 1.65, 1.92 and 2.21.
    assert line(increments, r"$\delta_\phi\chi^{l,1}$").get_ydata() == pytest.approx([1.92, 1.2])
    assert line(increments, r"$\delta\chi^{l,1}$").get_ydata() == pytest.approx([1.3, 1.2])
    assert line(increments, r"$\delta\chi^l$ of the unit").get_ydata() == pytest.approx([5, 1.8])
    assert line(ranks, r"$r_\mathrm{eff}(x^{l,1})$").get_ydata() == pytest.approx([13, 12])
    assert line(ranks, r"$r_\mathrm{eff}(dx^{l,1})$").get_ydata() == pytest.approx([130, 120])
    assert line(ranks, r"$r_\mathrm{eff}(x^l)$").get_ydata() == pytest.approx([3, 2])
    assert line(ranks, r"$r_\mathrm{eff}(dx^l)$").get_ydata() == pytest.approx([30, 20])
    assert line(tails, r"$\mu_4(z^{l,1})$").get_ydata() == pytest.approx([4, 7])


def test_the_power_law_has_equal_weights_for_all_units():
    # δχ^{l,1} falls from 1.3 at unit 1 to 1.2 at unit 5, and is 1.2 up to unit 100. Values between recorded units are
    # interpolated, so τ = (⟨δ⟩⁴ − 1)/2 has the mean over a hundred units, not over three.
    layers = {"delta_chi_layer": (1.3, 1.2, 1.2), "delta_chi": (1.2, 1.1, 1.0), "chi": (2.0, 4.0, 40.0)}
    recorded = {
        metric: {unit: [value] * 3 for unit, value in zip((1, 5, 100), values, strict=True)}
        for metric, values in layers.items()
    }
    recorded["chi"][0] = [1.5] * 3
    chi = moments.batch_normalized_resnet(resnet(**recorded)).axes[1]
    mean = (1.3 + 1.275 + 1.25 + 1.225 + 96 * 1.2) / 100
    tau = (mean**4 - 1) / 2
    units = np.arange(1, 101)
    simulated = np.interp(units, (1, 5, 100), (2, 4, 40))
    factor = np.sum(simulated * units**tau) / np.sum(units ** (2 * tau))
    fitted = line(chi, rf"${factor:.2f}\,l^{{\,{tau:.2f}}}$")
    np.testing.assert_allclose(fitted.get_ydata(), factor * units**tau, rtol=1e-12)
    # The bounds are products of (1 + 2τ/(l + 1))^½ that start at the first linear layer.
    bounds = {label: drawn.get_ydata() for drawn in chi.lines if "bound" in (label := drawn.get_label())}
    for (label, bound), name, increment in zip(bounds.items(), ("lower", "upper"), (1.2, 1.3), strict=True):
        factors = [1 + (increment**4 - 1) / (unit + 1) for unit in range(1, 101)]
        assert bound == pytest.approx(1.5 * np.sqrt(np.cumprod(factors)))
        assert label == f"{name} bound: {bound[-1]:.2g} at the end"
