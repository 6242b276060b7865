"""The claims of document 002 on other initialisations, activations and architectures."""

from dataclasses import replace

import numpy as np

from workflow.deepnets.claims.claim import Claim, Kind, Measure, shown_in
from workflow.deepnets.claims.criteria import Every, Is, Mean, Rule
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import difference_of_means, ratio, reduced
from workflow.deepnets.documents.propagation.claims.pictures import BN_FF, BN_RES, VANILLA
from workflow.deepnets.documents.propagation.criteria import EACH
from workflow.deepnets.documents.propagation.measures import (
    Net,
    at,
    growth,
    log,
    net,
    pathological,
    preference_for_power,
    recorded,
    share_of_variance,
)

_UNIFORM_POINT = net("uniform", "feedforward", "none", (1, 512, 64, 50), init="hyperball", gain=1.5, bias=0.5)
_UNIFORM_LINE = net("uniform", "feedforward", "none", (1, 512, 64, 200), init="hyperball")
_ORDERED = net("tanh", "feedforward", "none", (1, 512, 64, 50), activation="tanh", gain=1, bias=0.3)
_CHAOTIC = net("tanh", "feedforward", "none", (1, 512, 64, 200), activation="tanh", gain=3)
_UNIFORM = {
    arch: net("uniform", arch, "batch", (1, 256, 128, 100), init="hyperball") for arch in ("feedforward", "residual")
}
_TANH = {
    arch: net("tanh", arch, "batch", (1, 256, 128, 100), activation="tanh", gain=1)
    for arch in ("feedforward", "residual")
}
_LAYER_NORM = net("layer_norm", "feedforward", "layer", (1, 512, 64, 200))
_UNNORMALIZED = net("unnormalized_resnets", "residual", "none", (1, 512, 64, 100))
_NORMS = ("batch", "instance", "group", "layer")
_FEEDFORWARD = {norm: net("normalized_feedforward", "feedforward", norm, (3, 64, 8, 200)) for norm in _NORMS}
_RESIDUAL = {norm: net("normalized_resnets", "residual", norm, (3, 64, 4, 100)) for norm in _NORMS}
# By the nets' standard version, that of the uniform initialisation, and that with tanh.
_ALL_CASES = {
    "vanilla": (VANILLA, _UNIFORM_POINT, _UNIFORM_LINE, _ORDERED, _CHAOTIC),
    "feedforward": (BN_FF, _UNIFORM["feedforward"], _TANH["feedforward"]),
    "residual": (BN_RES, _UNIFORM["residual"], _TANH["residual"]),
}

_CHI, _RANK = recorded("chi"), recorded("effective_rank_signal")
_POINT = f"Less than 1 % of the last layer's mean square is variance. {EACH}"
_EXPLODES = f"χ still grows by 5 % a layer or more over the second half of the depth. {EACH}"
_POWER = f"A power law leaves the smaller error of ln χ, from a tenth of the depth on. {EACH}"
_LINE = f"The effective rank of the last layer is nearer to that of a line (1) than to that of a plane (2). {EACH}"


def other_nets() -> list[Claim]:
    """Return the claims of the slides "Other Initialization / Activation" and "Other Architectures"."""
    return [*_other_initializations(), *_other_architectures()]


def _other_initializations() -> list[Claim]:
    place = '"Other Initialization / Activation"'
    claims = [
        _on_a_point(
            "uniform_vanilla_nets_on_a_point",
            place,
            "Vanilla nets of uniform initialisation have a zero-dimensional signal: here with biases.",
            _UNIFORM_POINT,
        ),
        _on_a_line(
            "uniform_vanilla_nets_on_a_line",
            place,
            "Or they have a one-dimensional signal: here without biases.",
            _UNIFORM_LINE,
        ),
        _exploding(
            "uniform_feedforward_nets_explode",
            place,
            "Feedforward nets with batch normalisation explode with the uniform initialisation too.",
            _UNIFORM["feedforward"],
        ),
        _power_law(
            "uniform_resnets_grow_as_a_power",
            place,
            "Resnets with batch normalisation grow as a power of depth with it too.",
            _UNIFORM["residual"],
        ),
        _on_a_point(
            "ordered_phase_is_on_a_point",
            place,
            "Vanilla nets with tanh have a zero-dimensional signal in the ordered phase.",
            _ORDERED,
        ),
        _exploding("chaotic_phase_explodes", place, "In the chaotic phase their sensitivity explodes.", _CHAOTIC),
        _exploding(
            "tanh_feedforward_nets_explode",
            place,
            "Feedforward nets with batch normalisation explode with tanh too.",
            _TANH["feedforward"],
        ),
        _power_law(
            "tanh_resnets_grow_as_a_power",
            place,
            "Resnets with batch normalisation grow as a power of depth with tanh too.",
            _TANH["residual"],
        ),
        Claim(
            name="all_cases_are_equivalent",
            place=place,
            kind="ordering",
            statement=(
                "All cases are equivalent in the presence or absence of pathologies: vanilla and feedforward nets have "
                "one, resnets none."
            ),
            measure=_nets_against_statement,
            rule=Is(0),
            because=(
                "The number of nets, of eleven, that have a pathology where none is stated or none where one is: noise "
                "growing by 5 % a layer, a rank below 1.5, or a share of variance below 1 %, medians at the last layer."
            ),
        ),
    ]
    return shown_in("pathologies", claims)


def _other_architectures() -> list[Claim]:
    place = '"Other Architectures"'
    rates = {norm: growth(_FEEDFORWARD[norm], log(_CHI), half=2) for norm in _NORMS}
    claims = [
        _exploding(
            "instance_norm_explodes",
            place,
            "Instance normalisation explodes like batch normalisation.",
            _FEEDFORWARD["instance"],
        ),
        Claim(
            name="instance_norm_grows_like_batch_norm",
            place=place,
            kind="bound",
            statement="It is similar to batch normalisation: ln χ grows per layer by a similar amount.",
            measure=_ratio_of_means(rates["instance"], rates["batch"]),
            rule=Every(0.5, 2),
            because="“Similar”: the same up to a factor of two, mean over mean.",
        ),
        Claim(
            name="instance_norm_keeps_directions_like_batch_norm",
            place=place,
            figure="pathologies",
            kind="bound",
            statement="It is similar to batch normalisation: a similar number of directions of variance is left.",
            measure=_ratio_of_means(at(_FEEDFORWARD["instance"], _RANK, -1), at(_FEEDFORWARD["batch"], _RANK, -1)),
            rule=Every(0.5, 2),
            because="“Similar”: the same effective rank at the last layer up to a factor of two, mean over mean.",
        ),
        replace(
            _on_a_point(
                "layer_norm_is_on_a_point", place, "Layer normalisation has a zero-dimensional signal.", _LAYER_NORM
            ),
            figure="zero_dimensional_signal",
        ),
        Claim(
            name="group_norm_grows_more_than_layer_norm",
            place=place,
            kind="ordering",
            statement="Group normalisation lies in between: noise grows more than with layer normalisation.",
            measure=difference_of_means(rates["group"], rates["layer"]),
            rule=Mean(least=0),
            because="The growth of ln χ per layer over the second half, with the uncertainties of both.",
        ),
        Claim(
            name="group_norm_grows_less_than_instance_norm",
            place=place,
            kind="ordering",
            statement="It grows less than with instance normalisation.",
            measure=difference_of_means(rates["instance"], rates["group"]),
            rule=Mean(least=0),
            because="The growth of ln χ per layer over the second half, with the uncertainties of both.",
        ),
        *(
            _power_law(
                f"{norm}_norm_resnets_grow_as_a_power",
                place,
                f"Resnets with {norm} normalisation are logarithmic versions too: χ is a power of depth.",
                _RESIDUAL[norm],
            )
            for norm in _NORMS
        ),
        Claim(
            name="activations_explode",
            place=place,
            figure="pathologies",
            kind="bound",
            statement="In unnormalised resnets activations explode.",
            measure=growth(_UNNORMALIZED, recorded("log_nu2_signal"), half=2),
            rule=Every(least=np.log(1.05)),
            because=f"Their mean square still grows by 5 % a unit or more over the second half of the depth. {EACH}",
        ),
        replace(
            _on_a_line("unnormalised_resnets_on_a_line", place, "Their signal becomes one-dimensional.", _UNNORMALIZED),
            figure="pathologies",
        ),
    ]
    return shown_in("normalized_resnets", claims)


def _on_a_point(name: str, place: str, statement: str, chosen: Net) -> Claim:
    return _claim(name, place, statement, "bound", at(chosen, share_of_variance, -1), Every(greatest=0.01), _POINT)


def _on_a_line(name: str, place: str, statement: str, chosen: Net) -> Claim:
    return _claim(name, place, statement, "bound", at(chosen, _RANK, -1), Every(1 - 1e-6, 1.5), _LINE)


def _exploding(name: str, place: str, statement: str, chosen: Net) -> Claim:
    measure = growth(chosen, log(_CHI), half=2)
    return _claim(name, place, statement, "bound", measure, Every(least=np.log(1.05)), _EXPLODES)


def _power_law(name: str, place: str, statement: str, chosen: Net) -> Claim:
    return _claim(name, place, statement, "ordering", preference_for_power(chosen), Every(least=0), _POWER)


def _claim(name: str, place: str, statement: str, kind: Kind, measure: Measure, rule: Rule, because: str) -> Claim:
    return Claim(name=name, place=place, kind=kind, statement=statement, measure=measure, rule=rule, because=because)


def _ratio_of_means(numerator: Measure, denominator: Measure) -> Measure:
    return ratio(reduced(numerator, np.mean), reduced(denominator, np.mean))


def _nets_against_statement(evidence: Evidence) -> np.ndarray:
    """Return of how many nets the presence of a pathology is not that stated."""
    wrong = [pathological(evidence, each) != (kind != "residual") for kind, nets in _ALL_CASES.items() for each in nets]
    return np.array([sum(wrong)])
