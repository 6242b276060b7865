"""The sliders of document 003 as sweeps over learning rate and initialisation scale."""

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workflow.deepnets.figures._rows import rows_of

DOCUMENT = "003-hierarchy"


def sweep_loss(hierarchy: pd.DataFrame) -> Figure:
    """Training loss over learning rate and initialisation scale γ (Interactive Demo 1's sliders), seed 2021.

    Solid: simulation; dashed: decoupled modes that start balanced, which holds for small γ. Large γ has no bumps: all
    modes are learned at once. At γ = 10⁻¹⁵ the last drop comes before theory's: rounding in float32, the document's
    precision, gives the late modes a larger start than the initialisation does. No setting within the document's
    sliders diverges; what did would be marked.
    """
    figure = _grid_of_settings(hierarchy, _draw_losses, sharey=True)
    figure.axes[0].set_ylim(0, None)
    figure.supxlabel("epoch (updates)", fontsize=8)
    figure.supylabel("mean squared error", fontsize=8)
    return figure


def sweep_rsm(hierarchy: pd.DataFrame) -> Figure:
    """Representational similarity after the last epoch over learning rate and scale γ (section 3's sliders), seed 2021.

    Each matrix in shares of its own largest entry, white from 0 down. Low rates at small γ are caught on their way down
    the tree. All others end alike, whether the loss had bumps or not; at γ = 10 traces of the initialisation remain.
    """
    figure = _grid_of_settings(hierarchy, _draw_last_rsm)
    figure.supxlabel("item", fontsize=8)
    figure.supylabel("item", fontsize=8)
    return figure


def _grid_of_settings(hierarchy: pd.DataFrame, draw: Callable[[Axes, pd.DataFrame], None], **shared: bool) -> Figure:
    """Draw one panel per learning rate (rows) and scale (columns) of the deep nets, for the first seed."""
    deep = hierarchy[(hierarchy["dataset"] == "plain") & (hierarchy["depth"] == 2)]
    deep = deep[deep["seed"] == deep["seed"].min()]
    rates, scales = sorted(deep["learning_rate"].unique()), sorted(deep["scale"].unique())
    shape = max(len(rates), 1), max(len(scales), 1)
    figure, axes = plt.subplots(*shape, figsize=(6.9, 4.4), squeeze=False, sharex=True, **shared)
    for row, rate in zip(axes, rates, strict=False):
        for axis, scale in zip(row, scales, strict=False):
            chosen = deep[(deep["learning_rate"] == rate) & (deep["scale"] == scale)]
            draw(axis, chosen)
            if len(stopped := rows_of(chosen, "diverged")):
                axis.text(0.5, 0.5, f"diverged\nat {stopped['step'].iloc[0]}", transform=axis.transAxes, ha="center")
        row[-1].annotate(
            f"rate {rate:g}", (1.04, 0.5), xycoords="axes fraction", rotation=270, va="center", annotation_clip=False
        )
    for axis, scale in zip(axes[0], scales, strict=False):
        axis.set_title(rf"$\gamma$ = {_power_of_ten(scale)}")
    return figure


def _draw_losses(axis: Axes, rows: pd.DataFrame) -> None:
    for metric, style in (
        ("train_loss", {"color": "C0"}),
        ("theory_train_loss", {"color": "k", "ls": "--", "lw": 0.7}),
    ):
        values = rows_of(rows, metric)
        axis.plot(values["step"], values["value"], **style)


def _draw_last_rsm(axis: Axes, rows: pd.DataFrame) -> None:
    axis.set(xticks=[], yticks=[])
    similarities = rows_of(rows, "rsm")
    if len(similarities):
        last = similarities.loc[similarities["step"] == similarities["step"].max(), "value"].to_numpy()
        matrix = last.reshape(round(len(last) ** 0.5), -1)
        axis.imshow(matrix / np.abs(matrix).max(), cmap="Purples", vmin=0, vmax=1)


def _power_of_ten(scale: float) -> str:
    exponent = np.log10(scale)
    return f"$10^{{{exponent:.0f}}}$" if abs(exponent) >= 2 and exponent == round(exponent) else f"{scale:g}"
