"""Criteria: when our value agrees with a document's statement.

A criterion is a region for the true value, and ours is an interval: the mean ± Student's t at 90 %, so that each end is
wrong by chance in one of 20 cases (two one-sided tests at 5 %). If the interval is inside the region, the statement is
reproduced; if it is outside, it is not; if it crosses the border, these runs do not decide. A number or an ordering
that only noise supports is therefore never reproduced. A claim of several parts is reproduced if all intervals are
inside, and not reproduced if one is outside at 5 % divided by the number of parts. Positive quantities are compared by
their logarithms.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from scipy.special import stdtrit

from reproduce.claims.differences import DIFFERENCES
from reproduce.claims.estimate import NOT_ENDED, TAIL, Estimate, MeasuredParts, estimate, interval_of, why_undecided

VERDICTS = ("reproduced", "undecided", "not reproduced", "not testable here")
REPRODUCED, UNDECIDED, NOT_REPRODUCED, NOT_TESTABLE = VERDICTS
# The verdicts that a reader looks for a reason of.
FAILED = (NOT_REPRODUCED, UNDECIDED)
# The number of nets from which a main statement on a mean is judged.
FEWEST_NETS = 4


@dataclass(frozen=True)
class Judgement:
    """A verdict, with its reason if it needs one."""

    verdict: str
    remark: str = ""


@dataclass(frozen=True)
class Criterion:
    """The condition under which our value agrees with a document: for one value, from one or several runs.

    value, error: the document's value and its standard error, NaN if it states none.
    """

    value: float = field(default=math.nan, init=False)
    error: float = field(default=math.nan, init=False)
    # Whether an interval decides, and in what a difference is counted.
    of_interval: ClassVar[bool] = True
    unit: ClassVar[str] = "standard errors"

    @property
    def words(self) -> str:
        """The criterion in words."""
        raise NotImplementedError

    @property
    def positive(self) -> bool:
        """Whether the quantity is positive, so that its mean is the geometric one."""
        return False

    @property
    def region(self) -> float:
        """How far our value may be from the document's, as a share of it; 0 if the criterion has no such region."""
        return 0.0

    @property
    def each(self) -> tuple["Criterion", ...]:
        """The criteria of all parts."""
        return (self,)

    def difference(self, found: Estimate) -> str:
        """Return how far our value is from the document's, in per cent and in `unit`; "" without a value."""
        away, error = found.mean - self.value, self._error_of(found)
        if not self.of_interval or not self.value or not math.isfinite(away):
            return ""
        share = 100 * away / abs(self.value)
        size = f"{share:+.0f} %" if abs(share) >= 10 else f"{share:+.1f} %"
        return f"{size}, {abs(away) / error:.1f} {self.unit}" if error > 0 else size

    def _error_of(self, found: Estimate) -> float:
        """Return the standard error of the difference from the document's value."""
        return found.error

    def judge(self, measured: Any, *, exact: bool = False, main: bool = False, parts: int = 1) -> Judgement:
        """Judge what was measured: not testable without values, not reproduced if a value is not finite.

        exact: whether the runs draw nothing at random, or the document's own random numbers, so that one run is enough.
        main: whether the statement is a main one, so that a mean needs FEWEST_NETS.
        parts: the number of parts of the claim, any of which may contradict it.
        """
        found = estimate(measured)
        if not found.number:
            return Judgement(NOT_TESTABLE, "the results contain no such value")
        if lost := int(np.sum(~np.isfinite(found.values))):
            return Judgement(NOT_REPRODUCED, f"{lost} of {found.count} values are missing or not finite")
        if not math.isfinite(found.mean):
            return Judgement(NOT_REPRODUCED, "the mean is not finite")
        if main and not exact and isinstance(self, _OfMean) and min(found.counts) < FEWEST_NETS:
            return Judgement(UNDECIDED, f"too few nets: a main statement needs {FEWEST_NETS}")
        if found.at_least and isinstance(self, Printed | OneMoreDraw):
            return Judgement(UNDECIDED, NOT_ENDED)
        return self._judge(found, exact, parts)

    def _judge(self, found: Estimate, exact: bool, parts: int) -> Judgement:
        """Judge an estimate of at least one value, all finite."""
        raise NotImplementedError


@dataclass(frozen=True)
class _OfMean(Criterion):
    """A criterion for a mean, by the interval for it.

    of: the kind of quantity, a key of `DIFFERENCES`; "" for any other.
    """

    of: str = field(default="", kw_only=True)

    @property
    def positive(self) -> bool:
        """Whether the quantity is positive, so that its mean is the geometric one."""
        return bool(self.of) and DIFFERENCES[self.of].positive

    @property
    def _mean(self) -> str:
        return "the geometric mean" if self.positive else "the mean"

    def _place(self, found: Estimate, least: float, greatest: float, exact: bool, parts: int) -> Judgement:
        """Judge whether the true value is inside a region; its borders are outside.

        Inside, each of several parts must be, so that a claim is wrongly reproduced no more often than one of them. One
        part outside suffices, so that its probability is divided by their number.
        """
        if self.positive:
            if found.mean <= 0 or (found.values <= 0).any():
                return Judgement(NOT_REPRODUCED, "not all values are positive")
            found, least, greatest = found.logarithm, _log(least), _log(greatest)
        inside, outside = (interval_of(found, tail, exact) for tail in (TAIL, TAIL / parts))
        if inside is None or outside is None:
            if found.mean in (least, greatest) and found.number > 1:
                return Judgement(UNDECIDED, "the value lies on the border: all nets have it")
            nets = "one does" if found.number == 1 else "equal values do"
            way = " (if they draw nothing at random, mark the claim `no draws`)" if found.number > 1 else ""
            return Judgement(UNDECIDED, f"too few nets: {nets} not show how much nets differ{way}")
        low, high = inside
        if least < low and (high < greatest or math.isinf(greatest)):
            return Judgement(REPRODUCED)
        if outside[1] <= least or outside[0] >= greatest:
            return Judgement(NOT_REPRODUCED)
        ends = [math.exp(end) for end in inside] if self.positive else inside
        above = f"above {ends[0]:.4g}" if math.isinf(high) else f"between {ends[0]:.4g} and {ends[1]:.4g}"
        why = why_undecided(found, least, greatest, parts)
        return Judgement(UNDECIDED, f"{why}; the true value is {above}, at 90 %")


@dataclass(frozen=True)
class Between(_OfMean):
    """The true value lies between two bounds, or beyond one: orderings, trends and bounds on a mean."""

    least: float = -math.inf
    greatest: float = math.inf

    @property
    def words(self) -> str:
        """The criterion in words."""
        return f"{self._mean} is {_region_text(self.least, self.greatest)}"

    def _judge(self, found: Estimate, exact: bool, parts: int) -> Judgement:
        return self._place(found, self.least, self.greatest, exact, parts)


@dataclass(frozen=True)
class Near(_OfMean):
    """The true value differs from the document's by less than matters to its statement.

    of: the kind of quantity, a key of `DIFFERENCES`.
    reading: how exactly the document's value can be read off a picture; it widens the region.
    """

    value: float
    of: str = field(kw_only=True)
    reading: float = 0.0

    @property
    def _tolerance(self) -> float:
        return DIFFERENCES[self.of].at(self.value) + self.reading

    @property
    def region(self) -> float:
        """The greatest difference that matters not, as a share of the value."""
        return self._tolerance / abs(self.value) if self.value else 0.0

    @property
    def words(self) -> str:
        """The criterion in words."""
        return f"{self._mean} is within {self._tolerance:.3g} of {self.value:.6g} ({self.of})"

    def _judge(self, found: Estimate, exact: bool, parts: int) -> Judgement:
        judged = self._place(found, self.value - self._tolerance, self.value + self._tolerance, exact, parts)
        noise = self._place(found, self.value - self.reading, self.value + self.reading, exact, 1)
        if judged.verdict == REPRODUCED and noise.verdict == NOT_REPRODUCED:
            return Judgement(REPRODUCED, "differs by less than matters")
        return judged


@dataclass(frozen=True)
class Printed(Criterion):
    """The mean agrees with the document's number to its last printed digit, for runs that replay the document's draws.

    places: digits after the point.
    """

    of_interval = False
    value: float
    places: int = 0

    @property
    def words(self) -> str:
        """The criterion in words."""
        return f"the mean rounds to {self.value:.{self.places}f}"

    def _judge(self, found: Estimate, exact: bool, parts: int) -> Judgement:
        # A mean exactly between two digits may be printed as either.
        deviation = (found.mean - self.value) / (0.5 * 10.0**-self.places)
        return Judgement(REPRODUCED if abs(deviation) <= 1 + 1e-9 else NOT_REPRODUCED)


@dataclass(frozen=True)
class OneMoreDraw(Criterion):
    """The document's value is one random draw: it lies in the interval (99 %) for one more draw like ours.

    A wide interval contains any value, so that it decides only if it is at most 10 times as wide as what matters.
    If it is wider than what matters, the document is not contradicted, and no more.

    of: the kind of quantity, a key of `DIFFERENCES`.
    error: the standard error that the document states, for the mean of several draws; by default, it has one like ours.
    """

    # Not of our mean, whose error stands after its ±.
    unit: ClassVar[str] = "standard deviations of one more draw"
    value: float
    of: str = field(kw_only=True)
    error: float = 0.0

    @property
    def _widest(self) -> float:
        return 10 * DIFFERENCES[self.of].at(self.value)

    @property
    def words(self) -> str:
        """The criterion in words."""
        draw = f"mean like ours, with an error of {self.error:g}" if self.error else "draw like ours"
        return f"{self.value:g} could be one more {draw} (99 %, to {self._widest:.3g} at most; {self.of})"

    def _judge(self, found: Estimate, exact: bool, parts: int) -> Judgement:
        if len(found.values) < 2 or not found.error > 0:
            return Judgement(UNDECIDED, "too few nets: these do not show how much draws differ")
        # One more draw lies beyond one end of its interval with the probability 0.005.
        width = self._error_of(found) * float(stdtrit(found.freedom, 1 - 0.005 / parts))
        if abs(found.mean - self.value) > width:
            return Judgement(NOT_REPRODUCED)
        if width > self._widest:
            return Judgement(UNDECIDED, f"one draw decides nothing: draws like ours differ by up to {width:.2g}")
        if width > DIFFERENCES[self.of].at(self.value):
            return Judgement(REPRODUCED, f"not contradicted: draws like ours differ by up to {width:.2g}")
        return Judgement(REPRODUCED)

    def _error_of(self, found: Estimate) -> float:
        return math.hypot(found.error, self.error or found.error * math.sqrt(len(found.values)))


@dataclass(frozen=True)
class Every(Criterion):
    """Every value lies between two bounds, or equals both: for what a document says of each run, and for theorems."""

    of_interval = False
    least: float = -math.inf
    greatest: float = math.inf

    def __post_init__(self) -> None:
        if self.least == self.greatest:
            object.__setattr__(self, "value", self.least)

    @property
    def words(self) -> str:
        """The criterion in words."""
        region = _region_text(self.least, self.greatest, above="{:g} or more", below="{:g} or less")
        return f"every value is {region}"

    def _judge(self, found: Estimate, exact: bool, parts: int) -> Judgement:
        if not len(found.values):
            raise TypeError("a difference of means has no single values: judge its mean")
        above = found.values > self.greatest
        outside = int(np.sum(above | (found.values < self.least)))
        # The true values may be greater than any number.
        if found.at_least and not above.any() and (outside or math.isfinite(self.greatest)):
            return Judgement(UNDECIDED, NOT_ENDED)
        if not outside:
            return Judgement(REPRODUCED)
        return Judgement(NOT_REPRODUCED, f"{outside} of {len(found.values)} values are not")


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

    @property
    def each(self) -> tuple[Criterion, ...]:
        """The criteria of all parts."""
        return tuple(self.parts.values())

    @property
    def region(self) -> float:
        """The widest region of the parts."""
        return max(each.region for each in self.each)

    def judge(self, measured: MeasuredParts, *, exact: bool = False, main: bool = False, parts: int = 1) -> Judgement:
        """Judge all parts: the verdict is the worst of them, and the remark names the parts that are not reproduced."""
        judged = {
            name: Judgement(NOT_TESTABLE, str(measured[name]))
            if isinstance(measured[name], Exception)
            else criterion.judge(measured[name], exact=exact, main=main, parts=parts * len(self.parts))
            for name, criterion in self.parts.items()
        }
        worst_first = (NOT_REPRODUCED, NOT_TESTABLE, UNDECIDED, REPRODUCED)
        worst = min((each.verdict for each in judged.values()), key=worst_first.index)
        return Judgement(worst, _remark_of(judged))


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
    # If none can be tested, none disagrees.
    testable = any(each.verdict != NOT_TESTABLE for each in judged.values())
    counted = [f"{agree} of {len(judged)} agree"] if testable else []
    return "; ".join([*counted, *(f"{', '.join(of)}: {why}" for why, of in names.items())])


def _log(bound: float) -> float:
    """Return the logarithm of a bound; a bound at 0 or below is none for a positive quantity."""
    return math.log(bound) if bound > 0 else -math.inf


def _region_text(least: float, greatest: float, *, above: str = "above {:g}", below: str = "below {:g}") -> str:
    """Return a region in words. above, below: the words if it has only one border."""
    if math.isinf(greatest):
        return above.format(least)
    if math.isinf(least):
        return below.format(greatest)
    if f"{least:g}" == f"{greatest:g}":
        return f"{least:g}" if least == greatest else f"{least:g}, up to rounding"
    return f"between {least:g} and {greatest:g}"
