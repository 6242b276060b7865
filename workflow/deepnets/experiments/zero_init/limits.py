from typing import Literal

from pydantic import Field

from deepnets.data.mnist import PIXELS, settings
from reproduce import api

LIMITS = {
    # From the third matrix on, all but the last are width × width.
    "depth": Field(ge=4),
    "width": Field(ge=2),
    "init": Literal["zero", "partial_identity", "random", "one", "spray"],
    "bias": api.NonNegative,
    "pool": api.Integer[Literal[1, 2, 4, 7, 14]],
    "factor": Field(gt=0, le=1),
    "batch": settings.Images,
    "learning_rate": api.Positive,
    "rank_tolerance": Field(gt=0, le=1e6),
    **dict.fromkeys(("epochs", "steps", "record_every"), api.Count),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of the weights in float32, of the rank of one matrix in float64, and of all updates.

    Of the time, 40 % was measured.
    """
    of_matrix = max(run["width"], PIXELS) ** 2
    minutes = run["steps"] * run["batch"] * run["depth"] * of_matrix * 1e-10 / 60
    return api.Needs((run["depth"] / 2 + 5) * of_matrix, minutes)
