"""Claims of document 002's results on resnets with batch normalisation."""

import numpy as np

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every, MeanWithin
from deepnets.claims.evidence import Evidence
from deepnets.claims.section import Section
from deepnets.documents.propagation.claims.bounds import claim_within_bounds
from deepnets.documents.propagation.criteria import (
    EACH,
    FEW,
    POWER_FITS_BETTER,
    PREFERENCE,
)
from deepnets.documents.propagation.measures import (
    at_layer,
    distance_from_power_law,
    preference_for_power,
    rows_of_net,
    slope_against_depth,
)
from deepnets.documents.propagation.printed import READINGS
from deepnets.documents.propagation.quantities import (
    INCREMENT,
    exponents,
    increment_bound,
    log,
    product_of_bounds,
    relative_sensitivity,
    values_of,
)
from deepnets.documents.propagation.runs import BN_FF, BN_RES, CONNECTED_BN_RES
from deepnets.theory.sensitivity import residual_increment


def resnets() -> list[Claim]:
    """Return the claims of the slide "Batch-Normalized ResNets", without its picture."""
    slides = Section('"Batch-Normalized ResNets"', "batch_normalized_resnet")
    versions, formulas = slides.with_figure("logarithmic_version"), slides.with_figure("")
    experiments = slides.at("experiments")
    return [
        formulas.trend(
            "residual_branch_is_diluted",
            "The share of a unit's residual branch in the variance of the signal falls as 1/(l + 1).",
            slope_against_depth(BN_RES, log(values_of("variance_share_branch"))),
            MeanWithin(-1.05, -0.95),
            because="The slope of ln(share) against ln(l + 1) is −1. We allow 5 %, as “∝” holds for large depths.",
            quantity="slope of ln(share of the branch in the variance) against ln(l + 1)",
            printed="",
        ),
        claim_within_bounds(
            slides,
            "unit_increment",
            "δχ of a residual unit",
            CONNECTED_BN_RES,
            INCREMENT,
            increment_bound(min),
            increment_bound(max),
            printed="(1 + 2τ/(l+1))^½ with the least and the greatest τ",
            explanation=(
                "Chance may explain it. At the units closest to the bounds, the mean is outside by less than three "
                "standard errors, which chance explains at one of 60 units: τ is nearly equal in all deep units, so "
                "that the two bounds nearly coincide."
            ),
        ),
        claim_within_bounds(
            slides,
            "unit_sensitivity",
            "χ of a resnet",
            CONNECTED_BN_RES,
            relative_sensitivity,
            product_of_bounds(min),
            product_of_bounds(max),
            printed="C·l^τ with the least and the greatest τ",
        ),
        formulas.identity(
            "bounds_integrate_to_powers",
            "The products of the bounds on δχ are powers of depth with the same exponents τ.",
            _exponent_of_product,
            Every(0.98, 1.02),
            quantity="exponent of the product of the bounds, divided by τ",
            because="Between units 100 and 500, the exponent of the product equals τ up to terms in 1/l.",
        ),
        versions.ordering(
            "resnets_grow_as_a_power",
            "In a resnet with batch normalisation, χ grows as a power of depth, not exponentially.",
            preference_for_power(BN_RES),
            Every(least=0),
            because=f"{POWER_FITS_BETTER} {EACH}",
            quantity=PREFERENCE,
            main="the first theoretical result of the slide on resnets",
        ),
        versions.ordering(
            "feedforward_nets_grow_exponentially",
            "In a feedforward net with batch normalisation, χ grows exponentially, so that a resnet is its logarithmic "
            "version.",
            preference_for_power(BN_FF),
            Every(greatest=0),
            because=f"An exponential fits ln χ with a smaller error than a power law. {EACH}",
            quantity=PREFERENCE,
        ),
        experiments.bound(
            "many_directions_are_left",
            "In deep resnets with batch normalisation, many directions of variance are left.",
            at_layer(BN_RES, values_of("effective_rank_signal_branch"), -1),
            Every(least=FEW),
            because=f"{FEW:g} is the geometric mean of the last effective ranks of the pictures' two nets. {EACH}",
            quantity="effective rank of the signal in the last branch",
            revised=(
                "all units were judged; the first have few directions in convolutions (1.9), as the images have few in "
                "their 3 × 3 points"
            ),
        ),
        experiments.bound(
            "power_law_fits_perfectly",
            "The power law C·l^τ, with τ from the increments in the branch, fits χ of a resnet perfectly.",
            distance_from_power_law(BN_RES),
            Every(greatest=READINGS["resnet_sensitivity"][500].line),
            because="In the picture, the two curves coincide within the width of their lines, 0.9 in χ.",
            quantity="largest distance of mean χ from the power law",
            main="the slide on resnets lists it as an experimental result",
        ),
    ]


def _exponent_of_product(evidence: Evidence) -> np.ndarray:
    """Return (exponent of the product of bounds between units 100 and 500) / τ, for the least and the greatest τ."""
    of_units = exponents(rows_of_net(evidence, CONNECTED_BN_RES))
    ratios = []
    for exponent in (of_units.min(), of_units.max()):
        logs = np.cumsum(np.log(residual_increment(np.arange(1, 501), exponent)))
        ratios.append((logs[499] - logs[99]) / np.log(5) / exponent)
    return np.array(ratios)
