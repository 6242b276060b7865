"""What the figures of document 000 show, from tables of known numbers."""

import numpy as np
import pandas as pd
import pytest

from workflow.deepnets.figures import classifier as figures

pytestmark = pytest.mark.usefixtures("off_screen")


def rows(metric, values, *, step=0, block="depths", depth=2, init="xavier_normal", rank=0, scale=1.0, seed=0):
    """The rows that one run records of a metric at a step."""
    axes = {"block": block, "depth": depth, "init": init, "rank": rank, "scale": scale, "seed": seed}
    values = np.atleast_1d(values).astype(float)
    return pd.DataFrame({**axes, "step": step, "metric": metric, "index": np.arange(len(values)), "value": values})


def accuracies(*values, **axes):
    return pd.concat([rows("test_accuracy", value, seed=seed, step=90, **axes) for seed, value in enumerate(values)])


def errorbars(axis):
    """The points of each series with error bars, and the half lengths of the bars."""
    found = []
    for container in axis.containers:
        points, _, bars = container.lines
        if bars:
            halves = [(segment[1] - segment[0]).max() / 2 for segment in bars[0].get_segments()]
            found.append((points.get_xydata(), halves))
    return found


def test_accuracy_by_depth_is_mean_and_standard_error_of_the_sweep_alone():
    table = pd.concat(
        [
            accuracies(0.5, 0.7, depth=1),
            accuracies(0.6, 0.8, 0.8, 0.6, depth=3),
            accuracies(0.1, block="two_layers", depth=2),
        ]
    )
    figure = figures.accuracy_by_depth(table)
    ((points, halves),) = errorbars(figure.axes[0])
    np.testing.assert_allclose(points, [[1, 60], [3, 70]])
    # Standard deviations 10 and 10 with divisor n, over the root of two and of four.
    np.testing.assert_allclose(halves, [10 / np.sqrt(2), 5])
    assert figure.axes[0].get_legend() is None


def test_two_kinds_of_net_at_one_depth_are_two_points_and_named():
    table = pd.concat(
        [accuracies(0.53, depth=1), accuracies(0.59, 0.60, depth=2), accuracies(0.75, 0.76, depth=2, rank=2)]
    )
    figure = figures.accuracy_by_depth(table)
    full, narrow = errorbars(figure.axes[0])
    np.testing.assert_allclose(full[0], [[1, 53], [2, 59.5]])
    np.testing.assert_allclose(narrow[0], [[2, 75.5]])
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["full rank", "rank 2"]


def test_accuracy_by_depth_says_that_all_runs_diverged():
    table = pd.concat([rows("diverged", 1, step=3, depth=depth) for depth in (1, 2)])
    (axis,) = figures.accuracy_by_depth(table).axes
    (text,) = axis.texts
    assert "all 2 runs left the finite numbers at update 3" in text.get_text().replace("\n", " ")


def test_accuracy_by_depth_says_what_it_lost():
    table = pd.concat([accuracies(0.5, 0.7), rows("diverged", 1, step=4, seed=2)])
    figure = figures.accuracy_by_depth(table)
    assert "1 of 3 runs left the finite numbers at update 4" in figure.get_suptitle().replace("\n", " ")


def test_data_shows_features_in_pairs_and_ten_classes_apart():
    inputs = np.random.default_rng(0).standard_normal((20, 5))
    labels = np.arange(20) % 10
    # Two runs that record the same data, which are drawn once.
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
def test_borders_of_the_slices_part_the_classes(classes):
    angles = np.pi * (2 * np.arange(classes) + 1 - classes) / classes
    inputs = np.stack([np.sin(angles), np.cos(angles), 0 * angles, 0 * angles], axis=1)
    figure = figures.data(pd.concat([rows("input", inputs.ravel()), rows("label", np.arange(classes))]))
    ends = np.array([line.get_xydata()[1] for line in figure.axes[0].get_lines()])
    # Each class's direction lies half a slice from the borders on both sides.
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
    assert legend.get_title().get_text().startswith("only scale 0.0001 (of 0.0001, 0.001)\n")


def test_singular_values_of_runs_that_diverge_at_once_say_so():
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


def test_variants_are_sorted_named_and_printed_beside_what_the_text_quotes():
    table = pd.concat(
        [
            accuracies(0.53, block="linear", depth=1, init="zeros"),
            accuracies(0.6, 0.62, block="two_layers", depth=2),
            accuracies(0.59, 0.59, block="depths", depth=2),
            accuracies(0.84, 0.86, block="rank_2", depth=2, rank=2),
            accuracies(0.75, 0.75, block="rank_2", depth=2, rank=3),
            rows("diverged", 1, block="large_scale", depth=3, scale=1000.0),
        ]
    )
    (axis,) = figures.accuracy_by_variant(table).axes
    names = [label.get_text() for label in axis.get_yticklabels()]
    assert names == [
        "3 layers, × 1000",
        "1 layer, from zeros",
        "2 layers (sweep)",
        "2 layers",
        "2 layers, rank 3",
        "2 layers, rank 2",
    ]
    printed = {(names[round(text.get_position()[1] + 0.2)], text.get_color()): text.get_text() for text in axis.texts}
    reproduced = {name: text.strip() for (name, colour), text in printed.items() if colour == "C0"}
    assert reproduced == {
        "3 layers, × 1000": "1 diverged",
        "1 layer, from zeros": "53.0",
        "2 layers (sweep)": "59.0 ± 0.0",
        "2 layers": "61.0 ± 0.7",
        "2 layers, rank 3": "75.0 ± 0.0",
        "2 layers, rank 2": "85.0 ± 0.7",
    }
    assert {name: text for (name, colour), text in printed.items() if colour == "C1"} == {
        "3 layers, × 1000": "57.5 ± 1.0",
        "1 layer, from zeros": "53.0",
        "2 layers": "60.3 ± 0.6",
        "2 layers, rank 2": "85.0",
    }
    drawn = [(*point, half) for (point,), (half,) in errorbars(axis)]
    assert (60.3, 2.6, pytest.approx(0.6)) in drawn
    assert (61.0, 3.0, pytest.approx(np.sqrt(0.5))) in drawn


def test_data_that_no_run_records_are_told_in_both_panels():
    for axis in figures.data(accuracies(0.5)).axes:
        (text,) = axis.texts
        assert "no run records its inputs" in text.get_text().replace("\n", " ")
