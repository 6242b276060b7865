"""The numbers that figures and charts draw from thinned tables of the default config, and from changes of them."""

import inspect
import json
import warnings
from collections import Counter
from functools import cache, partial
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import vl_convert
from matplotlib.ticker import FixedFormatter, FixedLocator

from conftest import ROOT
from entries import CHARTS, FIGURES
from reproduce.figures.drawn import drawn_numbers
from reproduce.figures.sheet import draw_or_explain
from reproduce.jobs.frames import to_table
from reproduce.records.paths import STYLE
from reproduce.records.tables import read_table
from reproduce.tables.axes import axes_of
from reproduce.tables.rows import NotRecordedError, first_seed
from reproduce.tables.table import Table

FOLDER = Path(__file__).parent / "deepnets/documents/drawn_tables"
COLUMNS = ("panel", "kind", "series", "x", "y", "low", "high", "value")
NUMBERS, _SERIES = list(COLUMNS[3:]), list(COLUMNS[:3])
# At most so many points of a series are recorded, of the default table and of its changes.
_POINTS, _FEWER = 20, 6
# A run records these metrics only if it learns in time.
_TIMES = "half_time|learning_time"
_LOOKS = ("visible", "zorder", "alpha", "color", "facecolor", "linestyle", "marker", "linewidth", "ha", "va")


def numbers_of(name, table):
    """Return the first points of each series of a figure or chart, and a mean of the later ones, with six digits.

    name: as in FIGURES or CHARTS. table: the name of a function in TABLES.
    """
    draw = (FIGURES | CHARTS)[name]
    tables = [table_of(experiment, table) for experiment in inspect.signature(draw).parameters]
    points, states = (_POINTS, (None, 0, 1)) if table == "whole" else (_FEWER, (None,))
    drawn = numbers_of_figure(draw, tables) if name in FIGURES else numbers_of_chart(draw, tables, states)
    place = drawn.groupby(_SERIES).cumcount()
    drawn = pd.concat([drawn[place < points], _mean_of(drawn[place >= points], place)], ignore_index=True)
    rounded = {column: [float(f"{value:.6g}") for value in drawn[column].astype(float)] for column in NUMBERS}
    return drawn.assign(**rounded, name=name, table=table).reset_index(drop=True)


def record_of(document):
    """Return the path of the numbers that a document's figures and charts draw."""
    return FOLDER.parent / f"drawn_numbers/{document}.parquet"


@cache
def recorded():
    """Return the recorded numbers by (name, table)."""
    every = pd.concat(map(pd.read_parquet, sorted(record_of("").parent.glob("[!.]*.parquet"))))
    return {key: rows.reset_index(drop=True) for key, rows in every.groupby(["name", "table"])}


def changes_of(drawn, recorded):
    """Return the rows in which the numbers of a figure or chart differ from the recorded ones, as text."""
    ours, theirs = (each[_SERIES].to_numpy().tolist() for each in (drawn, recorded))
    if ours != theirs:
        place = next((at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), -1)
        return f"{len(ours)} points instead of {len(theirs)}; {ours[place:][:1]} instead of {theirs[place:][:1]}"
    found = []
    for column in NUMBERS:
        ours, theirs = (each[column].to_numpy(float) for each in (drawn, recorded))
        # Sums, quotients and fits differ between processors in their last digits; zero may be a rounding error.
        sizes = recorded[column].abs().groupby([recorded[word] for word in _SERIES]).transform("max").fillna(0)
        least = 1e-9 * sizes + 1e-15 * sizes.max()
        differs = ~(np.isclose(ours, theirs, rtol=1e-4, atol=0, equal_nan=True) | (np.abs(ours - theirs) <= least))
        found.append(recorded[_SERIES].assign(column=column, drawn=ours, recorded=theirs)[differs])
    found = pd.concat(found)
    return found.head().to_string() if len(found) else ""


def _mean_of(drawn, place):
    """Return a mean of each series, with weights that differ between adjacent points, so that their order counts."""
    weights = 1 + place[drawn.index] % 13
    numbers = drawn[NUMBERS].astype(float)
    sums = [
        each.groupby([drawn[name] for name in _SERIES], sort=False).sum(min_count=1)
        for each in (numbers.mul(weights, axis=0), numbers.notna().mul(weights, axis=0).astype(float))
    ]
    return (sums[0] / sums[1]).reset_index()


# Tables: the default one with a third seed, and changes of it.


def whole(frame):
    """Return the table itself."""
    return frame


def _kind_of(frame):
    return next(axis for axis in ("block", "init", "depth") if axis in frame)


def one_run(frame):
    """Keep the first run of every second block, or of each initialisation, or else depth."""
    if "block" in frame:
        frame = frame[frame["block"].isin(sorted(frame["block"].unique())[::2])]
    axes = axes_of(frame)
    first = frame.groupby(_kind_of(frame), observed=True)[axes].transform("first")
    return frame[(frame[axes] == first).all(axis=1)]


def other_blocks(frame):
    """Keep every second block, but the first, or every initialisation, or else depth, but the first."""
    axis = _kind_of(frame)
    values = sorted(frame[axis].unique())
    return frame[frame[axis].isin(values[1::2] if axis == "block" else values[1:])]


def lost(frame):
    """Let all runs leave the finite numbers at once."""
    first = frame.drop_duplicates([*axes_of(frame), "metric", "index"])
    ends = frame.drop_duplicates(axes_of(frame)).assign(metric="diverged", step=1, index=0, value=1.0)
    return pd.concat([first[(first["step"] == 0) & ~first["metric"].str.fullmatch(_TIMES)], ends])


def diverged(frame):
    """Let every second run leave the finite numbers at its middle."""
    runs = frame.groupby(axes_of(frame), observed=True, sort=False)
    odd, middle = runs.ngroup() % 2 == 1, runs["step"].transform("max") // 2
    ends = frame[odd].drop_duplicates(axes_of(frame)).assign(metric="diverged", index=0, value=1.0)
    return pd.concat([frame[~odd | (frame["step"] <= middle)], ends.assign(step=middle[ends.index])])


def first_steps(frame):
    """Number the steps of each run one by one, as thinned tables lack the second step; let all runs differ."""
    runs = frame.groupby(axes_of(frame), observed=True, sort=False)
    steps = runs["step"].rank(method="dense") - (frame["step"].min() == 0)
    return frame.assign(step=steps.astype(int), value=frame["value"] * (1 + 0.01 * runs.ngroup()))


def unlearned(frame):
    """Let half of all times lack: the modes or nets did not learn in time."""
    times = frame["metric"].str.fullmatch(_TIMES)
    return frame[~(times & (times.cumsum() % 2 == 0))]


def other_values(table):
    """Double all numbers that the config may sweep."""
    for axis in _swept(table.frame):
        table = _with_values(table, axis, lambda values: 2 * values)
    return table


def swept(table):
    """Add runs of the first seed with another value of one axis, for each value but 0."""
    *_, axis = ["depth", *_swept(table.frame)]
    first = table.pipe(first_seed).pipe(lambda rows: rows[rows[axis] != 0].assign(value=1.2 * rows["value"]))
    other = _with_values(first, axis, lambda values: 7 * values)
    return Table(pd.concat([table.frame, other.frame]), [*table.grids, *other.grids])


_OF_ROWS = (whole, one_run, lost, first_steps, diverged, unlearned)
# Their numbers are recorded.
TABLES = {each.__name__: lambda table, change=each: table.pipe(change) for each in _OF_ROWS}
TABLES |= {each.__name__: each for each in (other_values, swept)}
# And all tables.
CHANGES = {**TABLES, "other_blocks": lambda table: table.pipe(other_blocks)}


@cache
def _whole(experiment):
    """Return the thinned table of an experiment; a third seed makes means differ from medians."""
    path = FOLDER / f"{experiment}.parquet"
    assert path.exists(), "record the numbers of figures: python tools/record.py"
    table = to_table(read_table(path))
    frame = table.frame
    first = frame.groupby(axes_of(frame, "seed"), observed=True)["seed"].transform("min")
    seed = frame["seed"].max() + 1
    third = frame[frame["seed"] == first].assign(seed=seed, value=lambda rows: 1.1 * rows["value"])
    return Table(pd.concat([frame, third], ignore_index=True), [_with_seed(grid, seed) for grid in table.grids])


@cache
def table_of(experiment, change):
    """Return the table of an experiment, changed by one of `CHANGES`."""
    table = _whole(experiment)
    names = dict.fromkeys(table.frame.select_dtypes("category"), "category")
    return CHANGES[change](table).pipe(lambda rows: rows.astype(names).reset_index(drop=True))


def _with_seed(grid, seed):
    axes = grid["axes"]
    return {**grid, "axes": {**axes, "seed": [*axes["seed"], seed]}} if "seed" in axes else grid


def _swept(frame):
    numbers = [axis for axis in axes_of(frame, "seed", "depth", "data_seed") if frame[axis].dtype.kind in "if"]
    return [axis for axis in numbers if (frame[axis] != 0).any()]


def _with_values(table, axis, change):
    changed = [{**grid["axes"], axis: change(np.array(grid["axes"][axis])).tolist()} for grid in table.grids]
    grids = [{**grid, "axes": axes} for grid, axes in zip(table.grids, changed, strict=True)]
    return Table(table.frame.assign(**{axis: change(table.frame[axis])}), grids)


# The numbers that a figure or a chart draws


def numbers_of_figure(draw, tables):
    """Return the numbers, words and looks of a figure that a function draws from tables."""
    with plt.style.context(["default", ROOT / "workflow" / STYLE]), warnings.catch_warnings():
        # A logarithmic axis without positive values has no ends.
        warnings.simplefilter("ignore", UserWarning)
        figure = draw_or_explain(partial(draw, *tables))
        words = pd.DataFrame(_words_of(figure), columns=["panel", "kind", "series", "x", "low", "high"])
        drawn = [drawn_numbers(figure), words]
        plt.close("all")
    return pd.concat([each.reindex(columns=COLUMNS) for each in drawn if len(each)], ignore_index=True)


def _words_of(figure):
    """Yield what is written beside the panels of a figure, and the ends of its axes and of its scales of colours."""
    yield "", "heading", figure.get_suptitle(), *[None] * 3
    for legend in [*figure.legends, *(axis.get_legend() for axis in figure.axes if axis.get_legend())]:
        for text in (legend.get_title(), *legend.get_texts()):
            yield "", "legend", text.get_text(), *[None] * 3
    for place, panel in enumerate((each for each in figure.axes if each.get_visible()), 1):
        left, bottom, width, height = panel.get_position().bounds
        yield str(place), "place", "", *(round(each, 3) for each in (left, bottom, width / height))
        for each in (*panel.images, *panel.collections):
            if each.get_array() is not None:
                yield str(place), "colours", each.get_cmap().name, None, *each.get_clim()
        for name, axis in (("x", panel.xaxis), ("y", panel.yaxis)):
            yield str(place), "axis", f"{name}: {axis.get_label_text()}", None, *sorted(axis.get_view_interval())
            if isinstance(axis.get_major_formatter(), FixedFormatter):
                for at, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True):
                    yield str(place), "tick", label.get_text(), at, *[None] * 2
            elif isinstance(axis.get_major_locator(), FixedLocator):
                for at in axis.get_ticklocs():
                    yield str(place), "tick", name, at, *[None] * 2
        drawn = (*panel.lines, *panel.collections, *panel.patches, *panel.images, *panel.texts)
        for look, count in Counter(map(_look_of, drawn)).items():
            yield str(place), "look", look, count, *[None] * 2


def _look_of(artist):
    """Return the kind, colours and style of what is drawn."""
    found = {name: getattr(artist, f"get_{name}", str)() for name in _LOOKS}
    words = [json.dumps(value, default=lambda value: np.round(value, 3).tolist()) for value in found.values()]
    return " ".join([type(artist).__name__, *words])


def numbers_of_chart(draw, tables, states):
    """Return what a chart contains, and what it draws with its controls at the start (None) or at an end (0, 1)."""
    try:
        specification = draw(*tables).to_dict()
    except NotRecordedError as reason:
        return pd.DataFrame([("", "text", str(reason), *[None] * 5)], columns=COLUMNS)
    parameters = specification.get("params", [])
    rows = [*_leaves("", {**specification, "$schema": ""})]
    ends = {each["name"]: (0, each["bind"]["max"]) for each in parameters if "max" in each.get("bind", {})}
    for state in states:
        places = {name: both[state] for name, both in ends.items()} if state is not None else {}
        valued = [each for each in parameters if "value" in each]
        moved = [each | {"value": places.get(each["name"], each["value"])} for each in valued]
        fixed = [each for each in parameters if "value" not in each]
        graph = vl_convert.vegalite_to_scenegraph({**specification, "params": [*moved, *fixed]})
        rows += _marks(f"controls at {places}", graph["scenegraph"])
    return pd.DataFrame(rows, columns=COLUMNS)


def _leaves(name, value):
    """Yield the numbers and texts of a data set or a parameter."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(f"{name} {key}", each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(name, each)
    elif isinstance(value, str):
        yield name, "text", value, *[None] * 5
    else:
        yield name, "number", "", None, None, None, None, value


def _marks(panel, mark):
    for item in mark.get("items", ()):
        if mark["marktype"] == "group":
            for each in item["items"]:
                yield from _marks(panel, each)
        elif mark["marktype"] == "text":
            yield panel, "text", " ".join(np.atleast_1d(item.get("text", ""))), *[None] * 5
        elif mark["role"] == "mark":
            places = [item.get(name) for name in ("x", "y", "x2", "y2", "opacity")]
            yield panel, mark["marktype"], mark["name"], *places
