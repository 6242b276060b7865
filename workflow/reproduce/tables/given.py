"""Tables that a user hands in: checked, one for each experiment."""

from collections.abc import Iterable, Sequence

import pandas as pd
import pyarrow as pa

from reproduce.config.check import axis_types
from reproduce.errors import UserError, check_name
from reproduce.records.tables import AXIS_TYPES, RUN_COLUMNS
from reproduce.tables.axes import RECORD_COLUMNS, axes_of
from reproduce.tables.words import label_of

_WORDS = {pa.int64(): "whole numbers", pa.int32(): "whole numbers", pa.float64(): "numbers", pa.bool_(): "booleans"}


def by_experiment(given: Iterable[object], wanted: Sequence[str], reader: str) -> dict[str, pd.DataFrame]:
    """Return the given tables by experiment.

    wanted: the experiments that the reader reads; reader: a figure or a claim, in words.
    raises: UserError for a table that the reader does not read, that has a wrong, missing or repeated column or row,
        or for a second table of an experiment.
    """
    found: dict[str, pd.DataFrame] = {}
    for table in given:
        if not isinstance(table, pd.DataFrame):
            convert = "; convert it with its method to_pandas()" if hasattr(table, "to_pandas") else ""
            raise UserError(f"a given table is of type {type(table).__name__}; allowed: frames of pandas{convert}")
        if twice := table.columns[table.columns.duplicated()].tolist():
            raise UserError(f"a given table has two columns {twice[0]!r}; remove or rename one of them")
        if missing := [name for name in RECORD_COLUMNS if name not in table]:
            raise UserError(f"a given table has no column {missing[0]!r}; needed: {', '.join(RECORD_COLUMNS)}")
        if table["value"].isna().all():
            raise UserError("a given table has no rows with a value: compare its selection with the whole table")
        if "experiment" not in table:
            if len(set(wanted)) > 1:
                raise UserError(f"{reader} reads {', '.join(wanted)}: add a column experiment to the given table")
            table = table.assign(experiment=wanted[0])
        whole = table if "seed" in table else table.assign(seed=0)
        for name in whole["experiment"].unique():
            check_name(name, f"experiment that {reader} reads", set(wanted), "a given table: ")
            if name in found:
                raise UserError(
                    f"two of the given tables contain {name}; draw or judge one after the other, or join their runs: "
                    "pd.concat"
                )
            rows = whole[whole["experiment"] == name]
            # Of several experiments in one frame, each has columns that the others lack.
            lacking = [axis for axis in axes_of(rows) if rows[axis].isna().all()]
            found[name] = _as_written(rows.drop(columns=lacking), name)
    return found


def _as_written(frame: pd.DataFrame, experiment: str) -> pd.DataFrame:
    """Return a frame with the types of the workflow's table of an experiment.

    raises: UserError for a foreign column, values of another type, an axis without a value, or a repeated row.
    """
    axes = {"experiment": "string", "seed": "integer", **axis_types(experiment)}
    types = {name: AXIS_TYPES[kind] for name, kind in axes.items()} | {each.name: each.type for each in RUN_COLUMNS}
    columns = {}
    for name in frame:
        check_name(name, f"axis of {experiment}", types, "a given table: ")
        kind = types[name]
        try:
            values = pa.array(frame[name], from_pandas=True)
            plain = values.dictionary_decode() if isinstance(values, pa.DictionaryArray) else values
            columns[name] = plain.cast(kind) if kind in _WORDS else plain.cast(pa.string()).dictionary_encode()
        except pa.ArrowException as error:
            only = f"has a column {name} that does not contain only {_WORDS.get(kind, 'texts')}"
            raise UserError(f"a given table of {experiment} {only}") from error
        if columns[name].null_count and name != "value":
            raise UserError(f"a given table of {experiment} has rows without {name}: give this axis a value in all")
    written = pa.table(columns).to_pandas()
    keys = [name for name in written if name != "value"]
    if written.duplicated(keys).any():
        row = written.loc[written.duplicated(keys), keys].iloc[0]
        where = ", ".join(label_of(name, row[name]) for name in keys if name != "experiment")
        raise UserError(
            f"a given table of {experiment} has two values for {where}: select one run, or add the axis or seed in "
            "which the runs differ"
        )
    written.attrs = frame.attrs
    return written
