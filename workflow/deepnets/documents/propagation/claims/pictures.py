"""The claims of document 002's pictures: numbers read off the authors' figures 2 to 5, which the slides show."""

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Near
from workflow.deepnets.claims.section import READ_OFF, Section
from workflow.deepnets.documents.propagation.measures import at, crossing
from workflow.deepnets.documents.propagation.printed import (
    NOISE_HISTOGRAMS,
    NOISE_READING,
    READINGS,
    SIGNAL_HISTOGRAMS,
    SIGNAL_READING,
)
from workflow.deepnets.documents.propagation.quantities import (
    CHI,
    DELTA_BN,
    DELTA_RELU,
    DELTA_RELU_OF_BRANCH,
    INCREMENT,
    RANK,
    change_of,
    log10,
    values_of,
)
from workflow.deepnets.documents.propagation.runs import BN_FF, BN_RES, HISTOGRAMS, VANILLA, Net

_FOURTH, _ABSOLUTE = values_of("mu4_signal"), values_of("nu1_abs_signal")


def pictured() -> list[Claim]:
    """Return what the pictures show, in their order."""
    return [*_histograms(), *_vanilla(), *_feedforward(), *_residual()]


def _histograms() -> list[Claim]:
    same_law = (
        "Layers multiply the signal by independent factors of variance 5/128, whatever the operator or the images."
    )
    convolutions_only = (
        "The noise starts in as many directions as the images have room for, so that only convolutions can be "
        "compared: configs/paper_size.yaml."
    )
    signal, noise = "the logarithm of the signal's mean square", "the logarithm of the noise's variance"
    return [
        *_middles("signal", signal, SIGNAL_HISTOGRAMS, SIGNAL_READING, HISTOGRAMS, "log_nu2_signal", same_law),
        *_middles("noise", noise, NOISE_HISTOGRAMS, NOISE_READING, HISTOGRAMS[:1], "log_mu2_noise", convolutions_only),
    ]


def _vanilla() -> list[Claim]:
    picture = Section('"Vanilla Nets", picture', "vanilla")
    return [
        _read_off(picture, "vanilla_increment_at_2", "δχ is {} at layer 2.", at(VANILLA, INCREMENT, 2)),
        _read_off(picture, "vanilla_increment_at_200", "δχ is {} at layer 200.", at(VANILLA, INCREMENT, -1)),
        _read_off(picture, "vanilla_rank_at_4", "The effective rank is {} at layer 4.", at(VANILLA, RANK, 4)),
        _read_off(picture, "vanilla_rank_at_100", "The effective rank is {} at layer 100.", at(VANILLA, RANK, 100)),
        _read_off(picture, "vanilla_rank_at_200", "The effective rank ends at {}.", at(VANILLA, RANK, -1)),
    ]


def _feedforward() -> list[Claim]:
    picture = Section('"Batch-Normalized Feedforward Nets", picture', "batch_normalized_feedforward")
    crossed, power = crossing(BN_FF, DELTA_RELU, DELTA_BN), at(BN_FF, log10(CHI), -1)
    tails = "μ₄ of batch normalisation's output ends at 10 to the power of {}."
    absolute = "ν₁ of its absolute value"
    return [
        _read_off(picture, "relu_increment_at_10", "δ_φχ is {} at layer 10.", at(BN_FF, DELTA_RELU, 10)),
        _read_off(picture, "bn_increment_at_10", "δ_BNχ is {} at layer 10.", at(BN_FF, DELTA_BN, 10)),
        _read_off(picture, "relu_increment_at_200", "δ_φχ ends at {}.", at(BN_FF, DELTA_RELU, -1)),
        _read_off(picture, "bn_increment_at_200", "δ_BNχ ends at {}.", at(BN_FF, DELTA_BN, -1)),
        _read_off(picture, "increment_at_200", "δχ ends at {}.", at(BN_FF, INCREMENT, -1)),
        _read_off(picture, "increments_cross", "δ_BNχ overtakes δ_φχ at layer {}.", crossed),
        _read_off(picture, "sensitivity_at_200", "χ reaches 10 to the power of {} at layer 200.", power),
        _read_off(picture, "rank_at_10", "The signal's effective rank is {} at layer 10.", at(BN_FF, RANK, 10)),
        _read_off(picture, "rank_at_200", "The signal's effective rank ends at {}.", at(BN_FF, RANK, -1)),
        _read_off(picture, "tails_at_200", tails, at(BN_FF, log10(_FOURTH), -1)),
        _read_off(picture, "absolute_moment_at_2", f"{absolute} is {{}} at layer 2.", at(BN_FF, _ABSOLUTE, 2)),
        _read_off(picture, "absolute_moment_at_200", f"{absolute} ends at {{}}.", at(BN_FF, _ABSOLUTE, -1)),
    ]


def _residual() -> list[Claim]:
    picture = Section('"Batch-Normalized ResNets", picture', "batch_normalized_resnet")
    drawn = (
        ("branch_increment", "δχ of the first layer in a branch ends at {}.", values_of("delta_chi_layer")),
        ("branch_relu_increment", "Its δ_φχ ends at {}.", DELTA_RELU_OF_BRANCH),
        ("branch_bn_increment", "Its δ_BNχ ends at {}.", values_of("delta_chi_bn")),
    )
    rank = at(BN_RES, values_of("effective_rank_signal_branch"), -1)
    tails, absolute = "μ₄ of batch normalisation's output ends at {}.", "ν₁ of its absolute value ends at {}."
    return [
        *(_read_off(picture, f"{name}_at_500", text, at(BN_RES, quantity, -1)) for name, text, quantity in drawn),
        _read_off(picture, "sensitivity_of_resnets", "χ is {} at unit 500.", at(BN_RES, CHI, -1)),
        _read_off(picture, "branch_rank_at_500", "The signal's effective rank in the branch ends at {}.", rank),
        _read_off(picture, "branch_tails_at_500", tails, at(BN_RES, _FOURTH, -1)),
        _read_off(picture, "branch_absolute_moment_at_500", absolute, at(BN_RES, _ABSOLUTE, -1)),
    ]


def _read_off(section: Section, name: str, statement: str, measure: Measure) -> Claim:
    """Claim a number that was read off, within what the authors' own fully connected nets differ from it."""
    value, other, line = READINGS[name].value, READINGS[name].fully_connected, READINGS[name].line
    because = (
        "The picture is of convolutions on CIFAR-10, ours may be of other nets, on MNIST. By how much that matters the "
        f"authors show themselves: their fully connected nets give {other:g} where the picture has {value:g}. Ours "
        f"lies within twice this difference and the width of the line, {line:g}, added as errors are."
    )
    criterion = Near(value, error=(line**2 + (other - value) ** 2) ** 0.5, errors=2)
    return section.number(
        name, statement.replace("{}", "about {}"), measure, criterion, because=because, printed=READ_OFF
    )


def _middles(
    kind: str, words: str, values: dict[int, float], reading: float, net: Net, metric: str, because: str
) -> list[Claim]:
    """Claim the middles of histograms, which lie below 0. values: by layer; reading: how exactly they can be read."""
    picture = Section('"Further Notation and Assumption (II)", picture', "vanilla_histograms")
    return [
        picture.number(
            f"histogram_of_{kind}_at_{layer}",
            f"At layer {layer}, {words} has changed by −{-value:g} at the middle of its histogram.",
            at(net, change_of(metric), layer),
            Near(value, error=reading, errors=2),
            because=f"Read off to ±{reading:g}. {because}",
            printed=READ_OFF.replace("{}", f"−{-value:g}"),
        )
        for layer, value in values.items()
    ]
