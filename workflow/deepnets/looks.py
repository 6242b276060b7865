"""The one table of colours and markers of inits, depths, widths, rules, and kinds of nets and layers, in all figures.

Colours are those of Okabe and Ito, as in the style of all figures, and for depths a ramp; colour-blind readers can tell
both apart. Within a column, no two entries share colour and marker.
"""

from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import to_hex, to_rgb

_BLUE, _RED, _GREEN, _PINK, _AMBER, _SKY = "#0072B2", "#D55E00", "#005F46", "#CC79A7", "#E69F00", "#56B4E9"
# From one layer (light) to seven or more (dark); the hues turn so far that they also differ when the page inverts them.
_RAMP = ("#e09a3c", "#d96c6c", "#b04585", "#5a63bd", "#0075a0", "#00604f", "#234000")
_MARKERS = "osD^vP<"


class Look(NamedTuple):
    """The name of a value in prose, its colour, and its marker, or its style of lines."""

    name: str
    color: str
    marker: str

    @property
    def style(self) -> dict[str, str]:
        """Arguments of `axis.plot` or `axis.errorbar` for points with a line."""
        return {"label": self.name, "color": self.color, "marker": self.marker}


# Of several inits, legends list them in this order.
INITS: dict[Any, Look] = {
    "decoupled": Look("decoupled", _BLUE, "o"),
    "orthogonal": Look("orthogonal", _RED, "s"),
    "pretrained": Look("pretrained", _GREEN, "D"),
    "gaussian": Look("Gaussian", _PINK, "v"),
    "small_gaussian": Look("small Gaussian", _SKY, "P"),
    "row_normalized": Look("rows of norm 1", _AMBER, "^"),
    "random": Look("random", _PINK, "o"),
    "partial_identity": Look("partial identity", _GREEN, "s"),
    "zero": Look("ZerO", _BLUE, "D"),
    "one": Look("OnE", _AMBER, "v"),
    "spray": Look("Spray", _RED, "X"),
}
NORMS = {
    "batch": Look("batch", _BLUE, "o"),
    "instance": Look("instance", _RED, "s"),
    "group": Look("group", _GREEN, "D"),
    "layer": Look("layer", _PINK, "v"),
    "none": Look("none", _AMBER, "^"),
}
# An architecture has a style of lines, since its colour is that of the normalisation.
ARCHITECTURES = {"feedforward": "-", "residual": (0, (4, 1.5))}
# By the size of the kernel: fully connected layers are convolutions of 1 × 1.
LAYERS = {"convolutional": Look("convolutional", _BLUE, "o"), "full": Look("full", _RED, "s")}
ACTIVATIONS = {
    "linear": Look("linear", _BLUE, "o"),
    "relu": Look("ReLU", _RED, "s"),
    "tanh": Look("tanh", _GREEN, "D"),
}
# Rules of document 001, whose lines nearly coincide.
RULES: dict[Any, Look] = {
    "covariance": Look("covariance rule", _BLUE, "-"),
    "samples": Look("sample-wise rule", _RED, "--"),
    "covariance_in_place": Look("in-place rule", _GREEN, ":"),
}
# For charts.
NAMES = {value: look.name for table in (INITS, ACTIVATIONS, RULES) for value, look in table.items()}
COLOURS = {value: look.color for table in (INITS, ACTIVATIONS, RULES) for value, look in table.items()}


def of_depth(depth: Any) -> Look:
    """Return the look of a net with some number of weight matrices."""
    name = "1 layer" if depth == 1 else f"{depth} layers"
    return Look(name, _RAMP[min(depth, len(_RAMP)) - 1], _MARKERS[(depth - 1) % len(_MARKERS)])


def of_width(init: Any, width: int, usual: int) -> Look:
    """Return the look of nets of an init: its colour at the usual width, lighter if narrower, darker if wider."""
    steps = np.log2(width / usual)
    share = 1 - 0.7 ** abs(steps)
    color = (1 - share) * np.array(to_rgb(INITS[init].color)) + share * (steps < 0)
    return Look(f"{width} units", to_hex(color), _MARKERS[round(steps) % len(_MARKERS)])
