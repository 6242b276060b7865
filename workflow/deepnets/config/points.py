"""Points: combinations of axes, with one text for each value.

Jobs read this module too: it imports nothing but the standard library.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from workflow.deepnets.records.paths import RUNS

# Every smaller integer is exact as a float. Larger numbers are rates or factors, which Arrow accepts only as floats.
_LARGEST_EXACT = 2**53


@dataclass(frozen=True)
class Point:
    """One combination of axes: one run, one job.

    axes: name → value in the order of the path; settings: all other settings of the run.
    """

    axes: dict[str, object]
    settings: dict[str, object]

    @property
    def path(self) -> str:
        """The run's file in Hive form: results/runs/experiment=E/depth=D/init=I[/axis=value…]/seed=S/run.parquet."""
        return "/".join([RUNS, *(f"{name}={spelt(value)}" for name, value in self.axes.items()), "run.parquet"])

    def order(self) -> list[object]:
        """Return the key by which points are sorted in their table."""
        return list(self.axes.values())

    @property
    def spec(self) -> str:
        """Canonical JSON of axes and settings: with code and inputs it determines the run."""
        return canonical({**self.axes, **self.settings})


def canonical(value: object) -> str:
    """Return JSON with sorted keys, no spaces, and whole numbers as integers, so that equal values have one text.

    It is pure ASCII, so that a command line is the same in every locale.
    """
    return json.dumps(whole(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def whole(value: object) -> object:
    """Convert whole floats to integers at any depth, so that 1 and 1.0 are one value."""
    if isinstance(value, int | float) and abs(value) > _LARGEST_EXACT:
        return float(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [whole(item) for item in value]
    if isinstance(value, Mapping):
        return {key: whole(item) for key, item in value.items()}
    return value


def spelt(value: object) -> str:
    """Return the text of an axis's value in a path."""
    return value if isinstance(value, str) else canonical(value)
