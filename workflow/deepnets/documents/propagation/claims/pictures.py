"""Claims of document 002's pictures, the authors' figures 2 to 5: numbers that we read off.

The pictures show convolutions on CIFAR-10; ours are the same convolutions on MNIST. We also compare the authors' fully
connected nets with ours.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from deepnets.claims.claim import AnyMeasure, Claim, Measure
from deepnets.claims.criteria import Criterion, Near
from deepnets.claims.section import Section, combine_parts
from deepnets.documents.propagation.measures import at_layer, crossing
from deepnets.documents.propagation.printed import (
    NOISE_HISTOGRAMS,
    NOISE_READING,
    READINGS,
    SIGNAL_HISTOGRAMS,
    SIGNAL_READING,
    Reading,
)
from deepnets.documents.propagation.quantities import (
    CHI,
    DELTA_BN,
    DELTA_RELU,
    DELTA_RELU_OF_BRANCH,
    INCREMENT,
    RANK,
    Quantity,
    change_of,
    log10,
    values_of,
)
from deepnets.documents.propagation.runs import (
    BN_FF,
    BN_RES,
    CONNECTED_BN_FF,
    CONNECTED_BN_RES,
    CONNECTED_VANILLA,
    HISTOGRAMS,
    VANILLA,
    Net,
)


@dataclass(frozen=True)
class _Curve:
    """A curve of a picture.

    symbol: on the curve; quantity: ours, measured at the layers of READINGS; precision: the largest tolerance of a
    comparison, NaN for half of the number.
    """

    symbol: str
    quantity: Quantity
    precision: float = math.nan

    def measure(self, net: Net, layer: int | None) -> Measure:
        """Measure the curve at a layer, or, if it is None, the layer at which δ_BNχ overtakes δ_φχ."""
        if layer is None:
            return crossing(net, DELTA_RELU, DELTA_BN)
        return at_layer(net, self.quantity, -1 if layer == net[0]["depth"] else layer)


@dataclass(frozen=True)
class _Panel:
    """A panel of a picture: its curves by their names in READINGS.

    words: the quantity with its unit; convolutions, connected: why our convolutional and fully connected nets differ
    from the authors', if they do.
    """

    words: str
    curves: Mapping[str, _Curve]
    convolutions: str = ""
    connected: str = ""


_RANK, _TAILS, _ABSOLUTE = "effective rank", values_of("mu4_signal"), values_of("nu1_abs_signal")
# Half of the number would be too much: increments differ from 1 by at most 0.2, and half of a logarithm can be many
# orders of magnitude.
_INCREMENT_PRECISION, _LOG_PRECISION = 0.1, 0.7
_FEWER_POINTS = (
    "Our nets or data differ. Larger batches have heavier tails; ours have 16 images, theirs 64. In fully connected "
    "nets, log₁₀ μ₄ is 1.55 with 512 images and 1.76 with 1,024 (in separate trials). With lighter tails, δ_φχ is "
    "larger and δ_BNχ smaller. It still holds that δ_BNχ overtakes δ_φχ, that χ explodes, and that the signal becomes "
    "fat-tailed."
)
_VANILLA = {
    "vanilla_increments": _Panel(
        "growth of χ per layer, a ratio", {"vanilla_increment": _Curve("δχ", INCREMENT, _INCREMENT_PRECISION)}
    ),
    "vanilla_ranks": _Panel(
        "effective ranks of the signal",
        {"vanilla_rank": _Curve(_RANK, RANK)},
        convolutions=(
            "Our nets or data differ. Our effective rank is 3.24 at layer 4 and 1.4 at layer 100, theirs 3.67 and 1.1. "
            "Our batches have 8 images of MNIST, theirs 64 of CIFAR-10. At layer 200 the two agree: it still holds "
            "that the signal becomes one-dimensional."
        ),
        connected=(
            "Our nets or data differ. Our effective rank is 6.8 at layer 4, theirs 5.0, because the data differ: MNIST "
            "and CIFAR-10. From layer 100 on the two agree: it still holds that the signal becomes one-dimensional."
        ),
    ),
}
_FEEDFORWARD = {
    "feedforward_increments": _Panel(
        "growth of χ per layer or part of it, a ratio, and the layer at which δ_BNχ overtakes δ_φχ",
        {
            "relu_increment": _Curve("δ_φχ", DELTA_RELU, _INCREMENT_PRECISION),
            "bn_increment": _Curve("δ_BNχ", DELTA_BN, _INCREMENT_PRECISION),
            "increment": _Curve("δχ", INCREMENT, _INCREMENT_PRECISION),
            "crossing": _Curve("δ_BNχ above δ_φχ from layer", CHI),
        },
        convolutions=_FEWER_POINTS,
    ),
    "feedforward_sensitivity": _Panel(
        "log₁₀ of the sensitivity χ",
        {"sensitivity": _Curve("log₁₀ χ", log10(CHI), _LOG_PRECISION)},
        convolutions=_FEWER_POINTS,
    ),
    "feedforward_ranks": _Panel(
        "effective ranks of the signal",
        {"rank": _Curve(_RANK, RANK)},
        connected=(
            "Our nets or data differ. Our effective rank is 17 at layer 10, theirs 11.6, on different data. At layer "
            "200 the two agree: it still holds that few directions are left."
        ),
    ),
    "feedforward_moments": _Panel(
        "moments after batch normalisation, pure numbers",
        {
            "tails": _Curve("log₁₀ μ₄", log10(_TAILS), _LOG_PRECISION),
            "absolute_moment": _Curve("ν₁ of the absolute signal", _ABSOLUTE),
        },
        convolutions=_FEWER_POINTS,
    ),
}
_RESIDUAL = {
    "branch_increments": _Panel(
        "growth of χ in the first layer of a branch, a ratio",
        {
            "branch_increment": _Curve("δχ", values_of("delta_chi_layer"), _INCREMENT_PRECISION),
            "branch_relu_increment": _Curve("δ_φχ", DELTA_RELU_OF_BRANCH, _INCREMENT_PRECISION),
            "branch_bn_increment": _Curve("δ_BNχ", values_of("delta_chi_bn"), _INCREMENT_PRECISION),
        },
    ),
    "resnet_sensitivity": _Panel(
        "sensitivity χ",
        {"resnet_sensitivity": _Curve("χ", CHI)},
        connected=(
            "Our nets or data differ. At unit 500 our χ is 37.9, theirs 35.2. They scale each pixel separately; in a "
            "separate trial, with the same scaling, our χ was 33.2 ± 1.3 (n = 6). It still holds that χ grows by a "
            "factor of tens over 500 units."
        ),
    ),
    "branch_ranks": _Panel(
        "effective ranks of the signal in a branch",
        {"branch_rank": _Curve(_RANK, values_of("effective_rank_signal_branch"))},
        connected=(
            "Our nets or data differ. At unit 500 our effective rank is 17, theirs 12.8, on different data. It still "
            "holds that many directions are left."
        ),
    ),
    "branch_moments": _Panel(
        "moments after batch normalisation, pure numbers",
        {
            "branch_tails": _Curve("μ₄", _TAILS),
            "branch_absolute_moment": _Curve("ν₁ of the absolute signal", _ABSOLUTE),
        },
    ),
}


# For the title of each slide: our figure, the panels of the picture, our convolutional and our fully connected nets.
PICTURES = {
    "Vanilla Nets": ("vanilla", _VANILLA, VANILLA, CONNECTED_VANILLA),
    "Batch-Normalized Feedforward Nets": ("batch_normalized_feedforward", _FEEDFORWARD, BN_FF, CONNECTED_BN_FF),
    "Batch-Normalized ResNets": ("batch_normalized_resnet", _RESIDUAL, BN_RES, CONNECTED_BN_RES),
}


def pictures() -> list[Claim]:
    """Return the claims of the pictures, in their order."""
    return [
        *_claim_histograms(),
        *(claim for title, parts in PICTURES.items() for claim in _claim_picture(title, *parts)),
    ]


def _claim_picture(
    title: str, figure: str, panels: Mapping[str, _Panel], convolutions: Net, connected: Net
) -> list[Claim]:
    section = Section(f'"{title}", picture', figure)
    return [
        *(_claim_convolutions(title, section, name, panel, convolutions) for name, panel in panels.items()),
        *(_claim_fully_connected(title, section, name, panel, connected) for name, panel in panels.items()),
    ]


def _claim_convolutions(title: str, section: Section, name: str, panel: _Panel, net: Net) -> Claim:
    return section.number(
        name,
        f"The picture of “{title}” shows {_list_readings(panel.curves, lambda each: each.value)}.",
        *_compare_curves(panel.curves, net, lambda each: each.value),
        because=(
            "We allow twice the uncertainty, which is the width of the line and our standard error, added in "
            "quadrature. It does not cover that our data differ and our batches are smaller."
        ),
        quantity=panel.words,
        printed=_join_readings(panel.curves, lambda each: each.value),
        revised=(
            "fully connected nets stood for the document's convolutions, and could agree to a factor of 2 only; before "
            "that, the tolerance was twice the gap between the authors' convolutional and fully connected nets"
        ),
        explanation=panel.convolutions,
    )


def _claim_fully_connected(title: str, section: Section, name: str, panel: _Panel, net: Net) -> Claim:
    connected = section.at("the authors' fully connected nets").with_figure("convolutional_and_fully_connected")
    return connected.number(
        f"{name}_fully_connected",
        f"The authors' picture of “{title}” for fully connected nets shows "
        f"{_list_readings(panel.curves, lambda each: each.fully_connected)}.",
        *_compare_curves(panel.curves, net, lambda each: each.fully_connected),
        because=(
            "Both nets have 512 units and equal batch sizes, but their data differ. We allow twice the uncertainty, "
            "which is the width of the line and our standard error, added in quadrature."
        ),
        quantity=panel.words,
        printed=_join_readings(panel.curves, lambda each: each.fully_connected),
        revised=(
            "until our batches had the authors' size, the tolerance was twice the gap between their convolutional and "
            "fully connected nets"
        ),
        explanation=panel.connected,
    )


def _compare_curves(
    curves: Mapping[str, _Curve], net: Net, stated: Callable[[Reading], float]
) -> tuple[AnyMeasure, Criterion]:
    """Return the measure and the criterion for all numbers of a panel. stated: picks the number of a reading."""
    parts = {}
    for name, curve in curves.items():
        for layer, reading in READINGS[name].items():
            part = "crossing" if layer is None else f"{curve.symbol}, layer {layer}"
            criterion = Near(stated(reading), error=reading.line, errors=2, precision=curve.precision)
            parts[part] = curve.measure(net, layer), criterion
    return combine_parts(parts)


def _list_readings(curves: Mapping[str, _Curve], stated: Callable[[Reading], float]) -> str:
    """Return the numbers read off curves as text: "δχ = 1.113 at layer 2, 1.003 at layer 200"."""
    parts = []
    for name, curve in curves.items():
        values = {layer: stated(each) for layer, each in READINGS[name].items()}
        if None in values:
            parts.append(f"{curve.symbol} {values[None]:g}")
        else:
            listed = ", ".join(f"{value:g} at layer {layer}" for layer, value in values.items())
            parts.append(f"{curve.symbol} = {listed}")
    return "; ".join(parts)


def _join_readings(curves: Mapping[str, _Curve], stated: Callable[[Reading], float]) -> str:
    return _join_numbers([stated(each) for name in curves for each in READINGS[name].values()])


def _join_numbers(values: list[float]) -> str:
    return f"{', '.join(f'{value:g}' for value in values)} (read off)"


def _claim_histograms() -> list[Claim]:
    return [
        _claim_centres("signal", "ln of the signal's mean square", SIGNAL_HISTOGRAMS, SIGNAL_READING, "log_nu2_signal"),
        _claim_centres("noise", "ln of the noise's variance", NOISE_HISTOGRAMS, NOISE_READING, "log_mu2_noise"),
    ]


def _claim_centres(kind: str, words: str, values: dict[int, float], reading: float, metric: str) -> Claim:
    """Claim the centres of histograms. values: by layer, below 0; reading: the uncertainty of reading them off."""
    picture = Section('"Further Notation and Assumption (II)", picture', "vanilla_histograms")
    centres = " and ".join(f"−{-value:g} at layer {layer}" for layer, value in values.items())
    return picture.number(
        f"histograms_of_{kind}",
        f"In the picture, the histogram of the change in {words} has its centre at {centres}.",
        *combine_parts(
            {
                f"layer {layer}": (
                    at_layer(HISTOGRAMS, change_of(metric), layer),
                    Near(value, error=reading, errors=2, precision=3 * reading),
                )
                for layer, value in values.items()
            }
        ),
        because=(
            f"We can read it off to ±{reading:g}. We allow twice the uncertainty, which is this and our standard "
            "error, added in quadrature. It does not cover that the data differ."
        ),
        quantity=f"change in {words} since layer 0",
        printed=_join_numbers(list(values.values())).replace("-", "−"),
    )
