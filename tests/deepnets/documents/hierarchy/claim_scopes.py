from scopes import Recorded, Scope

_MAIN = {"block": "main", "dataset": "plain", "depth": 2, "scale": 1e-12, "learning_rate": 100}
SCOPES = {
    "tree_spectrum": Scope({"steps": 1}, {"features": 50}, seeds=10),
    # With fewer features, singular values and therefore stable rates change.
    "derivative_is_zero_at_the_solution": Scope(
        {"features": 100, "learning_rate": 10, "steps": 7500, "record_rsm_every": 50}, {"steps": 150}
    ),
    # Larger initial weights.
    "loss_has_bumps": Recorded("hierarchy", (_MAIN, {"block": "sliders", "scale": 1})),
    "modes_are_independent": Scope({"features": 1000, "learning_rate": 30}, {"scale": 1}, seeds=4),
    "representations_go_from_coarse_to_fine": Scope(None, {"scale": 1, "learning_rate": 20}, seeds=4),
    # Goldfish have bones.
    "shark_illusion": Recorded(
        "hierarchy", ({"block": "shark", "dataset": "shark"}, {"block": "bones", "dataset": "bones"})
    ),
    # 250 updates are too few at this rate.
    "deep_weights_are_analytical": Recorded("hierarchy", (_MAIN, {"block": "sliders", "learning_rate": 5})),
}
EVERYWHERE = {
    "strong_modes_come_first": "stronger modes come first from large weights too, and in data without a tree",
}
RELATIVE = {"larger_scale": "similarities are shares of the largest"}
