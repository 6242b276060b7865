"""Settings of `mnist_modes`."""

from typing import Literal

from pydantic import Field, model_validator

from deepnets.data.mnist import CLASSES
from reproduce.config.blocks import Axes, Experiment, Grid, Init
from reproduce.config.fields import Axis, Count, Name, Positive, Size


class _Axes(Axes):
    block: Axis[Name] = Field(description="A name for the initial weights; figures select runs by this name.")
    init: Init[Literal["row_normalized", "orthogonal"]]
    scale: Axis[Positive] = Field(description="Factor on each initial weight matrix.")


class _Grid(Grid[_Axes]):
    steps: Count = Field(description="Number of updates of a run.")
    record_every: Count = Field(description="Updates between two records of the modes' strengths.")


class Settings(Experiment[_Grid]):
    """The modes of whitened MNIST under gradient descent on covariances, compared with Saxe et al. 2013."""

    hidden: Size = Field(description="Width of every hidden layer.")
    learning_rate: Positive = Field(description="Step of gradient descent on covariances.")

    @model_validator(mode="after")
    def _check_width(self) -> "Settings":
        if self.hidden < CLASSES:
            raise ValueError(f"hidden {self.hidden} is less than the number of classes; allowed: {CLASSES} or more")
        return self
