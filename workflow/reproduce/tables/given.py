"""Tables that a user hands in: checked, one for each experiment, and the words for how they differ."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from reproduce.config.check import axis_types
from reproduce.errors import UserError, check_name
from reproduce.tables.axes import RECORD_COLUMNS, axes_of
from reproduce.tables.words import label_of, listing

Frames = dict[str, pd.DataFrame]


def split_given(given: Iterable[object], wanted: Sequence[str], reader: str) -> list[Frames]:
    """Return the given tables by experiment, in layers: a second table of an experiment begins a further layer.

    wanted: the experiments that the reader reads; reader: a figure or a claim, in words.
    raises: UserError for a table that the reader does not read, or that has a wrong, missing or repeated column or row.
    """
    layers: list[Frames] = [{}]
    for table in given:
        for name, frame in _by_experiment(table, wanted, reader):
            if all(name in layer for layer in layers):
                layers.append({})
            next(layer for layer in layers if name not in layer)[name] = frame
    return layers


def differences_of(shown: Sequence[Mapping[str, pd.DataFrame]]) -> list[str]:
    """Return for each group of runs, by experiment, the axes in which they differ from the first, or a number."""
    held = [
        {(name, axis): set(frame[axis]) for name, frame in runs.items() for axis in axes_of(frame, "seed", "block")}
        for runs in shown
    ]
    differ = {key for own in held[1:] for key, values in own.items() if values != held[0].get(key, values)}
    words = [", ".join(label_of(key[1], listing(own[key])) for key in sorted(differ & own.keys())) for own in held]
    return [text or f"table {number}" for number, text in enumerate(words, start=1)]


def _by_experiment(table: object, wanted: Sequence[str], reader: str) -> Iterable[tuple[str, pd.DataFrame]]:
    if not isinstance(table, pd.DataFrame):
        raise UserError(f"a given table is of type {type(table).__name__}; allowed: frames, such as `table` returns")
    if missing := [name for name in RECORD_COLUMNS if name not in table]:
        raise UserError(f"a given table has no column {missing[0]!r}; needed: {', '.join(RECORD_COLUMNS)}")
    if table.empty:
        raise UserError("a given table has no rows: compare its selection with the values in the whole table")
    if "experiment" not in table:
        if len(set(wanted)) > 1:
            raise UserError(f"{reader} reads {', '.join(wanted)}: add a column experiment to the given table")
        table = table.assign(experiment=wanted[0])
    if "seed" not in table:
        table = table.assign(seed=0)
    for name in table["experiment"].unique():
        check_name(name, f"experiment that {reader} reads", set(wanted), "a given table: ")
        # Of several experiments in one frame, each has columns that the others lack.
        frame = table[table["experiment"] == name].dropna(axis="columns", how="all")
        _check(frame, str(name))
        yield str(name), frame


def _check(frame: pd.DataFrame, experiment: str) -> None:
    """Raise UserError for a foreign column, a column of another type, an axis without a value, or a repeated row."""
    for name in axes_of(frame):
        check_name(name, f"axis of {experiment}", {"experiment", "seed", *axis_types(experiment)}, "a given table: ")
        if frame[name].isna().any():
            raise UserError(f"a given table of {experiment} has rows without {name}: give this axis a value in all")
    if texts := [name for name in ("step", "index", "value") if not pd.api.types.is_numeric_dtype(frame[name])]:
        raise UserError(f"a given table of {experiment} has a column {texts[0]} that does not contain only numbers")
    keys = [name for name in frame if name != "value"]
    if frame.duplicated(keys).any():
        row = frame.loc[frame.duplicated(keys), keys].iloc[0]
        where = ", ".join(label_of(name, row[name]) for name in keys if name != "experiment")
        raise UserError(
            f"a given table of {experiment} has two values for {where}: select one run, or add the axis or seed in "
            "which the runs differ"
        )
