from typing import Literal

from pydantic import Field, model_validator

from deepnets.data.low_rank_settings import TaskAxes, check_tasks
from reproduce import api


class _Axes(TaskAxes):
    depth: api.Axis[api.Integer[Literal[1]]] = Field(description="Always 1: nothing is trained.")
    init: api.Axis[Literal["none"]] = Field(description="Nothing is trained.")


class Settings(api.Experiment[api.Grid[_Axes]]):
    """Arora et al. 2019, completion of a matrix of low rank with the least nuclear norm."""

    size: api.Size = Field(description="Number of rows and of columns of the matrix.")
    largest_gap: api.Positive = Field(
        description="Largest allowed gap between the least nuclear norm and a proven lower bound, divided by this norm."
    )

    @model_validator(mode="after")
    def _check_tasks(self) -> "Settings":
        check_tasks(self.size, self.grids)
        return self
