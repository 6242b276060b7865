"""Seeds in a short form, so that a text with many consecutive seeds stays small.

Consecutive seeds become [first, last], a single seed stays an integer: 0, 1, 2, 5 become [[0, 2], 5].
Jobs import this module, so it imports only the standard library.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

Short = list[int | list[int]]


def shorten_seeds(seeds: Iterable[int]) -> Short:
    """Return the short form of distinct seeds, ascending; the order of the seeds does not matter."""
    runs: list[list[int]] = []
    for seed in sorted(seeds):
        if runs and seed == runs[-1][1] + 1:
            runs[-1][1] = seed
        else:
            runs.append([seed, seed])
    return [[first, last] if first < last else first for first, last in runs]


def expand_seeds(short: Short) -> list[int]:
    """Return the seeds of a short form in ascending order."""
    return [seed for first, last in _runs(short) for seed in range(first, last + 1)]


def holds(short: Short, seed: int) -> bool:
    """Return whether a seed is in a short form."""
    return any(first <= seed <= last for first, last in _runs(short))


def smallest_common(some: Short, others: Short) -> int | None:
    """Return the smallest seed that two short forms share, or None."""
    # Ranges of one form do not overlap, so two overlapping neighbours come from both forms.
    runs = sorted([*_runs(some), *_runs(others)])
    return next((first for (_, last), (first, _) in pairwise(runs) if first <= last), None)


def _runs(short: Short) -> Iterator[tuple[int, int]]:
    for each in short:
        yield (each, each) if isinstance(each, int) else (each[0], each[1])
