"""Claims in words: how many of each verdict there are, and what the results give for one."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from workflow.deepnets.claims.criteria import VERDICTS


def summary(verdicts: Iterable[str]) -> str:
    """Return the counts of verdicts in a sentence."""
    given = list(verdicts)
    return f"{len(given)} claims: " + ", ".join(f"{given.count(verdict)} {verdict}" for verdict in VERDICTS)


def ours(row: Mapping[str, Any]) -> str:
    """Return what the results give, from a ledger's row: the mean ± its standard error, and the range of the values."""
    value, error, least, greatest = (row[name] for name in ("value", "standard_error", "least", "greatest"))
    if math.isnan(value):
        return "nothing"
    if row["count"] == 1:
        return f"{value:.5g}"
    return f"{value:.5g} ± {error:.2g} ({row['count']} values from {least:.4g} to {greatest:.4g})"
