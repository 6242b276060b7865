"""Every figure is drawn from tables of random grids: it shows what was swept, or names the values it took."""

import re
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from matplotlib.text import Text

from conftest import NIGHTLY
from entries import FIGURES as EVERY_FIGURE
from entries import of_one_table
from reproduce.code.science import SCIENCE as PACKAGE
from reproduce.tables.axes import swept_axes
from reproduce.tables.selection import shown_of
from swept import VALUES, configs, table_of

# These figures are of an experiment whose axes have values to sweep in `swept`.
FIGURES = of_one_table(EVERY_FIGURE, VALUES)
# Modules in which a figure may select settings.
SELECTS = re.compile(rf"{PACKAGE}\.(documents|tables)\.")
# Figures use these words for an axis, or its name in the config.
WORDS = {
    "learning_rate": ["rate"],
    "target_loss": ["threshold"],
    "scale": [r"$\gamma$", "×"],
    "depth": ["layers", "layer $l$", "unit $l$"],
    "width": ["$n_h$", "channels"],
    "bias": ["biases"],
    "init": [
        *("partial identity", "random", "ZerO", "OnE", "Spray", "from zeros", "uniform"),
        *("decoupled", "orthogonal", "Gaussian", "pretrained", "rows of norm 1"),
    ],
    "rank": ["full rank"],
    "norm": ["batch", "layer", "group", "instance"],
    "batch": ["images"],
    "kernel": ["fully connected", "full,"],
    "arch": ["vanilla", "feedforward", "resnet"],
    "activation": ["tanh", "ReLU"],
    "imbalance": ["λ"],
    "block": ["layers"],
    "rule": ["covariance rule", "sample-wise", "in-place"],
    "data_seed": ["data set"],
}


# Figures that compare the values of an axis point by point.
COMPARED = {
    ("001-mnist-dynamics-rule_difference", "rule"),
    ("001-mnist-dynamics-updates_in_place", "rule"),
    # This figure has means over data sets and differences between nets.
    *(
        ("000-classifier-accuracy_over_data_sets", axis)
        for axis in ("data_seed", "depth", "init", "rank", "scale", "learning_rate", "target_loss")
    ),
}
# These figures sort their points, so a small change may swap two.
SORTED = {"000-classifier-accuracy_by_variant"}


@st.composite
def drawings(draw):
    name = draw(st.sampled_from(sorted(FIGURES)))
    _, experiment = FIGURES[name]
    return name, draw(configs(experiment).filter(bool))


def check_figure(name, grids):
    table = table_of(FIGURES[name][1], grids)
    figure, choices = draw_with_choices(name, table)
    figure.draw_without_rendering()
    try:
        check_panels(figure)
        check_legends(figure)
        check_words(figure, choices)
        check_points(name, figure, table, [axis for runs, *_ in choices for axis in swept_axes(runs.frame)])
    finally:
        plt.close("all")


def draw_with_choices(name, table):
    """Draw a figure; return it with each choice of settings: all runs, the runs it kept, and its note on the others."""
    choices = []

    def record_choice(runs, selections, *free, **options):
        choices.append((runs, *shown_of(runs, selections, *free, **options)))
        return choices[-1][1:]

    with pytest.MonkeyPatch.context() as patch:
        for module in list(sys.modules.values()):
            if SELECTS.match(module.__name__) and hasattr(module, "shown_of"):
                patch.setattr(module, "shown_of", record_choice)
        draw, _ = FIGURES[name]
        return draw(table), choices


def check_panels(figure):
    for axis in figure.axes:
        assert has_content(axis) or axis.texts, "an empty panel without a word"


def has_content(axis):
    lines = [np.asarray(line.get_xydata(), float) for line in axis.lines if line.get_visible()]
    points = [np.isfinite(xy).all(axis=1).sum() for xy in lines]
    # A line of one point is visible only with a marker.
    least = [2 if line.get_marker() in ("None", "") else 1 for line in axis.lines]
    return any(np.greater_equal(points, least)) or bool(axis.images or axis.patches or axis.collections)


def check_legends(figure):
    found = figure.legends + [axis.get_legend() for axis in figure.axes if axis.get_legend()]
    for legend in found:
        labels = [text.get_text() for text in legend.get_texts()]
        box = legend.get_window_extent()
        assert box.x0 > -1 and box.x1 < figure.bbox.width + 1, f"a legend leaves the figure: {labels}"
        assert labels and len(set(labels)) == len(labels), f"a legend says {labels}"


def check_words(figure, choices):
    """Check that the figure notes the runs it left out, and names each swept axis that it kept, or its values."""
    texts = [text.get_text() for text in figure.findobj(Text) if text.get_visible()]
    said = " ".join(" ".join(texts).split())
    for _, kept, words in choices:
        assert words in said, f"not a word on {words}"
        for axis in swept_axes(kept):
            named = any(
                word in said for word in (axis, axis.replace("_", " "), "left the finite numbers", *WORDS.get(axis, []))
            )
            assert named or all(f"{value}" in said for value in kept[axis].unique()), f"not a word on {axis}"


def check_points(name, figure, table, axes):
    """Check that no point mixes several values of an axis: it may change with the runs of only one of them."""
    if name in SORTED:
        return
    for axis in list(dict.fromkeys(axes))[:2]:
        if (name, axis) in COMPARED:
            continue
        changes = []
        for value in sorted(table.points[axis].unique()):
            again, _ = draw_with_choices(name, table.pipe(change_values, axis, value))
            changes.append(changed_points(figure, again))
            plt.close(again)
        if all(change is not None for change in changes):
            assert np.sum(changes, axis=0).max(initial=0) < 2, f"a line mixes values of {axis}"


def change_values(rows, axis, value):
    """Change the values of the runs with this value of an axis by a thousandth."""
    return rows.assign(value=rows["value"].where(rows[axis] != value, rows["value"] * 1.001))


def changed_points(figure, again):
    """Return which points of all lines differ between two drawings, or None if the numbers of points differ."""
    before, after = ([line.get_xydata() for axis in each.axes for line in axis.lines] for each in (figure, again))
    if [len(points) for points in before] != [len(points) for points in after]:
        return None
    if not before:
        return np.zeros(0)
    one, other = np.concatenate(before).astype(float), np.concatenate(after).astype(float)
    return (~np.isclose(one, other, rtol=1e-9, atol=0, equal_nan=True)).any(axis=1).astype(int)


# The same grids in every run, since a test that fails at random is soon ignored.
@pytest.mark.slow
@pytest.mark.usefixtures("off_screen")
@given(drawings())
@settings(
    max_examples=80 if NIGHTLY else 6,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_any_axis_can_be_swept(drawing):
    check_figure(*drawing)
