from scopes import Recorded

_VANILLA = {
    **{"block": "vanilla", "arch": "feedforward", "norm": "none"},
    **{"kernel": 3, "width": 512, "batch": 8, "depth": 200},
}
_BN_FF = {**_VANILLA, "block": "bn_ff", "norm": "batch", "width": 128, "batch": 64}
_BN_RES = {**_VANILLA, "block": "bn_res", "arch": "residual", "norm": "batch", "width": 256, "batch": 16, "depth": 500}
_CONNECTED = {**_VANILLA, "block": "fully_connected", "kernel": 1, "batch": 64}
_CONNECTED_BN_RES = {**_CONNECTED, "arch": "residual", "norm": "batch", "depth": 500}
_WITHOUT_NORM = {**_CONNECTED, "block": "unnormalized_resnets", "arch": "residual", "depth": 100}


def _instead(net: dict, other: dict) -> Recorded:
    return Recorded("propagation", (net, other))


SCOPES = {
    "vanilla_signal_is_one_dimensional": _instead(_CONNECTED, _CONNECTED_BN_RES),
    "few_directions_are_left": _instead(_BN_FF, _BN_RES),
    "sensitivity_explodes": _instead(_BN_FF, _VANILLA),
    "resnets_grow_as_a_power": _instead(_BN_RES, _BN_FF),
    "many_directions_are_left": _instead(_BN_RES, _WITHOUT_NORM),
    "only_resnets_are_well_behaved": _instead(_BN_FF, _BN_RES),
    "gap_of_expressivity": _instead(_BN_FF, _VANILLA),
}
EVERYWHERE = {
    "nets_are_noise_amplifiers": "with photographs, every net of ours amplifies noise",
    "power_law_fits_perfectly": "resnets without normalisation follow one too; others have no exponent",
    "both_operators": "no set-up of ours, of any normalisation, activation or kind, leaves the bounds",
}
