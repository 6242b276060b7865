from typing import Literal

from pydantic import Field

from deepnets.data.mnist import TRAINING_IMAGES
from reproduce import api


class _Axes(api.Axes):
    depth: api.Axis[api.Integer[Literal[1]]] = Field(description="Always 1: nothing is trained.")
    init: api.Axis[Literal["none"]] = Field(description="Nothing is trained.")


class Settings(api.Experiment[api.Grid[_Axes]]):
    """Saxe, McClelland & Ganguli 2013, a condition on the inputs' correlations under which pretraining works."""

    images: int = Field(
        ge=1,
        le=TRAINING_IMAGES,
        description="Number of training images used, from the first one; all images if the subset has fewer.",
    )
