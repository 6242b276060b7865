"""Settings of `largest_rate`."""

from typing import Literal

from pydantic import Field

from deepnets.config.blocks import Axes, Experiment, Grid, Init
from deepnets.config.fields import Axis, Count


class _Axes(Axes):
    init: Init[Literal["gaussian", "orthogonal"]]
    activation: Axis[Literal["relu", "linear"]] = Field(description="Activation function of the hidden layers.")
    width: Axis[Count] = Field(description="Number of units in each hidden layer.")
    batch: Axis[Count] = Field(description="Number of images in the update.")


class Settings(Experiment[Grid[_Axes]]):
    """The largest learning rate at initialisation, of nets with 2, 4, 8, … hidden layers up to `depth`."""

    simulations: Count = Field(description="Number of random nets for each depth in a run.")
