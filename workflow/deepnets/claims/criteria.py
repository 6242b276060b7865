"""Criteria: when our value agrees with a document's statement.

Intervals are over seeds: a standard error is the standard deviation (divisor n − 1) over the root of the number of
values. If a criterion's tolerance grows with our noise, it has a largest tolerance, above which the claim is not
testable: otherwise noisier results would agree more easily.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from deepnets.claims.estimate import Estimate, Measured, MeasuredParts, estimate

REPRODUCED, WITHIN_NOISE, NOT_REPRODUCED, NOT_TESTABLE = (
    "reproduced",
    "not reproduced, within noise",
    "not reproduced",
    "not testable here",
)
VERDICTS = (REPRODUCED, WITHIN_NOISE, NOT_REPRODUCED, NOT_TESTABLE)
FAILED = (NOT_REPRODUCED, WITHIN_NOISE)
# The verdict of a claim with several parts is the first of these that one of its parts has.
_WORST_FIRST = (NOT_REPRODUCED, NOT_TESTABLE, WITHIN_NOISE, REPRODUCED)


def worst_of(verdicts: Iterable[str]) -> str:
    """Return the verdict of a claim whose parts have these verdicts."""
    return min(verdicts, key=_WORST_FIRST.index)


@dataclass(frozen=True)
class Judgement:
    """A verdict, with its reason if it needs one."""

    verdict: str
    remark: str = ""


@dataclass(frozen=True)
class Criterion(ABC):
    """The condition under which our value agrees with a document.

    value, error: the document's value and its standard error, NaN if it states none.
    """

    value: float = field(default=math.nan, init=False)
    error: float = field(default=math.nan, init=False)

    @property
    @abstractmethod
    def words(self) -> str:
        """The criterion in words."""

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The least and the greatest allowed value; None if the criterion has no bounds."""
        return None

    @abstractmethod
    def judge(self, measured: Measured | MeasuredParts) -> Judgement:
        """Judge what was measured. Raise TypeError if only one of the two, measured values and criterion, has parts."""


@dataclass(frozen=True)
class _OfOneValue(Criterion):
    """A criterion for one value, from one or several runs."""

    def judge(self, measured: Measured | MeasuredParts) -> Judgement:
        """Judge an estimate: not testable without values, not reproduced if a value is not finite."""
        if isinstance(measured, Mapping):
            raise TypeError(f"{type(self).__name__} judges one value; several parts need Each")
        found = estimate(measured)
        if not found.number:
            return Judgement(NOT_TESTABLE, "the results contain no such value")
        if lost := int(np.sum(~np.isfinite(found.values))):
            return Judgement(NOT_REPRODUCED, f"{lost} of {found.count} values are missing or not finite")
        if not math.isfinite(found.mean):
            return Judgement(NOT_REPRODUCED, "the mean is not finite")
        return self._judge(found)

    @abstractmethod
    def _judge(self, found: Estimate) -> Judgement:
        """Judge an estimate of at least one value, all finite."""


@dataclass(frozen=True)
class _Bounded(_OfOneValue):
    """A criterion with two bounds, which are allowed values themselves."""

    least: float = -math.inf
    greatest: float = math.inf

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest allowed value."""
        return self.least, self.greatest


@dataclass(frozen=True)
class _ByPrecision(_OfOneValue):
    """A criterion whose tolerance grows with our noise.

    precision: the largest tolerance at which the claim is testable; NaN means half of the document's scale.
    """

    precision: float = field(default=math.nan, kw_only=True)

    def __post_init__(self) -> None:
        """Raise ValueError if the precision is not above 0."""
        if not self._largest_tolerance > 0:
            raise ValueError(f"{type(self).__name__}: the largest tolerance must be above 0; give `precision`")

    @property
    def _scale(self) -> float:
        """The size of the document's value."""
        return abs(self.value)

    @property
    def _largest_tolerance(self) -> float:
        return self._scale / 2 if math.isnan(self.precision) else self.precision

    @property
    def _precision_in_words(self) -> str:
        return f" (if that is at most {self._largest_tolerance:.3g})"

    def _too_noisy(self, tolerance: float) -> Judgement | None:
        if tolerance <= self._largest_tolerance:
            return None
        return Judgement(
            NOT_TESTABLE, f"too noisy: the tolerance is {tolerance:.3g}, above {self._largest_tolerance:.3g}"
        )


@dataclass(frozen=True)
class Printed(_OfOneValue):
    """The mean agrees with the document's number to its last printed digit.

    places: digits after the point; units: how far the last digit may differ, above 0.5 if
    the order of a sum may change it.
    """

    value: float
    places: int = 0
    units: float = 0.5

    @property
    def words(self) -> str:
        """The criterion in words."""
        if self.units == 0.5:
            return f"the mean rounds to {self.value:.{self.places}f}"
        return f"the mean is within {self.units:g} in the last digit of {self.value:.{self.places}f}"

    def _judge(self, found: Estimate) -> Judgement:
        # A mean exactly between two digits may be printed as either.
        unit = 10.0**-self.places
        deviation = (found.mean - self.value) / (self.units * unit)
        return Judgement(REPRODUCED if abs(deviation) <= 1 + 1e-9 else NOT_REPRODUCED)


@dataclass(frozen=True)
class Near(_ByPrecision):
    """The mean is within some standard errors of the document's value; the two errors add in quadrature.

    error: the document's standard error, including that of rounding; 0 if it states none.
    """

    value: float
    error: float = 0.0
    errors: float = 3.0

    @property
    def words(self) -> str:
        """The criterion in words."""
        error = f" ± {self.error:.2g}" if self.error else ""
        return (
            f"the mean is within {self.errors:g} combined standard errors of {self.value:.6g}{error}"
            f"{self._precision_in_words}"
        )

    def _judge(self, found: Estimate) -> Judgement:
        combined = math.hypot(self.error, found.known_error)
        difference = found.mean - self.value
        if combined == 0:
            return Judgement(REPRODUCED if difference == 0 else NOT_REPRODUCED)
        if noisy := self._too_noisy(self.errors * combined):
            return noisy
        deviation = difference / combined
        return Judgement(REPRODUCED if abs(deviation) <= self.errors else NOT_REPRODUCED)


@dataclass(frozen=True)
class OneMoreDraw(_ByPrecision):
    """The document's value could be one more draw like ours: used if the document drew only once."""

    value: float
    deviations: float = 3.0

    @property
    def words(self) -> str:
        """The criterion in words."""
        return (
            f"{self.value:g} is within {self.deviations:g} standard deviations of one more draw like ours"
            f"{self._precision_in_words}"
        )

    def _judge(self, found: Estimate) -> Judgement:
        if len(found.values) < 2:
            return Judgement(NOT_TESTABLE, "one seed has no spread")
        spread = found.values.std(ddof=1) * math.sqrt(1 + 1 / len(found.values))
        difference = found.mean - self.value
        if spread == 0:
            return Judgement(REPRODUCED if difference == 0 else NOT_REPRODUCED)
        if noisy := self._too_noisy(self.deviations * spread):
            return noisy
        deviation = difference / spread
        return Judgement(REPRODUCED if abs(deviation) <= self.deviations else NOT_REPRODUCED)


@dataclass(frozen=True)
class Every(_Bounded):
    """Every value lies between two bounds, or equals one."""

    @property
    def words(self) -> str:
        """The criterion in words."""
        return f"every value is {_range_text(self.least, self.greatest)}"

    def _judge(self, found: Estimate) -> Judgement:
        values = _values_of(found)
        outside = int(np.sum((values < self.least) | (values > self.greatest)))
        if not outside:
            return Judgement(REPRODUCED)
        return Judgement(NOT_REPRODUCED, f"{outside} of {len(values)} values are not")


@dataclass(frozen=True)
class Mean(_Bounded):
    """The mean lies between two bounds, and further from each than chance explains."""

    errors: float = 3.0

    @property
    def words(self) -> str:
        """The criterion in words."""
        return f"the mean is {_range_text(self.least, self.greatest)}, by {self.errors:g} standard errors or more"

    def _judge(self, found: Estimate) -> Judgement:
        if math.isnan(found.error):
            return Judgement(NOT_TESTABLE, "one run has no standard error")
        inside = min(found.mean - self.least, self.greatest - found.mean)
        margin = self.errors * found.error
        if inside > 0 and inside >= margin:
            return Judgement(REPRODUCED)
        if inside >= -margin:
            return Judgement(WITHIN_NOISE, "the mean is no further from the bound than chance explains")
        return Judgement(NOT_REPRODUCED)


@dataclass(frozen=True)
class MeanWithin(_Bounded, _ByPrecision):
    """The mean lies between two bounds, or no further outside than chance explains; for expected values.

    The document's scale is the distance between the bounds, or the size of the only finite bound.
    """

    errors: float = 3.0

    @property
    def _scale(self) -> float:
        finite = [bound for bound in (self.least, self.greatest) if math.isfinite(bound)]
        return abs(finite[-1] - (finite[0] if len(finite) > 1 else 0))

    @property
    def words(self) -> str:
        """The criterion in words."""
        return (
            f"the mean is {_range_text(self.least, self.greatest)}; within noise if it is beyond by at most "
            f"{self.errors:g} standard errors{self._precision_in_words}"
        )

    def _judge(self, found: Estimate) -> Judgement:
        beyond = max(self.least - found.mean, found.mean - self.greatest)
        margin = self.errors * found.known_error
        if noisy := self._too_noisy(margin):
            return noisy
        if beyond <= 0:
            return Judgement(REPRODUCED)
        if beyond <= margin:
            return Judgement(WITHIN_NOISE, "the mean is beyond the bound by no more than chance explains")
        return Judgement(NOT_REPRODUCED)


@dataclass(frozen=True)
class Is(_OfOneValue):
    """Every value equals the document's exactly."""

    value: float

    @property
    def bounds(self) -> tuple[float, float]:
        """The value, as both bounds."""
        return self.value, self.value

    @property
    def words(self) -> str:
        """The criterion in words."""
        return f"every value is {self.value:g}"

    def _judge(self, found: Estimate) -> Judgement:
        values = _values_of(found)
        different = int(np.sum(values != self.value))
        if not different:
            return Judgement(REPRODUCED)
        return Judgement(NOT_REPRODUCED, f"{different} of {len(values)} values are not")


@dataclass(frozen=True)
class Each(Criterion):
    """Each part of a claim meets its own criterion.

    parts: name of a part → its criterion.
    """

    parts: Mapping[str, Criterion]

    @property
    def words(self) -> str:
        """The criteria in words; parts with the same criterion are named together."""
        names: dict[str, list[str]] = {}
        for name, criterion in self.parts.items():
            names.setdefault(criterion.words, []).append(name)
        if len(names) == 1:
            return f"for each: {next(iter(names))}"
        return "; ".join(f"{', '.join(named)}: {words}" for words, named in names.items())

    def judge(self, measured: Measured | MeasuredParts) -> Judgement:
        """Judge all parts: the verdict is the worst of them, and the remark names the parts that are not reproduced."""
        if not isinstance(measured, Mapping):
            raise TypeError("Each judges several parts; what was measured has none")
        judged = {name: _judge_part(criterion, measured[name]) for name, criterion in self.parts.items()}
        verdict = worst_of(each.verdict for each in judged.values())
        return Judgement(verdict, _remark_of(judged))


def _judge_part(criterion: Criterion, measured: Measured | Exception) -> Judgement:
    return Judgement(NOT_TESTABLE, str(measured)) if isinstance(measured, Exception) else criterion.judge(measured)


def _remark_of(judged: Mapping[str, Judgement]) -> str:
    """Return a remark that lists the parts that are not reproduced, grouped by verdict and remark."""
    names: dict[str, list[str]] = {}
    for name, each in judged.items():
        if each.verdict != REPRODUCED:
            names.setdefault(each.verdict + (each.remark and f" ({each.remark})"), []).append(name)
    if not names:
        return ""
    agree = len(judged) - sum(map(len, names.values()))
    if not agree and len(names) == 1:
        return next(iter(judged.values())).remark
    return "; ".join([f"{agree} of {len(judged)} agree", *(f"{', '.join(of)}: {why}" for why, of in names.items())])


def _values_of(found: Estimate) -> np.ndarray:
    if not len(found.values):
        raise TypeError("a difference of means has no single values: judge its mean")
    return found.values


def _range_text(least: float, greatest: float) -> str:
    if math.isinf(greatest):
        return f"{least:g} or more"
    if math.isinf(least):
        return f"{greatest:g} or less"
    if f"{least:g}" == f"{greatest:g}":
        return f"{least:g}, up to rounding"
    return f"between {least:g} and {greatest:g}"
