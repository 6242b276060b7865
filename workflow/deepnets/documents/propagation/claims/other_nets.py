"""The claims of document 002 on other initialisations, activations and architectures."""

import numpy as np

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Every, Is, Mean
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import difference_of_means, ratio, reduced
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.propagation import runs
from workflow.deepnets.documents.propagation.criteria import EACH, EXPLODING, LINE, POINT
from workflow.deepnets.documents.propagation.diagnosis import is_pathological
from workflow.deepnets.documents.propagation.measures import at, growth, preference_for_power, rows_of_net
from workflow.deepnets.documents.propagation.quantities import LOG_CHI, RANK, share_of_variance, values_of
from workflow.deepnets.documents.propagation.runs import Net

# The nets of all cases: the standard version, that of the uniform initialisation, and that with tanh.
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
        _on_a_point(
            slides,
            "uniform_vanilla_nets_on_a_point",
            "Vanilla nets of uniform initialisation have a zero-dimensional signal: here with biases.",
            runs.UNIFORM_POINT,
        ),
        _on_a_line(
            slides,
            "uniform_vanilla_nets_on_a_line",
            "Or they have a one-dimensional signal: here without biases.",
            runs.UNIFORM_LINE,
        ),
        _exploding(
            slides,
            "uniform_feedforward_nets_explode",
            "Feedforward nets with batch normalisation explode with the uniform initialisation too.",
            runs.UNIFORM_FF,
        ),
        _power_law(
            slides,
            "uniform_resnets_grow_as_a_power",
            "Resnets with batch normalisation grow as a power of depth with it too.",
            runs.UNIFORM_RES,
        ),
        _on_a_point(
            slides,
            "ordered_phase_is_on_a_point",
            "Vanilla nets with tanh have a zero-dimensional signal in the ordered phase.",
            runs.ORDERED,
        ),
        _exploding(slides, "chaotic_phase_explodes", "In the chaotic phase their sensitivity explodes.", runs.CHAOTIC),
        _exploding(
            slides,
            "tanh_feedforward_nets_explode",
            "Feedforward nets with batch normalisation explode with tanh too.",
            runs.TANH_FF,
        ),
        _power_law(
            slides,
            "tanh_resnets_grow_as_a_power",
            "Resnets with batch normalisation grow as a power of depth with tanh too.",
            runs.TANH_RES,
        ),
        slides.ordering(
            "all_cases_are_equivalent",
            "All cases are equivalent in the presence or absence of pathologies: vanilla and feedforward nets have "
            "one, resnets none.",
            _nets_against_statement,
            Is(0),
            because=(
                "The number of nets, of eleven, that have a pathology where none is stated or none where one is: noise "
                "growing by 5 % a layer, a rank below 1.5, or a share of variance below 1 %, medians at the last layer."
            ),
        ),
    ]


def _other_architectures() -> list[Claim]:
    slides = Section('"Other Architectures"', "normalized_resnets")
    compared = slides.with_figure("pathologies")
    rates = {norm: growth(runs.NORMALIZED_FF[norm], LOG_CHI, half=2) for norm in runs.NORMS}
    ranks = {norm: at(runs.NORMALIZED_FF[norm], RANK, -1) for norm in runs.NORMS}
    return [
        _exploding(
            slides,
            "instance_norm_explodes",
            "Instance normalisation explodes like batch normalisation.",
            runs.NORMALIZED_FF["instance"],
        ),
        slides.bound(
            "instance_norm_grows_like_batch_norm",
            "It is similar to batch normalisation: ln χ grows per layer by a similar amount.",
            _ratio_of_means(rates["instance"], rates["batch"]),
            Every(0.5, 2),
            because="“Similar”: the same up to a factor of two, mean over mean.",
        ),
        compared.bound(
            "instance_norm_keeps_directions_like_batch_norm",
            "It is similar to batch normalisation: a similar number of directions of variance is left.",
            _ratio_of_means(ranks["instance"], ranks["batch"]),
            Every(0.5, 2),
            because="“Similar”: the same effective rank at the last layer up to a factor of two, mean over mean.",
        ),
        _on_a_point(
            slides.with_figure("zero_dimensional_signal"),
            "layer_norm_is_on_a_point",
            "Layer normalisation has a zero-dimensional signal.",
            runs.LAYER_NORM,
        ),
        slides.ordering(
            "group_norm_grows_more_than_layer_norm",
            "Group normalisation lies in between: noise grows more than with layer normalisation.",
            difference_of_means(rates["group"], rates["layer"]),
            Mean(least=0),
            because="The growth of ln χ per layer over the second half, with the uncertainties of both.",
        ),
        slides.ordering(
            "group_norm_grows_less_than_instance_norm",
            "It grows less than with instance normalisation.",
            difference_of_means(rates["instance"], rates["group"]),
            Mean(least=0),
            because="The growth of ln χ per layer over the second half, with the uncertainties of both.",
        ),
        *(
            _power_law(
                slides,
                f"{norm}_norm_resnets_grow_as_a_power",
                f"Resnets with {norm} normalisation are logarithmic versions too: χ is a power of depth.",
                runs.NORMALIZED_RES[norm],
            )
            for norm in runs.NORMS
        ),
        compared.bound(
            "activations_explode",
            "In unnormalised resnets activations explode.",
            growth(runs.UNNORMALIZED_RES, values_of("log_nu2_signal"), half=2),
            Every(least=EXPLODING),
            because=f"Their mean square still grows by 5 % a unit or more over the second half of the depth. {EACH}",
        ),
        _on_a_line(
            compared, "unnormalised_resnets_on_a_line", "Their signal becomes one-dimensional.", runs.UNNORMALIZED_RES
        ),
    ]


def _on_a_point(section: Section, name: str, statement: str, net: Net) -> Claim:
    because = f"Less than 1 % of the last layer's mean square is variance. {EACH}"
    return section.bound(name, statement, at(net, share_of_variance, -1), Every(greatest=POINT), because=because)


def _on_a_line(section: Section, name: str, statement: str, net: Net) -> Claim:
    because = (
        f"The effective rank of the last layer is nearer to that of a line (1) than to that of a plane (2). {EACH}"
    )
    return section.bound(name, statement, at(net, RANK, -1), Every(1 - 1e-6, LINE), because=because)


def _exploding(section: Section, name: str, statement: str, net: Net) -> Claim:
    because = f"χ still grows by 5 % a layer or more over the second half of the depth. {EACH}"
    return section.bound(name, statement, growth(net, LOG_CHI, half=2), Every(least=EXPLODING), because=because)


def _power_law(section: Section, name: str, statement: str, net: Net) -> Claim:
    because = f"A power law leaves the smaller error of ln χ, from a tenth of the depth on. {EACH}"
    return section.ordering(name, statement, preference_for_power(net), Every(least=0), because=because)


def _ratio_of_means(numerator: Measure, denominator: Measure) -> Measure:
    return ratio(reduced(numerator, np.mean), reduced(denominator, np.mean))


def _nets_against_statement(evidence: Evidence) -> np.ndarray:
    """Return for how many nets the presence of a pathology differs from the statement."""
    healthy = sum(not is_pathological(rows_of_net(evidence, net)) for net in WITH_PATHOLOGY)
    sick = sum(is_pathological(rows_of_net(evidence, net)) for net in WITHOUT_PATHOLOGY)
    return np.array([healthy + sick])
