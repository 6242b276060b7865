"""The figures of document 000, drawn from tables of known numbers."""

import numpy as np
import pandas as pd
import pytest

from deepnets.documents.classifier.figures import accuracy as figures
from deepnets.documents.classifier.printed import ACCURACIES, STANDARD_ERRORS

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


def as_quoted(block):
    mean, error = ACCURACIES[block], STANDARD_ERRORS.get(block)
    return f"{mean:.1f} ± {error:.1f}" if error else f"{mean:.1f}"


def errorbars(axis):
    """Return the points of each series with error bars, and the half lengths of the bars."""
    found = []
    for container in axis.containers:
        points, _, bars = container.lines
        if bars:
            halves = [(segment[1] - segment[0]).max() / 2 for segment in bars[0].get_segments()]
            found.append((points.get_xydata(), halves))
    return found


def test_accuracy_by_depth_shows_mean_and_standard_error_of_the_sweep_only():
    table = pd.concat(
        [
            final_accuracies(0.5, 0.7, depth=1),
            final_accuracies(0.6, 0.8, 0.8, 0.6, depth=3),
            final_accuracies(0.1, block="two_layers", depth=2),
        ]
    )
    figure = figures.accuracy_by_depth(table)
    ((points, halves),) = errorbars(figure.axes[0])
    np.testing.assert_allclose(points, [[1, 60], [3, 70]])
    # The standard deviations with divisor n are 10 and 10, divided by the roots of two and of four.
    np.testing.assert_allclose(halves, [10 / np.sqrt(2), 5])
    assert figure.axes[0].get_legend() is None


def test_one_net_of_each_depth_is_drawn_and_other_sweeps_are_named():
    table = pd.concat(
        [
            final_accuracies(0.53, depth=1),
            final_accuracies(0.59, 0.60, depth=2, learning_rate=2.5),
            final_accuracies(0.75, 0.76, depth=2, rank=2, learning_rate=2.5),
            final_accuracies(0.95, depth=2, learning_rate=0.5),
        ]
    )
    figure = figures.accuracy_by_depth(table)
    ((points, _),) = errorbars(figure.axes[0])
    # The document's rate at depth 2 is 1, which the table lacks: the smallest rate is drawn, with all of its seeds.
    np.testing.assert_allclose(points, [[1, 53], [2, 95]])
    note = " ".join(figure.get_suptitle().split())
    assert note.startswith(
        "learning rate partly 0.5 instead of 10 or 1 or 0.03; also swept: learning rate (2.5), rank (2), see "
    )


def test_accuracy_by_depth_says_that_all_runs_diverged():
    table = pd.concat([rows("diverged", 1, step=3, depth=depth) for depth in (1, 2)])
    (axis,) = figures.accuracy_by_depth(table).axes
    (text,) = axis.texts
    assert "all 2 runs left the finite numbers at update 3" in text.get_text().replace("\n", " ")


def test_accuracy_by_depth_counts_diverged_runs():
    table = pd.concat([final_accuracies(0.5, 0.7), rows("diverged", 1, step=4, seed=2)])
    figure = figures.accuracy_by_depth(table)
    assert "1 of 3 runs left the finite numbers at update 4" in figure.get_suptitle().replace("\n", " ")


def test_data_are_drawn_as_pairs_of_features_in_ten_classes():
    inputs = np.random.default_rng(0).standard_normal((20, 5))
    labels = np.arange(20) % 10
    # Two runs record the same data, which must be drawn once.
    table = pd.concat(
        [
            part
            for seed in (0, 1)
            for part in (rows("input", inputs.ravel(), seed=seed), rows("label", labels, seed=seed))
        ]
    )
    figure = figures.data(table)
    informative, confusing = figure.axes
    looks = set()
    for kind in range(10):
        left, right = informative.collections[kind], confusing.collections[kind]
        np.testing.assert_allclose(left.get_offsets(), inputs[labels == kind][:, :2])
        np.testing.assert_allclose(right.get_offsets(), inputs[labels == kind][:, 2:4])
        looks.add((tuple(left.get_facecolor()[0]), left.get_paths()[0].vertices.tobytes()))
        assert left.get_label() == f"{kind}"
    assert len(looks) == 10


@pytest.mark.parametrize("classes", [10, 5])
def test_borders_of_the_slices_separate_the_classes(classes):
    angles = np.pi * (2 * np.arange(classes) + 1 - classes) / classes
    inputs = np.stack([np.sin(angles), np.cos(angles), 0 * angles, 0 * angles], axis=1)
    figure = figures.data(pd.concat([rows("input", inputs.ravel()), rows("label", np.arange(classes))]))
    ends = np.array([line.get_xydata()[1] for line in figure.axes[0].get_lines()])
    # Each class's direction is half a slice away from the borders on both sides.
    cosines = inputs[:, :2] @ ends.T / np.linalg.norm(ends, axis=1)
    np.testing.assert_allclose(np.sort(cosines, axis=1)[:, -2:], np.cos(np.pi / classes))


@pytest.mark.parametrize("draw", [figures.singular_values_near_zero, figures.singular_values_standard_scale])
def test_singular_values_are_drawn_by_mode_and_repetition(draw):
    block = draw.__name__.removeprefix("singular_values_")
    values = {seed: 10.0 ** -np.arange(6) * (1 + seed) for seed in (0, 1)}
    table = pd.concat(
        [
            rows("singular_value", (1 + step) * values[seed], step=step, seed=seed, block=block, depth=3, scale=scale)
            for step in (0, 10)
            for seed in (0, 1)
            for scale in (1e-4, 1e-3)
        ]
        + [rows("singular_value", [9, 8, 7, 6, 5], step=step, block="depths") for step in (0, 10)]
    )
    table.loc[table["scale"] == 1e-3, "value"] *= 7
    figure = draw(table)
    for axis in figure.axes:
        lines = axis.get_lines()
        assert len(lines) == 5 * 2
        for mode in range(5):
            for seed in (0, 1):
                expected = [[step, (1 + step) * values[seed][mode]] for step in (0, 10)]
                np.testing.assert_allclose(lines[2 * mode + seed].get_xydata(), expected)
            assert lines[2 * mode].get_linewidth() > lines[2 * mode + 1].get_linewidth()
    assert [axis.get_yscale() for axis in figure.axes] == ["linear", "log"]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "1: 11 … 22",
        "2: 1.1 … 2.2",
        "3: 0.11 … 0.22",
        "4: 1e-2 … 2e-2",
        "5: 1e-3 … 2e-3",
    ]
    assert legend.get_title().get_text().endswith("2 repetitions\nmode: value at the end")


def test_the_figure_of_singular_values_says_that_all_runs_diverged():
    table = pd.concat(
        [
            part
            for seed in range(10)
            for part in (
                rows("singular_value", [3, 2, 1, 1, 1], block="near_zero", seed=seed),
                rows("diverged", 1, step=3, block="near_zero", seed=seed),
            )
        ]
    )
    for axis in figures.singular_values_near_zero(table).axes:
        assert "all 10 runs left the finite numbers at update 3" in axis.texts[0].get_text().replace("\n", " ")
        assert not axis.get_lines()


def test_variants_are_sorted_and_printed_with_the_quoted_values():
    table = pd.concat(
        [
            final_accuracies(0.53, block="linear", depth=1, init="zeros"),
            final_accuracies(0.6, 0.62, block="two_layers", depth=2),
            final_accuracies(0.59, 0.59, block="depths", depth=2),
            final_accuracies(0.84, 0.86, block="rank_2", depth=2, rank=2),
            final_accuracies(0.75, 0.75, block="rank_2", depth=2, rank=3),
            rows("diverged", 1, block="large_scale", depth=3, scale=1000.0, learning_rate=0.001),
        ]
    )
    (axis,) = figures.accuracy_by_variant(table).axes
    names = [label.get_text() for label in axis.get_yticklabels()]
    assert names == [
        "3 layers, × 1000",
        "1 layer, from zeros",
        "2 layers (sweep)",
        "2 layers",
        "2 layers, rank 2",
    ]
    printed = {(names[round(text.get_position()[1] + 0.2)], text.get_color()): text.get_text() for text in axis.texts}
    reproduced = {name: text.strip() for (name, colour), text in printed.items() if colour == "C0"}
    assert reproduced == {
        "3 layers, × 1000": "1 diverged",
        "1 layer, from zeros": "53.0",
        "2 layers (sweep)": "59.0 ± 0.0",
        "2 layers": "61.0 ± 0.7",
        "2 layers, rank 2": "85.0 ± 0.7",
    }
    quoted = {name: text for (name, colour), text in printed.items() if colour == "C1"}
    assert quoted == {
        "3 layers, × 1000": as_quoted("large_scale"),
        "1 layer, from zeros": as_quoted("linear"),
        "2 layers": as_quoted("two_layers"),
        "2 layers, rank 2": as_quoted("rank_2"),
    }
    drawn = [(*point, half) for (point,), (half,) in errorbars(axis)]
    mean, error = ACCURACIES["two_layers"], STANDARD_ERRORS["two_layers"]
    assert (mean, 2.6, pytest.approx(error)) in drawn
    assert (61.0, 3.0, pytest.approx(np.sqrt(0.5))) in drawn


def test_the_document_s_rate_of_each_variant_is_drawn_and_other_rates_are_named():
    table = pd.concat(
        [
            final_accuracies(0.5, block="linear", depth=1, init="zeros"),
            final_accuracies(0.6, block="two_layers"),
            final_accuracies(0.7, block="two_layers", learning_rate=3.0),
            final_accuracies(0.1, block="rates", learning_rate=7.0),
            final_accuracies(0.2, block="thresholds", target_loss=0.1),
        ]
    )
    figure = figures.accuracy_by_variant(table)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["1 layer, from zeros", "2 layers"]
    assert "60.0" in {text.get_text().strip() for text in figure.axes[0].texts}
    title = figure.legends[0].get_title().get_text() if figure.legends else figure.get_suptitle()
    assert "2 layers: also swept: learning rate (3)" in title


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


def test_in_a_sweep_the_document_s_values_are_shown():
    table = pd.concat(
        rows("singular_value", 10.0 ** -np.arange(6), step=step, block="near_zero", depth=depth, scale=scale)
        for step in (0, 10)
        for depth in (2, 3, 4)
        for scale in (1e-6, 1e-4, 1.0)
    ).assign(learning_rate=100.0)
    (legend,) = figures.singular_values_near_zero(table).legends
    text = " ".join(legend.get_title().get_text().split())
    assert text.startswith("also swept: depth (2, 4), scale (1e-06, 1)")


def test_inits_are_compared_with_data_sets_at_the_same_rate():
    other = [
        final_accuracies(0.0, 1.0, 0.0, 1.0, 0.0, learning_rate=9.0),
        final_accuracies(0.0, 1.0, 0.0, 1.0, target_loss=0.1),
    ]
    figure = figures.accuracy_over_data_sets(pd.concat([*DATA_SETS, *other]))
    printed = {text.get_position()[1]: text.get_text() for text in figure.axes[0].texts}
    assert printed[0.65] == "20.0, sd 8.2"


def test_both_panels_say_that_no_run_recorded_data():
    for axis in figures.data(final_accuracies(0.5)).axes:
        (text,) = axis.texts
        assert "no run recorded its inputs" in text.get_text().replace("\n", " ")


def test_only_the_first_of_several_data_sets_is_drawn():
    points = {data_seed: np.random.default_rng(data_seed).standard_normal((20, 5)) for data_seed in (3, 8)}
    table = pd.concat(
        [
            part
            for data_seed, inputs in reversed(points.items())
            for part in (
                rows("input", inputs.ravel(), data_seed=data_seed),
                rows("label", np.arange(20) % 10, data_seed=data_seed),
            )
        ]
    )
    figure = figures.data(table)
    np.testing.assert_allclose(figure.axes[0].collections[0].get_offsets(), points[3][[0, 10], :2])
    assert "data seed 3 instead of 0; also swept: data seed (8)" in figure.legends[0].get_title().get_text()


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
