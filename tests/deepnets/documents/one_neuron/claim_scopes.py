from scopes import Scope

# Four times as fast, for statements that are not on errors of integration.
_COARSE = {"step_size": 0.04, "steps": 2000, "records": 60}
SCOPES = {
    "end_depends_on_the_imbalance": Scope(
        {"steps": 3000, "records": 2}, {"one_sample_inputs": [[0.5, 1], [1, 0]], "one_sample_labels": [1.1, 0.3]}
    ),
    "output_weight_may_change_its_sign": Scope(_COARSE, {"whitened_inputs": [[1, 0], [1, 1]]}),
}
_ERRORS, _UNFINISHED = "the criterion bounds errors of integration", "learning does not end within the time of the runs"
_FINITE = "the sentence is on a limit, and δ = ±40 is finite"
SILENT = {
    "imbalance_is_conserved": {
        "step_size": _ERRORS,
        "whitened_inputs": _ERRORS,
        "whitened_starts": "an imbalance that stays as it is has no exponent",
    },
    "late_rate_is_twice_the_squared_output_weight": dict.fromkeys(
        ("step_size", "steps", "whitened_labels"), _UNFINISHED
    ),
    "ends_of_strong_imbalances": dict.fromkeys(("one_sample_inputs", "one_sample_labels"), _FINITE),
}
