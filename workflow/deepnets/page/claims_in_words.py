"""Claims in words: what the results give for one, and which criteria were known before."""

import re
from collections.abc import Iterable, Mapping

_COUNT = re.compile(r" \(n = [^)]*\)")


def with_quantity(row: Mapping[str, str]) -> str:
    """Return what the results give, from a ledger's row, with what it is: "Ours (test accuracy, %): 60.30 ± 0.62"."""
    quantity = f" ({row['quantity']})" if row["quantity"] else ""
    return f"Ours{quantity}: {row['ours'] or 'no value'}"


def number_in(ours: str, part: str = "") -> str:
    """Return the number with its error from what the results give, without its count, "" if there is none.

    ours: "60.30 ± 0.62 (n = 10, from 57 to 63)", or parts: "depth 1: 53; depth 2: 59.8 (n = 10 each)", of which `part`
    names one.
    """
    if part:
        ours = dict(each.split(": ", 1) for each in ours.split("; ") if ": " in each).get(part, "")
    return _COUNT.sub("", ours)


def history(rows: Iterable[Mapping[str, str]]) -> str:
    """Return what was known when the criteria were written, and how many were changed since."""
    changed = sum(bool(row["revised"]) for row in rows)
    return (
        "Most criteria were written when outcomes were known from earlier runs; git shows each of their versions. "
        f"{changed} {'was' if changed == 1 else 'were'} changed after a value had been seen, each with its reason."
    )
