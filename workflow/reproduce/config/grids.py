"""Grids: all combinations of the values of some axes.

Jobs import this module, so it imports only the standard library.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from reproduce.config.points import Point, normalize_numbers
from reproduce.config.seeds import expand_seeds, shorten_seeds
from reproduce.errors import UserError

# A grid of more runs is most likely a slip; their list would not fit into memory.
_MOST_RUNS = 1_000_000


@dataclass(frozen=True)
class PlannedGrid:
    """The points of one experiment that combine the values of axes, with the settings that all of them share.

    axes: name → distinct values, the seeds in short.
    """

    experiment: str
    axes: dict[str, list]
    settings: dict[str, object]

    @property
    def names(self) -> list[str]:
        """The axes in the order of a path."""
        first = [name for name in ("depth", "init") if name in self.axes]
        return [*first, *sorted(self.axes.keys() - {"depth", "init", "seed"}), "seed"]

    def points(self) -> Iterator[Point]:
        """Yield all points."""
        values = [map(normalize_numbers, sorted(self.axes[name])) for name in self.names[:-1]]
        for combined in itertools.product(*values, expand_seeds(self.axes["seed"])):
            axes = {"experiment": self.experiment, **dict(zip(self.names, combined, strict=True))}
            yield Point(axes, self.settings)


def grids_of(experiment: str, block: Mapping) -> dict[str, PlannedGrid]:
    """Return the grids of an experiment's block by name, each with the shared settings.

    block: as `resolve` returns it, with the defaults written into the grids.
    """
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
