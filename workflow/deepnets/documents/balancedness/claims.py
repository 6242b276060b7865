import numpy as np
import pandas as pd

from deepnets.documents.balancedness import runs
from reproduce import api

TABLES = ("balancedness", "unequal_layers")
# Gradient descent differs from gradient flow by the first power of the rate, and by higher ones.
_FIRST_POWER = api.Near(1, of="exponent")


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    return api.Decisions(
        {
            "linear_drift_is_proportional_to_rate": (_exponent(runs.LINEAR, "matrix_drift"), _FIRST_POWER),
            "relu_drift_is_proportional_to_rate": {
                "each neuron": (_exponent(runs.RELU, "neuron_drift"), _FIRST_POWER),
                "each layer": (_exponent(runs.RELU, "layer_drift"), _FIRST_POWER),
            },
            "linear_nets_conserve_more": _exponent(runs.LINEAR, "matrix_drift") - _exponent(runs.RELU, "matrix_drift")
            > 0.5,
            "closed_form_holds": {
                f"imbalance {imbalance:g}": (
                    _exponent(runs.MODE.but(imbalance=imbalance), "largest_error"),
                    _FIRST_POWER,
                )
                for imbalance in runs.IMBALANCES["imbalance"]
            },
            "unequal_layers_learn_exponentially": api.final(runs.LAZY, "error_decay").every(5, 29**0.5),
        }
    )


def _exponent(selection: api.Selection, metric: str) -> api.Measure:
    """Measure the power of the learning rate with which the last value of a metric grows, one exponent per seed."""

    def fit(rows: pd.DataFrame) -> np.ndarray:
        seeds = api.by_seed(api.last_rows(api.rows_of(rows, metric)), down="learning_rate")
        return api.fit_power_law(seeds.index, seeds)[0]

    return api.measure(fit, selection)
