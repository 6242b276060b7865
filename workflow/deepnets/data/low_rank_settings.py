"""The axes of matrix completion tasks, and their limits. Apart from the tasks, because a plan imports no NumPy."""

from collections.abc import Mapping

from pydantic import Field

from reproduce import api


class TaskAxes(api.Axes):
    """The axes that, besides the seed, determine a task."""

    rank: api.Axis[api.Size] = Field(description="Rank of the matrix.")
    entries: api.Axis[api.Count] = Field(description="Number of observed entries.")


def check_tasks(size: int, grids: Mapping[str, api.Grid]) -> None:
    """Raise ValueError for a task that matrices of shape (size, size) cannot have, or for factors beyond memory."""
    for name, grid in grids.items():
        if (rank := max(api.values_of(grid.axes.rank))) > size:
            raise ValueError(f"grids.{name}.axes: rank {rank} of a matrix of {size} rows; allowed: 1 to {size}")
        if (entries := max(api.values_of(grid.axes.entries))) > size**2:
            raise ValueError(
                f"grids.{name}.axes: {entries} entries of a matrix of {size} rows and columns; allowed: 1 to {size**2}"
            )
        depth = max(api.values_of(grid.axes.depth))
        api.refuse_beyond_memory(f"{depth} factors of {size} rows and columns", depth * size**2)
