"""The pathologies of a random net: measured, and as stated in document 002."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from deepnets.documents.propagation import quantities
from deepnets.documents.propagation.nets import has_layers

# The limits of a pathology. χ explodes if ln χ grows by EXPLODING per layer or more: by four orders of magnitude over
# 200 layers. Below LINE, an effective rank is nearer to a line (1) than to a plane (2). The signal is on
# a point if the share of the variance in the mean square is below POINT.
EXPLODING, LINE, POINT = float(np.log1p(0.05)), 1.5, 0.01
# The limits of a pathology in the figure. No net of config.yaml has a power between 1.0 and 3.1, or a growth between
# 1.01 and 2.0.
_EXPLODING_POWER = 2.0
_EXPLODING_ACTIVATIONS = 1.2
# The pathologies that the slides state, by (arch, norm, activation); other nets have none. Group normalisation is "in
# between layer and instance normalisation", which states no pathology.
_STATED_PATHOLOGIES = {
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
    """A number of a net, as text, and whether it indicates the pathology: noise, line, point or activations."""

    pathology: str
    text: str
    present: bool


def diagnose(net: pd.DataFrame) -> list[Symptom]:
    """Return a symptom for each pathology, with the limits of the figure, from medians over simulations."""
    if not has_layers(net):
        return [Symptom(pathology, "–", False) for pathology in _PATHOLOGIES]
    chi = quantities.LOG_CHI(net)
    half, last = quantities.middle_layer(chi.index), chi.index.to_numpy().max()
    growth = float(quantities.growth_per_layer(chi, half, last).median())
    # The exponent of the power of depth with this growth.
    power = growth * (last - half) / np.log(last / half) if 0 < half < last else 0.0
    rank, share = (
        float(quantity(net).loc[last].median()) for quantity in (quantities.RANK, quantities.share_of_variance)
    )
    activations = float(
        np.nanmedian(np.exp(quantities.growth_per_layer(quantities.values_of("log_nu2_signal")(net), half, last)))
    )
    return [
        Symptom("noise", f"× {np.exp(growth):.3f}  ($l^{{{power:.1f}}}$)", power > _EXPLODING_POWER),
        Symptom("line", f"{rank:.2f}", rank < LINE),
        Symptom("point", (f"{share:.2%}" if share >= 1e-4 else "< 0.01%").replace("%", " %"), share < POINT),
        Symptom("activations", f"× {activations:.3f}", activations > _EXPLODING_ACTIVATIONS),
    ]


def severities(net: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return how far each simulation is beyond the limit of a pathology, as a ratio: 1 at the limit, more beyond it."""
    chi = quantities.LOG_CHI(net)
    half, last = quantities.middle_layer(chi.index), chi.index.to_numpy().max()
    ratios = {
        "noise": quantities.growth_per_layer(chi, half, last) / EXPLODING,
        "line": LINE / quantities.RANK(net).loc[last],
        "point": POINT / quantities.share_of_variance(net).loc[last],
    }
    return {pathology: ratio.to_numpy() for pathology, ratio in ratios.items()}


def stated_pathologies(net: pd.DataFrame) -> tuple[str, ...]:
    """Return the pathologies that the slides state for a net."""
    return () if alternative_pathologies(net) else _STATED_PATHOLOGIES.get(_kind(net), ())


def alternative_pathologies(net: pd.DataFrame) -> tuple[str, ...]:
    """Return two pathologies if the slides state one or the other, depending on the size of weights and biases."""
    arch, norm, activation = _kind(net)
    if (arch, norm) != ("feedforward", "none"):
        return ()
    if activation == "tanh":
        # In the ordered and in the chaotic phase.
        return ("point", "noise")
    return ("point", "line") if net["init"].iloc[0] == "hyperball" else ()


def _kind(net: pd.DataFrame) -> tuple[str, str, str]:
    first = net.iloc[0]
    return first["arch"], first["norm"], first["activation"]
