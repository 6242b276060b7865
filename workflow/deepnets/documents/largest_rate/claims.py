"""Measures and criteria of the statements on the largest learning rate."""

from deepnets.documents.largest_rate.runs import GAUSSIAN, ORTHOGONAL, RELU, RELU_NARROW, RELU_ONE_IMAGE
from reproduce.claims.criteria import Between, Near
from reproduce.claims.measures import final
from reproduce.claims.statements import Ledger

TABLES = ("largest_rate",)
_LARGEST, _STABLE = "largest_rate_exponent", "stable_rate_exponent"


def ledger() -> Ledger:
    """Return the measures and criteria of the statements."""
    return Ledger(
        {
            "relu_exponent": (final(RELU, _LARGEST), Near(-1.5, of="exponent")),
            "independent_of_width": (
                final(RELU_ONE_IMAGE, "mean_largest_rate") / final(RELU_NARROW, "mean_largest_rate"),
                Between(2**-0.5, 2**0.5),
            ),
            "stable_rate_exponent_of_linear_nets": (final(ORTHOGONAL, _STABLE), Near(-1, of="exponent")),
            "relu_exponent_of_one_image": (final(RELU_ONE_IMAGE, _LARGEST), Near(-1.5, of="exponent")),
            "orthogonal_linear_exponent": (final(ORTHOGONAL, _LARGEST), Near(-1, of="exponent")),
            "gaussian_linear_exponent": (final(GAUSSIAN, _LARGEST), Near(-1.418, of="exponent")),
            "stable_rate_exponent_of_relu_nets": (final(RELU_ONE_IMAGE, _STABLE), Near(-1, of="exponent")),
        }
    )
