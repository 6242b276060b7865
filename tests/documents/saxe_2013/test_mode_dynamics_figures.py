"""The figures after Saxe et al. 2013, Fig. 3, drawn from tables of known numbers."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import evidence
from deepnets.documents.saxe_2013.figures import mode_dynamics as figures

pytestmark = pytest.mark.usefixtures("off_screen")

# Half times of two nets by seed. Each net has two modes, and eq. 11 gives 100 and 200 updates.
HALF_TIMES = {"linear": {0: [110, 240, 130, 250], 1: [120, 220, 100, 210]}, "tanh": {0: [150, 400, 170, 420]}}


rows = partial(evidence.rows, block="small_random", init="normal", activation="linear", depth=2, seed=0)


def run(half_times, **axes):
    parts = [
        rows("data_singular_value", [8, 4], **axes),
        rows("theory_half_time", [100, 200], **axes),
        rows("half_time", half_times, **axes),
    ]
    for step, strengths in ((0, [0, 0.1]), (10, [3, 1 + axes.get("seed", 0)]), (20, [8, 4])):
        parts.append(rows("mode_strength", strengths, step=step, **axes))
        parts.append(rows("theory_mode_strength", np.add(strengths, 0.5), step=step, **axes))
    return pd.concat(parts)


def table(**axes):
    runs = [
        run(half_times, activation=activation, seed=seed, **axes)
        for activation, by_seed in HALF_TIMES.items()
        for seed, half_times in by_seed.items()
    ]
    return pd.concat([*runs, run([101, 202], block="decoupled", **axes)])


def bars(axis):
    """Return the points and lengths of bars by label."""
    found = {}
    for container in axis.containers:
        line, _, ranges = container.lines
        spread = [np.ptp(part[:, 1]) / 2 for part in ranges[0].get_segments()] if ranges else None
        found[container.get_label()] = line.get_xydata(), spread
    return found


def test_delays_are_means_and_deviations_over_the_nets_of_all_seeds():
    figure = figures.learning_delay(table())
    found = bars(figure.axes[0])
    assert list(found) == [
        "linear, random start: 4 nets, 15 to 15 %",
        "tanh, random start: 2 nets, 60 to 105 %",
        "linear, decoupled start: 1 net, 1 to 1 %",
    ]
    first, second = [10, 30, 20, 0], [20, 25, 10, 5]
    points, spreads = found["linear, random start: 4 nets, 15 to 15 %"]
    np.testing.assert_allclose(points, [[1, 15], [2, 15]])
    np.testing.assert_allclose(spreads, [np.std(first), np.std(second)])
    points, spreads = found["tanh, random start: 2 nets, 60 to 105 %"]
    np.testing.assert_allclose(points, [[1, 60], [2, 105]])
    np.testing.assert_allclose(spreads, [10, 5])
    points, spreads = found["linear, decoupled start: 1 net, 1 to 1 %"]
    np.testing.assert_allclose(points, [[1, 1], [2, 1]])
    assert spreads is None
    assert not figure.get_suptitle()


def test_half_times_after_the_end_of_runs_are_counted():
    short = table()
    # The linear nets lack two half times of mode 2, and the tanh nets lack all.
    lost = (
        (short["metric"] == "half_time")
        & (short["block"] == "small_random")
        & (((short["activation"] == "linear") & (short["value"] > 220)) | (short["activation"] == "tanh"))
    )
    figure = figures.learning_delay(short[~lost])
    (legend,) = figure.legends
    words = legend.get_title().get_text()
    assert "linear, random start: 2 half times are after the end of their runs" in words.replace("\n", " ")
    assert "tanh, random start: no half time to compare" in words.replace("\n", " ")
    np.testing.assert_allclose(next(iter(bars(figure.axes[0]).values()))[0], [[1, 15], [2, 7.5]])
    # No net learns this mode.
    (legend,) = figures.learning_delay(short[~lost & ((short["index"] % 2 == 0) | (short["value"] < 205))]).legends
    assert "linear, random start: 4 half times" in legend.get_title().get_text().replace("\n", " ")


def test_strengths_of_all_seeds_are_drawn_below_theory():
    figure = figures.mode_strengths(table())
    linear, tanh = figure.axes
    assert [axis.get_title() for axis in figure.axes] == ["linear hidden layer", "tanh hidden layer"]
    drawn = [line.get_xydata().tolist() for line in linear.get_lines()]
    assert drawn == [
        [[0, 0], [10, 3], [20, 8]],
        [[0, 0], [10, 3], [20, 8]],
        [[0, 0.5], [10, 3.5], [20, 8.5]],
        [[0, 0.1], [10, 1], [20, 4]],
        [[0, 0.1], [10, 2], [20, 4]],
        [[0, 0.6], [10, 1.5], [20, 4.5]],
    ]
    assert [line.get_linewidth() for line in linear.get_lines()[:3]] == [1.4, 0.5, 0.7]
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["mode 1", "mode 2", "eq. 12"]
    assert len(tanh.get_lines()) == 4
    # The means of both linear modes are 15 % late, one net 30 %. For tanh, it is 105 and 110 %.
    assert linear.texts[0].get_text() == "half times of 4 nets off eq. 11:\nmean ≤ 15 %, a net ≤ 30 %"
    assert tanh.texts[0].get_text() == "half times of 2 nets off eq. 11:\nmean ≤ 105 %, a net ≤ 110 %"


def test_errors_cover_all_modes_not_only_those_drawn():
    shown = table()
    strengths = shown["metric"].isin(["mode_strength", "theory_mode_strength"])
    figure = figures.mode_strengths(shown[~strengths | (shown["index"] == 0)])
    assert figure.axes[1].texts[0].get_text() == "half times of 2 nets off eq. 11:\nmean ≤ 105 %, a net ≤ 110 %"


def test_a_depth_that_is_swept_is_not_averaged_over():
    deeper = table(depth=3).query("not metric.str.startswith('theory')").assign(value=1.0)
    both = pd.concat([table(), deeper])
    for draw in (figures.mode_strengths, figures.learning_delay):
        figure = draw(both)
        (legend,) = figure.legends
        assert legend.get_title().get_text().startswith("also swept: depth (3), see")
    np.testing.assert_allclose(figures.mode_strengths(both).axes[0].get_lines()[1].get_ydata(), [0, 3, 8])


def without_theory(depth):
    return table(depth=depth).query("not metric.str.startswith('theory')")


def test_the_paper_s_depth_of_several_is_drawn():
    swept = pd.concat([without_theory(1), table(), without_theory(3)])
    figure = figures.learning_delay(swept)
    assert list(bars(figure.axes[0])) == list(bars(figures.learning_delay(table()).axes[0]))
    assert figure.legends[0].get_title().get_text().startswith("also swept: depth (1, 3), see")
    assert figures.mode_strengths(swept).axes[0].get_title() == "linear hidden layer"


@pytest.mark.parametrize(
    ("depth", "titles"),
    [
        (1, ["no hidden layer (linear)", "no hidden layer (tanh)"]),
        (3, ["2 linear hidden layers", "2 tanh hidden layers"]),
    ],
)
def test_nets_of_other_depths_are_named_and_have_no_theory(depth, titles):
    assert [axis.get_title() for axis in figures.mode_strengths(without_theory(depth)).axes] == titles
    (axis,) = figures.learning_delay(without_theory(depth)).axes
    said = " ".join(axis.texts[0].get_text().split())
    # These nets have half times of their own.
    assert said == "Nothing to show: eq. 11 holds for one hidden layer, and there is no run of such a net"


def test_a_missing_block_and_diverged_runs_have_a_message():
    decoupled = table().query("block == 'decoupled'")
    (axis,) = figures.mode_strengths(decoupled).axes
    assert "the config contains no such runs" in axis.texts[0].get_text().replace("\n", " ")
    lost = pd.concat([rows("data_singular_value", [8, 4]), rows("diverged", 1, step=7)])
    (axis,) = figures.mode_strengths(lost).axes
    assert "left the finite numbers at update 7" in axis.texts[0].get_text().replace("\n", " ")
    (axis,) = figures.learning_delay(lost).axes
    assert "no mode reached half" in axis.texts[0].get_text().replace("\n", " ")
