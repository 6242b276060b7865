"""The claims of document 002's pictures: numbers read off the authors' figures 2 to 5, which the slides show.

The pictures are of convolutions on CIFAR-10. The authors show the same curves of fully connected nets, which is what
ours are by default: these are judged to reading error, those of the slides only to their order of magnitude.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from workflow.deepnets.claims.claim import Claim, Measure
from workflow.deepnets.claims.criteria import Near, SameOrder
from workflow.deepnets.claims.measures import constant, difference, of_paper_size
from workflow.deepnets.claims.section import Section, in_parts
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
    Quantity,
    change_of,
    log10,
    values_of,
)
from workflow.deepnets.documents.propagation.runs import BN_FF, BN_RES, HISTOGRAMS, VANILLA, Net


@dataclass(frozen=True)
class _Curve:
    """A curve of a picture.

    symbol: what it shows; quantity: what is read at the layers of READINGS.
    For orders of magnitude, origin: from which distances are compared, such as the increment 1 of a layer that changes
    nothing; raw: the quantity whose decimal logarithm the curve shows, None if it shows no logarithm.
    """

    symbol: str
    quantity: Quantity
    origin: float = 0
    raw: Quantity | None = None

    def measure(self, net: Net, layer: int | None) -> Measure:
        """Measure the curve at a layer, counted from the last one if it is the end of the depth."""
        if layer is None:
            return crossing(net, DELTA_RELU, DELTA_BN)
        return at(net, self.quantity, -1 if layer == net[0]["depth"] else layer)


@dataclass(frozen=True)
class _Panel:
    """A panel of a picture: its curves by their names in READINGS.

    words: what the panel shows; explanation: why our fully connected nets differ from the authors', if they do.
    """

    words: str
    curves: Mapping[str, _Curve]
    explanation: str = ""


_RANK, _TAILS, _ABSOLUTE = "effective rank", values_of("mu4_signal"), values_of("nu1_abs_signal")
_VANILLA = {
    "vanilla_increments": _Panel("increments", {"vanilla_increment": _Curve("δχ", INCREMENT, origin=1)}),
    "vanilla_ranks": _Panel(
        "effective ranks of the signal",
        {"vanilla_rank": _Curve(_RANK, RANK, origin=1)},
        "At layer 4 our rank is 7.3, theirs 5.0: it falls from that of the images, which are MNIST here and CIFAR-10 "
        "there. From layer 100 on the two agree: it still holds that the signal becomes one-dimensional.",
    ),
}
_FEEDFORWARD = {
    "feedforward_increments": _Panel(
        "increments",
        {
            "relu_increment": _Curve("δ_φχ", DELTA_RELU, origin=1),
            "bn_increment": _Curve("δ_BNχ", DELTA_BN, origin=1),
            "increment": _Curve("δχ", INCREMENT, origin=1),
        },
        "At layer 200 our δ_φχ is 1.045 (theirs 1.070) and our δ_BNχ 1.143 (1.121); their product agrees. It still "
        "holds that δ_φχ falls towards 1 and δ_BNχ grows with depth.",
    ),
    "crossing_of_increments": _Panel(
        "layer at which δ_BNχ overtakes δ_φχ",
        {"crossing": _Curve("δ_BNχ above δ_φχ from layer", CHI)},
        "Our increments cross at layer 58, theirs at 72. It still holds that δ_BNχ overtakes δ_φχ.",
    ),
    "feedforward_sensitivity": _Panel(
        "log₁₀ of the sensitivity χ",
        {"sensitivity": _Curve("log₁₀ χ", log10(CHI), raw=CHI)},
        "Our log₁₀ χ ends at 15.1, theirs at 15.6: 0.003 less a layer. It still holds that χ explodes.",
    ),
    "feedforward_ranks": _Panel(
        "effective ranks of the signal",
        {"rank": _Curve(_RANK, RANK, origin=1)},
        "Our rank is 18.0 at layer 10 and 2.18 at layer 200, theirs 11.6 and 2.47; images and batches differ. It "
        "still holds that few directions are left.",
    ),
    "feedforward_moments": _Panel(
        "moments after batch normalisation",
        {
            "tails": _Curve("log₁₀ μ₄", log10(_TAILS), raw=_TAILS),
            "absolute_moment": _Curve("ν₁ of the absolute signal", _ABSOLUTE, origin=1),
        },
        "At layer 200 our tails are heavier: our μ₄ is 58, theirs 36. Our batches have 1,024 images, theirs 512, and "
        "the images differ. It still holds that the signal becomes fat-tailed.",
    ),
}
_RESIDUAL = {
    "branch_increments": _Panel(
        "increments of the first layer in a branch",
        {
            "branch_increment": _Curve("δχ", values_of("delta_chi_layer"), origin=1),
            "branch_relu_increment": _Curve("δ_φχ", DELTA_RELU_OF_BRANCH, origin=1),
            "branch_bn_increment": _Curve("δ_BNχ", values_of("delta_chi_bn"), origin=1),
        },
    ),
    "resnet_sensitivity": _Panel(
        "sensitivity χ",
        {"resnet_sensitivity": _Curve("χ", CHI)},
        "Our χ ends at 38.2, theirs at 35.2. It still holds that χ of a resnet grows by a factor of tens over 500 "
        "units, and does not explode.",
    ),
    "branch_ranks": _Panel(
        "effective ranks of the signal in a branch",
        {"branch_rank": _Curve(_RANK, values_of("effective_rank_signal_branch"), origin=1)},
        "Our rank ends at 15.6, theirs at 12.8, with other images. It still holds that many directions are left.",
    ),
    "branch_moments": _Panel(
        "moments after batch normalisation",
        {
            "branch_tails": _Curve("μ₄", _TAILS),
            "branch_absolute_moment": _Curve("ν₁ of the absolute signal", _ABSOLUTE, origin=1),
        },
    ),
}
_REVISED = (
    "the tolerance was twice the gap between the authors' convolutional and fully connected nets, so wide that log₁₀ χ "
    "could lie anywhere from 9.9 to 17.5"
)


def pictured() -> list[Claim]:
    """Return what the pictures show, in their order."""
    return [
        *_histograms(),
        *_picture(
            "Vanilla Nets",
            "vanilla",
            VANILLA,
            _VANILLA,
            "At layer 4 our effective rank exceeds 1 by 6.3, in the picture by 2.7. From layer 100 on the orders "
            "agree: it still holds that the signal becomes one-dimensional.",
        ),
        *_picture(
            "Batch-Normalized Feedforward Nets",
            "batch_normalized_feedforward",
            BN_FF,
            _FEEDFORWARD,
            "Our δ_φχ at layer 200 exceeds 1 by 0.045, in the picture by 0.020, in the authors' own fully connected "
            "nets by 0.070. Our χ ends 25 times higher, which is 1.6 % a layer, and μ₄ 2.1 times lower. It still "
            "holds that χ explodes while directions are lost.",
        ),
        *_picture(
            "Batch-Normalized ResNets",
            "batch_normalized_resnet",
            BN_RES,
            _RESIDUAL,
            "Our δ_BNχ in a branch exceeds 1 by 0.021, in the picture by 0.006, in the authors' own fully connected "
            "nets by 0.025.",
        ),
    ]


def _picture(title: str, figure: str, net: Net, panels: Mapping[str, _Panel], explanation: str = "") -> list[Claim]:
    """Claim a picture of the slides, of convolutions, and each panel of the authors' fully connected nets."""
    section = Section(f'"{title}", picture', figure)
    curves = {name: curve for panel in panels.values() for name, curve in panel.curves.items()}
    return [
        section.number(
            f"{figure}_picture",
            f"The picture of “{title}”, of convolutions on CIFAR-10, shows {_read(curves, fully_connected=False)}.",
            *in_parts(
                {
                    _name(curve, layer, distance=True): _distance(curve, net, layer, reading.value)
                    for name, curve in curves.items()
                    for layer, reading in READINGS[name].items()
                }
            ),
            because=(
                "Our nets are fully connected, on MNIST, so that only orders of magnitude can agree, to a factor of "
                "2: of distances from 1 (increments, ranks, ν₁), of the layer, of χ and of μ₄. We chose our batch and "
                "one scale for all pixels by comparison with these pictures."
            ),
            quantity="what the picture shows; of increments, ranks and ν₁ their distance from 1",
            printed=_listed([each.value for name in curves for each in READINGS[name].values()]),
            revised=_REVISED,
            explanation=explanation,
        ),
        *(_panel(section.at("the authors' fully connected nets"), name, panel, net) for name, panel in panels.items()),
    ]


def _panel(section: Section, name: str, panel: _Panel, net: Net) -> Claim:
    return section.number(
        name,
        f"The authors' picture of fully connected nets shows {_read(panel.curves, fully_connected=True)}.",
        *in_parts(
            {
                _name(curve, layer): (
                    curve.measure(net[-1:], layer),
                    Near(reading.fully_connected, error=reading.line, errors=2),
                )
                for each, curve in panel.curves.items()
                for layer, reading in READINGS[each].items()
            }
        ),
        because=(
            "Both are fully connected nets of 512 units, theirs on CIFAR-10. Ours lie within twice the width of the "
            "line and our standard error, added as errors are. We chose our batch and one scale for all pixels by "
            "comparison with the authors' pictures."
        ),
        quantity=panel.words,
        printed=_listed([each.fully_connected for name in panel.curves for each in READINGS[name].values()]),
        explanation=panel.explanation,
        revised=_REVISED,
    )


def _distance(curve: _Curve, net: Net, layer: int | None, value: float) -> tuple[Measure, SameOrder]:
    """Return measure and criterion of a point of a curve on the scale on which a factor counts."""
    if curve.raw is not None:
        return replace(curve, quantity=curve.raw).measure(net, layer), SameOrder(10**value)
    found = curve.measure(net, layer)
    return (difference(found, constant(curve.origin)) if curve.origin else found), SameOrder(value - curve.origin)


def _read(curves: Mapping[str, _Curve], *, fully_connected: bool) -> str:
    """Return what was read off curves as words: "δχ = 1.113 at layer 2, 1.003 at layer 200"."""
    parts = []
    for name, curve in curves.items():
        values = {
            layer: each.fully_connected if fully_connected else each.value for layer, each in READINGS[name].items()
        }
        if None in values:
            parts.append(f"{curve.symbol} {values[None]:g}")
        else:
            parts.append(
                f"{curve.symbol} = {', '.join(f'{value:g} at layer {layer}' for layer, value in values.items())}"
            )
    return "; ".join(parts)


def _name(curve: _Curve, layer: int | None, *, distance: bool = False) -> str:
    symbol = curve.symbol
    if distance:
        symbol = symbol.removeprefix("log₁₀ ") if curve.raw else f"{symbol} − 1" if curve.origin else symbol
    return "crossing" if layer is None else f"{symbol}, layer {layer}"


def _listed(values: list[float]) -> str:
    return f"{', '.join(f'{value:g}' for value in values)} (read off)"


def _histograms() -> list[Claim]:
    same_law = (
        "Layers multiply the signal by independent factors of variance 5/128, whatever the operator or the images."
    )
    convolutions_only = (
        "The noise starts in as many directions as the images have room for, so that only convolutions can be "
        "compared: configs/paper_size.yaml."
    )
    signal, noise = "ln of the signal's mean square", "ln of the noise's variance"
    return [
        _middles("signal", signal, SIGNAL_HISTOGRAMS, SIGNAL_READING, HISTOGRAMS, "log_nu2_signal", same_law),
        _middles("noise", noise, NOISE_HISTOGRAMS, NOISE_READING, HISTOGRAMS[:1], "log_mu2_noise", convolutions_only),
    ]


def _middles(
    kind: str, words: str, values: dict[int, float], reading: float, net: Net, metric: str, because: str
) -> Claim:
    """Claim the middles of histograms, which lie below 0. values: by layer; reading: how exactly they can be read."""
    picture = Section('"Further Notation and Assumption (II)", picture', "vanilla_histograms")
    middles = " and ".join(f"−{-value:g} at layer {layer}" for layer, value in values.items())
    return picture.number(
        f"histograms_of_{kind}",
        f"The middle of the histogram of the change in {words} is {middles}.",
        *in_parts(
            {
                f"layer {layer}": (
                    of_paper_size(at(net, change_of(metric), layer)),
                    Near(value, error=reading, errors=2, precision=3 * reading),
                )
                for layer, value in values.items()
            }
        ),
        because=f"Read off to ±{reading:g}. {because}",
        quantity=f"change in {words} since layer 0",
        printed=_listed(list(values.values())).replace("-", "−"),
    )
