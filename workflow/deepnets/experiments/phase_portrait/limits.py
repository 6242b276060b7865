from typing import Annotated, Literal

from pydantic import Field

from reproduce import api

LIMITS = {
    # The closed form holds for two.
    "depth": api.Integer[Literal[2]],
    "init": Literal["given"],
    "starts": Annotated[list[Annotated[list[float], Field(min_length=2, max_length=2)]], Field(min_length=1)],
    **dict.fromkeys(("steps", "record_every"), api.Count),
    **dict.fromkeys(("singular_value", "learning_rate"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of the path of each start; 10 µs an update of all."""
    return api.Needs(len(run["starts"]) * run["steps"], run["steps"] * 1e-5 / 60)
