"""Settings of `unequal_layers`."""

from typing import Literal

from pydantic import Field, model_validator

from reproduce.config.blocks import Axes, Experiment, Grid, Init
from reproduce.config.fields import Axis, Count, Integer, NonNegative, Positive, check_updates


class _Axes(Axes):
    depth: Axis[Integer[Literal[2]]] = Field(description="Number of weights; the closed form holds for two.")
    init: Init[Literal["unequal"]]
    imbalance: Axis[NonNegative] = Field(description="Square of the second initial weight minus square of the first.")
    learning_rate: Axis[Positive] = Field(description="Step of gradient descent.")


class Settings(Experiment[Grid[_Axes]]):
    """One mode of a two-layer linear net whose layers start unequal."""

    initial_strength: float = Field(
        gt=0, lt=0.9, description="Product of the initial weights, as a share of its target; learned means 0.9."
    )
    duration: Positive = Field(description="Training time, which is the learning rate times the number of updates.")
    records: Count = Field(description="Number of records after the start, at evenly spaced training times.")

    @model_validator(mode="after")
    def _check_updates(self) -> "Settings":
        for grid in self.grids.values():
            check_updates(self.duration, grid.axes.learning_rate)
        return self
