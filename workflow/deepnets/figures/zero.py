"""The figures of document 004, a notebook on ZerO initialisation (Zhao, Schäfer and Anandkumar 2021)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from workflow.deepnets.data.mnist import PIXELS
from workflow.deepnets.figures._rows import by_seed, rows_of

DOCUMENT = "004-zero"
# The widths and biases of the document and of the authors' own notebook.
_BIAS, _NO_BIAS = 0.01, 0
_WIDTH, _AUTHORS_WIDTH = 1024, 2048
_DOTTED = (0, (1, 1.5))
_INITS = {
    "random": ("random", "C3"),
    "partial_identity": ("partial identity", "C2"),
    "zero": ("ZerO", "C0"),
    "one": ("OnE", "C4"),
    "spray": ("Spray", "C1"),
}
# The printed "Test set: Average loss: 0.1849, Accuracy: 9454/10000" of n_h = 256, partial identity.
_QUOTED_WIDTH, _QUOTED_ACCURACY = 256, 0.9454
_ACCURACY_TICKS = (0.1, 0.3, 0.6, 0.8, 0.9, 0.95, 0.97)


def figure_3_left(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (left): the rank of W₃ − I during training from partial identities, at four widths.

    Dashed: the input dimension 784, which bounds the rank in a network without biases (Theorem 1). The notebook adds
    biases that start from one constant: the padded units then stay equal to each other but not zero, which adds one
    dimension, so that the bound is 785. Line: seed 1, the document's; band: range over seeds where there are more.
    The document labels its points, taken after updates 1, 51, …, 901, as 50, 100, …, 950.
    """
    return _widths(zero_init, bias=_BIAS)


def figure_3_right(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (right): the rank of W₃ − I during training at n_h = 1024, for three initialisations.

    The Hadamard matrix in the layer that widens lets ZerO pass the input dimension 784 (dashed), which, with 1 for
    the biases, bounds the partial identity: 785. Line: seed 1; band: range over seeds.
    """
    return _inits(zero_init, ["random", "partial_identity", "zero"], width=_WIDTH, bias=_BIAS)


def figure_3_right_all_inits(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (right) with OnE and Spray, which the document defines but leaves out of its plots; n_h = 1024.

    OnE lets each padded unit copy a random input, Spray inverts OnE's matrices. Dashed: the input dimension 784; with
    biases the partial identity's bound is 785. Line: seed 1; band: range over seeds.
    """
    return _inits(zero_init, list(_INITS), width=_WIDTH, bias=_BIAS)


def figure_3_left_without_bias(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (left) without biases, as in the authors' own notebook.

    The padded units never leave zero, so widths 1024 and 2048 are one network: their lines coincide but for what
    float32 rounds differently at different widths. Dashed: the input dimension 784, the bound of Theorem 1.
    """
    return _widths(zero_init, bias=_NO_BIAS)


def figure_3_right_without_bias(zero_init: pd.DataFrame) -> Figure:
    """Figure 3 (right) without biases and at n_h = 2048, as in the authors' own notebook.

    Dashed: the input dimension 784, the bound of Theorem 1 on the partial identity.
    """
    return _inits(zero_init, ["random", "partial_identity", "zero"], width=_AUTHORS_WIDTH, bias=_NO_BIAS)


def test_accuracy(zero_init: pd.DataFrame) -> Figure:
    """Test accuracy of every network of document 004 at the end of training.

    Circles: seeds; bars: their mean. Diamond: 9454 of 10,000, printed in the document for n_h = 256. The scale is
    logistic: Spray stays far below all others.
    """
    figure, axis = plt.subplots(figsize=(3.4, 3.6))
    accuracy = rows_of(zero_init, "test_accuracy")
    points = list(accuracy.groupby(["bias", "width", "init"])["value"])
    order = list(_INITS)
    points.sort(key=lambda point: (-point[0][0], point[0][1], order.index(point[0][2])), reverse=True)
    names = []
    for height, ((bias, width, init), values) in enumerate(points):
        name, colour = _INITS[init]
        names.append(f"{name}, {width}" + ("" if bias else ", no bias"))
        axis.plot(values, np.full(len(values), height), "o", color=colour, ms=3, mfc="none")
        axis.plot(values.mean(), height, "|", color=colour, ms=9, mew=1.5)
        if (bias, width, init) == (_BIAS, _QUOTED_WIDTH, "partial_identity"):
            axis.plot(_QUOTED_ACCURACY, height, "D", color="k", mfc="none", label="document")
            axis.legend(loc="upper left")
    axis.set_yticks(range(len(names)), names)
    axis.set(xscale="logit", xlabel="test accuracy (%)", xlim=(0.08, 0.98), ylim=(-0.7, max(len(names), 1) - 0.3))
    axis.set_xticks(_ACCURACY_TICKS, [f"{100 * tick:.0f}" for tick in _ACCURACY_TICKS])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.grid(axis="x", color="0.9", lw=0.5)
    return figure


def _widths(zero_init: pd.DataFrame, *, bias: float) -> Figure:
    ranks = rows_of(zero_init, "rank", init="partial_identity", bias=bias)
    figure, axis = plt.subplots(figsize=(3.4, 2.5))
    for position, (width, rows) in enumerate(ranks.groupby("width")):
        # Coinciding lines stay visible: later ones are dotted.
        _draw(axis, rows, f"$n_h$ = {width}", f"C{position}", "-" if position % 4 < 3 else _DOTTED)
    return _finished(figure, axis)


def _inits(zero_init: pd.DataFrame, inits: list[str], *, width: int, bias: float) -> Figure:
    ranks = rows_of(zero_init, "rank", width=width, bias=bias)
    figure, axis = plt.subplots(figsize=(3.4, 2.5))
    for init in inits:
        # Spray keeps full rank, as the random init does: dotted, so that both are seen.
        _draw(axis, ranks[ranks["init"] == init], *_INITS[init], _DOTTED if init == "spray" else "-")
    return _finished(figure, axis)


def _draw(axis: Axes, rows: pd.DataFrame, label: str, colour: str, line: str | tuple) -> None:
    if rows.empty:
        return
    ranks = by_seed(rows)
    axis.plot(ranks[ranks.columns.min()].dropna(), color=colour, ls=line, lw=1.6, label=label)
    axis.fill_between(ranks.index, ranks.min(axis=1), ranks.max(axis=1), color=colour, alpha=0.25, lw=0)


def _finished(figure: Figure, axis: Axes) -> Figure:
    axis.axhline(PIXELS, color="0.3", ls="--", lw=1, label=f"{PIXELS} inputs")
    axis.set(xlabel="updates", ylabel=r"rank of $W_3 - I$", ylim=(0, None), xlim=(0, None))
    figure.legend(loc="outside upper center", ncols=3)
    return figure
