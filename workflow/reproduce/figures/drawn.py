"""The numbers that a figure shows, read from what is drawn."""

from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import Collection, FillBetweenPolyCollection, LineCollection, PathCollection, QuadMesh
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.contour import ContourSet
from matplotlib.figure import Figure
from matplotlib.lines import AxLine, Line2D
from matplotlib.patches import Patch, StepPatch
from matplotlib.quiver import Quiver
from matplotlib.text import Annotation

from reproduce.figures.plain_names import RESULTS, axis_name, plain_text
from reproduce.tables.estimates import evenly_spaced

CSV_COLUMNS = ("panel", "x_axis", "y_axis", "kind", "series", "run", "x", "y", "low", "high", "value", "text")


def drawn_numbers(figure: Figure) -> pd.DataFrame:
    """Return the numbers that a figure shows, a row per point; an empty field has no number.

    x_axis, y_axis: the names of axes, with units. label, artist: the label and the number of what is drawn.
    panel: letter or number, and title; series: its label, that of its look, or its number in the panel.
    kind: line or point (x, y); band (along y from low to high, at an x); interval (along y at an x, or along x at a y);
    stair (y, along x from low to high); cell of a matrix (value at column x and row y); contour (x, y, at a value);
    arrow (from x, y; low and high: its components along x and y); text (series, at x, y).
    A line over a whole panel has only x, or only y. Of a large matrix, 100 rows and columns at even distances.
    """
    rows = []
    for place, axis in enumerate(_panels_of(figure), 1):
        titles = [axis.get_title(loc=side).strip() for side in ("left", "center", "right")]
        panel, names = ": ".join(filter(None, titles)) or str(place), _names_of(figure, axis)
        axes = {"x_axis": axis_name(axis, "x"), "y_axis": axis_name(axis, "y")}
        labels = {part: _name_of(bars, {}) for bars in axis.containers for part in bars.get_children()}
        numbers: dict[Any, int] = {}
        for kind, artist, fields in _artists_of(axis):
            name = _name_of(artist, names)
            number = numbers.setdefault(artist, len(numbers) + 1)
            own = {"series": name or str(number), "artist": number, "label": name or labels.get(artist, "")}
            rows.append(pd.DataFrame({**fields, "panel": panel, "kind": kind, **axes, **own}))
    columns = [*CSV_COLUMNS, "label", "artist"]
    return pd.concat(rows, ignore_index=True).reindex(columns=columns) if rows else pd.DataFrame(columns=columns)


def csv_text(figure: Figure) -> str:
    """Return the numbers of a figure as CSV with nine digits: a line of names, then a line per point.

    Columns are as in `drawn_numbers`; run: the number of the line or other marks among those of its series; text: of
    the kind text, or what the figure shows beyond the file. Names are plain text without results.
    """
    rows = drawn_numbers(figure)
    texts = rows["kind"].eq("text")
    rows["text"] = rows["series"].where(texts, "").map(plain_text)
    labels = rows["label"].mask(texts, "").map(plain_text)
    rows["series"] = labels.map(lambda label: RESULTS.sub("", label))
    # Some labels differ only in what looks like a result.
    alike = labels.groupby([rows[name] for name in ("panel", "kind", "series")]).transform("nunique") > 1
    rows["series"] = rows["series"].mask(alike, labels)
    rows["panel"] = [plain_text(panel.replace("\n", ", ")) for panel in rows["panel"]]
    rows["run"] = rows.groupby(["panel", "kind", "series"])["artist"].rank(method="dense")
    left_out = set()
    for axis in _panels_of(figure):
        listed = {artist for _, artist, _ in _artists_of(axis)} | _caps_of(axis)
        every = (*axis.lines, *axis.collections, *axis.patches)
        left_out |= {type(each).__name__ for each in every if each not in listed and _is_drawn(each)}
    notes = pd.DataFrame({"kind": "not listed", "text": sorted(left_out)})
    # Nine digits are more than a reader needs, and fewer than those that differ between processors.
    return pd.concat([rows, notes]).to_csv(index=False, columns=CSV_COLUMNS, float_format="%.9g", lineterminator="\n")


def _panels_of(figure: Figure) -> Iterator[Axes]:
    # A colour bar explains colours; it shows no data.
    yield from (axis for axis in figure.axes if axis.get_visible() and axis.get_label() != "<colorbar>")


def _artists_of(axis: Axes) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield kind, artist and its columns, name → values, of everything with data in a panel."""
    caps = _caps_of(axis)
    # An oblique line through the panel has the coordinates 0 and 1.
    lines = (each for each in axis.lines if each not in caps and not isinstance(each, AxLine))
    for line in filter(_is_drawn, lines):
        x, y = (np.ma.filled(np.ma.asarray(each, float), np.nan) for each in line.get_data(orig=False))
        along_x, along_y = line.get_transform().contains_branch_seperately(axis.transData)
        # The other coordinate of `axhline` is a share of the panel.
        yield "line", line, {"x": x, "y": y} if along_x and along_y else {"x": x[:1]} if along_x else {"y": y[:1]}
    for artist in filter(_is_drawn, axis.collections):
        match artist:
            case FillBetweenPolyCollection():
                for path in artist.get_paths():
                    x, y = np.asarray(path.vertices).T
                    ends = pd.Series(y).groupby(x).agg(["min", "max"])
                    yield "band", artist, {"x": ends.index, "low": ends["min"], "high": ends["max"]}
            case LineCollection() if not any(map(_is_crooked, artist.get_segments())):
                for first, *_, last in (segment for segment in artist.get_segments() if len(segment)):
                    at, along = (0, 1) if first[0] == last[0] else (1, 0)
                    low, high = sorted((first[along], last[along]))
                    yield "interval", artist, {"xy"[at]: [first[at]], "low": [low], "high": [high]}
            case Quiver():
                low, high = np.ravel(artist.U), np.ravel(artist.V)
                yield "arrow", artist, {"x": artist.X, "y": artist.Y, "low": low, "high": high}
            case ContourSet():
                for level, path in zip(artist.levels, artist.get_paths(), strict=True):
                    x, y = np.asarray(path.vertices).T
                    yield "contour", artist, {"x": x, "y": y, "value": level}
            case QuadMesh():
                x, y = np.moveaxis(np.asarray(artist.get_coordinates()), -1, 0)
                yield "cell", artist, _cells(x[0, :-1], y[:-1, 0], artist.get_array())
            case PathCollection():
                x, y = np.asarray(artist.get_offsets(), float).T
                yield "point", artist, {"x": x, "y": y}
    for image in filter(_is_drawn, axis.images):
        values = np.ma.asarray(image.get_array())
        yield "cell", image, _cells(np.arange(values.shape[1]), np.arange(values.shape[0]), values)
    for stair in (each for each in axis.patches if isinstance(each, StepPatch) and _is_drawn(each)):
        values, edges, _ = stair.get_data()
        yield "stair", stair, {"y": values, "low": edges[:-1], "high": edges[1:]}
    titles = [legend.get_title()] if (legend := axis.get_legend()) and legend.get_title().get_text() else []
    for text in filter(_is_drawn, (*axis.texts, *titles)):
        # The position of a note may be in points, beside the place that it annotates.
        place = text.xy if isinstance(text, Annotation) and text.xycoords == "data" else text.get_position()
        yield "text", text, dict(zip("xy", ([each] for each in place), strict=True))


def _caps_of(axis: Axes) -> set[Line2D]:
    """Return the caps of the bars of errors, which repeat the ends of the bars."""
    return {cap for bars in axis.containers if isinstance(bars, ErrorbarContainer) for cap in bars.lines[1]}


def _cells(x: np.ndarray, y: np.ndarray, values: Any) -> dict[str, Any]:
    """Return the columns of a matrix, of at most 100 rows and columns."""
    whole = np.ma.filled(np.ma.asarray(values, float), np.nan)
    down, across = (evenly_spaced(size, 100) for size in whole.shape)
    columns, rows = np.meshgrid(x[across], y[down])
    return {"x": columns.ravel(), "y": rows.ravel(), "value": whole[np.ix_(down, across)].ravel()}


def _is_crooked(segment: np.ndarray) -> bool:
    return len(segment) > 0 and (np.ptp(segment, axis=0) > 0).all()


def _is_drawn(artist: Any) -> bool:
    return artist.get_visible() and artist.get_alpha() != 0


def _names_of(figure: Figure, axis: Axes) -> dict[tuple, str]:
    """Return look → label of the legends, for colours and styles of lines that have one label."""
    legends = [*figure.legends, *(legend for part in figure.subfigs for legend in part.legends), axis.get_legend()]
    labels: dict[tuple, set[str]] = {}
    for legend in filter(None, legends):
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
            for look in _looks_of(handle):
                labels.setdefault(look, set()).add(text.get_text())
    return {look: found.pop() for look, found in labels.items() if len(found) == 1}


def _colour_of(artist: Any) -> str:
    match artist:
        case Collection() if artist.get_array() is not None:
            # Its colours are values, and no legend explains them.
            return ""
        case Line2D() | LineCollection():
            colour = artist.get_color()
        case Collection() | Patch():
            colour = artist.get_facecolor() if len(artist.get_facecolor()) else artist.get_edgecolor()
        case ErrorbarContainer():
            return _colour_of(artist.lines[0] or artist.lines[2][0])
        case _:
            return ""
    return to_hex(colour if isinstance(colour, str) else np.atleast_2d(colour)[0])


def _looks_of(artist: Any) -> list[tuple]:
    line = [artist.get_linestyle(), artist.get_linewidth()] if isinstance(artist, Line2D) else []
    return [(_colour_of(artist), *line), (_colour_of(artist),)]


def _name_of(artist: Any, names: dict[tuple, str]) -> str:
    if isinstance(artist, plt.Text):
        return " ".join(artist.get_text().split())
    label = str(artist.get_label())
    if not label or label.startswith(("_child", "_container", "_nolegend")):
        return next((names[look] for look in _looks_of(artist) if look in names), "")
    # An underscore hides a label from legends.
    return " ".join(label.lstrip("_").split())
