"""Measures and criteria of the statements on what gradient flow conserves."""

import numpy as np
import pandas as pd

from deepnets.documents.balancedness import runs
from reproduce.claims.criteria import Between, Every, Near
from reproduce.claims.measures import Measure, extreme, final, measure
from reproduce.claims.statements import Ledger
from reproduce.tables.estimates import fit_power_law
from reproduce.tables.matrices import by_seed
from reproduce.tables.rows import last_rows, rows_of
from reproduce.tables.selection import Selection

TABLES = ("balancedness", "unequal_layers")
# Gradient descent differs from gradient flow by the first power of the rate, and by higher ones.
_FIRST_POWER = Near(1, of="exponent")
_ROUND_OFF = Every(greatest=1e-12)


def ledger() -> Ledger:
    """Return the measures and criteria of the statements."""
    return Ledger(
        {
            "linear_drift_is_proportional_to_rate": (_exponent(runs.LINEAR, "matrix_drift"), _FIRST_POWER),
            "first_order_cancels": {
                "linear: matrix": (extreme(runs.LINEAR, "unexplained_change", pick="max"), _ROUND_OFF),
                "ReLU: each neuron": (extreme(runs.RELU, "unexplained_change", pick="max"), _ROUND_OFF),
            },
            "relu_drift_is_proportional_to_rate": {
                "each neuron": (_exponent(runs.RELU, "neuron_drift"), _FIRST_POWER),
                "each layer": (_exponent(runs.RELU, "layer_drift"), _FIRST_POWER),
            },
            "linear_nets_conserve_more": (
                _exponent(runs.LINEAR, "matrix_drift") - _exponent(runs.RELU, "matrix_drift"),
                Between(least=0.5),
            ),
            "closed_form_holds": {
                f"imbalance {imbalance:g}": (
                    _exponent(runs.MODE.but(imbalance=imbalance), "largest_error"),
                    _FIRST_POWER,
                )
                for imbalance in runs.IMBALANCES["imbalance"]
            },
            "unequal_layers_learn_exponentially": (final(runs.LAZY, "error_decay"), Between(5, 29**0.5)),
        }
    )


def _exponent(selection: Selection, metric: str) -> Measure:
    """Measure the power of the learning rate with which the last value of a metric grows, one exponent per seed."""

    def fit(rows: pd.DataFrame) -> np.ndarray:
        seeds = by_seed(last_rows(rows_of(rows, metric)), down="learning_rate")
        return fit_power_law(seeds.index, seeds)[0]

    return measure(fit, selection)
