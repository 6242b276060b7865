"""Acceptance rules: when what we measured agrees with what a document states.

A rule is written down with its claim, before our value is looked at. Intervals are over seeds: a standard error is the
standard deviation (divisor n − 1) over the root of the number of values.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np

REPRODUCED, WITH_REMARK, NOT_REPRODUCED = "reproduced", "reproduced with remark", "not reproduced"
NOT_TESTABLE = "not testable here"
VERDICTS = (REPRODUCED, WITH_REMARK, NOT_REPRODUCED, NOT_TESTABLE)


@dataclass(frozen=True)
class Judgement:
    """A verdict, its reason where it needs one, and how far ours lies from the document's value, in combined errors.

    deviation: NaN where the document states no number, or neither side has an error.
    """

    verdict: str
    remark: str = ""
    deviation: float = math.nan


@dataclass(frozen=True)
class Rule(ABC):
    """When a sample, one value for each run, agrees with a document.

    value, error: what the document states, NaN where it states none.
    """

    value: float = field(default=math.nan, init=False)
    error: float = field(default=math.nan, init=False)

    @property
    @abstractmethod
    def words(self) -> str:
        """The rule in words."""

    @abstractmethod
    def _judged(self, sample: np.ndarray) -> Judgement:
        """Judge a sample of finite numbers, at least one."""

    def judge(self, sample: np.ndarray) -> Judgement:
        """Judge a sample: an empty one is not testable, and one with a value that is not finite is not reproduced."""
        sample = np.asarray(sample, dtype=float)
        if not len(sample):
            return Judgement(NOT_TESTABLE, "the results hold no value of it")
        if lost := int(np.sum(~np.isfinite(sample))):
            return Judgement(NOT_REPRODUCED, f"{lost} of {len(sample)} values are missing or not finite")
        return self._judged(sample)


@dataclass(frozen=True)
class Printed(Rule):
    """The mean is the document's number to its last printed digit.

    places: digits after the point; units: how far the last digit may be off, where sums in another order may move it.
    """

    value: float
    places: int = 0
    units: float = 0.5

    @property
    def words(self) -> str:
        """The rule in words."""
        if self.units == 0.5:
            return f"the mean rounds to {self.value:.{self.places}f}"
        return f"the mean is within {self.units:g} in the last digit of {self.value:.{self.places}f}"

    def _judged(self, sample: np.ndarray) -> Judgement:
        # A mean that lies just between two digits may be printed as either.
        unit = 10.0**-self.places
        deviation = (sample.mean() - self.value) / (self.units * unit)
        return Judgement(REPRODUCED if abs(deviation) <= 1 + 1e-9 else NOT_REPRODUCED, deviation=deviation)


@dataclass(frozen=True)
class Near(Rule):
    """The mean is within some standard errors of the document's value, both uncertainties counted.

    error: the document's own standard error, with that of its rounding; 0 where it states neither.
    """

    value: float
    error: float = 0.0
    errors: float = 3.0

    @property
    def words(self) -> str:
        """The rule in words."""
        return f"the mean is within {self.errors:g} combined standard errors of {self.value:.6g} ± {self.error:.2g}"

    def _judged(self, sample: np.ndarray) -> Judgement:
        combined = math.hypot(self.error, _standard_error(sample))
        difference = sample.mean() - self.value
        if combined == 0:
            return Judgement(REPRODUCED if difference == 0 else NOT_REPRODUCED)
        deviation = difference / combined
        if abs(deviation) <= self.errors:
            return Judgement(REPRODUCED, deviation=deviation)
        if sample.min() <= self.value <= sample.max():
            return Judgement(WITH_REMARK, "within seed noise: single seeds lie on both sides", deviation)
        return Judgement(NOT_REPRODUCED, deviation=deviation)


@dataclass(frozen=True)
class Draw(Rule):
    """The document's value could be one more draw like ours: it drew once, without a seed or with one of its own."""

    value: float
    deviations: float = 3.0

    @property
    def words(self) -> str:
        """The rule in words."""
        return f"{self.value:g} is within {self.deviations:g} standard deviations of one more draw like ours"

    def _judged(self, sample: np.ndarray) -> Judgement:
        if len(sample) < 2:
            return Judgement(NOT_TESTABLE, "one seed has no spread")
        spread = sample.std(ddof=1) * math.sqrt(1 + 1 / len(sample))
        difference = sample.mean() - self.value
        if spread == 0:
            return Judgement(REPRODUCED if difference == 0 else NOT_REPRODUCED)
        deviation = difference / spread
        return Judgement(REPRODUCED if abs(deviation) <= self.deviations else NOT_REPRODUCED, deviation=deviation)


@dataclass(frozen=True)
class Every(Rule):
    """Every value lies between two bounds, which belong to what is allowed."""

    least: float = -math.inf
    greatest: float = math.inf

    @property
    def words(self) -> str:
        """The rule in words."""
        return f"every value is {_range(self.least, self.greatest)}"

    def _judged(self, sample: np.ndarray) -> Judgement:
        outside = int(np.sum((sample < self.least) | (sample > self.greatest)))
        if not outside:
            return Judgement(REPRODUCED)
        return Judgement(NOT_REPRODUCED, f"{outside} of {len(sample)} values are not")


@dataclass(frozen=True)
class Mean(Rule):
    """The mean lies between two bounds, further from each than chance explains; of one value: it lies between them."""

    least: float = -math.inf
    greatest: float = math.inf
    errors: float = 3.0

    @property
    def words(self) -> str:
        """The rule in words."""
        return f"the mean is {_range(self.least, self.greatest)}, by {self.errors:g} standard errors or more"

    def _judged(self, sample: np.ndarray) -> Judgement:
        inside = min(sample.mean() - self.least, self.greatest - sample.mean())
        if len(sample) == 1:
            return Judgement(WITH_REMARK, "of one run") if inside > 0 else Judgement(NOT_REPRODUCED, "of one run")
        margin = self.errors * _standard_error(sample)
        if inside > 0 and inside >= margin:
            return Judgement(REPRODUCED)
        if inside >= -margin:
            return Judgement(WITH_REMARK, "within seed noise: no further from the bound than chance explains")
        return Judgement(NOT_REPRODUCED)


@dataclass(frozen=True)
class MeanWithin(Rule):
    """The mean is not further beyond two bounds than chance explains: for what holds in expectation."""

    least: float = -math.inf
    greatest: float = math.inf
    errors: float = 3.0

    @property
    def words(self) -> str:
        """The rule in words."""
        return f"the mean is {_range(self.least, self.greatest)}, to within {self.errors:g} standard errors"

    def _judged(self, sample: np.ndarray) -> Judgement:
        beyond = max(self.least - sample.mean(), sample.mean() - self.greatest)
        if beyond <= 0:
            return Judgement(REPRODUCED)
        if beyond <= self.errors * _standard_error(sample):
            return Judgement(WITH_REMARK, "within seed noise: beyond the bound, by no more than chance explains")
        return Judgement(NOT_REPRODUCED)


@dataclass(frozen=True)
class Is(Rule):
    """Every value is exactly the document's."""

    value: float

    @property
    def words(self) -> str:
        """The rule in words."""
        return f"every value is {self.value:g}"

    def _judged(self, sample: np.ndarray) -> Judgement:
        different = int(np.sum(sample != self.value))
        if not different:
            return Judgement(REPRODUCED)
        return Judgement(NOT_REPRODUCED, f"{different} of {len(sample)} values are not")


def _standard_error(sample: np.ndarray) -> float:
    return float(sample.std(ddof=1) / math.sqrt(len(sample))) if len(sample) > 1 else 0.0


def _range(least: float, greatest: float) -> str:
    if math.isinf(greatest):
        return f"{least:g} or more"
    if math.isinf(least):
        return f"{greatest:g} or less"
    return f"between {least:g} and {greatest:g}"
