"""The table of an experiment: its rows, and the grids of the config to which its runs belong."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from reproduce.tables.axes import axes_of, begin_blocks

# The value of a setting that nobody recorded.
UNKNOWN = object()
# The source of runs that a notebook hands in.
GIVEN = "the given table"


class Table:
    """The rows of an experiment, with what selections need to know of its runs.

    frame: one row per measured value: the axes of its run, step, metric, index, value.
    grids: [{"axes": name → values, "settings": name → value}].
    source: where the runs come from, as messages name it.
    """

    def __init__(self, frame: pd.DataFrame, grids: list[dict], *, source: str = "the config") -> None:
        self.frame, self.grids, self.source = frame, grids, source

    @classmethod
    def by_hand(cls, frame: pd.DataFrame) -> "Table":
        """Return a table of runs that no config describes: one grid, in which selections by any setting find runs."""
        axes = {name: frame[name].unique().tolist() for name in axes_of(frame)}
        return cls(frame, [{"axes": axes, "settings": _UnknownSettings()}], source=GIVEN)

    def pipe(self, function: Callable[..., pd.DataFrame], *args: object, **named: object) -> "Table":
        """Return the table of the rows that a function of all rows returns, such as `runs_of`; it may drop axes."""
        return Table(function(self.frame, *args, **named), self.grids, source=self.source)

    # Cached: a table has thousands of rows per run, and the claims on it select a hundred times.

    @cached_property
    def points(self) -> pd.DataFrame:
        """The axes of each run, in the order of the rows."""
        return self._blocks[0].drop_duplicates().reset_index(drop=True)

    @cached_property
    def of_row(self) -> np.ndarray:
        """The run of each row, as its place in `points`; shape (rows,)."""
        blocks, of_row = self._blocks
        runs = blocks.groupby([*blocks], observed=True, sort=False, dropna=False)
        return runs.ngroup().to_numpy()[of_row]

    @cached_property
    def diverged(self) -> np.ndarray:
        """Which runs diverged, shape (runs,): those with an infinite value, and those all of whose nets diverged."""
        # A run of several nets records the share of each that diverged.
        shares = np.where(self.frame["metric"] == "diverged", self.frame["value"], np.isinf(self.frame["value"]))
        return np.bincount(self.of_row, shares, len(self.points)) > 1 - 1e-9

    @cached_property
    def _blocks(self) -> tuple[pd.DataFrame, np.ndarray]:
        """The axes of each block of successive rows with equal axes, and the block of each row."""
        axes = self.frame[axes_of(self.frame)]
        first = begin_blocks(axes)
        return axes[first], np.cumsum(first) - 1

    @cached_property
    def of_grids(self) -> list[np.ndarray]:
        """For each grid, which runs belong to it; shape (runs,). The rows may lack axes that a figure has dropped."""
        points = self.points
        return [
            np.logical_and.reduce([points[name].isin(grid["axes"][name]) for name in grid["axes"] if name in points])
            for grid in self.grids
        ]


class _UnknownSettings(dict):
    """The settings of runs that were made by hand: each name is a setting, and its value is unknown."""

    def __contains__(self, key: object) -> bool:
        return True

    def get(self, key: object, default: object = None, /) -> Any:
        return UNKNOWN
