"""Intervals for true values, and how many nets would make one decide."""

import math
from bisect import bisect_left

from scipy.special import stdtrit

from reproduce.claims.estimate import Estimate

# The probability that the true value lies beyond one end of an interval.
TAIL = 0.05
# If more nets would be needed, more nets are no way out; we look for no number beyond the second.
_MANY, _MOST = 200, 10_000
# Why values of which some are only lower bounds do not decide.
NOT_ENDED = "too few updates: some nets had not learned by then"


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
