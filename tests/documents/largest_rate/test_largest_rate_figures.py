"""The figures of the largest rate, drawn from tables of known numbers."""

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


def note_of(figure):
    return " ".join(figure.legends[0].get_title().get_text().split())


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
