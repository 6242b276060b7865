"""The ledger of a document: one row per claim, erratum and setting, and one for the coverage."""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from reproduce.errors import UserError
from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM
from reproduce.records.tables import read_table, write_table

# The kind and the verdict of the row that counts the printed numbers that the ledger quotes.
COVERAGE = "coverage"
# The kind and the verdict of a setting: `printed` is the document's value, `ours` are those of the config.
SETTING = "setting"


@dataclass(frozen=True, kw_only=True)
class LedgerRow:
    """One row of a ledger; its fields are the columns of the file.

    claim: the name, unique in the document.
    kind: one of `KINDS` in records/statements.py (a theorem is stated or proved for all runs), or one of ERRATUM,
        ERRATUM_OF_FORM, COVERAGE and SETTING, which is then also the verdict.
    weight, draw: as in claims/claim.py.
    main: why this is one of the document's main statements, such as "a section's title"; "" if it is not.
    place: where the document contains it.
    figure: our figure that shows it, "" if there is none.
    statement: the document's statement in our words, with its unit.
    quantity: what is measured, with its unit, such as "test accuracy, %".
    printed: the value as the document prints it, "" if it prints none, or only that of another quantity.
    document_value, document_error: the document's value and its standard error.
    ours: our value in words; value, standard_error, least, greatest, count: in numbers.
    difference: how far our value is from the document's, in per cent, and in standard errors or deviations of one draw.
    region: how far it may be at most, as a share of the document's value; 0 without a region around a value.
    digest: of all values, to five digits: it changes if the measure reads other rows.
    runs, criterion: in words; because: why this criterion.
    revised: why the criterion was changed after a value had been seen, "" if it was not.
    reduced: sizes that are smaller than the document's, and data sets that stood in for its own.
    remark: the reason for the verdict if it needs one; the evidence of an erratum.
    explanation: for a claim that is not reproduced, one of `REASONS` in claims/claim.py, and which conclusions of the
        document still hold.
    """

    document: str = ""
    claim: str = ""
    kind: str
    weight: str = ""
    main: str = ""
    draw: str = ""
    place: str = ""
    figure: str = ""
    statement: str = ""
    quantity: str = ""
    printed: str = ""
    document_value: float = math.nan
    document_error: float = math.nan
    ours: str = ""
    value: float = math.nan
    standard_error: float = math.nan
    least: float = math.nan
    greatest: float = math.nan
    count: str = ""
    difference: str = ""
    region: float = 0.0
    digest: str = ""
    runs: str = ""
    criterion: str = ""
    because: str = ""
    revised: str = ""
    verdict: str
    reduced: str = ""
    remark: str = ""
    explanation: str = ""

    @property
    def is_claim(self) -> bool:
        """Whether the row has a verdict that counts."""
        return self.kind not in (ERRATUM, ERRATUM_OF_FORM, COVERAGE, SETTING)


_TYPES: dict[Any, pa.DataType] = {float: pa.float64(), str: pa.string()}
_SCHEMA = pa.schema([pa.field(each.name, _TYPES[each.type], nullable=False) for each in fields(LedgerRow)])


def row_without_claim(kind: str, **texts: Any) -> LedgerRow:
    """Return the row of an erratum, of a setting, or of the coverage."""
    return LedgerRow(kind=kind, verdict=kind, **texts)


def write_ledger(path: Path | str, rows: Iterable[LedgerRow], spec: str, reduced: str) -> None:
    """Write a ledger, with the metadata of a table."""
    write_table(path, pa.Table.from_pylist([asdict(row) for row in rows], schema=_SCHEMA), spec, reduced)


def read_ledger(path: Path | str) -> list[LedgerRow]:
    """Return the rows of a ledger; raises UserError as `read_table` does, or if a column is missing."""
    table = read_table(path)
    if missing := [name for name in _SCHEMA.names if name not in table.column_names]:
        raise UserError(f"{path} lacks {', '.join(missing)}, so another version of this workflow made it")
    return [LedgerRow(**row) for row in table.select(_SCHEMA.names).to_pylist()]
