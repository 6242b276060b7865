"""Curves against steps: their rows, and a mean over seeds with a band."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer

from reproduce.tables.rows import NotRecordedError, rows_of
from reproduce.tables.words import absence_reason

# Returns the lower and the upper end of a band around the mean of the columns.
Spread = Callable[[pd.DataFrame], tuple[pd.Series, pd.Series]]


def require_curve(runs: pd.DataFrame, metric: str, *, step: str = "update") -> pd.DataFrame:
    """Return the rows of a metric; raise NotRecordedError, with the reason, if they make no line.

    step: the experiment's word for a step.
    """
    rows = rows_of(runs, metric)
    if rows["step"].nunique() < 2:
        raise NotRecordedError(absence_reason(runs, step=step))
    return rows


def deviation(values: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return the mean minus and plus one standard deviation (divisor n)."""
    mean, spread = values.mean(axis=1), values.std(axis=1, ddof=0)
    return mean - spread, mean + spread


def extremes(values: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return the smallest and the largest value."""
    return values.min(axis=1), values.max(axis=1)


def draw_band(
    axis: Axes, values: pd.DataFrame, spread: Spread, *, color: str, alpha: float = 0.2, **style: Any
) -> None:
    """Draw the mean over columns and their spread against the index; a single row only if there is a marker.

    alpha: opacity of the band; style: arguments of `axis.plot`.
    """
    if len(values) > 1 or (len(values) and "marker" in style):
        axis.plot(values.mean(axis=1), color=color, **style)
        # An underscore hides a label from legends; the CSV has it.
        label = f"_{style['label']}" if style.get("label") else None
        axis.fill_between(values.index, *spread(values), color=color, alpha=alpha, lw=0, label=label)


def draw_bars(axis: Axes, values: pd.DataFrame, spread: Spread, **style: Any) -> None:
    """Draw the mean over columns against the index, with bars of their spread. style: as for `axis.errorbar`."""
    mean, (low, high) = values.mean(axis=1), spread(values)
    # By rounding, the mean of equal values may be beyond them.
    axis.errorbar(mean.index, mean, [(mean - low).clip(0), (high - mean).clip(0)], **style)


def label_lines(axis: Axes) -> None:
    """Write the label of each line beside its last point, joined by a stroke; the axes must not change afterwards."""
    handles, names = axis.get_legend_handles_labels()
    lines: list[Any] = [each[0] if isinstance(each, ErrorbarContainer) else each for each in handles]
    points = [each.get_xydata()[np.isfinite(each.get_xydata()).all(axis=1)] for each in lines]
    drawn = [(line, name, own[-1]) for line, name, own in zip(lines, names, points, strict=True) if len(own)]
    axis.get_ylim()  # Scales the axes, which matplotlib puts off.
    heights = axis.transData.transform(np.reshape([end for *_, end in drawn], (-1, 2)))[:, 1] * 72 / axis.figure.dpi
    order = np.argsort(heights, kind="stable")
    # At least 8.5 points apart.
    places = heights[order]
    for _ in range(99):
        push = (8.5 - np.diff(places)).clip(0) / 2
        places[1:] += push
        places[:-1] -= push
    for number, place in zip(order, places, strict=True):
        line, name, end = drawn[number]
        stroke = {"arrowstyle": "-", "color": line.get_color(), "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)}
        style: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": 7, "arrowprops": stroke}
        axis.annotate(name, end, (9, place - heights[number]), **style)
