"""Which pathology a random net has, by measurement and by the statements of document 002."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from workflow.deepnets.documents.propagation.criteria import EXPLODING, LINE, POINT
from workflow.deepnets.documents.propagation.nets import has_layers
from workflow.deepnets.documents.propagation.quantities import LOG_CHI, RANK, share_of_variance, values_of
from workflow.deepnets.tables.estimates import growth_per_layer, middle_layer

# Where a pathology begins in the figure: in the gaps that the nets of config.yaml leave, between powers of 1.0 and 3.1,
# and growths of 1.01 and 2.0.
_EXPLODING_POWER = 2.0
_EXPLODING_ACTIVATIONS = 1.2
# What the slides state, by (arch, norm, activation); others are free of pathology. Group normalisation is "in between
# layer and instance normalisation", which states none of its own.
_STATED = {
    ("feedforward", "none", "relu"): ("line",),
    ("feedforward", "batch", "relu"): ("noise",),
    ("feedforward", "batch", "tanh"): ("noise",),
    ("feedforward", "instance", "relu"): ("noise",),
    ("feedforward", "layer", "relu"): ("point",),
    ("residual", "none", "relu"): ("line", "activations"),
}
_PATHOLOGIES = ("noise", "line", "point", "activations")


@dataclass(frozen=True)
class Symptom:
    """One number of a net, as text, and whether it indicates the pathology: noise, line, point or activations."""

    pathology: str
    text: str
    present: bool


@dataclass(frozen=True)
class _End:
    """The end of a net, medians over simulations.

    noise: growth of ln χ per layer over the second half of the depth; power: of the depth that this growth is; rank:
    r_eff(x) and share: μ₂(x)/ν₂(x) at the last layer; activations: factor of ν₂(x) per layer over the second half.
    """

    noise: float
    power: float
    rank: float
    share: float
    activations: float


def diagnosis(net: pd.DataFrame) -> list[Symptom]:
    """Return what a net has of each pathology at its last layer, medians over simulations.

    noise: growth of χ per layer over the second half, exploding beyond a power of depth of 2; line: r_eff(x) below 1.5;
    point: μ₂(x)/ν₂(x) below 1 %; activations: growth of ν₂(x) per layer over the second half above 1.2.
    """
    if not has_layers(net):
        return [Symptom(pathology, "–", False) for pathology in _PATHOLOGIES]
    end = _end_of(net)
    share = f"{end.share:.2%}" if end.share >= 1e-4 else "< 0.01%"
    return [
        Symptom("noise", f"× {np.exp(end.noise):.3f}  ($l^{{{end.power:.1f}}}$)", end.power > _EXPLODING_POWER),
        Symptom("line", f"{end.rank:.2f}", end.rank < LINE),
        Symptom("point", share.replace("%", " %"), end.share < POINT),
        Symptom("activations", f"× {end.activations:.3f}", end.activations > _EXPLODING_ACTIVATIONS),
    ]


def is_pathological(net: pd.DataFrame) -> bool:
    """Return whether a claim counts a net as one with a pathology at its last layer, by medians over simulations.

    Noise that grows by 5 % a layer over the second half, a signal nearer to a line than to a plane, or one of whose
    mean square less than 1 % is variance.
    """
    end = _end_of(net)
    return end.noise > EXPLODING or end.rank < LINE or end.share < POINT


def _end_of(net: pd.DataFrame) -> _End:
    chi = LOG_CHI(net)
    half, last = middle_layer(chi.index), chi.index.to_numpy().max()
    noise = float(growth_per_layer(chi, half, last).median())
    activations = growth_per_layer(values_of("log_nu2_signal")(net), half, last)
    return _End(
        noise=noise,
        power=noise * (last - half) / np.log(last / half) if 0 < half < last else 0.0,
        rank=float(RANK(net).loc[last].median()),
        share=float(share_of_variance(net).loc[last].median()),
        activations=float(np.nanmedian(np.exp(activations))),
    )


def stated(net: pd.DataFrame) -> tuple[str, ...]:
    """Return the pathologies that the slides state for a net."""
    return () if either(net) else _STATED.get(_kind(net), ())


def either(net: pd.DataFrame) -> tuple[str, ...]:
    """Return the pathologies of which the slides state one or the other, by the size of weights and biases."""
    arch, norm, activation = _kind(net)
    if (arch, norm) != ("feedforward", "none"):
        return ()
    if activation == "tanh":
        # The ordered phase, and the chaotic one.
        return ("point", "noise")
    return ("point", "line") if net["init"].iloc[0] == "hyperball" else ()


def _kind(net: pd.DataFrame) -> tuple[str, str, str]:
    first = net.iloc[0]
    return first["arch"], first["norm"], first["activation"]
