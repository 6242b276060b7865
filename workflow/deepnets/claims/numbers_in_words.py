"""Numbers in words: how a ledger writes what the results give, without more digits than it has."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from workflow.deepnets.claims.estimate import Estimate, estimate

# Least and greatest value that a criterion allows; None if it has no bounds.
Bounds = tuple[float, float] | None
# A number without an error has as many digits as the document's, and at least so many; one with an error at most six.
_FEWEST_DIGITS, _MOST_DIGITS = 4, 6
# What is so much smaller than its bound, or so small beside 1, is round-off, of which one digit says enough.
_ROUND_OFF_OF_BOUND, _ROUND_OFF = 1e-3, 1e-9


@dataclass(frozen=True)
class Words:
    """What the results give, in words.

    number: the mean with its error, or the extreme that a bound is judged by; count: of the values, "" for a single
    one; spread: their range, or their extreme on the side of the bound, "" if it adds nothing.
    """

    number: str
    count: str = ""
    spread: str = ""

    @property
    def all(self) -> str:
        """All of it, such as "60.30 ± 0.60 (n = 10, from 57 to 63)"."""
        added = ", ".join(filter(None, (self.count, self.spread)))
        return self.number + (added and f" ({added})")


def in_words(
    found: Estimate, *, document: float = math.nan, bounds: Bounds = None, extreme: bool = False, of: str = "values"
) -> Words:
    """Return an estimate in words.

    document: the document's value, whose digits a number without an error has; bounds: of the criterion: values within
    them are counted; extreme: whether the criterion judges each value, so that the extreme says more than the mean
    does; of: what the values are of, such as "seeds".
    """
    finite = found if np.isfinite(found.values).all() else estimate(found.values[np.isfinite(found.values)])
    if not finite.number:
        return Words("no value")
    values = finite.values
    if found.number == 1:
        return Words(number_in_words(finite.mean, document))
    # Equal values, up to round-off: more digits would be round-off.
    equal = not finite.error > 1e-6 * abs(finite.mean)
    number = number_in_words(finite.mean, document) if equal else mean_with_error(finite.mean, finite.error)
    if bounds is None or not len(values):
        # The mean and the error of two values contain both.
        spread = "" if equal or len(values) < 3 else range_in_words(values.min(), values.max())
        return Words(number, f"n = {finite.count}", spread)
    inside = int(np.sum((values >= bounds[0]) & (values <= bounds[1])))
    count = f"{inside} of {found.count} {of}"
    if equal:
        return Words(number, count)
    furthest = _extremes(values, bounds)
    return Words(furthest, count) if extreme else Words(number, count, furthest)


def parts_in_words(parts: Mapping[str, Words]) -> str:
    """Return what the results give for each part; a count that all parts share is said once."""
    counts = {words.count for words in parts.values()}
    if len(counts) > 1:
        return "; ".join(f"{name}: {words.all}" for name, words in parts.items())
    numbers = "; ".join(f"{name}: {words.number}" for name, words in parts.items())
    common = next(iter(counts), "")
    return numbers + (common and f" ({common} each)")


def number_in_words(value: float, document: float = math.nan) -> str:
    """Return a number with as many digits as the document's, and at least four."""
    if abs(value) < 1e6 and value == round(value):
        return f"{round(value)}"
    digits = 1 if abs(value) < _ROUND_OFF else _FEWEST_DIGITS
    if math.isfinite(document) and digits > 1:
        mantissa = f"{document:g}" if float(f"{document:g}") == document else f"{document}"
        digits = min(max(digits, len(mantissa.split("e")[0].lstrip("-0.").replace(".", ""))), _MOST_DIGITS)
    return f"{value:.0f}" if 10 ** (digits - 1) <= abs(value) < 1e6 else f"{value:.{digits}g}"


def mean_with_error(mean: float, error: float) -> str:
    """Return "mean ± error", both to the second digit of the error, or the mean alone if the error is too small."""
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
    """Return "from … to …", both to the fourth digit of the larger one, if the other has two digits then."""
    smaller, larger = sorted((abs(least), abs(greatest)))
    places = _FEWEST_DIGITS - 1 - math.floor(math.log10(larger))
    if places > 6 or larger >= 1e6 or 0 < smaller < 10.0 ** (1 - places):
        return f"from {least:.{_FEWEST_DIGITS}g} to {greatest:.{_FEWEST_DIGITS}g}"
    # Adding 0 keeps a small negative number from being "-0".
    texts = [f"{round(value, places) + 0.0:.{max(places, 0)}f}" for value in (least, greatest)]
    while "." in texts[0] and all(text[-1] in "0." for text in texts):
        texts = [text[:-1] for text in texts]
    return f"from {texts[0]} to {texts[1]}"


def _extremes(values: np.ndarray, bounds: tuple[float, float]) -> str:
    least, greatest = float(values.min()), float(values.max())
    shown = [value for value, bound in ((least, bounds[0]), (greatest, bounds[1])) if math.isfinite(bound)]
    scale = max((abs(bound) for bound in bounds if math.isfinite(bound)), default=0)
    small = max(map(abs, shown)) < max(_ROUND_OFF, _ROUND_OFF_OF_BOUND * scale)
    if len(shown) == 2:
        return f"from {least:.1g} to {greatest:.1g}" if small else range_in_words(least, greatest)
    name = "least" if math.isfinite(bounds[0]) else "greatest"
    return f"{name} {f'{shown[0]:.1g}' if small else number_in_words(shown[0])}"
