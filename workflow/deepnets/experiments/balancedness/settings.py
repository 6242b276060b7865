from typing import Annotated, Literal

from pydantic import Field, model_validator

from reproduce import api


class _Axes(api.Axes):
    depth: api.Axis[Annotated[int, Field(ge=2, le=api.LARGEST_SIZE)]] = Field(
        description="Number of weight matrices, at least 2: the balance is that of two adjacent ones."
    )
    init: api.Init[Literal["gaussian"]]
    activation: api.Axis[Literal["linear", "relu"]] = Field(description="Activation of the hidden layers.")
    learning_rate: api.Axis[api.Positive] = Field(description="Step of gradient descent.")


class Settings(api.Experiment[api.Grid[_Axes]]):
    """What gradient descent conserves in linear nets and in ReLU nets."""

    inputs: api.Size = Field(description="Dimension of the inputs.")
    width: api.Size = Field(description="Number of neurons in each hidden layer.")
    outputs: api.Size = Field(description="Dimension of the targets.")
    samples: api.Size = Field(description="Number of training samples.")
    duration: api.Positive = Field(description="Training time, which is the learning rate times the number of updates.")
    records: api.Count = Field(description="Number of records after the start, at evenly spaced training times.")

    @model_validator(mode="after")
    def _check_sizes(self) -> "Settings":
        for grid in self.grids.values():
            depth, widest = max(api.values_of(grid.axes.depth)), max(self.inputs, self.width, self.outputs)
            numbers = depth * widest * (widest + self.samples)
            api.refuse_beyond_memory(f"{depth} layers of {widest} units for {self.samples} samples", numbers)
            api.check_updates(self.duration, grid.axes.learning_rate)
        return self
