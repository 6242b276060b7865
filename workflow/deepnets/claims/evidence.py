"""The tables of a config, asked for the runs that a document describes."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from workflow.deepnets.tables.axes import axes_of
from workflow.deepnets.tables.rows import NotRecordedError
from workflow.deepnets.tables.words import text_of


class NotTestableError(NotRecordedError):
    """The results hold nothing that could judge a claim; the message names what is missing."""


class Evidence:
    """The tables of a document's experiments, with the grids that their runs are of."""

    def __init__(self, tables: Mapping[str, pd.DataFrame], grids: Mapping[str, list[dict]]) -> None:
        """tables: by experiment; grids: of each, {"axes": name → values, "settings": …}."""
        self._tables, self._grids = tables, grids
        self._points: dict[str, tuple[pd.DataFrame, np.ndarray, list[np.ndarray]]] = {}

    def runs(self, experiment: str, **wanted: object) -> pd.DataFrame:
        """Return all rows of the runs with these axes and settings; raises NotTestableError where there is none.

        wanted: axis or setting → its value, or a list of which it is one. A run whose settings are others than the
        document's cannot judge its claims.
        """
        table = self._table(experiment)
        points, point_of_row, of_grids = self._points_of(experiment)
        axes = {name: value for name, value in wanted.items() if name in points.columns}
        settings = {name: value for name, value in wanted.items() if name not in axes}
        chosen = np.zeros(len(points), dtype=bool)
        for grid, inside in zip(self._grids[experiment], of_grids, strict=True):
            if all(_is_one_of(grid["settings"].get(name), value) for name, value in settings.items()):
                chosen |= inside
        for name, value in axes.items():
            chosen &= points[name].isin(_several(value)).to_numpy()
        if not chosen.any():
            words = ", ".join(f"{name} {_text(value)}" for name, value in wanted.items())
            raise NotTestableError(f"the config asks for no run of {experiment} with {words}")
        return table[chosen[point_of_row]]

    def settings(self, experiment: str, name: str, **axes: object) -> list[object]:
        """Return the values of a setting in the grids with these axes; raises NotTestableError where there is none.

        name: of a setting or an axis; a dot leads into a mapping.
        """
        self._table(experiment)
        found = []
        for grid in self._grids[experiment]:
            if all(set(_several(value)) & set(grid["axes"].get(axis, ())) for axis, value in axes.items()):
                first, *inner = name.split(".")
                values = grid["axes"].get(first) or [grid["settings"].get(first)]
                for each in inner:
                    values = [value[each] for value in values]
                found += [value for value in values if value not in found]
        if not found:
            raise NotTestableError(f"the config asks for no such grid of {experiment}")
        return found

    def _points_of(self, experiment: str) -> tuple[pd.DataFrame, np.ndarray, list[np.ndarray]]:
        """Return the axes of each run, for each row of the table which run it is of, and for each grid its runs."""
        if experiment not in self._points:
            # Kept: a table has thousands of rows for each run, and a ledger asks for them a hundred times.
            table = self._table(experiment)
            axes = axes_of(table)
            rows = table.groupby(axes, observed=True, sort=False, dropna=False).ngroup().to_numpy()
            points = table[axes].drop_duplicates()
            of_grids = [_in_grid(points, grid["axes"]) for grid in self._grids[experiment]]
            self._points[experiment] = points, rows, of_grids
        return self._points[experiment]

    def _table(self, experiment: str) -> pd.DataFrame:
        if experiment not in self._tables:
            raise NotTestableError(f"the config asks for no runs of {experiment}")
        return self._tables[experiment]


def _in_grid(table: pd.DataFrame, axes: Mapping[str, list]) -> np.ndarray:
    inside = np.ones(len(table), dtype=bool)
    for name, values in axes.items():
        inside &= table[name].isin(values).to_numpy()
    return inside


def _several(value: object) -> list:
    return value if isinstance(value, list) else [value]


def _is_one_of(held: object, wanted: object) -> bool:
    # A setting may itself be a list.
    return held == wanted or (isinstance(wanted, list) and held in wanted)


def _text(value: object) -> str:
    return " or ".join(map(text_of, value)) if isinstance(value, list) else text_of(value)
