from typing import Literal

from pydantic import Field

from deepnets.data.mnist import PIXELS, TRAINING_IMAGES
from reproduce import api

LIMITS = {
    # Nothing is trained.
    "depth": api.Integer[Literal[1]],
    "init": Literal["none"],
    "images": Field(ge=1, le=TRAINING_IMAGES),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of the images and of the products of their pixels."""
    return api.Needs(PIXELS * run["images"], 1e-10 * run["images"] * PIXELS**2 / 60)
