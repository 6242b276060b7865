"""The columns of a document's ledger: one row per claim, erratum and setting, and one for the coverage."""

import pyarrow as pa

from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM

# The kind and the verdict of the row that says how many printed numbers the ledger quotes.
COVERAGE = "coverage"
# The kind and the verdict of a setting: `printed` is the document's value, `ours` are those of the config.
SETTING = "setting"
NO_CLAIMS = (ERRATUM, ERRATUM_OF_FORM, COVERAGE, SETTING)
_TEXT = pa.string()
_COLUMNS = {
    "document": _TEXT,
    "claim": _TEXT,
    "kind": _TEXT,
    "weight": _TEXT,
    "main": _TEXT,
    "draw": _TEXT,
    "place": _TEXT,
    "figure": _TEXT,
    "statement": _TEXT,
    "quantity": _TEXT,
    "printed": _TEXT,
    "document_value": pa.float64(),
    "document_error": pa.float64(),
    "ours": _TEXT,
    "value": pa.float64(),
    "standard_error": pa.float64(),
    "least": pa.float64(),
    "greatest": pa.float64(),
    "count": _TEXT,
    # Of all values, to five digits: it changes if the measure reads other rows.
    "digest": _TEXT,
    "runs": _TEXT,
    "criterion": _TEXT,
    "because": _TEXT,
    "revised": _TEXT,
    "verdict": _TEXT,
    # What is smaller than in the document, or stood in for its data.
    "reduced": _TEXT,
    "remark": _TEXT,
    "explanation": _TEXT,
}
LEDGER_SCHEMA = pa.schema([pa.field(name, kind, nullable=False) for name, kind in _COLUMNS.items()])
