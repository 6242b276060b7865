"""Settings of `input_correlations`."""

from typing import Literal

from pydantic import Field

from workflow.deepnets.config.blocks import Axes, Experiment, Grid
from workflow.deepnets.config.fields import Axis, Integer
from workflow.deepnets.data.mnist import FULL, TRAINING_IMAGES


class _Axes(Axes):
    depth: Axis[Integer[Literal[1]]] = Field(description="Nothing is trained: 1.")
    init: Axis[Literal["none"]] = Field(description="Nothing is trained.")


class Settings(Experiment[Grid[_Axes]]):
    """Saxe, McClelland & Ganguli 2013, the condition for pretraining on the inputs' correlations."""

    images: int = Field(
        ge=1,
        le=TRAINING_IMAGES[FULL],
        description="Number of training images, from the first one; the subset has fewer.",
    )
