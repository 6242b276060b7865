"""Selections: descriptions of runs by their axes and settings, which figures, charts and claims share.

A selection returns rows in two ways. `rows` is strict, for claims: it returns the described runs or none. `shown` is
for figures, which draw any config: an axis that the figure shows is free, every other axis has the document's value.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from reproduce.errors import check_name
from reproduce.tables.rows import NotRecordedError
from reproduce.tables.table import UNKNOWN, Table
from reproduce.tables.words import listing, text_of, words_of

# Selects all values of an axis, for example for a claim on all data sets.
EVERY = object()


class NotTestableError(NotRecordedError):
    """The results do not contain the selected runs; the message names what is missing."""


class Selection:
    """The runs of an experiment that have these values of axes and settings.

    experiment: the name of the experiment, and of its table.
    wanted: axis or setting → its value, a list of allowed values, or EVERY. A setting has one value in each grid of the
        config; an axis has several.
    """

    def __init__(self, experiment: str, /, **wanted: object) -> None:
        self.experiment, self.wanted = experiment, wanted

    def but(self, /, **wanted: object) -> "Selection":
        """Return the selection with other values of some axes or settings."""
        return Selection(self.experiment, **{**self.wanted, **wanted})

    def only(self, *names: str) -> "Selection":
        """Return the selection by these axes or settings only."""
        return Selection(self.experiment, **{name: self[name] for name in names})

    def __getitem__(self, name: str) -> Any:
        check_name(name, f"part of this selection of {self.experiment}", self.wanted)
        return self.wanted[name]

    def __str__(self) -> str:
        words = _wanted_text(self.wanted)
        return f"{self.experiment} with {words}" if words else self.experiment

    def rows(self, table: Table, *, diverged: bool = False) -> pd.DataFrame:
        """Return all rows of the selected runs.

        diverged: whether all of them may have diverged, for a claim on divergence; else these nets are no evidence.

        raises: NotTestableError if there is no such run, or if runs that agree in the selected axes differ in an axis
            other than the seed: a mean over them would mix settings that the document does not mix. Or if all of them
            diverged.
        """
        chosen = self.matches(table)
        if not chosen.any():
            # Name what no run has; if each part is there, name all.
            missing = [name for name in self.wanted if not self.only(name).matches(table).any()]
            raise NotTestableError(f"{table.source} contains no run of {self.only(*missing) if missing else self}")
        _refuse_sweeps(self.experiment, table.points[chosen], [name for name in self.wanted if name in table.points])
        if not diverged and table.diverged[chosen].all():
            raise NotTestableError("all runs of this claim diverged")
        return table.frame[chosen[table.of_row]]

    def among(self, table: Table) -> pd.DataFrame:
        """Return the rows of the selected runs, possibly none, such as those of one net of several in a figure."""
        return table.frame[self.matches(table)[table.of_row]]

    def seeds(self, table: Table) -> int:
        """Return the number of seeds of the selected runs; 0 if there is no such run or if they differ otherwise."""
        seeds = table.points["seed"][self.matches(table)]
        return len(seeds) if seeds.is_unique else 0

    def settings(self, table: Table, name: str) -> list[Any]:
        """Return the values of a setting or an axis in the grids that have a selected axis value.

        raises: NotTestableError if there is no such grid.
        """
        self.refuse_unknown(table, [name, *self.wanted])
        values: list[Any] = []
        for grid in table.grids:
            axes = {axis: value for axis, value in self.wanted.items() if axis in grid["axes"] and value is not EVERY}
            if all(set(_as_list(value)) & set(grid["axes"][axis]) for axis, value in axes.items()):
                own = grid["axes"].get(name) or [grid["settings"].get(name)]
                values += [value for value in own if value is not UNKNOWN and value not in values]
        if not values:
            raise NotTestableError(f"{table.source} contains no such grid of {self.experiment}")
        return values

    def shown(self, table: Table, *free: str, instead: bool = True) -> tuple[pd.DataFrame, str]:
        """Return the rows that a figure draws, and a note on the axes whose values are not the document's.

        free: the axes that the figure shows: all of their values are drawn, also those that the document lacks.
            Every other axis has the document's value.
        instead: whether an axis has the config's first value if the config lacks the document's; the note says so.
            False if the figure names the runs by the document's values.
        raises: NotTestableError if there is no such run.
        """
        return shown_of(table, [self], *free, instead=instead)

    def allows(self, setting: Mapping[str, object]) -> bool:
        """Return whether the axes of a setting (name → value) have selected values."""
        return all(_is_one_of(value, self.wanted.get(axis, EVERY)) for axis, value in setting.items())

    def matches(self, table: Table) -> np.ndarray:
        """Return for each run of the table whether it is selected, shape (runs,)."""
        points = table.points
        axes = {name: value for name, value in self.wanted.items() if name in points}
        settings = {name: value for name, value in self.wanted.items() if name not in axes}
        self.refuse_unknown(table, settings)
        chosen = np.zeros(len(points), dtype=bool)
        for grid, inside in zip(table.grids, table.of_grids, strict=True):
            # A figure may have dropped an axis of the grids from its table.
            own = {name: value for name, value in settings.items() if name not in grid["axes"]}
            if all(_is_one_of(grid["settings"].get(name), value) for name, value in own.items()):
                chosen |= inside
        for name, value in axes.items():
            if value is not EVERY:
                chosen &= points[name].isin(_as_list(value)).to_numpy()
        return chosen

    def refuse_unknown(self, table: Table, names: Iterable[str]) -> None:
        """Raise UserError for a name that is neither an axis nor a setting of the experiment: a typing error."""
        held = [table.points, *(grid[kind] for grid in table.grids for kind in ("axes", "settings"))]
        for name in names:
            if not any(name in each for each in held):
                check_name(name, f"axis or setting of {self.experiment}", {known for each in held for known in each})


def shown_of(
    table: Table, selections: Iterable[Selection], *free: str, instead: bool = True
) -> tuple[pd.DataFrame, str]:
    """Return the rows of several selections that a figure draws together, and a note, as `Selection.shown` does."""
    points, selections = table.points, list(selections)
    # Axis or setting → all values that the selections name.
    wanted: dict[str, list] = {}
    for each in selections:
        each.refuse_unknown(table, free)
        for name, value in each.wanted.items():
            wanted.setdefault(name, []).extend(_as_list(value))
    shown = {*free, *(axis for axis, values in wanted.items() if EVERY in values)}
    in_blocks = np.ones(len(points), dtype=bool)
    if "block" in points and "block" in wanted and "block" not in shown:
        in_blocks = points["block"].isin(wanted["block"]).to_numpy()
        if not in_blocks.any():
            raise NotTestableError(f"no run has block {listing(set(wanted['block']))}")
    described = np.logical_or.reduce([each.matches(table) for each in selections]) & in_blocks
    # The values of other axes may depend on these, such as learning rates on depths.
    several = {axis for each in selections for axis, value in each.wanted.items() if isinstance(value, list | tuple)}
    # Seeds repeat a setting: a line must not take one seed from one setting, and another seed from another one.
    keys = [axis for axis in points if axis in shown | several and axis != "seed"]
    places = np.flatnonzero(in_blocks)
    for axis in [axis for axis in points if axis in several and axis not in (*shown, "block")]:
        allowed = points[axis].iloc[places].isin(wanted[axis]).to_numpy()
        places = places[allowed] if allowed.any() else places
    groups = points.loc[places].groupby(keys, observed=True).indices.values() if keys else [slice(None)]
    drawn = np.zeros(len(points), dtype=bool)
    # Of the values that a selection lists, only those with described runs are drawn, if one has any, as by `rows`.
    free_keys = [axis for axis in keys if axis in shown]
    places_of = points.loc[places].groupby(free_keys, observed=True).ngroup() if free_keys else pd.Series(0, places)
    satisfied = set(places_of[described[places]]) if len(selections) == 1 else set()
    for group in groups:
        own = places[group]
        if not described[own].any() and satisfied.intersection(places_of.iloc[group]):
            continue
        if described[own].any():
            own = own[described[own]]
        for axis in dict.fromkeys([*wanted, *points]):
            if axis in points and axis not in (*keys, "seed", "block"):
                own = _narrow(points, own, axis, wanted.get(axis, []), instead)
        drawn[own] = True
    if not drawn.any():
        raise NotTestableError(f"{table.source} contains no such runs")
    return table.frame[drawn[table.of_row]], _note_on(points[drawn], wanted, shown)


def runs_in_words(selections: Iterable[Selection], tables: Mapping[str, Table]) -> str:
    """Return the selected runs as text: for each experiment what all have in common, then what each selection adds.

    What all runs of the block have is left out. A selection that differs in one name from an earlier one joins it.
    """
    wanted: dict[str, list[dict[str, list]]] = {}
    for each in selections:
        several = wanted.setdefault(each.experiment, [])
        own = _narrowing(each, tables[each.experiment]) if each.experiment in tables else each.wanted
        own = {name: _as_list(value) for name, value in own.items() if value is not EVERY}
        for other in several:
            if [*own] == [*other] and sum(own[name] != other[name] for name in own) <= 1:
                for name, values in other.items():
                    values += [value for value in own[name] if value not in values]
                break
        else:
            several.append(own)
    texts = []
    for experiment, several in wanted.items():
        common = {name: value for name, value in several[0].items() if all(each.get(name) == value for each in several)}
        own = [{name: value for name, value in each.items() if name not in common} for each in several]
        rest = [_wanted_text(each) or "all" for each in own if len(own) > 1]
        texts.append(": ".join(filter(None, [str(Selection(experiment, **common)), "; ".join(rest)])))
    return "; ".join(texts)


def _narrowing(selection: Selection, table: Table) -> dict[str, object]:
    """Return the block of a selection and what leaves out runs of it: name → value, of an axis those in its runs."""
    points, chosen = table.points, selection.matches(table)
    inside = selection.only(*({"block"} & selection.wanted.keys())).matches(table)
    held = {
        name: value
        for name, value in selection.wanted.items()
        if name == "block" or not selection.only(name).matches(table)[inside].all()
    }
    values = {name: sorted(points[name][chosen].unique().tolist()) for name in held if name in points and chosen.any()}
    return held | values


def _narrow(points: pd.DataFrame, places: np.ndarray, axis: str, wanted: list, instead: bool) -> np.ndarray:
    """Return the places of runs that have one of the wanted values of an axis; if none has, perhaps its first value."""
    values = points[axis].iloc[places].tolist()
    kept = [value for value in values if value in wanted]
    if not kept and (instead or not wanted):
        kept = sorted(set(values))[:1]
    return places[[value in kept for value in values]]


def _note_on(drawn: pd.DataFrame, wanted: Mapping[str, list], free: set[str]) -> str:
    """Return a note on the axes that are drawn at other than the document's values."""
    instead = []
    for axis in drawn.columns.difference([*free, "seed"], sort=False):
        shown = set(drawn[axis])
        if axis in wanted and (others := shown - set(wanted[axis])):
            partly = "partly " if others < shown else ""
            wanted_text = values_text(list(dict.fromkeys(wanted[axis])))
            instead.append(f"{words_of(axis)} {partly}{listing(others)} instead of {wanted_text}")
    return "; ".join(instead)


def _refuse_sweeps(experiment: str, points: pd.DataFrame, named: list[str]) -> None:
    """Raise NotTestableError if points that agree in the named axes differ in another axis than the seed."""
    others = [axis for axis in points.columns if axis not in (*named, "seed") and points[axis].nunique() > 1]
    # For example, a learning rate that depends only on the depth is not swept if `named` contains the depth.
    several = (
        points.groupby(named, observed=True, dropna=False)[others].nunique().max()
        if named and others
        else pd.Series(2, others)
    )
    if swept := [axis for axis in others if several[axis] > 1]:
        words = " and ".join(f"{axis} ({values_text(sorted(points[axis].unique().tolist()))})" for axis in swept)
        raise NotTestableError(f"the runs of {experiment} differ in {words}, and the claim selects no value")


def _as_list(value: object) -> list:
    return list(value) if isinstance(value, list | tuple) else [value]


def _is_one_of(held: object, wanted: object) -> bool:
    # The value of a setting may itself be a list.
    return wanted is EVERY or held is UNKNOWN or held == wanted or (isinstance(wanted, list | tuple) and held in wanted)


def _wanted_text(wanted: Mapping[str, object]) -> str:
    named = {name: _as_list(value) for name, value in wanted.items() if value is not EVERY}
    return ", ".join(f"{name} {values_text(values)}" for name, values in named.items())


def values_text(values: list, separator: str = " or ") -> str:
    """Return values as text, more than two successive numbers as "0 to 9"."""
    first, *rest = values or ["none"]
    if len(rest) > 1 and isinstance(first, int) and values == [*range(first, first + len(values))]:
        return f"{first} to {rest[-1]}"
    return separator.join(map(text_of, [first, *rest]))
