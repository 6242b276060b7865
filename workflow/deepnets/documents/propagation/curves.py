"""Drawing what was measured of random nets against depth: medians and bands, references, and what was simulated."""

from collections.abc import Iterable
from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from workflow.deepnets.documents.propagation.rows import by_simulation, set_up, why_nothing
from workflow.deepnets.figures.panels import letter, say_nothing_to_show
from workflow.deepnets.figures.which_runs import choose

# Letters of the size of what is said of a set-up that stand side by side.
_LETTERS_PER_INCH = 20.5


def draw_metric(axis: Axes, net: pd.DataFrame, metric: str, colour: str, label: str, **style: object) -> None:
    """Draw a metric of one net: its median over simulations in a band from the 16th to the 84th percentile."""
    draw_band(axis, by_simulation(net, metric), colour, label, **style)


def draw_band(axis: Axes, values: pd.DataFrame, colour: str, label: str, **style: object) -> None:
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
    place = {"xycoords": axis.get_yaxis_transform(), "xytext": (0, gap), "textcoords": "offset points"}
    axis.annotate(name, (1, value), ha="right", va=va, fontsize=6.5, **place)


def begin(figure: Figure, axes: Iterable[Axes], runs: pd.DataFrame) -> pd.DataFrame:
    """Give panels their letters and return the net that they show; say above them what it is, or in them why nothing.

    A net of which no layer was measured comes back without rows.
    """
    axes = list(axes)
    letter(axes)
    net, words = choose(runs)
    write_set_up(figure, set_up(net), words)
    if has_layers(net):
        return net
    for axis in axes:
        say_nothing_to_show(axis, why_nothing(net))
    return net[:0]


def has_layers(net: pd.DataFrame) -> bool:
    """Whether any layer behind the first linear one was measured."""
    return bool((net["step"][(net["metric"] == "chi").to_numpy()] > 0).any())


def write_set_up(figure: Figure, *lines: str) -> None:
    """Write above a figure what was simulated for it, no line wider than the figure."""
    letters = int(_LETTERS_PER_INCH * figure.get_figwidth())
    figure.suptitle("\n".join(fill(line, letters) for line in lines if line), fontsize=6.5, color="0.3")


def label_plainly(axis: Axes) -> None:
    """Write the values of a logarithmic y axis over few decades as 1, 2, 5, 10 …"""
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())
