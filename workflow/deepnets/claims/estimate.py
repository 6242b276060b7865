"""Estimates: what a claim measures, as a mean with its standard error and the number of its values."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error.

    error: standard deviation (divisor n − 1) over √n; NaN for a single value, or if a value is not finite.
    counts: the number of values; of a difference of two means, the two numbers.
    values: one for each run, (n,); empty for a difference of two means, which has no values of its own.
    """

    mean: float
    error: float
    counts: tuple[int, ...]
    values: np.ndarray = field(default_factory=lambda: np.array([]))

    @property
    def count(self) -> str:
        """The number of values in words: "10", or "10 + 10" of a difference of two means."""
        return " + ".join(map(str, self.counts))

    @property
    def known_error(self) -> float:
        """The standard error, 0 for a single value."""
        return 0.0 if math.isnan(self.error) else self.error


# One value for each run, or an estimate that has no such values.
Measured = np.ndarray | Estimate
# For a claim of several parts: name of a part → what was measured, or the reason why there is no value.
MeasuredParts = Mapping[str, Measured | Exception]


def estimate(measured: Measured) -> Estimate:
    """Return the estimate of some values, (n,); an estimate is returned as it is."""
    if isinstance(measured, Estimate):
        return measured
    values = np.asarray(measured, dtype=float)
    if not len(values):
        return Estimate(math.nan, math.nan, (0,), values)
    if len(values) < 2 or not np.isfinite(values).all():
        return Estimate(float(values.mean()), math.nan, (len(values),), values)
    return Estimate(float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values))), (len(values),), values)


def in_words(found: Estimate) -> str:
    """Return an estimate as text: mean ± standard error, n, and the range of the values if there are several."""
    finite = _finite(found)
    if not sum(finite.counts) or math.isnan(finite.error):
        return without_count(finite)
    values, between = finite.values, ""
    if len(values) and not _is_exact(finite):
        between = f", from {values.min():.4g} to {values.max():.4g}"
    return f"{without_count(finite)} (n = {finite.count}{between})"


def without_count(found: Estimate) -> str:
    """Return an estimate as text: mean ± standard error, to two digits of the error."""
    finite = _finite(found)
    if not sum(finite.counts):
        return "no value"
    if math.isnan(finite.error) or _is_exact(finite):
        return f"{finite.mean:.5g}"
    return mean_with_error(finite.mean, finite.error)


def _finite(found: Estimate) -> Estimate:
    return found if np.isfinite(found.values).all() else estimate(found.values[np.isfinite(found.values)])


def _is_exact(found: Estimate) -> bool:
    # Equal values, up to round-off: more digits would be round-off.
    return not found.error > 1e-6 * abs(found.mean)


def mean_with_error(mean: float, error: float) -> str:
    """Return "mean ± error", both to the second digit of the error."""
    if not math.isfinite(error):
        return f"{mean:.5g} ± {error:g}"
    places = 1 - math.floor(math.log10(error))
    if 0 <= places <= 6 and abs(mean) < 1e6:
        return f"{mean:.{places}f} ± {error:.{places}f}"
    if places < 0 and abs(mean) < 1e6:
        return f"{round(mean, places):.0f} ± {round(error, places):.0f}"
    digits = max(math.floor(math.log10(abs(mean))) + places, 1) if mean else 1
    return f"{mean:.{digits}e} ± {error:.1e}"
