"""Settings of `unequal_layers`."""

from typing import Literal

from pydantic import Field

from deepnets.config.blocks import Axes, Experiment, Grid, Init
from deepnets.config.fields import Axis, Count, NonNegative, Positive


class _Axes(Axes):
    init: Init[Literal["unequal"]]
    imbalance: Axis[NonNegative] = Field(description="Square of the second initial weight minus square of the first.")
    learning_rate: Axis[Positive] = Field(description="Step of gradient descent.")


class Settings(Experiment[Grid[_Axes]]):
    """One mode of a two-layer linear net whose layers start unequal."""

    initial_strength: Positive = Field(description="Product of the initial weights, as a share of its target.")
    duration: Positive = Field(description="Training time, which is the learning rate times the number of updates.")
    records: Count = Field(description="Number of records after the start, at evenly spaced training times.")
