"""Points, each of which is one combination of axes, and the canonical text of each value.

Jobs import this module, so it imports only the standard library.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from reproduce.records.paths import RUNS

# Floats represent every integer up to here. Larger ones are rates or factors, which Arrow accepts only as floats.
_LARGEST_EXACT = 2**53


@dataclass(frozen=True)
class Point:
    """One combination of axes: one run, one job.

    axes: name → value, in the order of the path
    settings: the settings that are not in the path
    """

    axes: dict[str, object]
    settings: dict[str, object]

    @property
    def path(self) -> str:
        """The run's file in Hive form: results/runs/experiment=E/depth=D/init=I[/axis=value…]/seed=S/run.parquet."""
        return "/".join([RUNS, *(f"{name}={_text(value)}" for name, value in self.axes.items()), "run.parquet"])

    def order(self) -> list[object]:
        """Return the sort key of the point in its table."""
        return list(self.axes.values())

    @property
    def spec(self) -> str:
        """Canonical JSON of axes and settings: with code and inputs it determines the run."""
        return canonical_json({**self.axes, **self.settings})


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys, no spaces, and whole numbers as integers: equal values give equal texts.

    The text is ASCII, so that a command line is the same in every locale.
    """
    return json.dumps(normalize_numbers(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def normalize_numbers(value: object) -> object:
    """Convert whole floats to integers at any depth of lists and mappings, so that 1 and 1.0 give one text."""
    if isinstance(value, int | float) and abs(value) > _LARGEST_EXACT:
        return float(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [normalize_numbers(item) for item in value]
    if isinstance(value, Mapping):
        return {key: normalize_numbers(item) for key, item in value.items()}
    return value


def _text(value: object) -> str:
    return value if isinstance(value, str) else canonical_json(value)
