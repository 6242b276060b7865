"""Claims of document 002 on other initialisations, activations and architectures."""

from collections.abc import Mapping

import numpy as np

from deepnets.claims.claim import AnyMeasure, Claim
from deepnets.claims.criteria import Criterion, Every, Is, Mean
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import difference_of_means, ratio_of_means
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.propagation import runs
from deepnets.documents.propagation.criteria import (
    EACH,
    EXPLODING,
    LINE,
    POINT,
    POWER_FITS_BETTER,
    PREFERENCE,
)
from deepnets.documents.propagation.diagnosis import is_pathological
from deepnets.documents.propagation.measures import (
    at_layer,
    growth,
    preference_for_power,
    rows_of_net,
)
from deepnets.documents.propagation.quantities import LOG_CHI, RANK, share_of_variance, values_of
from deepnets.documents.propagation.runs import Net

# Each architecture in its standard version, with the uniform initialisation, and with tanh.
WITH_PATHOLOGY = (
    *(runs.VANILLA, runs.UNIFORM_POINT, runs.UNIFORM_LINE, runs.ORDERED, runs.CHAOTIC),
    *(runs.BN_FF, runs.UNIFORM_FF, runs.TANH_FF),
)
WITHOUT_PATHOLOGY = (runs.BN_RES, runs.UNIFORM_RES, runs.TANH_RES)


def other_nets() -> list[Claim]:
    """Return the claims of the slides "Other Initialization / Activation" and "Other Architectures"."""
    return [*_other_initializations(), *_other_architectures()]


def _other_initializations() -> list[Claim]:
    slides = Section('"Other Initialization / Activation"', "pathologies")
    return [
        slides.bound(
            "other_vanilla_nets_are_on_a_point",
            "The signal of vanilla nets is zero-dimensional with the uniform initialisation (here with biases), and "
            "with tanh in the ordered phase.",
            *_select_zero_dimensional({"uniform": runs.UNIFORM_POINT, "tanh": runs.ORDERED}),
            because=_POINT,
            quantity=_SHARE,
        ),
        slides.bound(
            "other_vanilla_nets_are_on_a_line",
            "The signal of vanilla nets is one-dimensional with the uniform initialisation (here without biases).",
            *_select_one_dimensional({"uniform": runs.UNIFORM_LINE}),
            because=_LINE,
            quantity=_RANK,
        ),
        slides.bound(
            "other_nets_explode",
            "The sensitivity χ explodes in vanilla nets with tanh in the chaotic phase, and in feedforward nets with "
            "batch normalisation, both with the uniform initialisation and with tanh.",
            *_select_exploding(
                {
                    "chaotic phase": runs.CHAOTIC,
                    "batch norm, uniform": runs.UNIFORM_FF,
                    "batch norm, tanh": runs.TANH_FF,
                }
            ),
            because=_EXPLODES,
            quantity=_GROWTH,
        ),
        slides.ordering(
            "other_resnets_grow_as_a_power",
            "In resnets with batch normalisation, χ grows as a power of depth, both with the uniform initialisation "
            "and with tanh.",
            *combine_parts(
                {
                    name: (preference_for_power(net), Every(least=0))
                    for name, net in (("uniform", runs.UNIFORM_RES), ("tanh", runs.TANH_RES))
                }
            ),
            because=f"{POWER_FITS_BETTER} {EACH}",
            quantity=PREFERENCE,
        ),
        slides.ordering(
            "all_cases_are_equivalent",
            "All cases are equivalent in the presence or absence of pathologies: vanilla nets and feedforward nets "
            "with batch normalisation have one, resnets with batch normalisation have none.",
            _count_deviating_nets,
            Is(0),
            because=(
                "A net has a pathology if χ grows by more than 5 % a layer over the second half of the depth, or if at "
                "the last layer the effective rank is below 1.5 or the share of variance below 1 % (medians). We "
                "placed these limits in the gaps of our results."
            ),
            quantity="nets, of eleven, that have a pathology though none is stated, or none though one is stated",
        ),
    ]


def _other_architectures() -> list[Claim]:
    slides = Section('"Other Architectures"', "normalized_resnets")
    compared = slides.with_figure("pathologies")
    rates = {norm: growth(runs.NORMALIZED_FF[norm], LOG_CHI, half=2) for norm in runs.NORMS}
    ranks = {norm: at_layer(runs.NORMALIZED_FF[norm], RANK, -1) for norm in runs.NORMS}
    powers = {norm: preference_for_power(runs.NORMALIZED_RES[norm]) for norm in runs.NORMS}
    forward = {norm: preference_for_power(runs.NORMALIZED_FF[norm]) for norm in runs.NORMS}
    return [
        slides.bound(
            "instance_norm_explodes",
            "With instance normalisation, the sensitivity χ of feedforward nets explodes, as with batch normalisation.",
            *_select_exploding({"instance": runs.NORMALIZED_FF["instance"]}),
            because=_EXPLODES,
            quantity=_GROWTH,
        ),
        slides.bound(
            "instance_norm_grows_like_batch_norm",
            "Instance normalisation is similar to batch normalisation: with both, ln χ grows by a similar amount per "
            "layer.",
            ratio_of_means(rates["instance"], rates["batch"]),
            Mean(0.5, 2),
            because="“Similar” means here that the means are equal up to a factor of two.",
            quantity="growth of ln χ per layer, instance divided by batch normalisation",
            revised="the ratio of the means had no uncertainty before",
        ),
        compared.bound(
            "instance_norm_keeps_directions_like_batch_norm",
            "Instance normalisation is similar to batch normalisation: with both, a similar number of directions of "
            "variance is left.",
            ratio_of_means(ranks["instance"], ranks["batch"]),
            Mean(0.5, 2),
            because="“Similar” means here that the means at the last layer are equal up to a factor of two.",
            quantity="effective rank at layer 200, instance divided by batch normalisation",
            main="the slide lists this similarity first among other architectures",
            revised="the ratio of the means had no uncertainty before",
            explanation=(
                "It does not hold. In convolutions with 64 channels, instance normalisation keeps twelve times as many "
                "directions as batch normalisation. It still holds that the sensitivity explodes at a similar rate "
                "with both, but not that both lose directions."
            ),
        ),
        slides.with_figure("zero_dimensional_signal").bound(
            "layer_norm_is_on_a_point",
            "With layer normalisation, the signal of feedforward nets is zero-dimensional.",
            *_select_zero_dimensional({"layer": runs.LAYER_NORM}),
            because=_POINT,
            revised="a bound of 0 from below was added, as no share is negative",
            quantity=_SHARE,
        ),
        slides.ordering(
            "group_norm_lies_in_between",
            "Group normalisation lies between layer and instance normalisation: χ grows more than with layer "
            "normalisation and less than with instance normalisation.",
            *combine_parts(
                {
                    "group minus layer": (difference_of_means(rates["group"], rates["layer"]), Mean(least=0)),
                    "instance minus group": (difference_of_means(rates["instance"], rates["group"]), Mean(least=0)),
                }
            ),
            because="We compare the growth of ln χ per layer over the second half, with the uncertainties of both.",
            quantity="difference of the growth of ln χ per layer",
        ),
        slides.ordering(
            "normalized_resnets_grow_as_a_power",
            "In resnets with any normalisation, χ is a power of depth.",
            *combine_parts({norm: (power, Mean(least=0)) for norm, power in powers.items()}),
            because=f"{POWER_FITS_BETTER} This must hold in the mean over nets.",
            quantity=PREFERENCE,
            revised="each single net had to prefer a power law; the statement is about nets of a kind",
        ),
        slides.ordering(
            "normalized_resnets_are_logarithmic_versions",
            "Resnets with any normalisation are logarithmic versions of feedforward nets with the same normalisation.",
            *combine_parts(
                {norm: (difference_of_means(powers[norm], forward[norm]), Mean(least=0)) for norm in runs.NORMS}
            ),
            because=(
                "Compared with an exponential, a power law fits χ of the resnet better than χ of the feedforward net, "
                "with the uncertainties of both."
            ),
            quantity=f"{PREFERENCE}, resnet minus feedforward net",
        ),
        compared.bound(
            "activations_explode",
            "In unnormalised resnets, activations explode.",
            growth(runs.UNNORMALIZED_RES, values_of("log_nu2_signal"), half=2),
            Every(least=EXPLODING),
            because=(
                f"The mean square of the signal grows by 5 % a unit or more over the second half of the depth. {EACH}"
            ),
            quantity="growth of ln(mean square) per unit over the second half",
        ),
        compared.bound(
            "unnormalised_resnets_are_on_a_line",
            "The signal of unnormalised resnets becomes one-dimensional.",
            *_select_one_dimensional({"unnormalised": runs.UNNORMALIZED_RES}),
            because=_LINE,
            quantity=_RANK,
        ),
    ]


_POINT = f"At the last layer, variance is less than 1 % of the mean square. {EACH}"
_LINE = f"At the last layer, the effective rank is nearer to that of a line (1) than to that of a plane (2). {EACH}"
_EXPLODES = f"χ grows by 5 % a layer or more over the second half of the depth. {EACH}"
_SHARE = "share of the variance in the mean square at the last layer"
_RANK = "effective rank of the signal at the last layer"
_GROWTH = "growth of ln χ per layer over the second half"


def _select_zero_dimensional(nets: Mapping[str, Net]) -> tuple[AnyMeasure, Criterion]:
    return combine_parts({name: (at_layer(net, share_of_variance, -1), Every(0, POINT)) for name, net in nets.items()})


def _select_one_dimensional(nets: Mapping[str, Net]) -> tuple[AnyMeasure, Criterion]:
    return combine_parts({name: (at_layer(net, RANK, -1), Every(1 - 1e-6, LINE)) for name, net in nets.items()})


def _select_exploding(nets: Mapping[str, Net]) -> tuple[AnyMeasure, Criterion]:
    return combine_parts({name: (growth(net, LOG_CHI, half=2), Every(least=EXPLODING)) for name, net in nets.items()})


def _count_deviating_nets(evidence: Evidence) -> np.ndarray:
    missing = sum(not is_pathological(rows_of_net(evidence, net)) for net in WITH_PATHOLOGY)
    unexpected = sum(is_pathological(rows_of_net(evidence, net)) for net in WITHOUT_PATHOLOGY)
    return np.array([missing + unexpected])
