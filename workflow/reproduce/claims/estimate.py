"""Estimates: a mean with its standard error, its interval, and how many nets would make this one decide."""

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import stdtrit

# The probability that the true value lies beyond one end of an interval.
TAIL = 0.05
# If more nets would be needed, more nets are no way out; we look for no number beyond the second.
_MANY, _MOST = 200, 10_000
# Why values of which some are only lower bounds do not decide.
NOT_ENDED = "too few updates: some nets had not learned by then"


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


def interval_of(found: Estimate, tail: float, exact: bool) -> tuple[float, float] | None:
    """Return the interval for the true value; None if the runs do not show how much they differ.

    tail: the probability that the true value lies beyond one end.
    """
    if not found.error > 0:
        return (found.mean, found.mean) if exact else None
    width = found.error * float(stdtrit(found.freedom, 1 - tail))
    return found.mean - width, math.inf if found.at_least else found.mean + width


def why_undecided(found: Estimate, least: float, greatest: float, parts: int) -> str:
    """Return why an interval crosses a border, with the number of nets that would decide with this mean and spread."""
    inside = min(found.mean - least, greatest - found.mean)
    margin, tail = (inside, TAIL) if inside > 0 else (-inside, TAIL / parts)
    if found.at_least and (inside > 0) != math.isinf(greatest):
        return NOT_ENDED
    groups = len(found.counts)

    def decides(number: int) -> bool:
        more = number / found.number
        freedom = (found.freedom + groups) * more - groups
        return found.error / math.sqrt(more) * float(stdtrit(freedom, 1 - tail)) < margin

    numbers = range(found.number + 1, _MOST + 1)
    needed = found.number + 1 + bisect_left(numbers, True, key=decides)
    if needed > _MOST:
        return f"the value lies on the border: more than {_MOST:,} nets would be needed"
    if needed > _MANY:
        return f"the value lies on the border: about {float(f'{needed:.2g}'):,.0f} nets would be needed"
    counts = (str(math.ceil(each * needed / found.number)) for each in found.counts)
    return f"too few nets: {' + '.join(counts)} would decide"
