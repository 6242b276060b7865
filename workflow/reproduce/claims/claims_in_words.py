"""Claims in words: our value with its quantity, and the number of changed criteria."""

import re
from collections.abc import Iterable, Mapping

from reproduce.claims.criteria import REPRODUCED
from reproduce.errors import check_name
from reproduce.records.ledgers import LedgerRow

# A region around a document's value that is wider, as a share of it, is named beside the verdict.
_WIDE = 0.1

# The brackets after a number: "(n = 10, from 57 to 63)", "(19 of 20 seeds, least 79.94)".
_COUNT = re.compile(r" \((?:n = |\d+ of )[^)]*\)")
_EXTREME = re.compile(r"^(?:least|greatest|from) ")
_POWER = re.compile(r"(?:(?<![\w.])(?:1|(?P<digits>[\d.]+))|(?P<bracket>\)))e(?P<sign>[+-])0*(?P<power>\d+)\b")
_MINUS = re.compile(r"(?<![\w.])-(?=[\d.])")
RAISED = str.maketrans("-−0123456789", "⁻⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def ours_with_quantity(row: LedgerRow) -> str:
    """Return our value in a ledger's row with its quantity: "Ours (test accuracy, %): 60.30 ± 0.62"."""
    quantity = f" ({row.quantity})" if row.quantity else ""
    return f"Ours{quantity}: {with_math_signs(row.ours) or 'not in these results'}"


def verdict_in_words(row: LedgerRow) -> str:
    """Return the verdict in a ledger's row, with a wide region, and with what is smaller than in the document."""
    smaller = f"at reduced size: {row.reduced}" if row.reduced else ""
    return ", ".join(filter(None, [f"{row.verdict} {region_in_words(row)}".strip(), smaller]))


def region_in_words(row: LedgerRow) -> str:
    """Return within which share of its value a number is reproduced, "within 26 %", if this is more than a tenth."""
    return f"within {100 * row.region:.0f} %" if row.verdict == REPRODUCED and row.region > _WIDE else ""


def with_math_signs(text: str) -> str:
    """Return a text with mathematical signs for minus and powers of ten: −3·10⁻⁹ for -3e-09."""

    def power(found: re.Match) -> str:
        factor = found["digits"] or found["bracket"] or ""
        exponent = f"{found['sign'].strip('+')}{found['power']}"
        return f"{factor}{'·' if factor else ''}10{exponent.translate(RAISED)}"

    return _POWER.sub(power, _MINUS.sub("−", text))


def extract_number(ours: str, part: str = "") -> str:
    """Return the number and its error from the text of our value, without the count; "" if the text has no number.

    ours: "60.30 ± 0.62 (n = 10, from 57 to 63)", "least 79.94 (19 of 20 seeds)", or several parts such as
        "depth 1: 53; depth 2: 59.8 (n = 10 each)".
    part: the name of one of several parts.
    """
    ours = _parts_of(ours).get(part, "") if part else ours
    return with_math_signs(_EXTREME.sub("", _COUNT.sub("", ours)))


def quoted_number(quoted: str, rows: Mapping[str, LedgerRow]) -> tuple[str, str]:
    """Return the number of a claim that a sentence quotes, "" if the ledger has no value, and its verdict.

    quoted: "claim" or "claim/part"; rows: claim → row of the ledger.
    Raises UserError for a claim that the ledger lacks, or a part that the claim lacks.
    """
    claim, _, part = quoted.partition("/")
    check_name(claim, "claim of the document", rows, f"{{{quoted}}}: ")
    row = rows[claim]
    # The remark names the parts that have no value here.
    if part and row.ours and part not in row.remark:
        check_name(part, f"part of {claim}", _parts_of(row.ours), f"{{{quoted}}}: ")
    number = extract_number(row.ours, part)
    return number if any(map(str.isdigit, number)) else "", row.verdict


def _parts_of(text: str) -> dict[str, str]:
    """Return the parts of a text such as "depth 1: 53; depth 2: 59.8"."""
    return dict(each.split(": ", 1) for each in text.split("; ") if ": " in each)


def history_of_criteria(rows: Iterable[LedgerRow]) -> str:
    """Return two sentences: what was known when the criteria were written, and the number of criteria changed since."""
    changed = sum(bool(row.revised) for row in rows)
    return (
        "Most criteria were written after earlier runs had shown the outcomes; git contains every version of them. "
        f"{changed} {'was' if changed == 1 else 'were'} changed after a value had been seen, each with its reason."
    )
