"""The figure of an experiment's sweeps: every metric against every axis that the config sweeps."""

from math import ceil
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D

from reproduce.figures.sheet import Sheet
from reproduce.tables.sweeps import Sweep, scale_of, sweeps_of
from reproduce.tables.table import Table
from reproduce.tables.thinning import evenly_spaced
from reproduce.tables.words import text_of

# Sizes of a panel, and height of the words of a part, in inches.
_WIDTH, _HEIGHT, _WORDS = 1.7, 1.25, 0.5
# A PDF allows 200 inches.
_HIGHEST = 190
# The fewest columns, and the maximum number of entries of a legend.
_COLUMNS, _LISTED = 4, 8
_LETTERS_PER_INCH = 17


def sweeps(table: Table) -> Figure:
    """Every metric against every axis that the config sweeps, with one part for each swept axis of each block.

    Points: mean over seeds of the last recorded value; bars: smallest to largest. A line joins settings that differ
    only in the axis below the part; an axis that the heading lists with several values follows from the swept axes.
    Colours: a second swept axis; lines of one colour differ in further swept axes. Of a metric with several indices,
    the smallest index is shown. Metrics that do not change along an axis are left out, and runs that diverged. The
    docstring of the experiment's `run` explains metrics and units.
    """
    sheet, found = Sheet(step="step"), sweeps_of(table.frame)
    sheet.take((table.frame, ""))
    counts = [sweep.points["metric"].nunique() for sweep in found]
    # A figure of many panels is wider, too.
    columns = max(_COLUMNS, ceil(np.sqrt(sum(counts) / 4)))
    rows = [ceil(count / columns) for count in counts]
    heights = [_HEIGHT * each + _WORDS for each in rows]
    figure = plt.figure(figsize=(_WIDTH * columns, min(sum(heights), _HIGHEST)))
    parts = figure.subfigures(len(found), 1, height_ratios=heights, squeeze=False).flatten()
    for part, sweep, count, lines in zip(parts, found, counts, rows, strict=True):
        heading = fill(f"{sweep.name}: {sweep.constant}", int(_LETTERS_PER_INCH * _WIDTH * columns))
        part.suptitle(heading, x=0.01, ha="left", fontsize=7)
        (part.supylabel if sweep.named else part.supxlabel)(sweep.axis, fontsize=8)
        shared = "sharey" if sweep.named else "sharex"
        panels = part.subplots(lines, columns, squeeze=False, **{shared: True}).flatten()
        for axis in panels[count:]:
            axis.remove()
        for axis in panels[max(count - columns, 0) : count]:
            axis.tick_params(labelbottom=True)
        _draw_sweep(part, sheet.add_panels(figure, panels[:count], lettered=False), sweep)
    return sheet.finish()


def _draw_sweep(part: SubFigure, panels: list[Axes], sweep: Sweep) -> None:
    """Draw each metric in a panel, and a legend with values of the first axis beside."""
    values = sorted(sweep.points[sweep.beside[0]].unique()) if sweep.beside else []
    colours = dict(zip(values, plt.colormaps["viridis"](np.linspace(0, 0.9, len(values))), strict=True))
    x, y, style = ("mean", sweep.axis, "o") if sweep.named else (sweep.axis, "mean", "o-")
    for axis, (metric, points) in zip(panels, sweep.points.groupby("metric", observed=True), strict=True):
        for _, line in points.groupby(sweep.beside, observed=True) if values else [((), points)]:
            colour = colours[line[sweep.beside[0]].iloc[0]] if values else "C0"
            axis.plot(line[x], line[y], style, ms=2, lw=0.8, color=colour)
            draw_bars = axis.hlines if sweep.named else axis.vlines
            draw_bars(line[sweep.axis], line["low"], line["high"], lw=0.8, color=colour)
        axis.set_title(str(metric), fontsize=7)
        (axis.set_xscale if sweep.named else axis.set_yscale)(scale_of(points["low"]))
    if not sweep.named:
        panels[0].set_xscale(scale_of(sweep.points[sweep.axis]))
    shown = [values[place] for place in evenly_spaced(len(values), _LISTED)]
    handles = [Line2D([], [], color=colours[value], marker="o", ms=3, label=text_of(value)) for value in shown]
    if handles:
        part.legend(handles=handles, loc="outside right center", title=sweep.beside[0], title_fontsize=7)
