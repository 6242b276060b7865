from typing import Annotated, Literal

from pydantic import Field

from reproduce import api

LIMITS = {
    "init": Literal["gaussian", "near_identity"],
    "singular_values": Annotated[list[api.Positive], Field(min_length=1)],
    **dict.fromkeys(("width", "updates", "records"), api.Count),
    **dict.fromkeys(("scale", "learning_rate"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of the layers and of all updates."""
    size = max(run["width"], len(run["singular_values"])) if run["depth"] > 1 else len(run["singular_values"])
    inner = size if run["depth"] > 2 else len(run["singular_values"])
    minutes = api.minutes_of_updates(run["updates"], run["depth"], len(run["singular_values"]), inner, size)
    return api.Needs(2 * run["depth"] * size * inner + run["updates"] * len(run["singular_values"]), minutes)
