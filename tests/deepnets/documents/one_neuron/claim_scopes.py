from scopes import Scope, multiply

_STRETCHED = {"whitened_inputs": [[2, 0], [0, 1]]}
# Four times as fast, for statements that are not on errors of integration.
_COARSE = {"step_size": 0.04, "steps": 2000, "records": 60}
_SHORT = {"steps": 800, "records": 20}
# A start in the direction of the labels: only the length of the weights changes, and no kernel turns.
_ALIGNED = Scope(None, {**_COARSE, "whitened_starts": [[0, 1]]})
SCOPES = {
    "imbalance_is_conserved": Scope(_SHORT, multiply(step_size=30)),
    "solution_is_exact": Scope(_SHORT, _STRETCHED),
    "kernel_distance_has_a_closed_form": Scope(_COARSE, {"whitened_starts": [[-2, 0]]}),
    "late_rate_is_twice_the_squared_output_weight": Scope(_COARSE, _STRETCHED),
    "end_depends_on_the_imbalance": Scope(
        {"steps": 3000, "records": 2}, {"one_sample_inputs": [[0.5, 1], [1, 0]], "one_sample_labels": [1.1, 0.3]}
    ),
    "ends_of_strong_imbalances": Scope({"steps": 800, "records": 2}, {"one_sample_labels": [110]}),
    "output_weight_may_change_its_sign": Scope(_COARSE, {"whitened_inputs": [[1, 0], [1, 1]]}),
    "imbalance_sets_feature_learning": _ALIGNED,
    "rapid_feature_learning_needs_balance": _ALIGNED,
}
