"""Which pathology a random net has, by measurement and by statement (document 002)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from workflow.deepnets.documents.propagation.curves import has_layers
from workflow.deepnets.documents.propagation.rows import by_simulation, kind_of, operator_of, unusual
from workflow.deepnets.figures.which_runs import by_setting, regardless_of_block

# Where a pathology begins: in the gaps that the nets of config.yaml leave, between powers of 1.0 and 2.9, ranks of 1.1
# and 2.2, shares of 0.7 % and 4 %, and growths of 1.01 and 2.0.
_EXPLODING_POWER = 2.0
_LINE = 1.5
_POINT = 0.02
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
    """One number of a net, as text, and whether it speaks for the pathology: noise, line, point or activations."""

    pathology: str
    text: str
    present: bool


def nets_by_size(table: pd.DataFrame) -> dict[str, list[pd.DataFrame]]:
    """Return the rows of each net by the name of its size; fully connected and wide sizes, standard nets first."""
    nets = [net for _, net in by_setting(regardless_of_block(table))]
    sizes = {}
    for net in sorted(nets, key=_order):
        sizes.setdefault(f"{operator_of(net)}, {net['width'].iloc[0]} channels", []).append(net)
    return sizes


def _order(net: pd.DataFrame) -> list[object]:
    """Return the key by which nets are sorted: size, then what is not standard, then architecture and normalisation."""
    places = {"feedforward": 0, "residual": 1, "none": 0, "batch": 1, "instance": 2, "group": 3, "layer": 4}
    first = net.iloc[0]
    return [
        first["kernel"],
        -first["width"],
        (first["init"] != "normal", first["activation"] != "relu"),
        *(places[first[axis]] for axis in ("arch", "norm")),
        *(first[axis] for axis in ("gain", "bias", "batch", "depth")),
    ]


def diagnosis(net: pd.DataFrame) -> list[Symptom]:
    """Return what a net has of each pathology at its last layer, medians over simulations.

    noise: growth of χ per layer over the second half, exploding beyond a power of depth of 2; line: r_eff(x) below 1.5;
    point: μ₂(x)/ν₂(x) below 2 %; activations: growth of ν₂(x) per layer over the second half above 1.2.
    """
    if not has_layers(net):
        return [Symptom(pathology, "–", False) for pathology in _PATHOLOGIES]
    chi, nu2 = np.log(by_simulation(net, "chi")), by_simulation(net, "log_nu2_signal")
    last = chi.index.max()
    half = chi.index[np.abs(chi.index - last / 2).argmin()]
    growth = float(((chi.loc[last] - chi.loc[half]) / max(last - half, 1)).median())
    power = growth * (last - half) / np.log(last / half) if 0 < half < last else 0.0
    rank = float(by_simulation(net, "effective_rank_signal").loc[last].median())
    point = float(np.exp(by_simulation(net, "log_mu2_signal").loc[last] - nu2.loc[last]).median())
    activation = float(np.exp(((nu2.loc[last] - nu2.loc[half]) / max(last - half, 1)).median()))
    share = f"{point:.2%}" if point >= 1e-4 else "< 0.01%"
    return [
        Symptom("noise", f"× {np.exp(growth):.3f}  ($l^{{{power:.1f}}}$)", power > _EXPLODING_POWER),
        Symptom("line", f"{rank:.2f}", rank < _LINE),
        Symptom("point", share.replace("%", " %"), point < _POINT),
        Symptom("activations", f"× {activation:.3f}", activation > _EXPLODING_ACTIVATIONS),
    ]


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
    return tuple(net[axis].iloc[0] for axis in ("arch", "norm", "activation"))


def name_of(net: pd.DataFrame) -> str:
    """Return a net's name within its size: normalisation, kind, what is not standard, depth and batch."""
    first = net.iloc[0]
    layers = "layers" if first["arch"] == "feedforward" else "units"
    return ", ".join([kind_of(net), *unusual(net), f"{first['depth']} {layers}, batch {first['batch']:,}"])
