from typing import Annotated, Literal

from pydantic import Field

from deepnets.data.mnist import CLASSES
from reproduce import api

LIMITS = {
    "depth": Field(ge=2),
    "init": Literal["decoupled", "orthogonal", "gaussian", "small_gaussian", "pretrained"],
    "width": Field(ge=CLASSES),
    "count": Field(ge=2, le=1000),
    "lag": Annotated[float, Field(gt=1)] | None,
    "threshold": Field(gt=0, lt=1),
    "hold": api.Natural,
    "max_steps": api.Count,
    **dict.fromkeys(("lowest", "highest", "initial_strength", "deviation", "learning_rate"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of updates at two rates, as others soon diverge or lag; 1.4e-9 s a weight, measured.

    Nets with some inits are reduced to a few directions before training. Others, in float32, are trained at each rate.
    """
    rates, weights = run["rates"], run["depth"] * run["width"] ** 2
    if rates["lowest"] >= rates["highest"]:
        raise ValueError(f"rates: lowest {rates['lowest']} is not below highest {rates['highest']}; allowed: below")
    whole = run["init"] in ("gaussian", "small_gaussian")
    numbers = weights * ((rates["count"] + 1) / 2 if whole else 1) + rates["count"] * run["max_steps"]
    return api.Needs(numbers, 2 * run["max_steps"] * weights * 1.4e-9 / 60 if whole else 0)
