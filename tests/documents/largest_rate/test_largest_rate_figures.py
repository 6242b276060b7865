"""The figures of the largest rate, drawn from tables of known numbers."""

import numpy as np
import pytest

from deepnets.documents.largest_rate import figures
from evidence import table

pytestmark = pytest.mark.usefixtures("off_screen")
METRICS = {"largest_rate": 6.0, "theory_rate": 4.0, "stable_rate": 8.0, "full_change": 2.0}


def nets(width=256, linear_width=128, batch=16):
    """Return runs of the document's nets, with other widths or another batch. Values fall as 1 / hidden layers."""
    axes = {"experiment": "largest_rate", "depth": 4}
    kinds = [("relu", "gaussian", width, batch), ("relu", "gaussian", width, 1)]
    kinds += [("linear", init, linear_width, 1) for init in ("gaussian", "orthogonal")]
    return table(
        [
            (
                {**axes, "activation": activation, "init": init, "width": wide, "batch": images, "seed": seed},
                {name: {(step, 0): (value + seed) / step for step in (2, 4)} for name, value in METRICS.items()},
            )
            for activation, init, wide, images in kinds
            for seed in (0, 2)
        ]
    )


def lines_of(axis):
    return {line.get_label(): line.get_ydata() for line in axis.get_lines()}


def note_of(figure):
    return " ".join(figure.legends[0].get_title().get_text().split())


def test_lines_are_means_over_seeds():
    rates, single, stable = map(lines_of, figures.rates_by_depth(nets()).axes)
    np.testing.assert_allclose(rates["ReLU, 256 units, 16 images"], [3.5, 1.75])
    np.testing.assert_allclose(single["linear, orthogonal, 128 units, one image"], [3.5, 1.75])
    np.testing.assert_allclose(stable["ReLU, Gaussian, 256 units, one image"], [4.5, 2.25])
    # Powers of the number of layers begin at two thirds of the mean.
    np.testing.assert_allclose(rates["$L^{-1.5}$"], [3.5 / 1.5, 3.5 / 1.5 / 2**1.5])
    np.testing.assert_allclose(stable["$L^{-1}$"], [3, 1.5])
    ratio, change = map(lines_of, figures.first_order(nets()).axes)
    # The ratios of both seeds are 6/4 and 8/6.
    np.testing.assert_allclose(ratio["linear, Gaussian, 128 units"], [17 / 12, 17 / 12])
    np.testing.assert_allclose(change["ReLU, Gaussian, 256 units"], [1.5, 0.75])


@pytest.mark.parametrize(
    ("changed", "note"),
    [
        ({"width": 512}, "width 512 instead of 256"),
        ({"linear_width": 64}, "width 64 instead of 128"),
        ({"batch": 4}, "batch 1 instead of 16"),
    ],
)
def test_other_sizes_are_drawn_and_named(changed, note):
    figure = figures.rates_by_depth(nets(**changed))
    assert note in note_of(figure)
    assert all(axis.get_lines() and not axis.texts for axis in figure.axes)
    assert all(axis.get_lines() for axis in figures.first_order(nets(**changed)).axes)
