from scopes import Scope

# Four times as fast, for statements that are not on errors of integration.
_COARSE = {"step_size": 0.04, "steps": 2000, "records": 60}
SCOPES = {
    "end_depends_on_the_imbalance": Scope(
        {"steps": 3000, "records": 2}, {"one_sample_inputs": [[0.5, 1], [1, 0]], "one_sample_labels": [1.1, 0.3]}
    ),
    "output_weight_may_change_its_sign": Scope(_COARSE, {"whitened_inputs": [[1, 0], [1, 1]]}),
}
