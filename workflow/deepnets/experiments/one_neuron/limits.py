from typing import Literal

from reproduce import api

LIMITS = {
    "data": Literal["whitened", "one_sample"],
    "step_size": api.Positive,
    **dict.fromkeys(("steps", "records"), api.Count),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of the path of each start; 60 µs a step, measured."""
    starts = len(run[f"{run['data']}_starts"])
    return api.Needs(3 * starts * run["steps"], run["steps"] * (6e-5 + 1e-7 * starts) / 60)
