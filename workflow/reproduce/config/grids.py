"""Grids: all combinations of the values of some axes. `PlannedGrid.at` finds a point without listing all points.

Jobs import this module, so it imports only the standard library.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from reproduce.config.points import Point, normalize_numbers, path_text
from reproduce.config.seeds import expand_seeds, holds, shorten_seeds, smallest_common
from reproduce.errors import UserError

# A path may come from a user, so its seed may be any text.
_INTEGER = re.compile("[0-9]{1,10}")


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
        values = [self._values[name].values() for name in self.names[:-1]]
        for combined in itertools.product(*values, expand_seeds(self.axes["seed"])):
            yield self._point(combined)

    def at(self, path: str) -> Point | None:
        """Return the point whose run has this path, None if the grid does not contain it."""
        texts = dict(part.partition("=")[::2] for part in path.split("/"))
        values = [self._values[name].get(texts.get(name, "")) for name in self.names[:-1]]
        seed = texts.get("seed", "")
        if None in values or not _INTEGER.fullmatch(seed) or not holds(self.axes["seed"], int(seed)):
            return None
        point = self._point([*values, int(seed)])
        # The same axes in another order are not a path of this grid.
        return point if point.path == path else None

    def shared_with(self, other: "PlannedGrid") -> Point | None:
        """Return the first point that this grid shares with another grid of the experiment, or None."""
        if self.names != other.names:
            return None
        values: list[object] = []
        for name in self.names[:-1]:
            shared = [value for text, value in self._values[name].items() if text in other._values[name]]
            if not shared:
                return None
            values.append(shared[0])
        seed = smallest_common(self.axes["seed"], other.axes["seed"])
        return None if seed is None else self._point([*values, seed])

    @cached_property
    def _values(self) -> dict[str, dict[str, object]]:
        """The values of each axis but the seeds, by their texts in a path, ascending."""
        return {
            name: {path_text(value): value for value in map(normalize_numbers, sorted(values))}
            for name, values in self.axes.items()
            if name != "seed"
        }

    def _point(self, values: Iterable[object]) -> Point:
        return Point({"experiment": self.experiment, **dict(zip(self.names, values, strict=True))}, self.settings)


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
        axes["seed"] = shorten_seeds(seeds if isinstance(seeds, list) else range(seeds))
        grids[name] = PlannedGrid(experiment, axes, {**shared, **{key: grid[key] for key in grid if key != "axes"}})
    return grids


def refuse_overlap(experiment: str, grids: Mapping[str, PlannedGrid]) -> None:
    """Raise UserError if two grids of an experiment share a point."""
    for (name, grid), (other_name, other) in itertools.combinations(grids.items(), 2):
        if point := grid.shared_with(other):
            raise UserError(
                f"config: experiments.{experiment}.grids: {name!r} and {other_name!r} hold the same point "
                f"({', '.join(f'{axis} {value}' for axis, value in point.axes.items())}); "
                "a point may be in only one grid"
            )


def points_of(experiment: str, grids: Iterable[Mapping]) -> list[Point]:
    """Return the points of grids as in a spec, {"axes": …, "settings": …}, sorted by their axes."""
    points = (point for grid in grids for point in PlannedGrid(experiment, **grid).points())
    return sorted(points, key=Point.order)
