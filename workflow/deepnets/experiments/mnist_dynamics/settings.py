"""Settings of `mnist_dynamics`."""

from typing import Literal

from pydantic import Field

from reproduce.config.blocks import Axes, Experiment, Grid, Init
from reproduce.config.fields import Axis, Count, Distinct, Natural, Positive, Size


class _Axes(Axes):
    init: Init[Literal["row_normalized", "orthogonal"]]
    rule: Axis[Literal["samples", "covariance", "covariance_in_place"]] = Field(
        description="Gradients from samples (Part 1) or covariances (Part 2); in_place updates matrices one by one."
    )


class Settings(Experiment[Grid[_Axes]]):
    """Document 001, a linear network on whitened MNIST under two forms of gradient descent."""

    hidden: Size = Field(description="Width of every hidden layer.")
    steps: Count = Field(description="Number of updates of a run.")
    learning_rate: Positive = Field(description="Step of gradient descent on covariances.")
    record_product_at: Distinct[Natural] = Field(
        description="Steps at which the end-to-end matrix and the accuracies are recorded."
    )
