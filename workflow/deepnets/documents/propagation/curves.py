"""Drawing of metrics of random nets against depth: medians with bands, reference lines, and notes on the nets."""

from textwrap import fill
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from deepnets.documents.propagation import nets, runs
from reproduce import api

# Letters of a note at font size 7.
_LETTERS_PER_INCH = 19


def draw_metric(axis: Axes, net: pd.DataFrame, metric: str, colour: str, label: str, **style: Any) -> None:
    """Draw a metric of one net: the median over simulations, with a band from the 16th to the 84th percentile."""
    draw_band(axis, api.by_simulation(api.require_rows(net, metric)), colour, label, **style)


def draw_band(axis: Axes, values: pd.DataFrame, colour: str, label: str, **style: Any) -> None:
    """Draw median and 16th to 84th percentile over columns for each row, except row 0, the first linear layer."""
    values = values[values.index > 0]
    # A line through a single layer is invisible.
    if len(values) == 1:
        style["marker"] = "."
    axis.plot(values.median(axis=1), color=colour, label=label, **style)
    low, high = values.quantile(0.16, axis=1), values.quantile(0.84, axis=1)
    axis.fill_between(values.index, low, high, color=colour, alpha=0.2, lw=0, label=f"_{label}" if label else None)


def draw_reference(axis: Axes, value: float, name: str, *, side: str = "above") -> None:
    """Draw a reference value as a dashed line, and write its name above or below the right end."""
    axis.axhline(value, color="k", ls="--", lw=0.8, zorder=1, label=f"_{name}" if name else None)
    va, gap = ("bottom", 0) if side == "above" else ("top", -2)
    right = axis.get_yaxis_transform()
    axis.annotate(name, (1, value), (0, gap), right, "offset points", ha="right", va=va, fontsize=7)


def rows_shown(net: api.Selection, propagation: api.Table, *free: str) -> tuple[pd.DataFrame, str]:
    """Return the rows of a net that a figure draws, and a note, as `Selection.shown` does.

    The figure names architecture and normalisation, so the rows have the document's values of these two. Raises
    NotRecordedError if the net has no layer to show.
    """
    rows, note = runs.in_one_size(net, propagation).shown(propagation, *free)
    named = {axis: net[axis] for axis in ("arch", "norm") if axis not in free}
    return nets.require_layers(api.runs_of(rows, **named)), note


def take_net(sheet: api.Sheet, net: api.Selection, propagation: api.Table) -> pd.DataFrame:
    """Return the rows of a net that a figure draws, and describe the net above the panels."""
    rows, note = rows_shown(net, propagation)
    write_notes(sheet, nets.describe_net(rows), note)
    return rows


def write_notes(sheet: api.Sheet, *lines: str) -> None:
    """Write lines about the nets above a figure, wrapped to its width."""
    letters = int(_LETTERS_PER_INCH * sheet.figure.get_figwidth())
    sheet.figure.suptitle("\n".join(fill(line, letters) for line in lines if line), fontsize=7, color="0.3")


def label_plainly(axis: Axes) -> None:
    """Label a logarithmic y axis over few decades with plain numbers: 1, 2, 5, 10 …"""
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())
