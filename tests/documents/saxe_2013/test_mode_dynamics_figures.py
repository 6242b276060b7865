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


def test_errors_cover_all_modes_not_only_those_drawn():
    shown = table()
    strengths = shown["metric"].isin(["mode_strength", "theory_mode_strength"])
    figure = figures.mode_strengths(shown[~strengths | (shown["index"] == 0)])
    assert figure.axes[1].texts[0].get_text() == "half times of 2 nets off eq. 11:\nmean ≤ 105 %, a net ≤ 110 %"
