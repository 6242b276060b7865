from scopes import Scope

SCOPES = {
    "tree_spectrum": Scope({"steps": 1}, {"features": 50}, seeds=10),
    # With fewer features, singular values and therefore stable rates change.
    "derivative_is_zero_at_the_solution": Scope(
        {"features": 100, "learning_rate": 10, "steps": 7500, "record_rsm_every": 50}, {"steps": 150}
    ),
}
