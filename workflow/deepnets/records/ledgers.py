"""The columns of a document's ledger: a row for each claim, and for each erratum."""

import pyarrow as pa

# The kind and the verdict of a row for a fault of the document itself; its evidence is the remark.
ERRATUM = "erratum"
_TEXT = pa.string()
_COLUMNS = {
    "document": _TEXT,
    "claim": _TEXT,
    "kind": _TEXT,
    "place": _TEXT,
    "figure": _TEXT,
    "statement": _TEXT,
    "printed": _TEXT,
    "document_value": pa.float64(),
    "document_error": pa.float64(),
    "value": pa.float64(),
    "standard_error": pa.float64(),
    "least": pa.float64(),
    "greatest": pa.float64(),
    "count": pa.int64(),
    "deviation": pa.float64(),
    "rule": _TEXT,
    "because": _TEXT,
    "revised": _TEXT,
    "verdict": _TEXT,
    "remark": _TEXT,
}
LEDGER_SCHEMA = pa.schema([pa.field(name, kind, nullable=False) for name, kind in _COLUMNS.items()])
