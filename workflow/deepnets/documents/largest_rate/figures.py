import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from deepnets.documents.largest_rate.claims import GAUSSIAN, ORTHOGONAL, RELU, RELU_ONE_IMAGE
from deepnets.looks import INITS
from reproduce import api

# Linear nets nearly coincide in two panels: the smaller markers, of Gaussian ones, are drawn last.
_NETS = {"ReLU, Gaussian": RELU_ONE_IMAGE, "linear, orthogonal": ORTHOGONAL, "linear, Gaussian": GAUSSIAN}
_RELU = "C0"


def rates_by_depth(largest_rate: api.Table) -> Figure:
    """The deeper a net, the lower the rate at which one update changes its last hidden layer by 1.

    a: this rate for 16 images and ReLU nets, to first order in the rate (points; other widths hollow) and for real
    updates (dash-dotted). b: to first order, for one image; black: theory at infinite width. c: the rate 2/λ, with the
    largest eigenvalue λ of the Hessian where the loss is 0. d: mean squared change of the last hidden layer after a
    real update at the rates of b; to first order it would be 1. Lines and points are means over seeds, and bands their
    range. Grey lines are the powers −3/2 (dotted) and −1 (dashed) of the number of hidden layers.
    """
    sheet = api.Sheet(step="layer")
    first, second, third, fourth = sheet.panels(2, 2, figsize=(6.9, 5.2), sharex=True, x="hidden layers $L$").flat
    of_widths, table = RELU.but(width=api.EVERY), _kinds_of(sheet, largest_rate)
    taken = sheet.take_counted(api.shown_of(table, [of_widths, *_NETS.values()], instead=False))
    runs = _runs_of_net(sheet, table, taken, of_widths)
    for width in sorted(runs["width"].unique(), key=lambda own: own != RELU["width"]):
        rates = api.by_seed(api.require_rows(runs, "largest_rate", width=width))
        if width == RELU["width"]:
            _draw_lines(first, rates, f"{width} units, first order", **_style_of(RELU))
            real = api.by_seed(api.rows_of(runs, "real_rate", width=width))
            first.plot(real.mean(axis=1), "-.", color=_RELU, label=f"{width} units, real updates")
        else:
            first.plot(rates.mean(axis=1), "D", color="C4", ms=6, mfc="none", label=f"{width} units, first order")
    _draw_power(first, api.rows_of(runs, "largest_rate", width=RELU["width"]), -1.5)
    first.set_title(f"ReLU, {_size_text(runs).partition(', ')[2]}")
    for name, net in _NETS.items():
        runs = _runs_of_net(sheet, table, taken, net)
        width, _, images = _size_text(runs).partition(", ")
        for axis, metric in ((second, "largest_rate"), (third, "stable_rate"), (fourth, "full_change")):
            _draw_lines(axis, api.by_seed(api.rows_of(runs, metric)), f"{name}, {width}", **_style_of(net))
            axis.set_title(images)
        theory = api.by_seed(api.rows_of(runs, "theory_rate"))
        second.plot(theory.mean(axis=1), "k", lw=0.8, zorder=3, label="theory" if net is GAUSSIAN else None)
        if net is ORTHOGONAL:
            _draw_power(third, api.rows_of(runs, "stable_rate"), -1)
    fourth.axhline(1, color="0.6", ls="--", lw=0.8, label="_first order")
    for axis, label in ((first, "largest rate"), (second, "largest rate"), (third, "2/λ"), (fourth, "squared change")):
        _set_scales(axis, label)
    fourth.set(yscale="linear", ylim=(0, None))
    first.legend(loc="lower left")
    sheet.add_legend([second], columns=4)
    return sheet.finish()


def _kinds_of(sheet: api.Sheet, largest_rate: api.Table) -> api.Table:
    """Return the runs of the kinds of nets that the figures draw, and note the one that they do not draw."""
    drawn = largest_rate.pipe(api.runs_except, activation="relu", init="orthogonal")
    sheet.note("ReLU nets with orthogonal weights are not drawn" if len(drawn.frame) < len(largest_rate.frame) else "")
    return drawn


def _runs_of_net(sheet: api.Sheet, table: api.Table, taken: pd.DataFrame, net: api.Selection) -> pd.DataFrame:
    """Return the runs of a net among those taken. If the config lacks its width or batch, take its first one instead.

    table: all runs; taken: those that have the width and the batch of a net.
    """
    runs = net.among(api.Table(taken, table.grids))
    kind = table.pipe(api.runs_of, activation=net["activation"], init=net["init"])
    return sheet.take(net.shown(kind)) if runs.empty else runs


def _size_text(runs: pd.DataFrame) -> str:
    """Return the width and the batch of a net's runs, as text."""
    width, batch = runs["width"].iloc[0], runs["batch"].iloc[0]
    return f"{width} units, {'one image' if batch == 1 else f'{batch} images'}"


def _style_of(net: api.Selection) -> dict[str, str]:
    """Return colour and marker of a kind of nets: those of the init for linear nets."""
    _, colour, marker = INITS[net["init"]]
    return {"color": _RELU, "marker": "o"} if net["activation"] == "relu" else {"color": colour, "marker": marker}


def _draw_lines(axis: Axes, values: pd.DataFrame, label: str, *, color: str, marker: str) -> None:
    size = 5 if marker == INITS["orthogonal"].marker else 3
    api.draw_band(axis, values, api.extremes, color=color, ms=size, label=label, marker=marker)


def _draw_power(axis: Axes, rows: pd.DataFrame, power: float) -> None:
    """Draw a power of the depth below the mean, two thirds of it at the smallest depth."""
    if not rows.empty:
        means = api.by_seed(rows).mean(axis=1)
        depths = np.array(means.index, dtype=float)
        line = means.iloc[0] * (depths / depths[0]) ** power / 1.5
        axis.plot(depths, line, "--" if power == -1 else ":", color="0.5", label=f"$L^{{{power:g}}}$")


def _set_scales(axis: Axes, label: str) -> None:
    axis.set(xscale="log", yscale="log", ylabel=label)
    axis.set_xticks([2, 4, 8, 16, 32, 64])
    axis.xaxis.set_major_formatter(ScalarFormatter())
    axis.xaxis.set_minor_formatter(NullFormatter())
