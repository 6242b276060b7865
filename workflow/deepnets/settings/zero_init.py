"""Settings of `zero_init`."""

from typing import Annotated, Literal

from pydantic import Field

from workflow.deepnets.settings._blocks import Axes, Experiment, Grid, Init
from workflow.deepnets.settings._fields import Axis, Count, NonNegative, Positive


class _Axes(Axes):
    width: Axis[Annotated[int, Field(ge=2)]] = Field(
        description="Width of the hidden layers behind the first, which has the width of the inputs."
    )
    depth: Axis[Annotated[int, Field(ge=4)]] = Field(
        description="Number of weight matrices; the third is the first square one of the given width."
    )
    init: Init[Literal["zero", "partial_identity", "random", "one", "spray"]]
    bias: Axis[NonNegative] = Field(description="What every bias starts from; 0 stands for a network without biases.")


class Settings(Experiment[Grid[_Axes]]):
    """Document 004, a ReLU network on MNIST and the rank of what it learns."""

    steps: Count = Field(description="Updates of a run, over as many passes as they take.")
    batch: Count = Field(description="Images of one update.")
    learning_rate: Positive = Field(description="Step of SGD.")
    record_every: Count = Field(description="Updates between two records of loss, accuracy and rank.")
    rank_tolerance: Positive = Field(description="Singular values above this count towards the rank.")
