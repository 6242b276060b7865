from scopes import Scope

SCOPES = {
    # ReLU nets whose units are all active.
    "linear_nets_conserve_more": Scope(None, {"records": 1, "activation": "linear"}, seeds=4),
}
