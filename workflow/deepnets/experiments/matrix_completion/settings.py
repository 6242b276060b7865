from typing import Annotated, Literal

from pydantic import Field, model_validator

from deepnets.data.low_rank_settings import TaskAxes, check_tasks
from reproduce import api


class _Axes(TaskAxes):
    block: api.Axis[api.Name] = Field(
        description="The figure of the paper that the runs reproduce; figures select runs by this name."
    )
    init: api.Init[Literal["identity", "gaussian"]]
    scale: api.Axis[api.Positive] = Field(
        description="Approximate root mean square of the singular values of the initial product."
    )


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
    recorded_values: api.Count = Field(description="Number of singular values that a run records, from the largest.")

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of all updates."""
        return api.minutes_of_updates(run["steps"], run["depth"], *3 * [run["size"]])

    @model_validator(mode="after")
    def _check_tasks(self) -> "Settings":
        check_tasks(self.size, self.grids)
        return self
