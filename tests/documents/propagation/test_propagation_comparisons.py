"""Figures that compare nets of document 002: fitted laws, and the labels of lines."""

import numpy as np
import pytest
from propagation_table import band, line, net, table

from deepnets.documents.propagation.figures import comparisons
from deepnets.documents.propagation.quantities import branch_increments

pytestmark = pytest.mark.usefixtures("off_screen")


UNITS = [0, 1, 2, 3, 5, 10, 20, 40, 60, 80, 100]


def net_with_law(law, simulations=(0.5, 1.0, 1.5), **axes):
    """Return a net whose χ is a function of the layer times a factor per simulation."""
    chi = {layer: [factor * law(layer) for factor in simulations] for layer in UNITS}
    same = {metric: {layer: [1.2] * 3 for layer in UNITS[1:]} for metric in ("delta_chi", "delta_chi_layer")}
    # The exponent follows from the mean of the branches, not from the largest.
    same["delta_chi"] |= {1: [1.4] * 3, 2: [1.0] * 3}
    return net({"chi": chi, **same}, **axes)


def exponential(layer):
    return 3 * 1.1**layer


def power(layer):
    # The power law starts at a tenth of the depth.
    return 2 * layer**0.4 if layer >= 10 else 1.0


def test_laws_are_fitted_from_a_tenth_of_the_depth_on():
    nets = (
        net_with_law(exponential, block="bn_ff", norm="batch"),
        net_with_law(power, block="bn_res", arch="residual", norm="batch"),
    )
    feedforward, residual, exponents = comparisons.logarithmic_version(table(*nets)).axes
    assert line(feedforward, "simulated").get_ydata() == pytest.approx([exponential(layer) for layer in UNITS[1:]])
    fitted = line(feedforward, r"$1.100^{\,l}$, fitted to $l$ ≥ 10")
    np.testing.assert_allclose(fitted.get_ydata(), 3 * 1.1 ** np.arange(10, 101), rtol=1e-9)
    fitted = line(residual, r"$l^{\,0.40}$, fitted to $l$ ≥ 10")
    np.testing.assert_allclose(fitted.get_ydata(), 2 * np.arange(10, 101) ** 0.4, rtol=1e-9)
    assert (fitted.get_xdata()[0], fitted.get_xdata()[-1]) == (10, 100)
    # The exponent of a doubling is that of the law from layer 10 on; at 5 it follows from 1 and χ(10).
    simulated = dict(line(exponents, "simulated").get_xydata())
    assert list(simulated) == [1, 2, 3, 5, 10, 20, 40]
    assert [simulated[unit] for unit in (10, 20, 40)] == pytest.approx([0.4] * 3)
    assert simulated[5] == pytest.approx(np.log2(2 * 10**0.4))
    tau = (1.2**4 - 1) / 2
    assert line(exponents, rf"$\tau = {tau:.2f}$").get_ydata() == pytest.approx([tau, tau])
    theory = dict(line(exponents, "theory").get_xydata())
    # From unit 1 to unit 2, theory has the factor (1 + 2τ/3)^½.
    assert theory[1] == pytest.approx(np.log2(1 + 2 * tau / 3) / 2)


def test_increments_of_a_branch_are_ratios_of_means():
    metrics = {
        "chi": {0: [1.0, 1.0], 1: [2.0, 12.0]},
        "delta_chi": {1: [2.0, 4.0]},
        "delta_chi_layer": {1: [1.5, 1.1]},
    }
    # χ is 1 and 3 before the unit, 1.5 and 3.3 after the first layer of its branch.
    assert branch_increments(table(net(metrics)))[1] == pytest.approx((1.5 + 3.3) / (1 + 3))


def test_normalizations_are_drawn_with_their_names():
    rates = {"batch": 1.1, "instance": 1.2, "group": 1.05, "layer": 1.01}
    feedforward = [
        net_with_law(lambda layer, rate=rate: rate**layer, block="normalized_feedforward", norm=norm, kernel=3)
        for norm, rate in rates.items()
    ]
    residual = [
        net_with_law(
            lambda layer, norm=norm: (layer + 0.001) ** (rates[norm] - 1),
            block="normalized_resnets",
            arch="residual",
            norm=norm,
        )
        for norm in ("instance", "layer")
    ]
    figure = comparisons.normalized_resnets(table(*feedforward, *residual))
    for norm, rate in rates.items():
        drawn = line(figure.axes[0], rf"{norm}: ${rate:.3f}^{{\,l}}$")
        assert drawn.get_ydata()[-1] == pytest.approx(rate**100)
    assert [drawn.get_label() for drawn in figure.axes[1].lines] == [r"instance: $l^{\,0.20}$", r"layer: $l^{\,0.01}$"]
    of_feedforward, of_residual = figure.get_suptitle().split("\n", 1)
    assert of_feedforward.startswith(
        "a: 3 × 3 convolutions, 512 channels, 64 images of MNIST, 3 simulations; width 512"
    )
    assert of_residual.startswith("b: fully connected, 512 channels, 64 images of MNIST, 3 simulations; width 512")


def test_operators_and_widths_are_drawn_as_medians_in_their_bands():
    def constant(value, **axes):
        values = {layer: [value, 2 * value, 30 * value] for layer in UNITS}
        return net({"chi": values, "effective_rank_signal": values}, **axes)

    nets = [
        constant(1.0, block="vanilla", kernel=3),
        constant(2.0, block="widths", width=64, batch=8, kernel=3),
        constant(3.0, block="widths", width=64, batch=16, kernel=3),
        constant(4.0, block="fully_connected"),
        # The same net in another block is drawn once.
        constant(4.0, block="vanilla"),
        constant(5.0, block="bn_ff", norm="batch", batch=1024),
        constant(6.0, block="uniform", init="hyperball"),
        constant(7.0, block="vanilla_histograms", width=128),
    ]
    figure = comparisons.convolutional_and_fully_connected(table(*nets))
    chi, ranks = figure.axes[0], figure.axes[3]
    expected = {
        "3 × 3, 512 channels, batch 64, n = 3": 2,
        "full, 512 channels, batch 64, n = 3": 8,
        "3 × 3, 64 channels, batch 8, n = 3": 4,
        "3 × 3, 64 channels, batch 16, n = 3": 6,
    }
    for axis in (chi, ranks):
        assert {drawn.get_label(): drawn.get_ydata()[0] for drawn in axis.lines} == expected
    # The median is far from the mean, 11, and inside its band.
    low, high = band(chi)[1]
    assert low < 2 < high < 30
    (drawn,) = figure.axes[1].lines
    assert drawn.get_label() == "full, 512 channels, batch 1,024, n = 3"
    assert "Nothing to show" in figure.axes[2].texts[0].get_text()


def test_a_net_that_diverged_at_once_leaves_the_others():
    lost = net({"diverged": {0: [1.0, 1.0]}}, block="widths", width=64)
    figure = comparisons.convolutional_and_fully_connected(table(net_with_law(power), lost))
    labels = [drawn.get_label().replace("\n", " ") for drawn in figure.axes[0].lines]
    assert labels == [
        "full, 512 channels, batch 64, n = 3",
        "full, 64 channels, batch 64, n = 2, 2 of which ended early",
    ]
