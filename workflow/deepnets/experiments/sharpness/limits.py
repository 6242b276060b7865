from typing import Literal

from reproduce import api

_POSITIVE = dict.fromkeys(("strength", "ratio", "scale", "edge_share"), api.Positive)
_COUNTS = dict.fromkeys(("inputs", "outputs", "modes", "updates", "records"), api.Count)
LIMITS = {"init": Literal["aligned", "gaussian"], "covariance": Literal["white", "unequal"], **_POSITIVE, **_COUNTS}


def needs(run: dict) -> api.Needs:
    """Return the needs of all updates, and of the eigenvalues of all weights at each record."""
    small, large = sorted((run["inputs"], run["outputs"]))
    if run["modes"] > small:
        raise ValueError(f"modes: {run['modes']}, but only {small} inputs or outputs")
    weights, records = small * (small * run["depth"] + large), min(run["records"], run["updates"]) + 1
    minutes = (3e-5 * run["depth"] * run["updates"] + 4e-9 * weights**3 * records) / 60
    return api.Needs(4 * weights**2 + small * (large * records + run["updates"]), minutes)
