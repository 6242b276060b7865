"""The columns of a document's ledger: one row per claim, erratum and setting, and one for the coverage."""

import pyarrow as pa

from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM

# The kind and the verdict of the row that says how many printed numbers the ledger quotes.
COVERAGE = "coverage"
# The kind and the verdict of a setting: `printed` is the document's value, `ours` are those of the config.
SETTING = "setting"
NO_CLAIMS = (ERRATUM, ERRATUM_OF_FORM, COVERAGE, SETTING)
_NUMBERS = ("document_value", "document_error", "value", "standard_error", "least", "greatest")
# All others are texts.
_COLUMNS = (
    *("document", "claim", "kind", "weight", "main", "draw", "place", "figure", "statement", "quantity", "printed"),
    *("document_value", "document_error", "ours", "value", "standard_error", "least", "greatest", "count"),
    # Of all values, to five digits: it changes if the measure reads other rows.
    "digest",
    *("runs", "criterion", "because", "revised", "verdict"),
    # Sizes that are smaller than the document's, and data sets that stood in for its own.
    "reduced",
    *("remark", "explanation"),
)
_TYPES = {name: pa.float64() if name in _NUMBERS else pa.string() for name in _COLUMNS}
LEDGER_SCHEMA = pa.schema([pa.field(name, kind, nullable=False) for name, kind in _TYPES.items()])
