"""Settings of `regression`."""

from typing import Literal

from pydantic import Field, model_validator

from reproduce.config.blocks import Axes, Experiment, Grid
from reproduce.config.fields import Axis, Count, Integer, NonNegative, Size, refuse_beyond_memory


class _Axes(Axes):
    depth: Axis[Integer[Literal[1]]] = Field(description="Number of weight matrices, 1.")
    init: Axis[Literal["none"]] = Field(description="The solution is computed, not trained.")


class Settings(Experiment[Grid[_Axes]]):
    """Document 003, Bonus, the analytical solution of a linear regression."""

    inputs: Size = Field(description="Number of independent variables.")
    outputs: Size = Field(description="Number of dependent variables.")
    samples: Count = Field(description="Number of samples.")
    weight_bound: Count = Field(description="True weights are whole numbers from 0 to one less than this.")
    noise: NonNegative = Field(description="Standard deviation of the noise on the dependent variables.")

    @model_validator(mode="after")
    def _check_samples(self) -> "Settings":
        if self.samples < self.inputs:
            raise ValueError(
                f"has {self.samples} samples of {self.inputs} inputs, which do not determine the weights; "
                "allowed: at least as many samples as inputs"
            )
        columns = max(self.inputs, self.outputs)
        refuse_beyond_memory(f"{self.samples} samples of {columns} variables", self.samples * columns)
        return self
