"""Learning time across documents: when more layers make learning slower, and when faster."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from deepnets.documents.synthesis.quantities import last_values
from deepnets.documents.synthesis.runs import BY_DEPTH, DEPTH_AND_SCALE, SAXE
from deepnets.figures.sheet import Sheet
from deepnets.tables.rows import drop_diverged, last_rows, rows_of
from deepnets.tables.selection import shown_of
from deepnets.tables.words import text_of


def depth_and_learning_time(learning_time: pd.DataFrame, hierarchy: pd.DataFrame, classifier: pd.DataFrame) -> Figure:
    """Whether deeper nets learn more slowly depends on the initial weights, and on how time is counted.

    a: Saxe et al. 2013 on MNIST: updates until learned at each net's best learning rate, by initialisation. b: document
    003: updates until the first mode is half learned, at one learning rate; γ multiplies the standard initial weights.
    c: document 000: updates times learning rate, which differs by depth, until the loss is 0.01. Points: mean over
    seeds; bars: smallest to largest. Nets that had not learned when their run ended are left out.
    """
    sheet = Sheet()
    axes = sheet.panels(1, 3, figsize=(6.9, 2.9))
    saxe = sheet.take_counted(SAXE.shown(learning_time, "depth", "init"), "width", name="a")
    times = last_values(saxe, "learning_time").rename(index=lambda depth: depth + 1, level="depth")
    _draw_means(axes[0], times, "init", _name_init)
    axes[0].set(title="Saxe et al.", xlabel="layers of units", ylabel="learning time (updates)")
    tree = sheet.take_counted(DEPTH_AND_SCALE.shown(hierarchy, "depth", "scale"), name="b")
    first = last_rows(rows_of(drop_diverged(tree), "half_time", index=0))
    half_times = first.set_index(["depth", "scale", "seed"])["value"]
    _draw_means(axes[1], half_times, "scale", lambda scale: f"γ = {text_of(scale)}")
    axes[1].set(title="003", xlabel="weight matrices", ylabel="half time (updates)")
    nets = sheet.take_counted(shown_of(classifier, BY_DEPTH.values(), "depth"), noun="repetition", name="c")
    _draw_means(axes[2], _time_to_target(nets), "block", lambda _: "")
    axes[2].set(title="000", xlabel="weight matrices", ylabel="updates × learning rate")
    for axis, runs in zip(axes, (saxe, tree, nets), strict=True):
        if axis.has_data():
            axis.set(yscale="log")
        else:
            sheet.leave_empty(axis, runs)
    if axes[0].has_data():
        # Leave space for the legend below the lines.
        axes[0].set(xscale="log", ylim=(axes[0].get_ylim()[0] / 8, None))
        axes[0].legend(loc="lower right")
    if axes[1].has_data():
        axes[1].set(yscale="linear", ylim=(0, None))
        axes[1].legend(loc="upper right")
    for axis in axes[1:]:
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    return sheet.finish()


def _name_init(init: str) -> str:
    return "Gaussian" if init == "gaussian" else text_of(init, spaces=True)


def _time_to_target(nets: pd.DataFrame) -> pd.Series:
    """Return updates × learning rate for each run that reached its target loss, indexed by depth, block and seed."""
    rows = last_rows(rows_of(drop_diverged(nets), "train_loss"))
    reached = rows[rows["value"] <= rows["target_loss"]]
    return (reached["step"] * reached["learning_rate"]).set_axis(
        pd.MultiIndex.from_frame(reached[["depth", "block", "seed"]])
    )


def _draw_means(axis: Axes, values: pd.Series, by: str, name: Callable[[Any], str]) -> None:
    """Draw mean and range over seeds against depth, with one line for each value of the axis `by`."""
    for position, (each, own) in enumerate(values[np.isfinite(values)].groupby(level=by, observed=True)):
        seeds = own.groupby(level="depth")
        means = seeds.mean()
        bars = [means - seeds.min(), seeds.max() - means]
        axis.errorbar(means.index, means, bars, marker="osD^v<>"[position % 7], ms=3, lw=0.8, label=name(each) or None)
