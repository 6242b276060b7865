"""The figures of document 002 show the values of the table for any part of the config, even with diverged runs."""

import numpy as np
import pandas as pd
import pytest
from propagation_table import AXES, line, net, table

from deepnets.documents.propagation.figures import moments, pathologies
from deepnets.experiments.propagation.run import run
from deepnets.records.datasets import Dataset

pytestmark = pytest.mark.usefixtures("off_screen")

# With these settings a run takes milliseconds.
SMALL = {"width": 8, "groups": 4, "depth": 4, "batch": 6, "simulations": 2, "record_first": 1, "record_evenly": 4}


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


def test_diverged_nets_have_no_symptoms(single):
    (axis,) = pathologies.pathologies(single[single["block"] == "vanilla"]).axes
    assert [text.get_text() for text in axis.texts] == ["–"] * 4


def test_simulations_that_end_early_are_counted():
    ended = {"chi": {1: [1.0, 2.0, 3.0]}, "delta_chi": {1: [1.0, 2.0, 3.0]}, "diverged": {2: [1.0]}}
    figure = moments.vanilla(table(net({**ended, "effective_rank_signal": {1: [1.0, 2.0, 3.0]}}, kernel=3)))
    assert figure.get_suptitle().replace("\n", " ").endswith("3 simulations, 1 of which ended early")


# Vanilla nets


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


def resnet(**changed):
    branch = {
        "delta_chi_layer": {1: [1.3, 1.3, 1.3], 5: [1.2, 1.2, 1.2]},
        "effective_rank_signal_branch": {1: [12.0, 13.0, 14.0], 5: [11.0, 12.0, 13.0]},
        "effective_rank_noise_branch": {1: [120.0, 130.0, 140.0], 5: [110.0, 120.0, 130.0]},
    }
    return table(net({**INCREMENTS, **branch, **changed}, block="bn_res", arch="residual", norm="batch"))


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
