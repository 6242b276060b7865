"""The figures of document 000, "A simple classification task where deeper is better"."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workflow.deepnets.figures._rows import by_seed, rows_of, standard_error

DOCUMENT = "000-classifier"
# What the text quotes, in percent: variant → (mean, standard error or None).
_QUOTED = {
    "linear": (53.0, None),
    "two_layers": (60.3, 0.6),
    "rank_2": (85.0, None),
    "near_zero": (84.0, None),
    "large_scale": (57.5, 1.0),
}
_NAMES = {
    "linear": "linear",
    "two_layers": "2 layers",
    "rank_2": "2 layers, rank 2",
    "near_zero": r"3 layers × $10^{-4}$",
    "large_scale": r"3 layers × $10^{3}$",
    "standard_scale": "3 layers, rate 0.1",
}


def data(classifier: pd.DataFrame) -> Figure:
    """The classification task ("dln_classifier_data"): all points for training and testing, coloured by class.

    Left: the first two features, whose direction is the class; right: two of the eight features that only confuse.
    """
    inputs = rows_of(classifier, "input")["value"].to_numpy()
    labels = rows_of(classifier, "label")["value"].to_numpy()
    inputs = inputs.reshape(len(labels), -1)
    figure, axes = plt.subplots(1, 2, figsize=(3.4, 2.0), sharex=True, sharey=True)
    limit = np.abs(inputs[:, :4]).max() * 1.05
    classes = int(labels.max()) + 1
    for axis, (x, y), title in zip(axes, ((0, 1), (2, 3)), ("informative", "confusing"), strict=True):
        for kind in range(classes):
            members = inputs[labels == kind]
            # Neighbouring slices differ in colour, the two slices of one colour in the marker.
            axis.scatter(members[:, x], members[:, y], s=7, color=f"C{kind % 5}", marker="o^sDv"[kind // 5 % 5], lw=0)
        axis.set(xlabel=f"feature {x + 1}", title=title, aspect="equal", xlim=(-limit, limit), ylim=(-limit, limit))
    axes[0].set_ylabel("feature 2")
    axes[1].set_ylabel("feature 4")
    for border in range(classes):
        angle = 2 * np.pi * border / classes - np.pi
        axes[0].plot([0, 2 * limit * np.sin(angle)], [0, 2 * limit * np.cos(angle)], color="0.7", lw=0.5, zorder=0)
    return figure


def accuracy_by_depth(classifier: pd.DataFrame) -> Figure:
    """Test accuracy against the number of layers ("dln_classifier_depth").

    Mean and standard error over the ten repetitions, which replay the document's random stream.
    """
    accuracy = rows_of(classifier, "test_accuracy", block="depths").groupby("depth")["value"]
    means, errors = 100 * accuracy.mean(), 100 * accuracy.agg(standard_error)
    figure, axis = plt.subplots(figsize=(3.4, 2.3))
    axis.errorbar(means.index, means, yerr=errors, marker="o")
    axis.set(xlabel="layers", ylabel="test accuracy (%)", xticks=means.index)
    axis.grid(axis="y", color="0.9", lw=0.5)
    return figure


def singular_values_near_zero(classifier: pd.DataFrame) -> Figure:
    """Singular values 1–5 of three layers scaled by 10⁻⁴ during training ("dln_classifier_singular_small").

    They show up one by one; the rest stay at the magnitude of the initialisation, which the logarithmic axis below
    shows. Strong: the first repetition, as in the document; faint: the other nine.
    """
    return _singular_values(classifier, "near_zero")


def singular_values_standard_scale(classifier: pd.DataFrame) -> Figure:
    """Singular values 1–5 of three layers at standard scale during training ("dln_classifier_singular_normal").

    Values around 100 at the end make an initialisation of size 1 near-zero in comparison. Trained at rate 0.1, as
    the document's figure was. Strong: the first repetition; faint: the other nine.
    """
    return _singular_values(classifier, "standard_scale")


def accuracy_by_variant(classifier: pd.DataFrame) -> Figure:
    """Test accuracy of every variant of document 000 side by side: a figure that the document lacks.

    Mean and standard error over ten repetitions (the linear model, from zeros, has one). Open diamonds: the values
    that the text quotes, with their errors where it gives them.
    """
    accuracy = rows_of(classifier, "test_accuracy")
    rows = []
    for (block, depth), values in accuracy.groupby(["block", "depth"])["value"]:
        name = (
            f"sweep: {depth} {'layer' if depth == 1 else 'layers'}" if block == "depths" else _NAMES.get(block, block)
        )
        rows.append((name, 100 * values.mean(), 100 * standard_error(values), _QUOTED.get(block)))
    rows.sort(key=lambda row: row[1])
    figure, axis = plt.subplots(figsize=(3.4, 3.0))
    for height, (_, mean, error, quoted) in enumerate(rows):
        axis.errorbar(mean, height, xerr=error, marker="o", color="C0", linestyle="none")
        if quoted:
            value, uncertainty = quoted
            axis.errorbar(
                value, height - 0.3, xerr=uncertainty, marker="D", color="C1", markerfacecolor="white", linestyle="none"
            )
    axis.set_yticks(range(len(rows)), [name for name, *_ in rows])
    axis.set(xlabel="test accuracy (%)", ylim=(-0.8, len(rows) - 0.4))
    axis.grid(axis="x", color="0.9", lw=0.5)
    axis.plot([], [], "o", color="C0", label="reproduced")
    axis.plot([], [], "D", color="C1", markerfacecolor="white", label="quoted")
    axis.legend(loc="lower right")
    return figure


def _singular_values(classifier: pd.DataFrame, block: str) -> Figure:
    figure, axes = plt.subplots(2, 1, figsize=(3.4, 3.8), sharex=True)
    for axis in axes:
        _draw_singular_values(axis, rows_of(classifier, "singular_value", block=block))
    axes[0].set_ylabel("singular value")
    axes[1].set(yscale="log", xlabel="training iteration", ylabel="singular value (log scale)")
    axes[0].legend(title="mode")
    return figure


def _draw_singular_values(axis: Axes, rows: pd.DataFrame) -> None:
    for mode in range(5):
        values = by_seed(rows[rows["index"] == mode])
        for position, seed in enumerate(values.columns):
            style = {"zorder": 3, "label": f"{mode + 1}"} if position == 0 else {"lw": 0.4, "alpha": 0.3}
            axis.plot(values[seed].dropna(), color=f"C{mode}", **style)
