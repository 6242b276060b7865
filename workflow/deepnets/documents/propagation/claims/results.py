"""The claims of document 002's results: vanilla nets, and feedforward nets and resnets with batch normalisation."""

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Mean, MeanWithin
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import difference
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.propagation.criteria import (
    EACH,
    ERRORS,
    EXPLODING,
    FEW,
    IN_EXPECTATION,
    LINE,
    NOT_NEGLIGIBLE,
    ROUNDING,
)
from workflow.deepnets.documents.propagation.measures import (
    at,
    distance_from_power_law,
    furthest_from_1,
    growth,
    over_bound,
    over_layers,
    preference_for_power,
    rows_of_net,
    slope_against_depth,
    where,
)
from workflow.deepnets.documents.propagation.printed import READINGS
from workflow.deepnets.documents.propagation.quantities import (
    DELTA_BN,
    DELTA_RELU,
    INCREMENT,
    LOG_CHI,
    RANK,
    Bound,
    Quantity,
    exponents,
    increment_bound,
    log,
    product_of_bounds,
    relative_sensitivity,
    values_of,
)
from workflow.deepnets.documents.propagation.runs import BN_FF, BN_RES, NARROW, NARROW_CONVOLUTIONAL, VANILLA, Net
from workflow.deepnets.tables.rows import runs_of
from workflow.deepnets.theory.sensitivity import INCREMENT_BOUNDS, residual_increment

_LOWER, _UPPER = INCREMENT_BOUNDS


def results() -> list[Claim]:
    """Return the claims of the slides on the three set-ups, without those on their pictures."""
    return [*_vanilla(), *_feedforward(), *_residual()]


def _vanilla() -> list[Claim]:
    slides = Section('"Vanilla Nets"', "vanilla")
    compared = slides.with_figure("convolutional_and_fully_connected")
    semi_line, linear = slides.at("2").with_figure("one_dimensional_signal"), slides.at("2c").with_figure("")
    return [
        *_bounds(slides, "vanilla_increment", "δχ", VANILLA, INCREMENT, _LOWER, _UPPER),
        compared.bound(
            "no_third_possibility",
            "There are two possibilities only: an exploding sensitivity, or a signal on a line.",
            _one_of_two_possibilities,
            Every(least=1),
            because=(
                "Each simulation of vanilla nets, narrow, wide and convolutional, is to show one: a rank nearer "
                "to a line (1) than to a plane (2) at the end, or a growth of χ by 1 % a layer over the second half."
            ),
        ),
        slides.at("2a").bound(
            "vanilla_signal_is_one_dimensional",
            "The signal becomes one-dimensional: its effective rank tends to 1.",
            at(VANILLA, RANK, -1),
            Every(1 - 1e-6, 1.1),
            because=f"At the last layer, nine tenths of the way from a plane (2) to a line (1) at least. {EACH}",
            printed="1",
        ),
        semi_line.bound(
            "vanilla_signal_is_on_a_semi_line",
            "It concentrates on the semi-line of its mean: every point lies near it, on its side of 0.",
            _cosine_with_mean,
            Every(least=0.9),
            because="The cosine with the mean of each point recorded, in the plane of the mean and of most variance.",
        ),
        compared.at("2b").trend(
            "vanilla_sensitivity_is_subexponential",
            "χ grows less than exponentially: ln χ grows by less over the second half of the depth.",
            difference(growth(VANILLA, LOG_CHI, half=1), growth(VANILLA, LOG_CHI, half=2)),
            Mean(least=0),
            because="An exponential grows by the same amount over both; the difference is to be beyond chance.",
        ),
        linear.trend(
            "vanilla_layers_become_linear",
            "Layers are the better approximated by a linear map the deeper they lie.",
            slope_against_depth(VANILLA, log(values_of("linear_residual"))),
            Every(greatest=0),
            because=f"The slope of the logarithm of the map's squared error over that of depth. {EACH}",
        ),
        linear.bound(
            "vanilla_layers_are_linear_arbitrarily_well",
            "The approximation is arbitrarily good: at the last layer the map leaves less than 1 %.",
            at(VANILLA, values_of("linear_residual"), -1),
            Every(greatest=0.01),
            because=f"“Arbitrarily” bounds nothing at finite depth; 1 % of the mean square is small. {EACH}",
        ),
        compared.at("experiments").ordering(
            "possibility_2_is_observed",
            "Of the two possibilities the second is observed: the sensitivity does not explode.",
            growth(VANILLA, LOG_CHI, half=2),
            MeanWithin(greatest=np.log1p(0.01), errors=3),
            because="Over the second half χ grows by less than 1 % a layer, a factor of e over 100 layers at most.",
        ),
    ]


def _feedforward() -> list[Claim]:
    slides = Section('"Batch-Normalized Feedforward Nets"', "batch_normalized_feedforward")
    experiments = slides.at("experiments")
    return [
        slides.identity(
            "increment_is_a_product",
            "δχ is the product of δ_BNχ and δ_φχ.",
            over_layers(BN_FF, _increment_over_product, furthest_from_1),
            Every(1 - 1e-4, 1 + 1e-4),
            because=f"{ROUNDING} Of all layers the one furthest from it.",
        ),
        *_bounds(slides, "bn_increment", "δ_BNχ", BN_FF, DELTA_BN, _LOWER),
        slides.bound(
            "bn_increment_is_bounded",
            "δ_BNχ is bounded by some constant C.",
            over_layers(BN_FF, DELTA_BN, np.max),
            Every(greatest=2),
            because=f"The slide names no C; above 2 the constant would say little beside √2 for the ReLU. {EACH}",
            printed="C",
        ),
        *_bounds(slides, "relu_increment", "δ_φχ", BN_FF, DELTA_RELU, _LOWER, _UPPER),
        slides.bound(
            "few_directions_make_bn_matter",
            "Where the signal has few directions of variance, |δ_BNχ − 1| is not negligible.",
            where(BN_FF, DELTA_BN, RANK, 1, FEW / 2),
            Every(least=1 + NOT_NEGLIGIBLE),
            because=(
                f"Few: an effective rank below {FEW / 2:g}, half of what divides the pictures of feedforward nets and "
                "resnets. Not negligible: 5 % a layer, four orders of magnitude over 200."
            ),
        ),
        slides.bound(
            "thin_tails_make_relu_matter",
            "Where the signal is not too fat-tailed, |δ_φχ − 1| is not negligible.",
            where(BN_FF, DELTA_RELU, values_of("mu4_signal"), 0, 6),
            Every(least=1 + NOT_NEGLIGIBLE),
            because="Not too fat: a μ₄ of at most 6, twice that of a normal variable. Not negligible: 5 % a layer.",
        ),
        experiments.bound(
            "few_directions_are_left",
            "At high depth only few directions of variance are left.",
            at(BN_FF, RANK, -1),
            Every(greatest=FEW),
            because=f"{FEW:g} is the geometric mean of the ranks at which the pictures' two nets end. {EACH}",
        ),
        experiments.bound(
            "sensitivity_explodes",
            "The sensitivity explodes, to the end of the depth.",
            growth(BN_FF, LOG_CHI, half=2),
            Every(least=EXPLODING),
            because=f"It still grows by 5 % a layer or more over the second half. {EACH}",
        ),
    ]


def _residual() -> list[Claim]:
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
            printed="1/(l+1)",
        ),
        *_bounds(
            slides,
            "unit_increment",
            "δχ of a unit",
            BN_RES,
            INCREMENT,
            increment_bound(min),
            increment_bound(max),
            printed="(1 + 2τ/(l+1))^½",
        ),
        *_bounds(
            slides,
            "unit_sensitivity",
            "χ of a resnet",
            BN_RES,
            relative_sensitivity,
            product_of_bounds(min),
            product_of_bounds(max),
            printed="C l^τ",
        ),
        formulas.identity(
            "bounds_integrate_to_powers",
            "The bounds on δχ multiply up to powers of depth with the same exponents.",
            _exponent_of_product,
            Every(0.98, 1.02),
            because="The exponent of the product between units 100 and 500, over τ: equal but for terms in 1/l.",
        ),
        versions.ordering(
            "resnets_grow_as_a_power",
            "χ of a resnet evolves as a power of depth, not exponentially.",
            preference_for_power(BN_RES),
            Every(least=0),
            because=f"A power law leaves the smaller error of ln χ, from a tenth of the depth on. {EACH}",
        ),
        versions.ordering(
            "feedforward_nets_grow_exponentially",
            "That is the logarithmic version of a feedforward net, whose χ grows exponentially.",
            preference_for_power(BN_FF),
            Every(greatest=0),
            because=f"Here an exponential leaves the smaller error. {EACH}",
        ),
        experiments.bound(
            "many_directions_are_left",
            "The signal keeps many directions of variance.",
            over_layers(BN_RES, values_of("effective_rank_signal_branch"), np.min),
            Every(least=FEW),
            because=f"At no unit fewer than {FEW:g}, which divides few from many in the pictures. {EACH}",
        ),
        experiments.bound(
            "power_law_fits_perfectly",
            "The power law C·l^τ, with τ of the branch's increments, fits χ perfectly.",
            distance_from_power_law(BN_RES),
            Every(greatest=READINGS["sensitivity_of_resnets"].line),
            because="In the picture the two curves lie on one another to within the width of their lines, 0.9 in χ.",
            printed="perfect power-law fit",
        ),
    ]


def _bounds(
    section: Section,
    name: str,
    symbol: str,
    net: Net,
    quantity: Quantity,
    lower: float | Bound,
    upper: float | Bound | None = None,
    *,
    printed: str = "",
) -> list[Claim]:
    """Claim that a quantity respects a lower bound, and an upper one if there is one, in expectation."""
    sides = [("lower", lower, MeanWithin(least=1, errors=ERRORS), "1", "least")]
    if upper is not None:
        sides.append(("upper", upper, MeanWithin(greatest=1, errors=ERRORS), "√2", "greatest"))
    return [
        section.bound(
            f"{name}_{side}_bound",
            f"{symbol} respects its {side} bound{'' if printed else f' {text}'}, in units of which it is given here.",
            over_bound(net, quantity, bound, upper=side == "upper"),
            criterion,
            because=f"{IN_EXPECTATION} The bound takes the {pick} τ." if printed else IN_EXPECTATION,
            printed=printed or text,
        )
        for side, bound, criterion, text, pick in sides
    ]


def _increment_over_product(net: pd.DataFrame) -> pd.DataFrame:
    return INCREMENT(net) / (DELTA_BN(net) * DELTA_RELU(net))


def _one_of_two_possibilities(evidence: Evidence) -> np.ndarray:
    """Return for each simulation whether its signal ends on a line or its sensitivity grows."""
    shown = []
    for net in (VANILLA, NARROW, NARROW_CONVOLUTIONAL):
        line = at(net, RANK, -1)(evidence) < LINE
        explodes = growth(net, LOG_CHI, half=2)(evidence) > np.log(1.01)
        shown.append(line | explodes)
    return np.concatenate(shown).astype(float)


def _cosine_with_mean(evidence: Evidence) -> np.ndarray:
    """Return for each recorded point of the last layer the cosine with the mean, in the plane that was recorded."""
    rows = runs_of(rows_of_net(evidence, VANILLA), metric=("cloud_signal_1", "cloud_signal_2"))
    if rows.empty:
        raise NotTestableError("the config records no points of this net: cloud_depths")
    last = runs_of(rows, step=rows["step"].max()).sort_values(["seed", "index"])
    along, orthogonal = (runs_of(last, metric=f"cloud_signal_{axis}")["value"].to_numpy() for axis in (1, 2))
    return along / np.hypot(along, orthogonal)


def _exponent_of_product(evidence: Evidence) -> np.ndarray:
    """Return the exponent of the product of bounds between units 100 and 500, over τ, for the least and greatest τ."""
    of_units = exponents(rows_of_net(evidence, BN_RES))
    ratios = []
    for exponent in (of_units.min(), of_units.max()):
        logs = np.cumsum(np.log(residual_increment(np.arange(1, 501), exponent)))
        ratios.append((logs[499] - logs[99]) / np.log(5) / exponent)
    return np.array(ratios)
