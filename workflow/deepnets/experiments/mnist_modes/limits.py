from typing import Literal

from pydantic import Field

from deepnets.data.mnist import CLASSES
from reproduce import api

LIMITS = {
    "init": Literal["row_normalized", "orthogonal"],
    "hidden": Field(ge=CLASSES),
    **dict.fromkeys(("steps", "record_every"), api.Count),
    **dict.fromkeys(("scale", "learning_rate"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of all updates."""
    depth, hidden = run["depth"], run["hidden"]
    return api.Needs(depth * hidden**2, api.minutes_of_updates(run["steps"], depth, hidden, hidden, hidden))
