from typing import Annotated, Literal

from pydantic import Field, model_validator

from reproduce import api

_Start = Annotated[list[float], Field(min_length=2, max_length=2)]


class _Axes(api.Axes):
    depth: api.Axis[api.Integer[Literal[2]]] = Field(description="Number of weights; the closed form holds for two.")
    init: api.Init[Literal["given"]]


class Settings(api.Experiment[api.Grid[_Axes]]):
    """Saxe et al. 2013, Fig. 2, one mode as the product of two numbers."""

    singular_value: api.Positive = Field(description="Target s of the product of the two numbers.")
    learning_rate: api.Positive = Field(description="Step of gradient descent.")
    steps: api.Count = Field(description="Number of updates of a run.")
    record_every: api.Count = Field(description="Updates between two records.")
    starts: list[_Start] = Field(
        min_length=1, description="Pairs (a, b) of initial values; each pair is trained separately."
    )

    @model_validator(mode="after")
    def _check_memory(self) -> "Settings":
        api.refuse_beyond_memory(f"{len(self.starts)} starts over {self.steps} updates", len(self.starts) * self.steps)
        return self
