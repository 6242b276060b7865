"""The figures of the largest rate at initialisation."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workflow.deepnets.documents.largest_rate.runs import GAUSSIAN, ORTHOGONAL, RELU, RELU_ONE_IMAGE
from workflow.deepnets.figures.sheet import Sheet
from workflow.deepnets.tables.matrices import by_seed
from workflow.deepnets.tables.rows import Runs, rows_of
from workflow.deepnets.tables.selection import select_settings

_NETS: dict[str, Runs] = {
    "ReLU, Gaussian": RELU_ONE_IMAGE,
    "linear, Gaussian": GAUSSIAN,
    "linear, orthogonal": ORTHOGONAL,
}


def rates_by_depth(largest_rate: pd.DataFrame) -> Figure:
    """Learning rates at initialisation against the number of hidden layers, on logarithmic axes.

    a: the rate at which one update with 16 images changes the last hidden layer of ReLU nets by 1; one colour per
    width. b: the same rate for one image and three kinds of nets; dashed lines are theory at infinite width. c: the
    rate 2/λ, with the largest eigenvalue λ of the Hessian where the loss is 0, for the nets of b. Lines are means over
    seeds, and bands their range. Dotted grey lines are the powers −3/2 and −1 of the number of layers.
    """
    sheet = Sheet(step="layer")
    first, second, third = sheet.panels(columns=3, figsize=(7.2, 2.7), sharex=True)
    wide = sheet.take_counted(select_settings(largest_rate, RELU, width=4))
    for position, width in enumerate(sorted(wide["width"].unique())):
        _draw_range(first, rows_of(wide, "largest_rate", width=width), f"C{position + 3}", f"width {width}, 16 images")
    _draw_power(first, wide[wide["width"] == wide["width"].max()], "largest_rate", -1.5)
    for position, (name, setting) in enumerate(_NETS.items()):
        runs = sheet.take(select_settings(largest_rate, setting), name=name)
        _draw_range(second, rows_of(runs, "largest_rate"), f"C{position}", f"{name}, one image")
        theory = by_seed(rows_of(runs, "theory_rate")).mean(axis=1)
        second.plot(theory.index, theory, "--", color=f"C{position}", linewidth=0.8)
        _draw_range(third, rows_of(runs, "stable_rate"), f"C{position}", f"{name}, one image")
        if setting == ORTHOGONAL:
            _draw_power(third, runs, "stable_rate", -1)
    first.set_ylabel("rate that changes\nthe last layer by 1")
    second.set_ylabel("rate that changes\nthe last layer by 1")
    third.set_ylabel("2 / largest eigenvalue")
    for axis in (first, second, third):
        _set_scales(axis)
    sheet.add_legend()
    return sheet.finish()


def first_order(largest_rate: pd.DataFrame) -> Figure:
    """How far measured rates are from theory at infinite width, and real updates from first order.

    Both against the number of hidden layers, for one image. a: the largest rate divided by that of theory. b: the mean
    squared change of the last hidden layer after a real update at the rate at which it would be 1 to first order. Lines
    are means over seeds, and bands their range. The dashed grey lines are at 1.
    """
    sheet = Sheet(step="layer")
    first, second = sheet.panels(columns=2, figsize=(5.6, 2.5), sharex=True)
    for position, (name, setting) in enumerate(_NETS.items()):
        runs = sheet.take(select_settings(largest_rate, setting), name=name)
        expected = rows_of(runs, "theory_rate")
        rows = rows_of(runs, "largest_rate")
        ratios = by_seed(rows) / by_seed(expected)
        _draw_band(first, ratios, f"C{position}", name)
        _draw_range(second, rows_of(runs, "full_change"), f"C{position}", name)
    for axis, label in ((first, "rate over that of theory"), (second, "change after a real update")):
        axis.axhline(1, color="0.6", linestyle="--", linewidth=0.8)
        axis.set(ylabel=label)
        _set_scales(axis)
    sheet.add_legend()
    return sheet.finish()


def _draw_range(axis: Axes, rows: pd.DataFrame, colour: str, label: str) -> None:
    if not rows.empty:
        _draw_band(axis, by_seed(rows), colour, label)


def _draw_band(axis: Axes, lines: pd.DataFrame, colour: str, label: str) -> None:
    axis.fill_between(lines.index, lines.min(axis=1), lines.max(axis=1), color=colour, alpha=0.25, linewidth=0)
    axis.plot(lines.index, lines.mean(axis=1), color=colour, marker=".", markersize=4, label=label)


def _draw_power(axis: Axes, runs: pd.DataFrame, metric: str, power: float) -> None:
    """Draw a power of the depth through the smallest depth, a third below the mean."""
    means = by_seed(rows_of(runs, metric)).mean(axis=1)
    if len(means):
        depths = np.array(means.index, dtype=float)
        line = means.iloc[0] * (depths / depths[0]) ** power / 1.5
        axis.plot(depths, line, ":", color="0.5", label=f"$L^{{{power:g}}}$")


def _set_scales(axis: Axes) -> None:
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.set_xlabel("hidden layers $L$")
