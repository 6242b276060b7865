"""Settings of `input_correlations`."""

from typing import Literal

from pydantic import Field

from deepnets.data.mnist import TRAINING_IMAGES
from reproduce.config.blocks import Axes, Experiment, Grid
from reproduce.config.fields import Axis, Integer


class _Axes(Axes):
    depth: Axis[Integer[Literal[1]]] = Field(description="Always 1: nothing is trained.")
    init: Axis[Literal["none"]] = Field(description="Nothing is trained.")


class Settings(Experiment[Grid[_Axes]]):
    """Saxe, McClelland & Ganguli 2013, a condition on the inputs' correlations under which pretraining works."""

    images: int = Field(
        ge=1,
        le=TRAINING_IMAGES,
        description="Number of training images used, from the first one; all images if the subset has fewer.",
    )
