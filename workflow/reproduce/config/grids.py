"""Grids, which are all combinations of the values of some axes, and their points, one per combination.

Specs contain grids in a short form: with settings beside the axes, and consecutive seeds as [first, last], so that 0,
1, 2, 5 become [[0, 2], 5]. Jobs import this module, so it imports only the standard library.
"""

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from reproduce.errors import UserError
from reproduce.records.paths import RUNS

# A grid of more runs is most likely a slip, and takes more than 2 GB and two minutes before the first job starts.
_MOST_RUNS = 100_000
# Floats represent every integer up to here. Larger ones are rates or factors, which Arrow accepts only as floats.
_LARGEST_EXACT = 2**53
Short = list[int | list[int]]


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
        texts = ((name, each if isinstance(each, str) else canonical_json(each)) for name, each in self.axes.items())
        return "/".join([RUNS, *(f"{name}={each}" for name, each in texts), "run.parquet"])

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


@dataclass(frozen=True)
class PlannedGrid:
    """The points of one experiment that combine the values of axes, with the settings that all of them share.

    axes: name → distinct values, the seeds in short.
    """

    experiment: str
    axes: dict[str, list]
    settings: dict[str, object]

    def points(self) -> Iterator[Point]:
        """Yield all points, with their axes in the order of a path."""
        first = [name for name in ("depth", "init") if name in self.axes]
        names = [*first, *sorted(self.axes.keys() - {"depth", "init", "seed"})]
        values = [map(normalize_numbers, sorted(self.axes[name])) for name in names]
        for *combined, seed in itertools.product(*values, expand_seeds(self.axes["seed"])):
            axes = dict(zip(names, combined, strict=True))
            yield Point({"experiment": self.experiment, **axes, "seed": seed}, self.settings)


def grids_of(experiment: str, block: Mapping) -> dict[str, PlannedGrid]:
    """Return the grids of an experiment's block, as `resolve` returns it, by name, each with the shared settings."""
    shared = {name: value for name, value in block.items() if name != "grids"}
    grids = {}
    for name, grid in block["grids"].items():
        # Sorted, so that the order in the config does not change a table.
        axes = {axis: sorted(value) if isinstance(value, list) else [value] for axis, value in grid["axes"].items()}
        del axes["seeds"]
        seeds = grid["axes"]["seeds"]
        # A bare number counts the seeds; a list names them.
        own = shorten_seeds(seeds if isinstance(seeds, list) else range(seeds))
        counts = {axis: len(value) for axis, value in axes.items()} | {"seeds": len(expand_seeds(own))}
        axes["seed"] = own
        if (runs := math.prod(counts.values())) > _MOST_RUNS:
            product = " × ".join(f"{count:,} of {axis}" for axis, count in counts.items() if count > 1)
            raise UserError(
                f"config: experiments.{experiment}.grids.{name}: {runs:,} runs ({product}); allowed: {_MOST_RUNS:,}"
            )
        grids[name] = PlannedGrid(experiment, axes, {**shared, **{key: grid[key] for key in grid if key != "axes"}})
    return grids


def points_by_path(experiment: str, grids: Mapping[str, PlannedGrid]) -> dict[str, Point]:
    """Return the points of an experiment by their paths; raise UserError if two of its grids share one."""
    found: dict[str, Point] = {}
    grid_of: dict[str, str] = {}
    for name, grid in grids.items():
        for point in grid.points():
            path = point.path
            if path in found:
                raise UserError(
                    f"config: experiments.{experiment}.grids: {grid_of[path]!r} and {name!r} hold the same point "
                    f"({', '.join(f'{axis} {value}' for axis, value in point.axes.items())}); "
                    "a point may be in only one grid"
                )
            found[path], grid_of[path] = point, name
    return found


def points_of(experiment: str, grids: Iterable[Mapping]) -> list[Point]:
    """Return the points of grids as in a spec, {"axes": …, "settings": …}, sorted by their axes."""
    points = (point for grid in grids for point in PlannedGrid(experiment, **grid).points())
    return sorted(points, key=Point.order)
