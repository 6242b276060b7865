"""Claims in words: our values as text with no more digits than are significant, and the numbers that texts quote.

`Words` writes "60.30 ± 0.62 (n = 10, from 57 to 63)", and `extract_number` takes 60.30 ± 0.62 from it.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from reproduce.claims.criteria import REPRODUCED
from reproduce.claims.estimate import Estimate, estimate
from reproduce.errors import check_name
from reproduce.records.ledgers import LedgerRow

# Significant digits: at least 4 without an error, at most 6 with or without one.
_FEWEST_DIGITS, _MOST_DIGITS = 4, 6
# A number below this share of its bound, or below 1e-9, is round-off and gets one digit.
_ROUND_OFF_OF_BOUND, _ROUND_OFF = 1e-3, 1e-9

# The brackets after a number: "(n = 10, from 57 to 63)", "(19 of 20 seeds, least 79.94)".
_COUNT = re.compile(r" \((?:n = |\d+ of )[^)]*\)")
_EXTREME = re.compile(r"^(?:least|greatest|from) ")
_POWER = re.compile(r"(?:(?<![\w.])(?:1|(?P<digits>[\d.]+))|(?P<bracket>\)))e(?P<sign>[+-])0*(?P<power>\d+)\b")
_MINUS = re.compile(r"(?<![\w.])-(?=[\d.])")
RAISED = str.maketrans("-−0123456789", "⁻⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Words:
    """An estimate in words.

    number: the mean with its error, or the extreme value if the criterion bounds each value.
    count: the number of values, "" for a single one.
    spread: the range of the values, or the extreme on the side of the bound, "" if it adds nothing.
    """

    number: str
    count: str = ""
    spread: str = ""

    @property
    def all(self) -> str:
        """The whole text, such as "60.30 ± 0.60 (n = 10, from 57 to 63)"."""
        added = ", ".join(filter(None, (self.count, self.spread)))
        return self.number + (added and f" ({added})")


def estimate_in_words(
    found: Estimate,
    *,
    document: float = math.nan,
    bounds: tuple[float, float] | None = None,
    extreme: bool = False,
    of: str = "values",
) -> Words:
    """Return an estimate in words.

    document: the document's value: a number without an error gets as many digits.
    bounds: of the criterion; the text counts the values within them.
    extreme: whether the criterion judges each value, so that the text contains the extreme and not the mean.
    of: what the values belong to, such as "seeds".
    """
    finite = found if np.isfinite(found.values).all() else estimate(found.values[np.isfinite(found.values)])
    if not finite.number:
        return Words("no value")
    values = finite.values
    if found.at_least:
        return Words(f"at least {number_in_words(finite.mean)}", f"n = {finite.count}" if found.number > 1 else "")
    if found.number == 1:
        return Words(number_in_words(finite.mean, document))
    # If all values are equal up to round-off, an error would only show round-off.
    equal = not finite.error > 1e-6 * abs(finite.mean)
    number = number_in_words(finite.mean, document) if equal else mean_with_error(finite.mean, finite.error)
    if bounds is None or not len(values):
        # The mean and the error determine two values.
        spread = "" if equal or len(values) < 3 else range_in_words(values.min(), values.max())
        return Words(number, f"n = {finite.count}", spread)
    inside = int(np.sum((values >= bounds[0]) & (values <= bounds[1])))
    count = f"{inside} of {found.count} {of}"
    if equal:
        return Words(number, count)
    furthest = _extremes_text(values, bounds)
    return Words(furthest, count) if extreme else Words(number, count, furthest)


def parts_in_words(parts: Mapping[str, Words]) -> str:
    """Return the words of all parts; a count that all parts share is written once."""
    counts = {words.count for words in parts.values()}
    if len(counts) > 1:
        return "; ".join(f"{name}: {words.all}" for name, words in parts.items())
    numbers = "; ".join(f"{name}: {words.number}" for name, words in parts.items())
    common = next(iter(counts), "")
    return numbers + (common and f" ({common} each)")


def number_in_words(value: float, document: float = math.nan) -> str:
    """Return a number with as many significant digits as the document's, from four to six."""
    if abs(value) < 1e6 and value == round(value):
        return f"{round(value)}"
    digits = 1 if abs(value) < _ROUND_OFF else _FEWEST_DIGITS
    if math.isfinite(document) and digits > 1:
        mantissa = f"{document:g}" if float(f"{document:g}") == document else f"{document}"
        digits = min(max(digits, len(mantissa.split("e")[0].lstrip("-0.").replace(".", ""))), _MOST_DIGITS)
    return f"{value:.0f}" if 10 ** (digits - 1) <= abs(value) < 1e6 else f"{value:.{digits}g}"


def mean_with_error(mean: float, error: float) -> str:
    """Return "mean ± error", both to the second digit of the error, or only the mean if the error is too small."""
    if not math.isfinite(error):
        return f"{number_in_words(mean)} ± {error:g}"
    places = 1 - math.floor(math.log10(error))
    first = math.floor(math.log10(max(abs(mean), error)))
    if first + places + 1 > _MOST_DIGITS:
        return f"{mean:.{_MOST_DIGITS - 1}g}"
    if abs(mean) < 1e6 and places <= 6:
        return f"{round(mean, places):.{max(places, 0)}f} ± {round(error, places):.{max(places, 0)}f}"
    digits = max(first + places, 0)
    return f"({mean / 10.0**first:.{digits}f} ± {error / 10.0**first:.{digits}f})e{first:+03d}"


def range_in_words(least: float, greatest: float) -> str:
    """Return "from … to …", both rounded to the fourth digit of the larger if the smaller then keeps two."""
    smaller, larger = sorted((abs(least), abs(greatest)))
    places = _FEWEST_DIGITS - 1 - math.floor(math.log10(larger))
    if places > 6 or larger >= 1e6 or 0 < smaller < 10.0 ** (1 - places):
        return f"from {least:.{_FEWEST_DIGITS}g} to {greatest:.{_FEWEST_DIGITS}g}"
    # Adding 0 turns "-0" into "0".
    texts = [f"{round(value, places) + 0.0:.{max(places, 0)}f}" for value in (least, greatest)]
    while "." in texts[0] and all(text[-1] in "0." for text in texts):
        texts = [text[:-1] for text in texts]
    return f"from {texts[0]} to {texts[1]}"


def _extremes_text(values: np.ndarray, bounds: tuple[float, float]) -> str:
    least, greatest = float(values.min()), float(values.max())
    shown = [value for value, bound in ((least, bounds[0]), (greatest, bounds[1])) if math.isfinite(bound)]
    scale = max((abs(bound) for bound in bounds if math.isfinite(bound)), default=0)
    small = max(map(abs, shown)) < max(_ROUND_OFF, _ROUND_OFF_OF_BOUND * scale)
    if len(shown) == 2:
        return f"from {least:.1g} to {greatest:.1g}" if small else range_in_words(least, greatest)
    name = "least" if math.isfinite(bounds[0]) else "greatest"
    return f"{name} {f'{shown[0]:.1g}' if small else number_in_words(shown[0])}"


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
    return f"within {100 * row.region:.0f} %" if row.verdict == REPRODUCED and row.region > 0.1 else ""


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
