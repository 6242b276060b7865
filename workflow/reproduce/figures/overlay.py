"""Draw what other runs give over a finished figure: the same panels, broken lines, one legend."""

from collections.abc import Sequence
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator

from reproduce.errors import UserError
from reproduce.figures.sheet import runs_in
from reproduce.tables.given import differences_of

# The first figure's own lines keep their styles.
_STYLES = ((0, (1, 1)), (0, (4, 1, 1, 1)), (0, (6, 2)))
# The height of a line of a title or of a legend.
_INCHES_PER_LINE = 0.14


def overlay(figures: Sequence[Figure]) -> None:
    """Add the lines, points and titles of further figures to those of the first one, and a legend of their runs.

    figures: the same figure of different runs
    raises: UserError if the figures differ in their panels, or have images or bars, which would cover each other.
    """
    (first, *others), height = figures, 0.0
    if len(others) > len(_STYLES):
        raise UserError(f"{len(figures)} tables of an experiment are given; a figure shows {len(_STYLES) + 1} at most")
    for other, style in zip(others, _STYLES, strict=False):
        if len(first.axes) != len(other.axes):
            raise UserError("from these tables the figure has different panels; draw each table in a figure of its own")
        for below, above in zip(first.axes, other.axes, strict=True):
            if above.images or above.patches or hasattr(above, "_colorbar"):
                raise UserError("this figure has images or bars; draw each table in a figure of its own")
            _add(below, above, style)
        for title, further in zip(_titles(first), _titles(other), strict=False):
            if further.get_text() not in title.get_text():
                title.set_text("\n".join(filter(None, (title.get_text(), further.get_text()))))
                height += 0 if title.axes else _INCHES_PER_LINE * (1 + further.get_text().count("\n"))
    styles = ("-", *_STYLES)
    names = [fill(name, 60) for name in differences_of([dict(runs_in(figure)) for figure in figures])]
    handles = [Line2D([], [], color="0.3", ls=style, label=name) for style, name in zip(styles, names, strict=False)]
    first.legend(handles=handles, loc="outside lower center")
    # So that the panels keep their size.
    first.set_figheight(first.get_figheight() + height + _INCHES_PER_LINE * "\n".join(("", *names)).count("\n"))


def _titles(figure: Figure) -> list[Text]:
    """Return the titles of a figure, of its panels and of its legends, in the same order for each set of runs."""
    children = [each for axis in figure.axes for each in axis.get_children() if each not in axis.texts]
    panels = [each for each in children if isinstance(each, Text)]
    legends = [each.get_title() for each in figure.findobj(Legend)]
    # The figure's own is empty if it has none.
    return [figure.suptitle(figure.get_suptitle(), color="0.3", fontsize=7), *panels, *legends]


def _add(below: Axes, above: Axes, style: Any) -> None:
    """Add the lines and points of one panel to another one, except what is equal, such as a theory or a reference."""
    held = [_values(artist) for artist in (*below.lines, *below.collections)]
    xlim, ylim = (sorted((*get(below), *get(above)))[::3] for get in (Axes.get_xlim, Axes.get_ylim))
    for artist in (*above.lines, *above.collections):
        values = _values(artist)
        if not len(values) or any(np.array_equal(values, each, equal_nan=True) for each in held):
            continue
        match artist:
            case Line2D():
                kept = {
                    name: getattr(artist, f"get_{name}")() for name in ("color", "linewidth", "marker", "markersize")
                }
                dashes = "None" if artist.get_linestyle() == "None" else style
                below.plot(*values.T, ls=dashes, mfc="none", **kept)
            case LineCollection():
                bars = LineCollection(artist.get_segments(), colors=artist.get_color(), linestyles=[style])
                below.add_collection(bars)
            case _:
                below.scatter(*values.T, marker="x", color=artist.get_edgecolor(), s=12)
    if isinstance(below.xaxis.get_major_locator(), FixedLocator):
        below.set_xticks(sorted({*below.get_xticks(), *above.get_xticks()}))
    below.set(xlim=xlim, ylim=ylim)


def _values(artist: Artist) -> np.ndarray:
    """Return the places of a line, of the bars of errors, or of points, shape (places, 2); none of another artist."""
    match artist:
        # A line across the whole panel has no data.
        case Line2D() if artist.axes and artist.get_transform() == artist.axes.transData:
            return np.asarray(artist.get_xydata())
        case LineCollection() if artist.get_segments():
            return np.concatenate(artist.get_segments())
        case PathCollection():
            return np.asarray(artist.get_offsets())
    return np.empty((0, 2))
