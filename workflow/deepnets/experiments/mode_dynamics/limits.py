from typing import Literal

from pydantic import Field

from reproduce import api

LIMITS = {
    "init": Literal["normal", "decoupled"],
    "activation": Literal["linear", "tanh"],
    "levels": Field(ge=1, le=30),
    "branches": Field(ge=2, le=30_000),
    "flip_probability": Field(ge=0, le=1),
    "data_seed": api.Seed,
    "recorded_modes": api.Distinct[api.Count],
    **dict.fromkeys(("simulations", "features", "hidden", "steps", "record_every"), api.Count),
    **dict.fromkeys(("learning_rate", "initial_strength"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of the tree, and of all updates of all nets, and their modes."""
    items, depth, hidden, updates = run["branches"] ** run["levels"], run["depth"], run["hidden"], run["steps"]
    if max(run["recorded_modes"], default=1) > items:
        raise ValueError(f"recorded_modes {run['recorded_modes']}; allowed: 1 to {items}, the items (branches^levels)")
    if run["init"] == "decoupled" and hidden < items and depth > 1:
        raise ValueError(
            f"init 'decoupled' gives each of {items} modes (branches^levels) its own direction in hidden layers of "
            f"{hidden} units; allowed: hidden of {items} or more"
        )
    of_nets = run["simulations"] * (2 * depth * items * max(items, hidden) + updates * items)
    minutes = api.minutes_of_updates(updates * run["simulations"], depth, items, items, hidden)
    return api.Needs(items * max(run["features"], items) + of_nets, minutes)
