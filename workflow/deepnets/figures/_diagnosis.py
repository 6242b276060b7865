"""Which pathology a random net has, by measurement and by statement (document 002)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from workflow.deepnets.figures._propagation_rows import by_simulation, widest

# A net explodes where χ grows faster than this power of depth at the end: residual nets have powers below 1.
_EXPLODING_POWER = 2.0
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


@dataclass(frozen=True)
class Symptom:
    """One number of a net, as text, and whether it speaks for the pathology: noise, line, point or activations."""

    pathology: str
    text: str
    present: bool


def nets_of(table: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the rows of each kind of net, feedforward before residual; of a kind the widest, fully connected."""
    kinds = ["arch", "norm", "activation", "init", "gain", "bias"]
    order = {"feedforward": 0, "residual": 1, "none": 0, "batch": 1, "instance": 2, "group": 3, "layer": 4}
    nets = [widest(rows) for _, rows in table.groupby(kinds, observed=True)]
    return sorted(
        nets,
        key=lambda net: [
            net["activation"].iloc[0] != "relu" or net["init"].iloc[0] != "normal",
            *(order[net[axis].iloc[0]] for axis in ("arch", "norm")),
            net["activation"].iloc[0],
            net["gain"].iloc[0],
        ],
    )


def diagnosis(net: pd.DataFrame) -> list[Symptom]:
    """Return what a net has of each pathology at its last layer, medians over simulations.

    noise: growth of χ per layer over the second half, exploding beyond a power of depth of 2; line: r_eff(x) below 1.5;
    point: μ₂(x)/ν₂(x) below 2 %; activations: growth of ν₂(x) per layer over the second half above 1.2.
    """
    chi, nu2 = np.log(by_simulation(net, "chi")), by_simulation(net, "log_nu2_signal")
    last = chi.index.max()
    half = chi.index[np.abs(chi.index - last / 2).argmin()]
    growth = float(((chi.loc[last] - chi.loc[half]) / max(last - half, 1)).median())
    power = growth * (last - half) / np.log(last / half) if 0 < half < last else 0.0
    rank = float(by_simulation(net, "effective_rank_signal").loc[last].median())
    point = float(np.exp(by_simulation(net, "log_mu2_signal").loc[last] - nu2.loc[last]).median())
    activation = float(np.exp(((nu2.loc[last] - nu2.loc[half]) / max(last - half, 1)).median()))
    return [
        Symptom("noise", f"× {np.exp(growth):.3f}  ($l^{{{power:.1f}}}$)", power > _EXPLODING_POWER),
        Symptom("line", f"{rank:.2f}", rank < 1.5),
        Symptom("point", f"{point:.2g}", point < 0.02),
        Symptom("activations", f"× {activation:.2f}", activation > 1.2),
    ]


def stated(net: pd.DataFrame) -> tuple[str, ...]:
    """Return the pathologies that the slides state for a net."""
    arch, norm, activation = (net[axis].iloc[0] for axis in ("arch", "norm", "activation"))
    gain, bias = net["gain"].iloc[0], net["bias"].iloc[0]
    if (arch, norm, activation) == ("feedforward", "none", "tanh"):
        # The ordered phase is that of biases and small weights.
        return ("point",) if bias > 0 and gain <= 1 else ("noise",)
    if (arch, norm, net["init"].iloc[0]) == ("feedforward", "none", "hyperball"):
        # "Either … or": biases decide.
        return ("point",) if bias > 0 else ("line",)
    return _STATED.get((arch, norm, activation), ())


def name_of(net: pd.DataFrame) -> str:
    """Return a net's name: normalisation, kind, what is not standard, depth, operator and channels."""
    first = net.iloc[0]
    norm = {"none": "vanilla" if first["arch"] == "feedforward" else "unnormalised"}.get(
        first["norm"], f"{first['norm']} norm"
    )
    kind = "resnet" if first["arch"] == "residual" else "" if first["norm"] == "none" else "feedforward"
    details = [
        name
        for name, shown in (("tanh", first["activation"] == "tanh"), ("uniform", first["init"] == "hyperball"))
        if shown
    ]
    if first["norm"] == "none" and details:
        details.append(f"gain {first['gain']:g}, bias {first['bias']:g}")
    layers = f"L = {net['depth'].max()}, " + ("conv" if first["kernel"] > 1 else "full") + f" {first['width']}"
    return " ".join(filter(None, [norm, kind, *details])) + f" ({layers})"
