"""Measures and criteria of the statements on the largest learning rate."""

from deepnets.documents.largest_rate import runs
from reproduce.claims.criteria import Between, Near
from reproduce.claims.measures import final
from reproduce.claims.statements import Ledger

TABLES = ("largest_rate",)
_LARGEST, _STABLE = "largest_rate_exponent", "stable_rate_exponent"


def ledger() -> Ledger:
    """Return the measures and criteria of the statements."""
    return Ledger(
        {
            "relu_exponent": (final(runs.RELU, _LARGEST), Near(-1.5, of="exponent")),
            "independent_of_width": (
                final(runs.RELU_ONE_IMAGE, "mean_largest_rate") / final(runs.RELU_NARROW, "mean_largest_rate"),
                Between(2**-0.5, 2**0.5),
            ),
            "stable_rate_exponent_of_linear_nets": (final(runs.ORTHOGONAL, _STABLE), Near(-1, of="exponent")),
            "relu_exponent_of_one_image": (final(runs.RELU_ONE_IMAGE, _LARGEST), Near(-1.5, of="exponent")),
            "orthogonal_linear_exponent": (final(runs.ORTHOGONAL, _LARGEST), Near(-1, of="exponent")),
            "gaussian_linear_exponent": (final(runs.GAUSSIAN, _LARGEST), Near(-1.418, of="exponent")),
            "stable_rate_exponent_of_relu_nets": (final(runs.RELU_ONE_IMAGE, _STABLE), Near(-1, of="exponent")),
        }
    )
