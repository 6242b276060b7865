"""Settings of `balancedness`."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from reproduce.config.blocks import Axes, Experiment, Grid, Init
from reproduce.config.fields import (
    LARGEST_SIZE,
    Axis,
    Count,
    Positive,
    Size,
    check_updates,
    refuse_beyond_memory,
    values_of,
)


class _Axes(Axes):
    depth: Axis[Annotated[int, Field(ge=2, le=LARGEST_SIZE)]] = Field(
        description="Number of weight matrices, at least 2: the balance is that of two adjacent ones."
    )
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

    @model_validator(mode="after")
    def _check_sizes(self) -> "Settings":
        for grid in self.grids.values():
            depth, widest = max(values_of(grid.axes.depth)), max(self.inputs, self.width, self.outputs)
            numbers = depth * widest * (widest + self.samples)
            refuse_beyond_memory(f"{depth} layers of {widest} units for {self.samples} samples", numbers)
            check_updates(self.duration, grid.axes.learning_rate)
        return self
