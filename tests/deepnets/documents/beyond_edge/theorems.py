from scopes import Scope

_TURNED = Scope({"spread": 0.2}, {"departure": 0.01})
SCOPES = {
    "flow_conserves_the_gap": Scope({"updates": 1000}, {"scale": 3}),
    "gap_decays_to_zero": Scope({"spread": 0.2}, {"ratio": 0.9, "departure": 0.01}),
    "rate_sets_the_dimension": _TURNED,
}
