from scopes import Recorded, Scope

_ACTIVE = {"threshold_exponent": -0.45, "width_exponent": 1.75}
_MIXED = {"threshold_exponent": 0.394828, "width_exponent": 2.256897}
_LAZY = {"threshold_exponent": 1.372414, "width_exponent": 2.8}
SCOPES = {
    "modes_grow_by_the_formula": Scope({"updates": 100}, {"width_exponent": 1.5}),
    "mixed_regime_has_a_low_rank_bias": Recorded("mixed_dynamics", (_ACTIVE, _LAZY), (_MIXED, _LAZY)),
    "only_active_nets_find_the_signal": Recorded("mixed_dynamics", (_ACTIVE, _LAZY)),
}
SILENT = {"random_weights_converge": {"stop_early": "a net that is stopped early has not ended training"}}
