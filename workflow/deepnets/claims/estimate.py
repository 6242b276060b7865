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
    def number(self) -> int:
        """The number of all values."""
        return sum(self.counts)

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
