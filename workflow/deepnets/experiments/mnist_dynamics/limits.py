from typing import Literal

from deepnets.data.mnist import TRAINING_IMAGES
from reproduce import api

LIMITS = {
    "init": Literal["row_normalized", "orthogonal"],
    "rule": Literal["samples", "covariance", "covariance_in_place"],
    "learning_rate": api.Positive,
    "record_product_at": api.Distinct[api.Natural],
    **dict.fromkeys(("hidden", "steps"), api.Count),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of all updates, of which those of one rule read all images."""
    hidden, images = run["hidden"], TRAINING_IMAGES if run["rule"] == "samples" else run["hidden"]
    minutes = api.minutes_of_updates(run["steps"], run["depth"], images, hidden, hidden)
    return api.Needs(run["depth"] * hidden * max(hidden, images), minutes)
