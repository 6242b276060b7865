"""Points: one combination of axes each, and the text that stands for one value and no other.

Jobs read this module too: it imports nothing but the standard library.
"""

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass

from workflow.deepnets.config.paths import RUNS

# Up to here every integer is a float too. Of larger ones, which are rates or factors, Arrow takes floats alone.
_LARGEST_EXACT = 2**53


@dataclass(frozen=True)
class Point:
    """One combination of axes: one run, one job.

    axes: name → value in the order of the path; settings: what else the run needs and the path does not spell.
    """

    axes: dict[str, object]
    settings: dict[str, object]

    @property
    def path(self) -> str:
        """The run's file in Hive form: results/runs/experiment=E/depth=D/init=I[/axis=value…]/seed=S/run.parquet."""
        return "/".join([RUNS, *(f"{name}={_spelt(value)}" for name, value in self.axes.items()), "run.parquet"])

    def order(self) -> list[object]:
        """Return the key by which points stand in their table."""
        return list(self.axes.values())

    @property
    def spec(self) -> str:
        """Canonical JSON of axes and settings: with code and inputs it determines the run."""
        return canonical({**self.axes, **self.settings})


def canonical(value: object) -> str:
    """Return JSON with sorted keys, no spaces, and whole numbers as integers: one text per value.

    It is pure ASCII, so that a command line says the same in every locale.
    """
    return json.dumps(_whole(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def grids_of(block: Mapping) -> dict[str, dict]:
    """Bring an experiment's block to grids of {"axes": …, "settings": …}, its shared settings in each of them."""
    shared = {name: value for name, value in block.items() if name != "grids"}
    grids = {}
    for name, grid in block["grids"].items():
        if grid is None:
            continue
        # Sorted, as points are: in whatever order the config lists them, a table holds the same.
        axes = {axis: sorted(value) if isinstance(value, list) else [value] for axis, value in grid["axes"].items()}
        seeds = grid["axes"]["seeds"]
        # A bare number counts the seeds; a list names them.
        del axes["seeds"]
        axes["seed"] = sorted(seeds) if isinstance(seeds, list) else list(range(seeds))
        grids[name] = {"axes": axes, "settings": {**shared, **{key: grid[key] for key in grid if key != "axes"}}}
    return grids


def points_of(experiment: str, grids: list[dict]) -> list[Point]:
    """Expand grids to points, sorted by their axes.

    grids: [{"axes": {axis: [value, …]}, "settings": {…}}, …], as `grids_of` gives them.
    """
    points = []
    for grid in grids:
        own = sorted(grid["axes"].keys() - {"depth", "init", "seed"})
        names = ["depth", "init", *own, "seed"]
        for values in itertools.product(*(grid["axes"][name] for name in names)):
            axes = {"experiment": experiment, **dict(zip(names, map(_whole, values), strict=True))}
            points.append(Point(axes, grid["settings"]))
    return sorted(points, key=Point.order)


def _whole(value: object) -> object:
    """Write whole floats as integers, so that 1 and 1.0 are one value, at any depth of lists and mappings."""
    if isinstance(value, int | float) and abs(value) > _LARGEST_EXACT:
        return float(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [_whole(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _whole(item) for key, item in value.items()}
    return value


def _spelt(value: object) -> str:
    return value if isinstance(value, str) else canonical(value)
