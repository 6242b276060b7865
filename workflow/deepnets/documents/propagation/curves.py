"""Drawing what was measured of random nets against depth: medians and bands, references, and what was simulated."""

from collections.abc import Iterable
from textwrap import fill
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from workflow.deepnets.documents.propagation.nets import has_layers, set_up, why_nothing
from workflow.deepnets.figures.sheet import Sheet
from workflow.deepnets.tables.matrices import by_simulation
from workflow.deepnets.tables.rows import rows_of

# Letters of the words on a set-up.
_LETTERS_PER_INCH = 19


def draw_metric(axis: Axes, net: pd.DataFrame, metric: str, colour: str, label: str, **style: Any) -> None:
    """Draw a metric of one net: its median over simulations in a band from the 16th to the 84th percentile."""
    draw_band(axis, by_simulation(rows_of(net, metric)), colour, label, **style)


def draw_band(axis: Axes, values: pd.DataFrame, colour: str, label: str, **style: Any) -> None:
    """Draw median and 16th to 84th percentile of each row over its columns, without the first linear layer, row 0."""
    values = values[values.index > 0]
    # A line of a single layer would not be seen.
    marker = "." if len(values) == 1 else None
    axis.plot(values.median(axis=1), color=colour, label=label, marker=marker, **style)
    if not values.empty:
        low, high = values.quantile(0.16, axis=1), values.quantile(0.84, axis=1)
        axis.fill_between(values.index, low, high, color=colour, alpha=0.2, lw=0)


def draw_reference(axis: Axes, value: float, name: str, *, side: str = "above") -> None:
    """Draw a value to compare with as a dashed line, and write its name above or below its right end."""
    axis.axhline(value, color="k", ls="--", lw=0.8, zorder=1)
    va, gap = ("bottom", 0) if side == "above" else ("top", -2)
    right = axis.get_yaxis_transform()
    axis.annotate(name, (1, value), (0, gap), right, "offset points", ha="right", va=va, fontsize=7)


def begin(sheet: Sheet, panels: Iterable[Axes], selection: tuple[pd.DataFrame, str]) -> pd.DataFrame:
    """Return the net that a figure shows, after writing above the panels what was simulated for it.

    selection: what `select_settings` returns. If no layer was measured, the panels say why, and no rows are returned.
    """
    net, left_out = selection
    write_set_up(sheet, set_up(net), left_out)
    return net if can_draw(sheet, panels, net) else net[:0]


def can_draw(sheet: Sheet, panels: Axes | Iterable[Axes], net: pd.DataFrame) -> bool:
    """Return whether any layer of a net was measured; if none was, write the reason into the panels."""
    if not has_layers(net):
        sheet.leave_empty(panels, why_nothing(net))
    return has_layers(net)


def write_set_up(sheet: Sheet, *lines: str) -> None:
    """Write above a figure what was simulated for it, no line wider than the figure."""
    letters = int(_LETTERS_PER_INCH * sheet.figure.get_figwidth())
    sheet.figure.suptitle("\n".join(fill(line, letters) for line in lines if line), fontsize=7, color="0.3")


def label_plainly(axis: Axes) -> None:
    """Write the values of a logarithmic y axis over few decades as 1, 2, 5, 10 …"""
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())
