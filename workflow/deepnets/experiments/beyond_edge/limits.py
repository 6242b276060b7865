from typing import Literal

from reproduce import api

LIMITS = {
    "basis": Literal["diagonal", "rotated"],
    **dict.fromkeys(("updates", "largest_rate"), api.Count),
    **dict.fromkeys(("strength", "ratio", "scale"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of all updates of a net of three units at each rate."""
    depth, rates = run["depth"], run["largest_rate"]
    minutes = run["updates"] * depth * (1e-4 + 1e-6 * rates) / 60
    return api.Needs(9 * depth * rates + 3 * rates * run["updates"], minutes)
