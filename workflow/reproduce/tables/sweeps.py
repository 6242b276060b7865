"""Sweeps: the settings of a block that differ in one axis, for a figure and a chart of any experiment."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from reproduce.tables.axes import axes_of, drop_dependent_axes, swept_axes
from reproduce.tables.rows import NotRecordedError, drop_diverged
from reproduce.tables.words import label_of, listing, runs_text


@dataclass(frozen=True)
class Sweep:
    """The settings of a block along one axis.

    name: the axis and the block, as text.
    axis: the axis along which the lines run.
    beside: the other axes that the block sweeps. Each combination of their values is a line.
    constant: the block's remaining axes and the number of seeds, as text. An axis with several values follows from the
        swept axes, such as a learning rate for each depth.
    points: one row per metric and setting: the swept axes, `metric`, and the `mean`, `low` and `high` of seeds.
    """

    name: str
    axis: str
    beside: list[str]
    constant: str
    points: pd.DataFrame

    @property
    def named(self) -> bool:
        """Whether the values of the axis are names."""
        return isinstance(self.points[self.axis].iloc[0], str)


def sweeps_of(table: pd.DataFrame) -> list[Sweep]:
    """Return each axis that a block of the table sweeps, with the metrics that change along it.

    A value is the last one that its run recorded, of a metric with several indices that of the smallest index. Runs
    that diverged, and values that are not finite, are left out. A line has at least two points. Lines never cross
    blocks: the runs of two blocks may differ in settings that are no axes.

    raises: NotRecordedError if there is no such axis.
    """
    rows = drop_diverged(table)
    rows = rows[rows["index"] == rows.groupby("metric", observed=True)["index"].transform("min")]
    rows = rows.sort_values("step", kind="stable").drop_duplicates([*axes_of(rows), "metric"], keep="last")
    rows = rows[np.isfinite(rows["value"])]
    blocks = [own for _, own in rows.groupby("block", observed=True)] if "block" in rows else [rows]
    if not (found := [sweep for own in blocks for sweep in _sweeps_in(own)]):
        raise NotRecordedError("no metric changes along an axis that the config sweeps")
    return found


def _sweeps_in(rows: pd.DataFrame) -> list[Sweep]:
    # Numbers first: if a learning rate and a depth follow from each other, or a depth and an architecture, the lines
    # run along the depth, and along the architecture.
    numbers_first = sorted(reversed(swept_axes(rows)), key=lambda axis: isinstance(rows[axis].iloc[0], str))
    swept = swept_axes(drop_dependent_axes(rows, *numbers_first))
    others = {axis: rows[axis].unique() for axis in axes_of(rows, "experiment", "block", "seed", *swept)}
    words = [
        label_of(axis, values[0]) if len(values) == 1 else f"{axis.replace('_', ' ')} ({listing(values)})"
        for axis, values in others.items()
    ]
    block = f" in block {rows['block'].iloc[0]}" if "block" in rows else ""
    seeds = rows.groupby(["metric", *swept], observed=True)["value"]
    means = seeds.agg(mean="mean", low="min", high="max").reset_index()
    found = []
    for axis in swept:
        beside = [other for other in swept if other != axis]
        points = means[means.groupby(["metric", *beside], observed=True)[axis].transform("nunique") > 1]
        changes = points.groupby(["metric", *beside], observed=True)["mean"].transform("nunique") > 1
        points = points[points["metric"].isin(points["metric"][changes])]
        if len(points):
            found.append(Sweep(axis + block, axis, beside, ", ".join([*words, runs_text(rows)]), points))
    return found


def scale_of(values: pd.Series) -> str:
    """Return the scale of a plot's axis: "log" for positive numbers over one and a half decades, else "linear"."""
    return "log" if values.min() > 0 and values.max() >= 30 * values.min() else "linear"
