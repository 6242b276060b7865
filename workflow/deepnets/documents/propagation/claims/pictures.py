"""The claims of document 002's pictures: numbers read off the authors' figures 2 to 5, which the slides show."""

from workflow.deepnets.claims.claim import Claim, Measure, shown_in
from workflow.deepnets.claims.criteria import Near
from workflow.deepnets.documents.propagation.measures import at, change_of, crossing, log10, net, product, recorded

# The slides name no size. Their pictures are of 3 × 3 convolutions on CIFAR-10. Fully connected nets of as many
# channels may stand for them; where tails matter, more images make up for the positions.
HISTOGRAMS = net("vanilla_histograms", "feedforward", "none", (3, 128, 1024, 200), (1, 128, 64, 200))
VANILLA = net("vanilla", "feedforward", "none", (3, 512, 64, 200), (1, 512, 64, 200))
BN_FF = net("bn_ff", "feedforward", "batch", (3, 512, 64, 200), (1, 512, 1024, 200))
BN_RES = net("bn_res", "residual", "batch", (3, 512, 64, 500), (1, 512, 64, 500))
CONVOLUTIONAL_HISTOGRAMS = HISTOGRAMS[:1]

DELTA_BN = product("delta_chi_linear", "delta_chi_bn")
DELTA_RELU = recorded("delta_chi_activation")
DELTA_RELU_OF_BRANCH = product("delta_chi_activation", "delta_chi_linear")

_OTHER_SET_UP = (
    "The picture is of convolutions on CIFAR-10, ours may be of other nets, on MNIST. By how much that matters the "
    "authors show themselves: their fully connected nets give {other:g} where the picture has {value:g}. Ours lies "
    "within twice this difference and the width of the line, {reading:g}, added as errors are."
)
_SAME_LAW = "Layers multiply the signal by independent factors of variance 5/128, whatever the operator or the images."


def pictured() -> list[Claim]:
    """Return what the pictures show, in their order."""
    return [*_histograms(), *_vanilla(), *_feedforward(), *_residual()]


def _histograms() -> list[Claim]:
    place = '"Further Notation and Assumption (II)", picture'
    drawn = {
        "signal": (HISTOGRAMS, "log_nu2_signal", "the logarithm of the signal's mean square", 0.3),
        "noise": (CONVOLUTIONAL_HISTOGRAMS, "log_mu2_noise", "the logarithm of the noise's variance", 0.15),
    }
    values = {("signal", 50): -1.0, ("signal", 200): -4.0, ("noise", 50): -0.2, ("noise", 200): -0.8}
    claims = [
        Claim(
            name=f"histogram_of_{kind}_at_{layer}",
            place=place,
            kind="number",
            statement=f"At layer {layer}, {words} has changed by {value:g} at the middle of its histogram.".replace(
                "-", "−"
            ),
            printed=f"{value:g} (read off)".replace("-", "−"),
            measure=at(chosen, change_of(metric), layer),
            rule=Near(value, error=reading, errors=2),
            because=(
                f"Read off to ±{reading:g}. {_SAME_LAW}"
                if kind == "signal"
                else f"Read off to ±{reading:g}. The noise starts in as many directions as the images have room for, "
                "so that only convolutions can be compared: configs/paper_size.yaml."
            ),
        )
        for (kind, layer), value in values.items()
        for chosen, metric, words, reading in [drawn[kind]]
    ]
    return shown_in("vanilla_histograms", claims)


def _vanilla() -> list[Claim]:
    place = '"Vanilla Nets", picture'
    increment, rank = recorded("delta_chi"), recorded("effective_rank_signal")
    claims = [
        _number("vanilla_increment_at_2", place, "δχ is {} at layer 2.", 1.113, 1.125, at(VANILLA, increment, 2)),
        _number("vanilla_increment_at_200", place, "δχ is {} at layer 200.", 1.003, 1.004, at(VANILLA, increment, -1)),
        _number(
            "vanilla_rank_at_4", place, "The effective rank is {} at layer 4.", 3.67, 5.0, at(VANILLA, rank, 4), 0.05
        ),
        _number(
            "vanilla_rank_at_100",
            place,
            "The effective rank is {} at layer 100.",
            1.10,
            1.05,
            at(VANILLA, rank, 100),
            0.05,
        ),
        _number(
            "vanilla_rank_at_200", place, "The effective rank ends at {}.", 1.04, 1.04, at(VANILLA, rank, -1), 0.05
        ),
    ]
    return shown_in("vanilla", claims)


def _feedforward() -> list[Claim]:
    place = '"Batch-Normalized Feedforward Nets", picture'
    increment, rank, chi = recorded("delta_chi"), recorded("effective_rank_signal"), recorded("chi")
    fourth, absolute = recorded("mu4_signal"), recorded("nu1_abs_signal")
    claims = [
        _number("relu_increment_at_10", place, "δ_φχ is {} at layer 10.", 1.195, 1.194, at(BN_FF, DELTA_RELU, 10)),
        _number("bn_increment_at_10", place, "δ_BNχ is {} at layer 10.", 1.005, 1.010, at(BN_FF, DELTA_BN, 10)),
        _number("relu_increment_at_200", place, "δ_φχ ends at {}.", 1.020, 1.070, at(BN_FF, DELTA_RELU, -1)),
        _number("bn_increment_at_200", place, "δ_BNχ ends at {}.", 1.143, 1.121, at(BN_FF, DELTA_BN, -1)),
        _number("increment_at_200", place, "δχ ends at {}.", 1.165, 1.197, at(BN_FF, increment, -1)),
        _number(
            "increments_cross",
            place,
            "δ_BNχ overtakes δ_φχ at layer {}.",
            52,
            72,
            crossing(BN_FF, DELTA_RELU, DELTA_BN),
            2,
        ),
        _number(
            "sensitivity_at_200",
            place,
            "χ reaches 10 to the power of {} at layer 200.",
            13.7,
            15.6,
            at(BN_FF, log10(chi), -1),
            0.1,
        ),
        _number(
            "rank_at_10", place, "The signal's effective rank is {} at layer 10.", 14.8, 11.6, at(BN_FF, rank, 10), 0.7
        ),
        _number("rank_at_200", place, "The signal's effective rank ends at {}.", 2.10, 2.47, at(BN_FF, rank, -1), 0.1),
        _number(
            "tails_at_200",
            place,
            "μ₄ of batch normalisation's output ends at 10 to the power of {}.",
            2.09,
            1.56,
            at(BN_FF, log10(fourth), -1),
            0.05,
        ),
        _number(
            "absolute_moment_at_2",
            place,
            "ν₁ of its absolute value is {} at layer 2.",
            0.80,
            0.80,
            at(BN_FF, absolute, 2),
            0.04,
        ),
        _number(
            "absolute_moment_at_200",
            place,
            "ν₁ of its absolute value ends at {}.",
            0.27,
            0.47,
            at(BN_FF, absolute, -1),
            0.02,
        ),
    ]
    return shown_in("batch_normalized_feedforward", claims)


def _residual() -> list[Claim]:
    place = '"Batch-Normalized ResNets", picture'
    last = -1
    claims = [
        _number(
            "branch_increment_at_500",
            place,
            "δχ of the first layer in a branch ends at {}.",
            1.203,
            1.233,
            at(BN_RES, recorded("delta_chi_layer"), last),
        ),
        _number(
            "branch_relu_increment_at_500",
            place,
            "Its δ_φχ ends at {}.",
            1.195,
            1.206,
            at(BN_RES, DELTA_RELU_OF_BRANCH, last),
        ),
        _number(
            "branch_bn_increment_at_500",
            place,
            "Its δ_BNχ ends at {}.",
            1.006,
            1.025,
            at(BN_RES, recorded("delta_chi_bn"), last),
        ),
        _number(
            "sensitivity_of_resnets",
            place,
            "χ is {} at unit 500.",
            33.5,
            35.2,
            at(BN_RES, recorded("chi"), last),
            0.9,
        ),
        _number(
            "branch_rank_at_500",
            place,
            "The signal's effective rank in the branch ends at {}.",
            15.9,
            12.8,
            at(BN_RES, recorded("effective_rank_signal_branch"), last),
            0.8,
        ),
        _number(
            "branch_tails_at_500",
            place,
            "μ₄ of batch normalisation's output ends at {}.",
            4.0,
            3.4,
            at(BN_RES, recorded("mu4_signal"), last),
            0.1,
        ),
        _number(
            "branch_absolute_moment_at_500",
            place,
            "ν₁ of its absolute value ends at {}.",
            0.78,
            0.78,
            at(BN_RES, recorded("nu1_abs_signal"), last),
            0.1,
        ),
    ]
    return shown_in("batch_normalized_resnet", claims)


def _number(
    name: str, place: str, statement: str, value: float, other: float, measure: Measure, reading: float = 0.006
) -> Claim:
    """A claim on a number read off, which the authors' fully connected nets give as `other`."""
    return Claim(
        name=name,
        place=place,
        kind="number",
        statement=statement.format(f"about {value:g}"),
        printed=f"{value:g} (read off)",
        measure=measure,
        rule=Near(value, error=(reading**2 + (other - value) ** 2) ** 0.5, errors=2),
        because=_OTHER_SET_UP.format(other=other, value=value, reading=reading),
    )
