import numpy as np
import pandas as pd

from reproduce import api

TABLES = ("balancedness", "unequal_layers")
# Three learning rates, each for the same training time.
LINEAR = api.Selection(
    "balancedness", depth=3, init="gaussian", learning_rate=[0.002, 0.004, 0.008], activation="linear"
)
_RELU = LINEAR.but(activation="relu")
# Nets of two layers with one weight each, at two learning rates. With imbalance 0, both weights start equal.
_MODE = api.Selection("unequal_layers", depth=2, init="unequal", learning_rate=[0.001, 0.002])
_IMBALANCES = [0, 0.1, 1, 5]
SLOW = _MODE.but(imbalance=_IMBALANCES, learning_rate=0.001)


def decisions() -> api.Decisions:
    """Return the tests of the statements. Gradient descent differs from gradient flow by a power of the rate."""
    linear, relu, neuron, layer = (
        _power_of_rate(nets, metric=f"{name}_drift")
        for nets, name in ((LINEAR, "matrix"), (_RELU, "matrix"), (_RELU, "neuron"), (_RELU, "layer"))
    )
    errors = api.family(
        "imbalance", _IMBALANCES, lambda each: _power_of_rate(_MODE.but(imbalance=each), metric="largest_error")
    )
    return api.Decisions(
        {
            "linear_drift_is_proportional_to_rate": linear.near(1, "exponent"),
            "relu_drift_is_proportional_to_rate": {
                "each neuron": neuron.near(1, "exponent"),
                "each layer": layer.near(1, "exponent"),
            },
            "linear_nets_conserve_more": linear - relu > 0.5,
            "closed_form_holds": errors.near(1, "exponent"),
            "unequal_layers_learn_exponentially": api.final(SLOW.but(imbalance=5), "error_decay").every(5, 29**0.5),
        }
    )


@api.measured
def _power_of_rate(nets: pd.DataFrame, metric: str) -> np.ndarray:
    seeds = api.by_seed(api.last_rows(api.rows_of(nets, metric)), down="learning_rate")
    return api.fit_power_law(seeds.index, seeds)[0]
