"""Evidence: the tables of a config. Each claim of a document is judged by some of their runs."""

from collections.abc import Collection, Iterable, Mapping

import numpy as np
import pandas as pd

from deepnets.errors import UserError
from deepnets.tables.axes import axes_of
from deepnets.tables.rows import NotRecordedError
from deepnets.tables.words import text_of


class NotTestableError(NotRecordedError):
    """The results cannot judge a claim; the message names what is missing."""


# Selects all values of an axis, for example for a claim on all data sets.
EVERY = object()


class Evidence:
    """The tables of a document's experiments, with the grids of their runs.

    A name that no config can contain raises UserError: somebody mistyped it in a claim.

    used: descriptions of the selections made since the last call of `forget`, in order.
    seeds: the number of seeds of each selection, 0 if its runs differ in another axis too.
    """

    def __init__(
        self,
        tables: Mapping[str, pd.DataFrame],
        grids: Mapping[str, list[dict]],
        documented: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        """Keep the tables, their grids, and the names of the documented metrics.

        tables: experiment → table.
        grids: experiment → list of {"axes": name → values, "settings": …}.
        documented: experiment in TABLES → the words of the docstring that lists its metrics; None allows any metric.
        """
        self._documented = documented
        self.used: list[str] = []
        self.seeds: set[int] = set()
        self._tables, self._grids = tables, grids
        self._points: dict[str, tuple[pd.DataFrame, np.ndarray, list[np.ndarray]]] = {}

    def runs(self, experiment: str, **wanted: object) -> pd.DataFrame:
        """Return all rows of the runs with these axes and settings.

        wanted: axis or setting → its value, a list of allowed values, or EVERY.
        raises: NotTestableError if there is no such run, or if runs that agree in the wanted axes differ in an axis
            other than the seed: a mean over them would mix settings that the document does not mix.
        """
        points, point_of_row, axes, chosen = self._choose(experiment, wanted)
        _refuse_sweeps(experiment, points[chosen], list(axes))
        selected = _selection_text(experiment, axes)
        if selected not in self.used:
            self.used.append(selected)
        self.seeds.add(count if (count := int(chosen.sum())) == points["seed"][chosen].nunique() else 0)
        return self._table(experiment)[chosen[point_of_row]]

    def forget(self) -> None:
        """Clear `used` and `seeds` before the next claim."""
        self.used.clear()
        self.seeds.clear()

    def values(self, experiment: str, axis: str, **wanted: object) -> list[object]:
        """Return the values of an axis among the runs with these axes and settings. The runs may differ in other axes.

        raises: NotTestableError if there is no such run.
        """
        points, _, _, chosen = self._choose(experiment, wanted)
        self._refuse_unknown(experiment, [axis])
        return points.loc[chosen, axis].unique().tolist()

    def settings(self, experiment: str, name: str, **axes: object) -> list[object]:
        """Return the values of a setting in the grids with these axes.

        name: of a setting or an axis; "a.b" is the entry b of the mapping a.
        raises: NotTestableError if there is no such grid, or if one of them lacks the setting.
        """
        self._table(experiment)
        self._refuse_unknown(experiment, [name.split(".")[0], *axes])
        found = []
        for grid in self._grids[experiment]:
            if all(set(_as_list(value)) & set(grid["axes"].get(axis, ())) for axis, value in axes.items()):
                first, *inner = name.split(".")
                values = grid["axes"].get(first) or [grid["settings"][first]]
                for each in inner:
                    values = [value[each] for value in values]
                found += [value for value in values if value not in found]
        if not found:
            raise NotTestableError(f"the config contains no such grid of {experiment}")
        return found

    def refuse_unknown_metric(self, metric: str) -> None:
        """Raise UserError for a metric that no experiment in TABLES documents."""
        if self._documented is not None and not any(metric in words for words in self._documented.values()):
            recorded = sorted({each for table in self._tables.values() for each in table["metric"].unique()})
            raise UserError(f"no docstring of `run` lists the metric {metric!r}; recorded were {', '.join(recorded)}")

    def _refuse_unknown(self, experiment: str, names: Iterable[str]) -> None:
        """Raise UserError for a name that is neither an axis nor a setting of an experiment."""
        known = set(axes_of(self._table(experiment)))
        for grid in self._grids[experiment]:
            known |= {*grid["axes"], *grid["settings"]}
        if unknown := [name for name in names if name not in known]:
            raise UserError(f"{experiment} has no axis or setting {unknown[0]!r}; allowed: {', '.join(sorted(known))}")

    def _choose(
        self, experiment: str, wanted: Mapping[str, object]
    ) -> tuple[pd.DataFrame, np.ndarray, dict[str, object], np.ndarray]:
        """Return the axes of all runs, the run of each row, the axes among `wanted`, and which runs match `wanted`."""
        self._table(experiment)
        points, point_of_row, of_grids = self._points_of(experiment)
        axes = {name: value for name, value in wanted.items() if name in points.columns}
        settings = {name: value for name, value in wanted.items() if name not in axes}
        self._refuse_unknown(experiment, settings)
        chosen = np.zeros(len(points), dtype=bool)
        for grid, inside in zip(self._grids[experiment], of_grids, strict=True):
            if all(_is_one_of(grid["settings"].get(name), value) for name, value in settings.items()):
                chosen |= inside
        for name, value in axes.items():
            if value is not EVERY:
                chosen &= points[name].isin(_as_list(value)).to_numpy()
        if not chosen.any():
            raise NotTestableError(f"the config contains no run of {_selection_text(experiment, wanted)}")
        return points, point_of_row, axes, chosen

    def _points_of(self, experiment: str) -> tuple[pd.DataFrame, np.ndarray, list[np.ndarray]]:
        """Return the axes of each run, the run of each row of the table, and which runs belong to each grid."""
        if experiment not in self._points:
            # Cached: a table has thousands of rows per run, and the claims on it select a hundred times.
            table = self._table(experiment)
            axes = axes_of(table)
            rows = table.groupby(axes, observed=True, sort=False, dropna=False).ngroup().to_numpy()
            points = table[axes].drop_duplicates()
            of_grids = [_match_grid(points, grid["axes"]) for grid in self._grids[experiment]]
            self._points[experiment] = points, rows, of_grids
        return self._points[experiment]

    def _table(self, experiment: str) -> pd.DataFrame:
        if self._documented is not None and experiment not in self._documented:
            raise UserError(f"TABLES does not contain {experiment!r}; it contains {', '.join(self._documented)}")
        if experiment not in self._tables:
            raise NotTestableError(f"the config contains no runs of {experiment}")
        return self._tables[experiment]


def _match_grid(table: pd.DataFrame, axes: Mapping[str, list]) -> np.ndarray:
    inside = np.ones(len(table), dtype=bool)
    for name, values in axes.items():
        inside &= table[name].isin(values).to_numpy()
    return inside


def _refuse_sweeps(experiment: str, points: pd.DataFrame, named: list[str]) -> None:
    """Raise NotTestableError if points that agree in the named axes differ in another axis than the seed."""
    others = [axis for axis in points.columns if axis not in (*named, "seed") and points[axis].nunique() > 1]
    # For example, a learning rate that depends only on the depth is not swept if `named` contains the depth.
    several = (
        points.groupby(named, observed=True, dropna=False)[others].nunique().max()
        if named and others
        else pd.Series(2, others)
    )
    swept = [axis for axis in others if several[axis] > 1]
    if swept:
        words = " and ".join(f"{axis} ({_text_of(sorted(points[axis].unique().tolist()))})" for axis in swept)
        raise NotTestableError(f"the runs of {experiment} differ in {words}, and the claim selects no value")


def _as_list(value: object) -> list:
    return value if isinstance(value, list) else [value]


def _is_one_of(held: object, wanted: object) -> bool:
    # The value of a setting may itself be a list.
    return wanted is EVERY or held == wanted or (isinstance(wanted, list) and held in wanted)


def _selection_text(experiment: str, wanted: Mapping[str, object]) -> str:
    named = {name: value for name, value in wanted.items() if value is not EVERY}
    words = ", ".join(f"{name} {_text_of(value)}" for name, value in named.items())
    return f"{experiment} with {words}" if words else experiment


def _text_of(value: object) -> str:
    return " or ".join(map(text_of, value)) if isinstance(value, list) else text_of(value)
