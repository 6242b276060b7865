"""Settings of `matrix_completion`."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from reproduce import api


class _Axes(api.Axes):
    block: api.Axis[api.Name] = Field(
        description="The figure of the paper that the runs reproduce; figures select runs by this name."
    )
    init: api.Init[Literal["identity", "gaussian"]]
    scale: api.Axis[api.Positive] = Field(
        description="Approximate root mean square of the singular values of the initial product."
    )
    rank: api.Axis[api.Size] = Field(description="Rank of the matrix.")
    entries: api.Axis[api.Count] = Field(description="Number of observed entries.")


class _Grid(api.Grid[_Axes]):
    learning_rate: api.Positive = Field(
        description="Step of gradient descent on the mean squared error of the observed entries."
    )
    steps: api.Count = Field(description="Number of updates of a run.")
    records: Annotated[int, Field(ge=2, le=10**6)] = Field(
        description="Number of recorded steps; they are evenly spaced, from the first to the last step."
    )


class Settings(api.Experiment[_Grid]):
    """Arora et al. 2019, completion of a matrix of low rank by gradient descent on its factors."""

    size: api.Size = Field(description="Number of rows and of columns of the matrix and of each factor.")
    duality_gap: api.Positive = Field(
        description="Largest allowed gap between the least nuclear norm and a proven lower bound, divided by this norm."
    )
    recorded_values: api.Count = Field(description="Number of singular values that a run records, from the largest.")

    @model_validator(mode="after")
    def _check_matrix(self) -> "Settings":
        for name, grid in self.grids.items():
            if (rank := max(api.values_of(grid.axes.rank))) > self.size:
                raise ValueError(
                    f"grids.{name}.axes: rank {rank} of a matrix of {self.size} rows; allowed: 1 to {self.size}"
                )
            if (entries := max(api.values_of(grid.axes.entries))) > self.size**2:
                raise ValueError(
                    f"grids.{name}.axes: {entries} entries of a matrix of {self.size} rows and columns; "
                    f"allowed: 1 to {self.size**2}"
                )
            depth = max(api.values_of(grid.axes.depth))
            api.refuse_beyond_memory(f"{depth} factors of {self.size} rows and columns", depth * self.size**2)
        return self
