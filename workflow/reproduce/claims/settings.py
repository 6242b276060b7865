"""The settings of a document beside those of the config: a table without verdicts."""

from collections.abc import Iterable, Mapping

from reproduce.records.ledgers import SETTING, LedgerRow, row_without_claim
from reproduce.tables.rows import NotRecordedError
from reproduce.tables.selection import EVERY, Selection
from reproduce.tables.table import Table
from reproduce.tables.words import text_of

# Axes of ours: they name a grid of the config, and repeat it.
_OURS = ("block", "seed")


def compare_settings(selections: Iterable[Selection], tables: Mapping[str, Table]) -> list[LedgerRow]:
    """Return a row for each setting: its name, the document's value, and those of the config.

    selections: the runs that the document describes. A setting that several of them share has one row.
    """
    found: dict[tuple[str, str, str], None] = {}
    for selection in selections:
        grids = selection.only(*(name for name in ("block",) if name in selection.wanted))
        where = ", ".join([selection.experiment, *map(_text, grids.wanted.values())])
        for name, value in selection.wanted.items():
            if name in _OURS or value is EVERY:
                continue
            printed, ours = _text(value), "–"
            if selection.experiment in tables:
                try:
                    ours = ", ".join(map(_text, grids.settings(tables[selection.experiment], name)))
                except NotRecordedError as reason:
                    ours = str(reason)
            found[f"{where}: {name}", printed, ours] = None
    return [row_without_claim(SETTING, claim=name, printed=printed, ours=ours) for name, printed, ours in found]


def _text(value: object) -> str:
    """Return a value of a setting: lists and mappings as they stand in the config."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(each)}" for name, each in value.items())
    return ", ".join(map(_text, value)) if isinstance(value, list | tuple) else text_of(value)
