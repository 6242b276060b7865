"""Estimates: a mean with its standard error and the number of its values."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error.

    error: standard deviation (divisor n − 1) divided by √n; NaN for a single value, or if a value is not finite.
    counts: the number of values; two numbers for a difference or ratio of two means.
    values: one for each run, shape (n,); empty for a difference or ratio of two means.
    """

    mean: float
    error: float
    counts: tuple[int, ...]
    values: np.ndarray = field(default_factory=lambda: np.array([]))

    @property
    def count(self) -> str:
        """The number of values in words: "10", or "10 + 10" for a difference or ratio of two means."""
        return " + ".join(map(str, self.counts))

    @property
    def number(self) -> int:
        """The number of all values."""
        return sum(self.counts)

    @property
    def known_error(self) -> float:
        """The standard error, 0 for a single value."""
        return 0.0 if math.isnan(self.error) else self.error


# One value for each run, or an estimate without such values.
Measured = np.ndarray | Estimate
# For a claim of several parts: name of a part → its value, or the error that explains why it has none.
MeasuredParts = Mapping[str, Measured | Exception]


def estimate(measured: Measured) -> Estimate:
    """Return the estimate of an array of values, or an estimate unchanged."""
    if isinstance(measured, Estimate):
        return measured
    values = np.asarray(measured, dtype=float)
    if not len(values):
        return Estimate(math.nan, math.nan, (0,), values)
    if len(values) < 2 or not np.isfinite(values).all():
        return Estimate(float(values.mean()), math.nan, (len(values),), values)
    return Estimate(float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values))), (len(values),), values)
