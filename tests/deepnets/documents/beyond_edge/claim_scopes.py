from scopes import Recorded, Scope

_NETS = {"strength": 1, "ratio": 0.9, "departure": 0, "basis": "diagonal", "scale": 0.7}
SCOPES = {
    "flow_conserves_the_gap": Scope({"updates": 1000}, {"scale": 3}),
    "gap_decays_to_zero": Scope({"spread": 0.2}, {"ratio": 0.9, "departure": 0.01}),
    # Singular vectors of the layers differ by a millionth, at 10 % beyond the edge.
    "law_breaks_at_the_edge": Recorded(
        "beyond_edge", ({**_NETS, "depth": 3, "step": 105}, {"departure": 1e-6, "step": 110})
    ),
    # A target of 0.2, at a rate of 5.3: 106 % of the edge of two layers, and 95 % of that of four.
    "shallow_and_simple_nets_need_not_oscillate": Recorded(
        "beyond_edge",
        ({**_NETS, "depth": 4, "step": 120}, {"strength": 0.2, "step": 95}),
        ({**_NETS, "depth": 2, "step": 60}, {"strength": 0.2, "step": 106}),
    ),
}
