"""The claims on what gradient flow conserves."""

import numpy as np

from deepnets.claims.claim import Claim, Coverage, Erratum
from deepnets.claims.criteria import Every
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import Measure, as_measure, difference, extreme, final
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.balancedness.runs import IMBALANCES, LAZY, LINEAR, MODE, RELU
from deepnets.tables.estimates import fit_power_law
from deepnets.tables.matrices import by_seed
from deepnets.tables.rows import last_rows, rows_of

TABLES = ("balancedness", "unequal_layers")
_NETS = "balancedness"
_MODE = "unequal_layers"
# Gradient descent differs from gradient flow by the first power of the rate, and by higher ones.
_FIRST_POWER = Every(least=0.9, greatest=1.1)
_WHY_FIRST_POWER = (
    "The first-order terms of an update cancel, which leaves rate² per update and, in a fixed time, the first power. "
    "The next power shifts the exponent by about rate × sharpness / 2, at most 0.1 here. What is not conserved has 0."
)


def ledger() -> list[Claim | Erratum | Coverage]:
    """Return the coverage and the claims: linear nets, ReLU nets, unequal layers."""
    linear = Section("Arora et al., Theorem 1 and its proof; Du et al., Section 2", "drifts")
    relu = Section("Du et al., Theorem 2.1 and Corollary 2.1", "drifts")
    mode = Section("Saxe et al., Section 1.3 and Appendix A", "strengths")
    exponent = "exponent of the drift as a power of the learning rate, at a fixed training time"
    rounding = Every(greatest=1e-12)
    return [
        # The papers print no number on these theorems.
        Coverage(printed=0),
        linear.bound(
            "linear_drift_is_proportional_to_rate",
            "In a linear net, gradient descent conserves the matrix AᵀA − BBᵀ of adjacent layers, up to a change "
            "proportional to the learning rate.",
            _exponent(_NETS, "matrix_drift", **LINEAR),
            _FIRST_POWER,
            because=_WHY_FIRST_POWER,
            quantity=exponent,
            main="it is the theorem, for gradient descent",
        ),
        linear.identity(
            "first_order_cancels",
            "One update changes what gradient flow conserves by rate² times the same expression of the gradients, and "
            "by nothing of first order.",
            *combine_parts(
                {
                    "linear: matrix": (_unexplained(**LINEAR), rounding),
                    "ReLU: each neuron": (_unexplained(**RELU), rounding),
                }
            ),
            because="The limit is a bound on rounding errors.",
            quantity="largest change of an entry in one update that the rate² term does not explain",
        ),
        relu.bound(
            "relu_drift_is_proportional_to_rate",
            "In a ReLU net, gradient descent conserves squared incoming minus squared outgoing weights, of each neuron "
            "and of each layer, up to a change proportional to the learning rate.",
            *combine_parts(
                {
                    "each neuron": (_exponent(_NETS, "neuron_drift", **RELU), _FIRST_POWER),
                    "each layer": (_exponent(_NETS, "layer_drift", **RELU), _FIRST_POWER),
                }
            ),
            because=_WHY_FIRST_POWER,
            quantity=exponent,
            main="it is the theorem, for gradient descent",
        ),
        linear.ordering(
            "linear_nets_conserve_more",
            "Linear nets have the stronger property: the change of the whole matrix vanishes with the learning rate "
            "there, but not in ReLU nets.",
            difference(_exponent(_NETS, "matrix_drift", **LINEAR), _exponent(_NETS, "matrix_drift", **RELU)),
            Every(least=0.5),
            because="The exponent is 1 for what gradient flow conserves, and 0 for what it changes: half of the "
            "difference decides.",
            quantity="exponent of a linear net minus that of a ReLU net",
        ),
        mode.bound(
            "closed_form_holds",
            "In two layers of one weight each, the strength follows the closed form, up to an error proportional to "
            "the learning rate.",
            *combine_parts(
                {
                    f"imbalance {imbalance:g}": (
                        _exponent(_MODE, "largest_error", **{**MODE, "imbalance": imbalance}),
                        _FIRST_POWER,
                    )
                    for imbalance in IMBALANCES["imbalance"]
                }
            ),
            because="Gradient descent is Euler's method, of first order. If the closed form were wrong, the exponent "
            "would be 0.",
            quantity="exponent of the largest error as a power of the learning rate",
            main="it gives the course of learning from lazy to rich",
        ),
        mode.bound(
            "unequal_layers_learn_exponentially",
            "With unequal layers, the rest to learn decays at a rate between the imbalance λ and √(λ² + 4): about "
            "exponentially, if λ is large.",
            final(_MODE, "error_decay", **LAZY),
            Every(least=5, greatest=29**0.5),
            because="The strength lies between 0 and 1, so that √(λ² + 4s²) lies between these bounds; λ is 5.",
            quantity="mean rate at which the rest decays until nine tenths are learned",
        ),
    ]


def _unexplained(**runs: object) -> Measure:
    """Return the measure of the largest change in one update that the rate² term does not explain."""
    return extreme(_NETS, "unexplained_change", pick="max", **runs)


@as_measure
def _exponent(evidence: Evidence, experiment: str, metric: str, **runs: object) -> np.ndarray:
    """Return the power of the learning rate with which the last value of a metric grows, one exponent per seed."""
    last = last_rows(rows_of(evidence.runs(experiment, **runs), metric))
    seeds = by_seed(last, down="learning_rate")
    return fit_power_law(seeds.index, seeds)[0]
