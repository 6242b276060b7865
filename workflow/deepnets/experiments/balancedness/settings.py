"""Settings of `balancedness`."""

from typing import Literal

from pydantic import Field

from deepnets.config.blocks import Axes, Experiment, Grid, Init
from deepnets.config.fields import Axis, Count, Positive, Size


class _Axes(Axes):
    init: Init[Literal["gaussian"]]
    activation: Axis[Literal["linear", "relu"]] = Field(description="Activation of the hidden layers.")
    learning_rate: Axis[Positive] = Field(description="Step of gradient descent.")


class Settings(Experiment[Grid[_Axes]]):
    """What gradient descent conserves in linear nets and in ReLU nets."""

    inputs: Size = Field(description="Dimension of the inputs.")
    width: Size = Field(description="Number of neurons in each hidden layer.")
    outputs: Size = Field(description="Dimension of the targets.")
    samples: Size = Field(description="Number of training samples.")
    duration: Positive = Field(description="Training time, which is the learning rate times the number of updates.")
    records: Count = Field(description="Number of records after the start, at evenly spaced training times.")
