from typing import Literal

from pydantic import Field

from reproduce import api

LIMITS = {
    # The balance is that of two adjacent matrices.
    "depth": Field(ge=2),
    "activation": Literal["linear", "relu"],
    **dict.fromkeys(("inputs", "width", "outputs", "samples", "records"), api.Count),
    **dict.fromkeys(("learning_rate", "duration"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of all updates of the weights and activities."""
    depth, samples, widest = run["depth"], run["samples"], max(run["inputs"], run["width"], run["outputs"])
    updates = api.updates_in(run["duration"], run["learning_rate"])
    minutes = api.minutes_of_updates(updates, depth, samples, widest, widest)
    return api.Needs(depth * widest * (widest + samples), minutes)
