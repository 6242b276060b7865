from typing import Literal

from pydantic import Field

from deepnets.data.low_rank_limits import OF_TASKS, check_task
from reproduce import api

LIMITS = {
    **OF_TASKS,
    "init": Literal["identity", "gaussian"],
    "records": Field(ge=2, le=10**6),
    **dict.fromkeys(("steps", "recorded_values"), api.Count),
    **dict.fromkeys(("scale", "learning_rate"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of all updates of the factors."""
    check_task(run)
    depth, size = run["depth"], run["size"]
    return api.Needs(depth * size**2, api.minutes_of_updates(run["steps"], depth, size, size, size))
