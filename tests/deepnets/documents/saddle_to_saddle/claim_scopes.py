from scopes import Scope, multiply

# One layer learns all modes at once.
_ONE_LAYER = Scope(None, {"depth": 1, "updates": 1000}, seeds=4)
SCOPES = {
    "imbalance_is_conserved": Scope(lambda spec: {"updates": spec["updates"] // 5}, multiply(learning_rate=20)),
    "modes_come_in_strict_order": _ONE_LAYER,
    "separations_widen": _ONE_LAYER,
    # Larger weights.
    "loss_rests_on_plateaus": Scope(None, {"scale": 0.01, "updates": 4000}, seeds=4),
}
