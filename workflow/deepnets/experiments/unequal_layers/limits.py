from typing import Literal

from pydantic import Field

from reproduce import api

LIMITS = {
    # The closed form holds for two.
    "depth": api.Integer[Literal[2]],
    "init": Literal["unequal"],
    "imbalance": api.NonNegative,
    # "Learned" means 0.9.
    "initial_strength": Field(gt=0, lt=0.9),
    "records": api.Count,
    **dict.fromkeys(("learning_rate", "duration"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of all updates; 10 µs each."""
    return api.Needs(minutes=api.updates_in(run["duration"], run["learning_rate"]) * 1e-5 / 60)
