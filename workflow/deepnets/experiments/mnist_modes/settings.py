from typing import Literal

from pydantic import Field, model_validator

from deepnets.data.mnist import CLASSES
from reproduce import api


class _Axes(api.Axes):
    block: api.Axis[api.Name] = Field(description="A name for the initial weights; figures select runs by this name.")
    init: api.Init[Literal["row_normalized", "orthogonal"]]
    scale: api.Axis[api.Positive] = Field(description="Factor on each initial weight matrix.")


class _Grid(api.Grid[_Axes]):
    steps: api.Count = Field(description="Number of updates of a run.")
    record_every: api.Count = Field(description="Updates between two records of the modes' strengths.")


class Settings(api.Experiment[_Grid]):
    """The modes of whitened MNIST under gradient descent on covariances, compared with Saxe et al. 2013."""

    hidden: api.Size = Field(description="Width of every hidden layer.")
    learning_rate: api.Positive = Field(description="Step of gradient descent on covariances.")

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of all updates."""
        return api.minutes_of_updates(run["steps"], run["depth"], *3 * [run["hidden"]])

    @model_validator(mode="after")
    def _check_width(self) -> "Settings":
        if self.hidden < CLASSES:
            raise ValueError(f"hidden {self.hidden} is less than the number of classes; allowed: {CLASSES} or more")
        return self
