from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from deepnets.documents.synthesis.quantities import last_values
from deepnets.documents.synthesis.runs import BY_DEPTH, DEPTH_AND_SCALE, SAXE
from deepnets.looks import INITS, Look
from reproduce import api


def depth_and_learning_time(learning_time: api.Table, hierarchy: api.Table, classifier: api.Table) -> Figure:
    """Whether deeper nets learn more slowly depends on the initial weights, and on how time is counted.

    a: MNIST, until learned at each net's best learning rate. b: until the first mode is half learned, at one rate; γ
    multiplies the standard initial weights. c: until the loss is 0.01, at rates that differ by depth. Points: mean over
    seeds; bars: smallest to largest. Triangles: lower bounds, where some seeds had not learned by their last update.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 3, figsize=(6.9, 2.9))
    saxe = sheet.take_counted(SAXE.shown(learning_time, "depth", "init"), "width", name="a")
    times = _times_and_ends(saxe, last_values(saxe, "learning_time")).rename(
        index=lambda depth: depth + 1, level="depth"
    )
    _draw_means(axes[0], times, "init", INITS)
    axes[0].set(title="Saxe et al.", xlabel="layers of units", ylabel="learning time (updates)")
    tree = sheet.take_counted(DEPTH_AND_SCALE.shown(hierarchy, "depth", "scale"), name="b")
    first = api.rows_of(api.drop_diverged(tree), "half_time", index=0)
    half_times = _times_and_ends(tree, first.set_index(api.axes_of(first))["value"])
    scales = sorted(tree["scale"].unique())
    shades = map(str, np.linspace(0.55, 0, len(scales)))
    looks = {scale: Look(f"γ = {api.text_of(scale)}", shade, "o") for scale, shade in zip(scales, shades, strict=True)}
    _draw_means(axes[1], half_times, "scale", looks)
    axes[1].set(title="003", xlabel="weight matrices", ylabel="half time (updates)")
    nets = sheet.take_counted(api.shown_of(classifier, BY_DEPTH.values(), "depth"), noun="repetition", name="c")
    _draw_means(axes[2], _time_to_target(nets), "block", dict.fromkeys(nets["block"].unique(), Look("_nets", "k", "o")))
    axes[2].set(title="000", xlabel="weight matrices", ylabel="updates × learning rate")
    for axis in axes:
        axis.set(yscale="log")
    axes[0].set_xscale("log")
    axes[1].set(yscale="linear", ylim=(0, None))
    for axis in axes[:2]:
        api.label_lines(axis)
    for axis in axes[1:]:
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    return sheet.finish()


def _times_and_ends(runs: pd.DataFrame, times: pd.Series) -> pd.DataFrame:
    """Return time and last update of each run that did not diverge, indexed by axes; NaN if a run has no time."""
    rows = api.last_rows(api.rows_of(api.drop_diverged(runs), "train_loss"))
    return pd.DataFrame({"time": times, "end": rows.set_index(api.axes_of(rows))["step"]})


def _time_to_target(nets: pd.DataFrame) -> pd.DataFrame:
    """Return updates × learning rate as `_times_and_ends`; a run has a time if it reached its target loss."""
    rows = api.last_rows(api.rows_of(api.drop_diverged(nets), "train_loss"))
    ends = (rows["step"] * rows["learning_rate"]).set_axis(pd.MultiIndex.from_frame(rows[api.axes_of(rows)]))
    reached = (rows["value"] <= rows["target_loss"]).to_numpy()
    return pd.DataFrame({"time": ends.where(reached), "end": ends})


def _draw_means(axis: Axes, times: pd.DataFrame, by: str, looks: Mapping[Any, Look]) -> None:
    """Draw mean and range over seeds against depth, with one line for each value of the axis `by`.

    Where some seeds have no time, the mean of times and ends is a lower bound, which gets no line.
    """
    for value, own in times.groupby(level=by, observed=True):
        learned = own["time"].notna().groupby(level="depth").all()
        seeds = own["time"].fillna(own["end"]).groupby(level="depth")
        means, bars = seeds.mean(), np.array([seeds.mean() - seeds.min(), seeds.max() - seeds.mean()])
        (name, colour, marker), done, bounds = looks[value], means[learned], means[~learned]
        # The last point has the name of the line.
        hidden = "_" if len(bounds) and bounds.index[-1] == means.index[-1] else ""
        style: dict[str, Any] = {"marker": marker, "ms": 3, "lw": 0.8, "color": colour, "label": f"{hidden}{name}"}
        axis.errorbar(done.index, done, bars[:, learned], **style)
        label = f"{name}, at least" if hidden else f"_{name}, at least"
        axis.plot(bounds.index, bounds, "^", ms=4, mfc="white", color=colour, label=label)
