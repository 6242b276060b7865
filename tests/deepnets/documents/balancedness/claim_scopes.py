from scopes import Scope, multiply

SCOPES = {
    "relu_drift_is_proportional_to_rate": Scope(
        {"records": 1, "width": 30, "duration": 5}, multiply(learning_rate=30), seeds=5
    ),
    "closed_form_holds": Scope(multiply(learning_rate=2, duration=30), {"imbalance": 300, "duration": 6}),
    # ReLU nets whose units are all active.
    "linear_nets_conserve_more": Scope(None, {"records": 1, "activation": "linear"}, seeds=4),
}
