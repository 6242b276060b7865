from scopes import Scope

SCOPES = {
    # Two layers that do not start at 0 learn.
    "two_zero_layers_stay_zero": Scope({}, lambda spec: {"init": "xavier_normal"} if spec["depth"] == 2 else {}),
}
