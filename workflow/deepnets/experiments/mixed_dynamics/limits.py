from reproduce import api

LIMITS = {
    "modes": api.Distinct[api.Count],
    **dict.fromkeys(("size", "rank", "updates"), api.Count),
    **dict.fromkeys(("width_exponent", "learning_rate"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of all updates of the products of the layers, of which the width does not change the size."""
    size = run["size"]
    return api.Needs(20 * size**2, api.minutes_of_updates(run["updates"], 4, size, size, size))
