from typing import Literal

from pydantic import Field

from deepnets.data.mnist import PIXELS, settings
from reproduce import api

LIMITS = {
    # Exponents need two depths: 2 and 4.
    "depth": Field(ge=4),
    "init": Literal["gaussian", "orthogonal"],
    "activation": Literal["relu", "linear"],
    "batch": settings.Images,
    **dict.fromkeys(("width", "simulations"), api.Count),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of the sharpness of all nets, of about ten updates each."""
    depth, width, batch = run["depth"], run["width"], run["batch"]
    minutes = api.minutes_of_updates(20 * run["simulations"], depth, batch, width, width)
    return api.Needs(width * (PIXELS + (depth - 1) * width + depth * batch), minutes)
