"""The claims of document 002's results on resnets with batch normalisation."""

import numpy as np

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, MeanWithin
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.propagation.claims.bounds import within_bounds
from workflow.deepnets.documents.propagation.criteria import (
    EACH,
    FEW,
    PREFERENCE,
)
from workflow.deepnets.documents.propagation.measures import (
    at,
    distance_from_power_law,
    preference_for_power,
    rows_of_net,
    slope_against_depth,
)
from workflow.deepnets.documents.propagation.printed import READINGS
from workflow.deepnets.documents.propagation.quantities import (
    INCREMENT,
    exponents,
    increment_bound,
    log,
    product_of_bounds,
    relative_sensitivity,
    values_of,
)
from workflow.deepnets.documents.propagation.runs import BN_FF, BN_RES, CONNECTED_BN_RES
from workflow.deepnets.theory.sensitivity import residual_increment


def resnets() -> list[Claim]:
    """Return the claims of the slide "Batch-Normalized ResNets", without those on its picture."""
    slides = Section('"Batch-Normalized ResNets"', "batch_normalized_resnet")
    versions, formulas = slides.with_figure("logarithmic_version"), slides.with_figure("")
    experiments = slides.at("experiments")
    return [
        formulas.trend(
            "residual_branch_is_diluted",
            "The share of a unit's branch in the variance of the signal falls as 1/(l + 1).",
            slope_against_depth(BN_RES, log(values_of("variance_share_branch"))),
            MeanWithin(-1.05, -0.95),
            because="The slope of its logarithm over ln(l + 1) is −1, to 5 %: “∝” is a statement of large depths.",
            quantity="slope of ln(share of the branch in the variance) over ln(l + 1)",
            printed="",
        ),
        within_bounds(
            slides,
            "unit_increment",
            "δχ of a residual unit",
            CONNECTED_BN_RES,
            INCREMENT,
            increment_bound(min),
            increment_bound(max),
            printed="(1 + 2τ/(l+1))^½ with the least and the greatest τ",
            explanation=(
                "Chance may explain it. At the units closest to the bounds, the mean is beyond them by less than three "
                "standard errors, which chance explains at one of 60 units: all τ of deep units are nearly equal, and "
                "the two bounds with them."
            ),
        ),
        within_bounds(
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
            "The bounds on δχ multiply up to powers of depth with the same exponents.",
            _exponent_of_product,
            Every(0.98, 1.02),
            quantity="exponent of the product of the bounds, over τ",
            because="The exponent of the product between units 100 and 500, over τ: equal but for terms in 1/l.",
        ),
        versions.ordering(
            "resnets_grow_as_a_power",
            "χ of a resnet with batch normalisation evolves as a power of depth, not exponentially.",
            preference_for_power(BN_RES),
            Every(least=0),
            because=f"A power law leaves the smaller error of ln χ, from a tenth of the depth on. {EACH}",
            quantity=PREFERENCE,
            main="the first theoretical result of the slide on resnets",
        ),
        versions.ordering(
            "feedforward_nets_grow_exponentially",
            "χ of a feedforward net with batch normalisation grows exponentially, so that a resnet is its logarithmic "
            "version.",
            preference_for_power(BN_FF),
            Every(greatest=0),
            because=f"Here an exponential leaves the smaller error. {EACH}",
            quantity=PREFERENCE,
        ),
        experiments.bound(
            "many_directions_are_left",
            "In deep resnets with batch normalisation, many directions of variance are left.",
            at(BN_RES, values_of("effective_rank_signal_branch"), -1),
            Every(least=FEW),
            because=f"{FEW:g} is the geometric mean of the ranks at which the pictures' two nets end. {EACH}",
            quantity="effective rank of the signal in the last branch",
            revised=(
                "all units were judged; the first have few directions in convolutions (1.9), as the images have few in "
                "their 3 × 3 points"
            ),
        ),
        experiments.bound(
            "power_law_fits_perfectly",
            "The power law C·l^τ, with τ of the branch's increments, fits χ of a resnet perfectly.",
            distance_from_power_law(BN_RES),
            Every(greatest=READINGS["resnet_sensitivity"][500].line),
            because="In the picture the two curves lie on one another to within the width of their lines, 0.9 in χ.",
            quantity="largest distance of mean χ from the power law",
            main="the slide on resnets lists it as an experimental result",
        ),
    ]


def _exponent_of_product(evidence: Evidence) -> np.ndarray:
    """Return the exponent of the product of bounds between units 100 and 500, over τ, for the least and greatest τ."""
    of_units = exponents(rows_of_net(evidence, CONNECTED_BN_RES))
    ratios = []
    for exponent in (of_units.min(), of_units.max()):
        logs = np.cumsum(np.log(residual_increment(np.arange(1, 501), exponent)))
        ratios.append((logs[499] - logs[99]) / np.log(5) / exponent)
    return np.array(ratios)
