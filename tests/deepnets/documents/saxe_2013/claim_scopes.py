from scopes import Recorded, Scope

_DEPTHS, _CURVES = {"block": "depths"}, {"block": "learning_curves", "depth": 4, "width": 200}
_ORTHOGONAL, _PRETRAINED = ({"block": "depths", "init": init, "width": 100} for init in ("orthogonal", "pretrained"))
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
    "time_is_inverse_in_strength": Recorded(
        "mode_dynamics", ({"block": "small_random", "activation": "linear"}, {"activation": "tanh"})
    ),
    "plateaus_and_transitions": Scope(
        {"features": 100, "learning_rate": 0.005, "simulations": 1}, {"initial_strength": 3}, seeds=4
    ),
    # The strength of a mode at the start falls with depth.
    "times_saturate": Scope(
        None, lambda spec: {"width": 20, "max_steps": 4000, "initial_strength": 0.95 ** spec["depth"]}
    ),
    # It is not reproduced from 3 layers on, but from 28.
    "times_from_3_layers": Recorded("learning_time", ({**_DEPTHS, "depth": 2}, {"depth": 27})),
    # Orthogonal nets from 28 layers on.
    "gaussian_grows": Recorded(
        "learning_time",
        ({**_DEPTHS, "init": "gaussian", "depth": 99}, {"init": "orthogonal"}),
        ({**_DEPTHS, "init": "gaussian", "depth": 9}, {"init": "orthogonal", "depth": 27}),
    ),
    # From orthogonal weights.
    "pretraining_speeds_learning": Recorded(
        "learning_time",
        ({**_CURVES, "init": "small_gaussian"}, _ORTHOGONAL),
        ({**_CURVES, "init": "pretrained"}, _PRETRAINED),
    ),
    "isometry_at_the_edge_of_chaos": Recorded("spectra", ({"block": "jacobians", "gain": 1}, {"gain": 0.95})),
}
