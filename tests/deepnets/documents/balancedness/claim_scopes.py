from scopes import Scope, multiply

_LONGER = {"duration": 300, "records": 1}
SCOPES = {
    "linear_drift_is_proportional_to_rate": Scope({"records": 1}, multiply(learning_rate=30), _LONGER, seeds=4),
    "relu_drift_is_proportional_to_rate": Scope(
        {"records": 1, "width": 30, "duration": 5}, multiply(learning_rate=30), _LONGER, seeds=5
    ),
    "closed_form_holds": Scope(multiply(learning_rate=2, duration=30), {"imbalance": 300, "duration": 6}),
    "unequal_layers_learn_exponentially": Scope({"duration": 180}, {"initial_strength": -10}),
    # ReLU nets whose units are all active.
    "linear_nets_conserve_more": Scope(None, {"records": 1, "activation": "linear"}, seeds=4),
}
