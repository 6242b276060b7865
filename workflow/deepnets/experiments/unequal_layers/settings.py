from typing import Literal

from pydantic import Field, model_validator

from reproduce import api


class _Axes(api.Axes):
    depth: api.Axis[api.Integer[Literal[2]]] = Field(description="Number of weights; the closed form holds for two.")
    init: api.Init[Literal["unequal"]]
    imbalance: api.Axis[api.NonNegative] = Field(
        description="Square of the second initial weight minus square of the first."
    )
    learning_rate: api.Axis[api.Positive] = Field(description="Step of gradient descent.")


class Settings(api.Experiment[api.Grid[_Axes]]):
    """One mode of a two-layer linear net whose layers start unequal."""

    initial_strength: float = Field(
        gt=0, lt=0.9, description="Product of the initial weights, as a share of its target; learned means 0.9."
    )
    duration: api.Positive = Field(description="Training time, which is the learning rate times the number of updates.")
    records: api.Count = Field(description="Number of records after the start, at evenly spaced training times.")

    @model_validator(mode="after")
    def _check_updates(self) -> "Settings":
        for grid in self.grids.values():
            api.check_updates(self.duration, grid.axes.learning_rate)
        return self
