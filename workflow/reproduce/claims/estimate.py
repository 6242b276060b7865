"""Estimates: a mean with its standard error and the number of its values."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error.

    error: standard deviation (divisor n − 1) divided by √n; NaN for a single value, or if a value is not finite.
    counts: the number of values; two numbers for a difference or ratio of two means.
    freedom: degrees of freedom of the error; NaN without an error.
    values: one for each run, shape (n,); empty for a difference or ratio of two means.
    at_least: whether some values are only lower bounds, such as the last update of a run that has not learned.
    """

    mean: float
    error: float
    counts: tuple[int, ...]
    freedom: float = math.nan
    values: np.ndarray = field(default_factory=lambda: np.array([]))
    at_least: bool = False

    @property
    def count(self) -> str:
        """The number of values in words: "10", or "10 + 10" for a difference or ratio of two means."""
        return " + ".join(map(str, self.counts))

    @property
    def number(self) -> int:
        """The number of all values."""
        return sum(self.counts)

    @property
    def logarithm(self) -> "Estimate":
        """The estimate of the natural logarithm of a positive quantity."""
        if len(self.values):
            logs = np.log(self.values)
            return estimate(AtLeast(logs) if self.at_least else logs)
        return replace(self, mean=math.log(self.mean), error=self.error / self.mean)

    @property
    def geometric(self) -> "Estimate":
        """The geometric mean of positive values, with its standard error; otherwise the estimate unchanged."""
        if not (self.values > 0).all() or not len(self.values):
            return self
        logs = self.logarithm
        return replace(self, mean=math.exp(logs.mean), error=math.exp(logs.mean) * logs.error)


@dataclass(frozen=True)
class AtLeast:
    """Values of which some are only lower bounds, shape (n,)."""

    values: np.ndarray


# One value for each run, or an estimate without such values.
Measured = np.ndarray | AtLeast | Estimate
# For a claim of several parts: name of a part → its value, or the error that explains why it has none.
MeasuredParts = Mapping[str, Measured | Exception]


def estimate(measured: Measured) -> Estimate:
    """Return the estimate of an array of values, or an estimate unchanged."""
    if isinstance(measured, Estimate):
        return measured
    at_least = isinstance(measured, AtLeast)
    values = np.asarray(measured.values if isinstance(measured, AtLeast) else measured, dtype=float)
    number = len(values)
    mean = float(values.mean()) if number else math.nan
    if number < 2 or not np.isfinite(values).all():
        return Estimate(mean, math.nan, (number,), values=values, at_least=at_least)
    error = float(values.std(ddof=1) / math.sqrt(number))
    return Estimate(mean, error, (number,), number - 1, values, at_least)
