from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure

from deepnets.documents.hierarchy import panels
from deepnets.documents.hierarchy.runs import LARGER, MAIN, SLIDERS
from reproduce import api

_SLIDERS = ("learning_rate", "scale")


def sweep_loss(hierarchy: api.Table) -> Figure:
    """With a larger scale γ of the initial weights, the steps of the loss vanish; another rate only stretches time.

    The sliders of Interactive Demo 1, one seed. a, b: updates until the first and the last mode have half their singular
    value; –: the mode starts above the half, or the run ends before. c, d: training loss at one rate, and at one γ;
    dashed: theory for small γ, in which each mode grows independently. At γ = 10⁻¹⁵, rounding in the document's float32
    exceeds the initial strength of the late modes: they are learned earlier than in theory.
    """
    sheet = api.Sheet(note_divergence=False)
    runs = sheet.take(SLIDERS.shown(hierarchy))
    rates, scales = (runs[name].nunique() for name in _SLIDERS)
    axes = sheet.panels(2, 2, figsize=(_width(scales), 5.2 * max(1, rates / 8, scales / 8))).ravel()
    runs = runs[runs["seed"] == runs.groupby(list(_SLIDERS))["seed"].transform("min")]
    last = api.rows_of(runs, "data_singular_value")["index"].max()
    for axis, mode, name in ((axes[0], 0, "first mode"), (axes[1], last, "last mode")):
        axis.set_title(f"updates to half, {name}")
        _draw_half_times(axis, runs, mode)
    for axis, held, swept in zip(axes[2:], _SLIDERS, reversed(_SLIDERS), strict=True):
        # Show all values of one slider at the document's value of the other, or at its first.
        value = MAIN[held] if MAIN[held] in runs[held].unique() else runs[held].min()
        nets = api.runs_of(runs, **{held: value})
        axis.set(xlabel="epoch (updates)", ylabel="mean squared error", title=_name_value(held, value))
        _draw_losses(axis, nets, swept)
    sheet.note(_seed_text(runs), "×: the run diverged" if len(api.divergence_steps(runs)) else "")
    return sheet.finish()


def larger_scale(hierarchy: api.Table) -> Figure:
    """With a larger scale γ, the next level begins before one is learned, and items are similar at random (section 3).

    Top row: the main setting; others: the larger γ and rates that the document suggests. Left: loss, and singular values
    as shares of the data's largest. Matrices: similarities of the items, in the order of the figure above, as shares of
    the largest in any row, at the start and when the loss has fallen by nine tenths of the way to the next plateau of the
    theory for small γ.
    """
    sheet = api.Sheet(note_divergence=False)
    main = sheet.take(MAIN.shown(hierarchy), name="main setting")
    larger = sheet.take(LARGER.shown(hierarchy))
    drawn = [api.first_seed(runs) for runs in (main, *(runs for _, runs in larger.groupby(["scale", "learning_rate"])))]
    tree = panels.tree_of(main)
    columns = ["start", *(panels.learned_levels(level, tree.levels) for level in range(1, tree.levels + 2))]
    widths = 2, *[1] * len(columns)
    size = 6.9, max(3.0, 0.6 + 0.95 * len(drawn))
    axes = sheet.panels(len(drawn), len(widths), lettered=False, figsize=size, width_ratios=widths, squeeze=False)
    largest = panels.largest_of(*map(_finite_similarities, drawn))
    for (left, *squares), runs in zip(axes, drawn, strict=True):
        _draw_loss_and_modes(left, runs)
        _draw_similarities(squares, runs, largest)
    axes[-1, 0].set_xlabel("epoch (updates)")
    for axis, column in zip(axes[0, 1:], columns, strict=True):
        axis.set_title(f"{column}\n{axis.get_title()}", fontsize=7)
    shades = ScalarMappable(Normalize(0, 1), panels.SIMILARITY["cmap"])
    bar: dict[str, Any] = {"shrink": min(1, 2 / len(axes)), "aspect": 15, "ticks": [0, 0.5, 1]}
    sheet.figure.colorbar(shades, ax=axes[:, 1:], label="similarity (share of the largest)", **bar)
    sheet.figure.supylabel("mean squared error;\nsingular value (share of the data's largest)", fontsize=8)
    sheet.add_legend(most=9, title=_seed_text(pd.concat(drawn)))
    return sheet.finish()


def _width(columns: int) -> float:
    """Return the width of a figure with a row of panels or cells, in inches."""
    return 6.9 * max(1, columns / 8)


def _seed_text(runs: pd.DataFrame) -> str:
    """Return the number of the drawn seed, the first of each setting, as text."""
    firsts = runs.groupby(list(_SLIDERS))["seed"].min()
    return f"seed {firsts.iloc[0]}" if firsts.nunique() == 1 else "the first seed of each"


def _draw_half_times(axis: Axes, runs: pd.DataFrame, mode: int) -> None:
    """Draw a mode's half times as numbers in coloured cells, one per rate (row) and scale (column)."""
    rates, scales = (sorted(runs[name].unique()) for name in _SLIDERS)
    axis.set_xticks(range(len(scales)), [panels.gamma_text(scale).removeprefix(r"$\gamma$ = ") for scale in scales])
    axis.set_yticks(range(len(rates)), [f"{rate:g}" for rate in rates])
    axis.set(xlabel=r"scale $\gamma$", ylabel="learning rate")
    times = np.full((len(rates), len(scales)), np.nan)
    for (row, rate), (column, scale) in product(enumerate(rates), enumerate(scales)):
        net = api.runs_of(runs, learning_rate=rate, scale=scale)
        recorded, text = api.rows_of(net, "half_time", index=mode)["value"], "–"
        if len(api.divergence_steps(net)):
            text = "×"
        elif len(recorded):
            times[row, column] = recorded.iloc[0]
            text = f"{times[row, column]:.0f}"
        axis.text(column, row, text, ha="center", va="center", fontsize=7)
    # Keep cells pale, so that their numbers are legible.
    axis.imshow(times, cmap="Blues", norm=LogNorm(1, 1000 * max(2, np.nanmax(times, initial=0))), aspect="auto")


def _draw_losses(axis: Axes, runs: pd.DataFrame, swept: str) -> None:
    """Draw the losses and their theory for all values of a slider."""
    coinciding: dict[tuple, list[pd.DataFrame]] = {}
    for _, net in runs.groupby(swept):
        coinciding.setdefault((*api.rows_of(net, "train_loss")["value"].round(2),), []).append(net)
    for nets in coinciding.values():
        names = [_name_value(swept, net[swept].iloc[0]) + api.divergence_suffix(net) for net in nets]
        for net in nets:
            losses, theory = (api.rows_of(net, metric) for metric in ("train_loss", "theory_train_loss"))
            axis.plot(losses["step"], losses["value"], color=panels.LOSS, label=f"_{', '.join(names)}", lw=1.8)
            axis.plot(theory["step"], theory["value"], **panels.THEORY, label=f"_theory, {', '.join(names)}")
        # Above the first drop, or else below the end of the line.
        fallen = losses.loc[losses["value"] < 0.9, "step"]
        style: dict[str, Any] = {"textcoords": "offset points", "fontsize": 7}
        if len(fallen):
            axis.annotate(names[0], (fallen.iloc[0], losses["value"].iloc[0]), (-2, 3), rotation=50, **style)
        else:
            axis.annotate(", ".join(names), (losses["step"].iloc[-1], 1), (0, -3), ha="right", va="top", **style)
    panels.limit_scale(axis, runs, 1.4)


def _name_value(axis: str, value: float) -> str:
    return panels.gamma_text(value) if axis == "scale" else f"rate {value:g}"


def _draw_loss_and_modes(axis: Axes, runs: pd.DataFrame) -> None:
    losses = api.rows_of(runs, "train_loss")
    axis.plot(losses["step"], losses["value"], color=panels.LOSS, lw=1.8, label="loss")
    panels.draw_modes(axis, runs)
    # Show 1.3 times the time of learning.
    learned = panels.epochs_of_learning(runs, 0.99)[-1]
    end = losses["step"].max() if learned is None else min(1.3 * learned, losses["step"].max())
    axis.set(xlim=(-0.03 * end, end))
    panels.limit_scale(axis, runs, 1)
    axis.set_title(panels.setting_text(runs), fontsize=7)


def _draw_similarities(axes: list[Axes], runs: pd.DataFrame, unit: float) -> None:
    """Draw the first matrix, and one for each learned level."""
    matrices = _finite_similarities(runs)
    wanted = [min(matrices, default=None), *panels.epochs_of_learning(runs, 0.9)]
    for axis, epoch in zip(axes, wanted, strict=True):
        axis.set(xticks=[], yticks=[], box_aspect=1)
        if not matrices:
            panels.write_outcome(axis, runs)
            continue
        if epoch is None:
            panels.write_inside(axis, "not\nreached")
            continue
        recorded = panels.nearest_recorded(matrices, epoch)
        axis.imshow(matrices[recorded] / unit, **panels.SIMILARITY)
        axis.set_title(f"epoch {recorded}", fontsize=7)


def _finite_similarities(runs: pd.DataFrame) -> dict[int, np.ndarray]:
    """Return the matrices of a run by step; none if the run diverged."""
    return panels.matrices_of(runs, "rsm") if api.divergence_steps(runs).empty else {}
