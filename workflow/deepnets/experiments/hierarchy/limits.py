from typing import Literal

from pydantic import Field

from reproduce import api

LIMITS = {
    "dataset": api.Name,
    "init": Literal["fan_sum_normal", "fan_in_uniform"],
    "draw": api.Natural,
    "levels": Field(ge=1, le=30),
    "branches": Field(ge=2, le=30_000),
    "flip_probability": Field(ge=0, le=1),
    **dict.fromkeys(("record_rsm_every", "features", "hidden", "steps", "recorded_features"), api.Count),
    **dict.fromkeys(("scale", "learning_rate"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of the tree, and of all updates and data sets drawn, of which each takes less than an update."""
    items, data = run["branches"] ** run["levels"], run["data"]
    if len(added := data.keys() & {"added_feature", "illusory_item"}) == 1:
        raise ValueError(f"data has only {added.pop()}; allowed: added_feature and illusory_item, or neither")
    feature, item = data.get("added_feature"), data.get("illusory_item")
    if added and (len(feature) != items or {*feature} - {-1, 1}):
        raise ValueError(f"data: added_feature {feature}; allowed: -1 or 1 for each of {items} items (branches^levels)")
    if added and not 0 <= item < items:
        raise ValueError(f"data: illusory_item {item}; allowed: 0 to {items - 1}, of {items} items (branches^levels)")
    updates = run["steps"] + data["draw"]
    minutes = api.minutes_of_updates(updates, run["depth"], items, run["features"], run["hidden"])
    return api.Needs(items * max(run["features"], items, run["hidden"]), minutes)
