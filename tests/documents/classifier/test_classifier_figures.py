"""The figures of document 000, drawn from tables of known numbers."""

import numpy as np
import pandas as pd
import pytest

from deepnets.documents.classifier.figures import accuracy as figures

pytestmark = pytest.mark.usefixtures("off_screen")


def rows(metric, values, *, step=0, **axes):
    """Return the rows that one run records of a metric at a step."""
    usual = {"block": "depths", "data_seed": 0, "depth": 2, "init": "xavier_normal", "rank": 0, "scale": 1.0, "seed": 0}
    axes = {**usual, "target_loss": 0.01, **axes}
    # The rate depends on the depth, as in the document.
    axes = {"learning_rate": {1: 10, 2: 1}.get(axes["depth"], 0.03), **axes}
    values = np.atleast_1d(values).astype(float)
    return pd.DataFrame({**axes, "step": step, "metric": metric, "index": np.arange(len(values)), "value": values})


def final_accuracies(*values, **axes):
    """Return the last accuracies of repetitions, each after another accuracy recorded earlier in the run."""
    along = [rows("test_accuracy", 0.07, seed=seed, step=10, **axes) for seed in range(len(values))]
    ends = [rows("test_accuracy", value, seed=seed, step=90 + seed, **axes) for seed, value in enumerate(values)]
    return pd.concat(ends + along)


def errorbars(axis):
    """Return the points of each series with error bars, and the half lengths of the bars."""
    found = []
    for container in axis.containers:
        points, _, bars = container.lines
        if bars:
            halves = [(segment[1] - segment[0]).max() / 2 for segment in bars[0].get_segments()]
            found.append((points.get_xydata(), halves))
    return found


def test_accuracy_by_depth_counts_diverged_runs():
    table = pd.concat([final_accuracies(0.5, 0.7), rows("diverged", 1, step=4, seed=2)])
    figure = figures.accuracy_by_depth(table)
    assert "1 of 3 runs left the finite numbers at update 4" in figure.get_suptitle().replace("\n", " ")


@pytest.mark.parametrize("changed", [{"learning_rate": 3.0}, {"target_loss": 0.1}, {"data_seed": 7}])
def test_values_are_quoted_only_for_the_document_s_own_net(changed):
    own = final_accuracies(0.8, block="near_zero", depth=3, scale=1e-4, learning_rate=100.0)
    other = own.assign(**changed)
    for table, quoted in ((own, 1), (other, 0), (pd.concat([other, own]), 1)):
        (axis,) = figures.accuracy_by_variant(table).axes
        assert [text.get_text() for text in axis.texts if text.get_color() == "C1"] == quoted * ["84.0"]


@pytest.mark.parametrize(("lowest", "others", "inside"), [(0.5, 0.8, True), (0.9, 0.91, False), (0.3, 0.31, False)])
def test_the_legend_of_variants_covers_no_accuracy(lowest, others, inside):
    parts = [final_accuracies(others, block="depths", rank=rank) for rank in range(1, 5)]
    # The text quotes 53 %, which may be on the left or on the right.
    linear = final_accuracies(lowest, block="linear", depth=1, init="zeros")
    figure = figures.accuracy_by_variant(pd.concat([linear, *parts]))
    assert bool(figure.legends) != inside
    figure.canvas.draw()
    (axis,) = figure.axes
    (legend,) = [*figure.legends, *filter(None, [axis.get_legend()])]
    points = [point for series, _ in errorbars(axis) for point in series]
    points += [line.get_xydata()[0] for line in axis.lines if len(line.get_xydata()) == 1]
    box = legend.get_window_extent()
    assert not any(box.contains(*axis.transData.transform(point)) for point in points)


def rows_over_data_sets(*values, **axes):
    """Return one accuracy for each data set 0, 1, … in the block of data sets."""
    parts = [
        final_accuracies(*np.atleast_1d(value), block="data_sets", data_seed=seed, **axes)
        for seed, value in enumerate(values)
    ]
    return pd.concat(parts)


DATA_SETS = [
    rows_over_data_sets(0.5, 0.6, 0.4, depth=1, init="zeros"),
    # Two inits on each of the three data sets: 0.58, 0.66, 0.4.
    rows_over_data_sets([0.56, 0.60], [0.6, 0.72], [0.4, 0.4]),
    rows_over_data_sets(0.9, 0.8, 0.85, rank=2),
    final_accuracies(0.7, 0.8, block="two_layers"),
    final_accuracies(0.1, 0.2, 0.3, 0.2, block="depths"),
    # These do not measure the spread over inits: another data set, another scale, a single init.
    final_accuracies(0.0, 1.0, 0.0, 1.0, 0.0, block="two_layers", data_seed=1),
    final_accuracies(0.0, 1.0, 0.0, 1.0, 0.0, block="near_zero", scale=1e-4),
    final_accuracies(0.85, block="rank_2", rank=2),
]


def test_spreads_over_data_sets_and_inits_and_paired_differences():
    figure = figures.accuracy_over_data_sets(pd.concat(DATA_SETS[::-1]))
    spread, paired = figure.axes
    points = {line.get_ydata()[0]: sorted(line.get_xdata()) for line in spread.get_lines() if line.get_alpha()}
    assert points == {
        0: pytest.approx([40, 50, 60]),
        1: pytest.approx([40, 58, 66]),
        0.65: pytest.approx([10, 20, 20, 30]),
        2: pytest.approx([80, 85, 90]),
    }
    assert [label.get_text() for label in spread.get_yticklabels()] == [
        "1 layer, from zeros",
        "2 layers",
        "2 layers, rank 2",
    ]
    # Standard deviations with divisor n − 1: 10; 13.3 for 58, 66, 40; 8.2 for 10, 20, 20, 30; 5.
    printed = {text.get_position()[1]: (text.get_text(), text.get_color()) for text in spread.texts}
    assert printed == {
        0: ("50.0, sd 10.0", "C0"),
        1: ("54.7, sd 13.3", "C0"),
        0.65: ("20.0, sd 8.2", "C1"),
        2: ("85.0, sd 5.0", "C0"),
    }
    # Differences 58 − 50, 66 − 60, 40 − 40: two are better; standard deviation 4.16, twice the standard error 4.81.
    # Differences 40, 20, 45: mean 35, standard deviation 13.2, twice the standard error 15.3.
    assert [text.get_text() for text in paired.texts] == ["+4.7 ± 4.8, 2 of 3", "+35.0 ± 15.3, 3 of 3"]
    means = [(*point, half) for points, halves in errorbars(paired) for point, half in zip(points, halves, strict=True)]
    expected = [(14 / 3, 0, 2 * np.std([8, 6, 0], ddof=1) / np.sqrt(3)), (35, 1, 2 * np.sqrt(175) / np.sqrt(3))]
    np.testing.assert_allclose(means, expected)
    assert paired.get_xlabel() == "test accuracy − that of 1 layer, from zeros (%)"


def test_a_single_net_or_data_set_has_no_differences_or_no_error():
    # Two inits on one data set, in the block of data sets, do not give a spread over inits.
    alone = figures.accuracy_over_data_sets(rows_over_data_sets([0.5, 0.7], 0.6))
    assert [text.get_text() for text in alone.axes[0].texts] == ["60.0, sd 0.0"]
    assert "no two nets have a data set in common" in alone.axes[1].texts[0].get_text().replace("\n", " ")
    table = pd.concat([rows_over_data_sets(0.5, depth=1), rows_over_data_sets(0.4)])
    assert figures.accuracy_over_data_sets(table).axes[1].texts[0].get_text() == "−10.0, 0 of 1"
