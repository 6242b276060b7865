"""Seeds in a short form, so that a text with many consecutive seeds stays small.

Consecutive seeds become [first, last], a single seed stays an integer: 0, 1, 2, 5 become [[0, 2], 5].
Jobs import this module, so it imports only the standard library.
"""

from collections.abc import Iterable

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
    runs = ([each, each] if isinstance(each, int) else each for each in short)
    return [seed for first, last in runs for seed in range(first, last + 1)]
