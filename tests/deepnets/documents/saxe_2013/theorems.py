from scopes import Scope

SCOPES = {
    "hyperbola_is_conserved": Scope({"steps": 120_000, "record_every": 1000}, {"starts": [[30, 30.5]], "steps": 4000}),
    "ends_of_learning": Scope(
        {"steps": 120_000, "record_every": 1000}, {"starts": [[-1.7, 1.7001], [-1.7, 1.7]], "steps": 4000}
    ),
    "balanced_half_times": Scope({}, {"initial_strength": 20}),
    "laws_of_random_matrices": Scope({"size": 60}, {"gain": 1.2}),
    "products_preserve_norms_on_average": Scope({"size": 30}, {"gain": 1.1}),
    "gradients_vanish_below_1": Scope({"size": 60}, {"init": "gaussian"}),
    "variance_dies_below_1": Scope({"size": 50}, {"gain": 0.95}),
}
