import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from deepnets.documents.largest_rate.claims import GAUSSIAN, ORTHOGONAL, RELU, RELU_ONE_IMAGE
from deepnets.looks import INITS
from reproduce import api

_NETS = {"ReLU, Gaussian": RELU_ONE_IMAGE, "linear, Gaussian": GAUSSIAN, "linear, orthogonal": ORTHOGONAL}
_RELU = "C0"


def rates_by_depth(largest_rate: api.Table) -> Figure:
    """Learning rates at initialisation against the number of hidden layers, on logarithmic axes.

    a: the rate at which one update with 16 images changes the last hidden layer of typical ReLU nets by 1, to first order in
    the rate (points) and for real updates (dash-dotted). b: the first of these for one image and three kinds of nets;
    thin dashes are theory at infinite width. c: the rate 2/λ, with the largest eigenvalue λ of the Hessian where the
    loss is 0, for the nets of b. Lines are means over seeds, and bands their range. Grey lines are the powers −3/2
    (dotted) and −1 (dashed) of the number of layers.
    """
    sheet = api.Sheet(step="layer")
    first, second, third = sheet.panels(columns=3, figsize=(7.2, 3.1), sharex=True)
    of_widths, table = RELU.but(width=api.EVERY), _kinds_of(sheet, largest_rate)
    taken = sheet.take_counted(api.shown_of(table, [of_widths, *_NETS.values()], instead=False))
    runs = _runs_of_net(sheet, table, taken, of_widths)
    # The document's width comes last, in front of the others.
    for place, width in enumerate(sorted(runs["width"].unique(), key=lambda own: own == RELU["width"])):
        style = _style_of(RELU) if width == RELU["width"] else {"color": f"C{4 + place}", "marker": "D"}
        rows = api.require_rows(runs, "largest_rate", width=width)
        _draw_lines(first, api.by_seed(rows), f"{width} units, first order", **style)
        real = api.rows_of(runs, "real_rate", width=width)
        first.plot(api.by_seed(real).mean(axis=1), "-.", color=style["color"], label=f"{width} units, real")
    _draw_power(first, api.rows_of(runs, "largest_rate", width=RELU["width"]), -1.5)
    first.set_title(f"ReLU, {_size_text(runs).partition(', ')[2]}")
    for name, net in _NETS.items():
        runs = _runs_of_net(sheet, table, taken, net)
        width, _, images = _size_text(runs).partition(", ")
        label = f"{name}, {width}"
        _draw_lines(second, api.by_seed(api.rows_of(runs, "largest_rate")), label, **_style_of(net))
        if not (theory := api.rows_of(runs, "theory_rate")).empty:
            # Above the curves, which it meets.
            named = "" if "theory" in second.get_legend_handles_labels()[1] else "theory"
            second.plot(api.by_seed(theory).mean(axis=1), "k--", linewidth=0.8, zorder=3, label=named or None)
        _draw_lines(third, api.by_seed(api.rows_of(runs, "stable_rate")), label, **_style_of(net))
        if net is ORTHOGONAL:
            _draw_power(third, api.rows_of(runs, "stable_rate"), -1)
    second.set_title(f"three nets, {images}")
    third.set_title(f"the same nets, {images}")
    for axis, label in ((first, "largest rate"), (second, "largest rate"), (third, "2/λ")):
        _set_scales(axis, label)
        # Leave space for the legend below the lines.
        low, high = axis.get_ylim()
        axis.set_ylim(bottom=low * (low / high) ** 0.45)
        axis.legend(loc="lower left")
    return sheet.finish()


def first_order(largest_rate: api.Table) -> Figure:
    """How far measured rates are from theory at infinite width, and real updates from first order.

    Both against the number of hidden layers, for one image. a: the largest rate divided by that of theory. b: the mean
    squared change of the last hidden layer after a real update at the rate at which it would be 1 to first order. Lines
    are means over seeds, and bands their range. The dashed grey lines are at 1.
    """
    sheet = api.Sheet(step="layer")
    first, second = sheet.panels(columns=2, figsize=(5.6, 2.7), sharex=True)
    table = _kinds_of(sheet, largest_rate)
    taken = sheet.take_counted(api.shown_of(table, _NETS.values()))
    for name, net in _NETS.items():
        runs = _runs_of_net(sheet, table, taken, net)
        label = f"{name}, {_size_text(runs).partition(',')[0]}"
        rates, theory = (api.rows_of(runs, metric) for metric in ("largest_rate", "theory_rate"))
        if not theory.empty:
            _draw_lines(first, api.by_seed(rates) / api.by_seed(theory), label, **_style_of(net))
        _draw_lines(second, api.by_seed(api.rows_of(runs, "full_change")), label, **_style_of(net))
    for axis, label in ((first, "rate / theory"), (second, "squared change")):
        axis.axhline(1, color="0.6", linestyle="--", linewidth=0.8)
        _set_scales(axis, label)
        axis.set_yscale("linear")
        axis.set_ylim(bottom=0)
    sheet.add_legend()
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
    api.draw_band(axis, values, api.extremes, color=color, ms=3, label=label, marker=marker)


def _draw_power(axis: Axes, rows: pd.DataFrame, power: float) -> None:
    """Draw a power of the depth below the mean, two thirds of it at the smallest depth."""
    if not rows.empty:
        means = api.by_seed(rows).mean(axis=1)
        depths = np.array(means.index, dtype=float)
        line = means.iloc[0] * (depths / depths[0]) ** power / 1.5
        axis.plot(depths, line, "--" if power == -1 else ":", color="0.5", label=f"$L^{{{power:g}}}$")


def _set_scales(axis: Axes, label: str) -> None:
    axis.set(xscale="log", yscale="log", xlabel="hidden layers $L$", ylabel=label)
    axis.set_xticks([2, 4, 8, 16, 32, 64])
    axis.xaxis.set_major_formatter(ScalarFormatter())
    axis.xaxis.set_minor_formatter(NullFormatter())
