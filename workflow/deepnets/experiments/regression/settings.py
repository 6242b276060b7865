from typing import Literal

from pydantic import Field, model_validator

from reproduce import api


class _Axes(api.Axes):
    depth: api.Axis[api.Integer[Literal[1]]] = Field(description="Number of weight matrices, 1.")
    init: api.Axis[Literal["none"]] = Field(description="The solution is computed, not trained.")


class Settings(api.Experiment[api.Grid[_Axes]]):
    """Document 003, Bonus, the analytical solution of a linear regression."""

    inputs: api.Size = Field(description="Number of independent variables.")
    outputs: api.Size = Field(description="Number of dependent variables.")
    samples: api.Count = Field(description="Number of samples.")
    weight_bound: api.Count = Field(description="True weights are whole numbers from 0 to one less than this.")
    noise: api.NonNegative = Field(description="Standard deviation of the noise on the dependent variables.")

    @model_validator(mode="after")
    def _check_samples(self) -> "Settings":
        if self.samples < self.inputs:
            raise ValueError(
                f"has {self.samples} samples of {self.inputs} inputs, which do not determine the weights; "
                "allowed: at least as many samples as inputs"
            )
        columns = max(self.inputs, self.outputs)
        api.refuse_beyond_memory(f"{self.samples} samples of {columns} variables", self.samples * columns)
        return self
