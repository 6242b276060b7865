"""The sliders of document 003 as sweeps over learning rate and initialisation scale."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from workflow.deepnets.documents.hierarchy.panels import (
    LOSS,
    THEORY,
    begin,
    draw_modes,
    draw_similarity,
    item_names,
    learned_levels,
    limit_scale,
    name_items,
    write_inside,
    write_outcome,
)
from workflow.deepnets.documents.hierarchy.rows import (
    epochs_of_learning,
    gamma,
    largest_of,
    matrices_of,
    recorded_near,
    setting_of,
    tree_of,
)
from workflow.deepnets.documents.hierarchy.runs import MAIN, SLIDERS
from workflow.deepnets.figures.sheet import Sheet
from workflow.deepnets.tables.rows import divergence_steps, first_seed, has_curve, rows_of, runs_of
from workflow.deepnets.tables.selection import select_settings

# Room for rates and scales: as panels of a grid, and as rows.
_PANELS = {"learning_rate": 8, "scale": 8}
_ROWS = {"learning_rate": 4, "scale": 4}
_NO_MATRIX = "no hidden\nlayer"


def sweep_loss(hierarchy: pd.DataFrame) -> Figure:
    """Training loss over learning rates and scales γ of the initial weights (Interactive Demo 1's sliders).

    One seed. Solid: simulation. Dashed: theory for small γ, in which each mode grows without the others. The larger γ,
    the more the levels of the tree are learned together, and the steps vanish. At the smallest γ, rounding in float32,
    the document's precision, gives the late modes a larger start than the initial weights do. So the last drop comes
    before theory's. A run whose numbers overflowed is marked as diverged.
    """
    sheet, runs = begin(hierarchy, SLIDERS, **_PANELS)
    _draw_grid(sheet, runs, _draw_losses, label="mean squared error")
    sheet.add_legend(most=9, title=_seeds(runs))
    return sheet.finish()


def sweep_modes(hierarchy: pd.DataFrame) -> Figure:
    """Singular values of the end-to-end matrix for several learning rates and scales γ (section 3's sliders), one seed.

    The values are divided by the largest one of the data, and coloured by level of the tree. A larger rate shortens the
    wait for all modes alike. The modes come one level after the other only if γ is small.
    """
    sheet, runs = begin(hierarchy, SLIDERS, **_PANELS)
    _draw_grid(sheet, runs, _draw_modes, label="singular value (share of the data's largest)")
    sheet.add_legend(most=9, title=_seeds(runs))
    return sheet.finish()


def sweep_rsm(hierarchy: pd.DataFrame) -> Figure:
    """Similarity of the items in the network after the last epoch, over rates and scales γ (section 3's sliders).

    One seed. All matrices are divided by the largest similarity in any panel; white stands for 0 and below. A white
    panel has learned nothing. At low rates, training ends before the tree is learned, or on the way. Panels that have
    learned the whole tree look alike, but for traces that large initial weights leave.
    """
    sheet = Sheet(note_divergence=False)
    runs, left_out = select_settings(runs_of(hierarchy, block="sliders"), SLIDERS, **_PANELS)
    sheet.take((runs, ""))
    matrices = [_similarities(first_seed(rows)) for _, rows in runs.groupby(list(_PANELS))]
    largest = largest_of({step: of_run[max(of_run)] for step, of_run in enumerate(matrices) if of_run})
    axes = _draw_grid(sheet, runs, partial(_draw_last_similarity, unit=largest))
    if matrices:
        # Square panels.
        sheet.figure.set_layout_engine("compressed")
        _name_items(axes, item_names(tree_of(runs).items))
        _add_similarity_bar(sheet.figure, axes)
        sheet.figure.suptitle("\n".join(filter(None, (left_out, _seeds(runs)))), fontsize=8)
    return sheet.finish()


def larger_scale(hierarchy: pd.DataFrame) -> Figure:
    """Loss, singular values and similarity for larger scales γ and other rates, below the main setting (section 3).

    The document says: "Set η and γ to larger values to see whether you can retrieve the sequential structured
    learning". The rate only stretches time, and each row shows as much of it as learning takes. With large γ there are
    no steps at any rate. Left: loss, and singular values divided by the largest one of the data. Matrices, divided by
    the largest similarity in any row: at the start; when the loss has fallen by nine tenths of the way to the next
    plateau of the theory for small γ; and at the end. The larger γ, the earlier the next level begins, and the larger
    are the random similarities of the initial weights.
    """
    sheet = Sheet(note_divergence=False)
    main = sheet.take(select_settings(runs_of(hierarchy, block="main"), MAIN), name="main setting")
    larger = sheet.take(select_settings(runs_of(hierarchy, block="larger_scale"), SLIDERS, **_ROWS))
    rows = [main, *(runs for _, runs in larger.groupby(["scale", "learning_rate"]))]
    rows = [first_seed(runs) for runs in rows if len(runs)]
    drawn = [runs for runs in rows if has_curve(rows_of(runs, "train_loss"))]
    if not drawn:
        sheet.panel(figsize=(3.4, 2.2))
        return sheet.finish()
    tree = tree_of(drawn[0])
    columns = ["start", *(learned_levels(level, tree.levels) for level in range(1, tree.levels + 2)), "end"]
    widths = 2, *[1] * len(columns)
    size = 6.9, max(3.0, 0.6 + 0.95 * len(drawn))
    axes = sheet.panels(len(drawn), len(widths), lettered=False, figsize=size, width_ratios=widths, squeeze=False)
    largest = largest_of(*map(_similarities, drawn))
    for (left, *panels), runs in zip(axes, drawn, strict=True):
        _draw_loss_and_modes(left, runs)
        _draw_similarities(panels, runs, largest)
    axes[-1, 0].set_xlabel("epoch (updates)")
    for axis, column in zip(axes[0, 1:], columns, strict=True):
        axis.set_title(f"{column}\n{axis.get_title()}", fontsize=7)
    _name_items(axes[:, 1:], item_names(tree.items))
    _add_similarity_bar(sheet.figure, axes[:, 1:])
    sheet.figure.supylabel("mean squared error; singular value (share of the data's largest)", fontsize=8)
    sheet.add_legend(most=9, title=_seeds(pd.concat(drawn)))
    at_once = [setting_of(runs) for runs in rows if not has_curve(rows_of(runs, "train_loss"))]
    sheet.note(", ".join(f"{setting} diverged at once" for setting in at_once))
    return sheet.finish()


def _draw_grid(
    sheet: Sheet, runs: pd.DataFrame, draw: Callable[[Axes, pd.DataFrame], None], *, label: str = ""
) -> np.ndarray:
    """Draw one panel per learning rate (rows) and scale (columns), for its first seed; return the panels.

    label: what the panels show over the epochs; without one, they hold matrices.
    """
    if runs.empty:
        return sheet.panels(lettered=False, figsize=(3.4, 2.2))
    rates, scales = sorted(runs["learning_rate"].unique()), sorted(runs["scale"].unique())
    size = 6.9, max(2.4, 0.5 + 0.75 * len(rates))
    style = {"figsize": size, "squeeze": False, "sharex": bool(label), "sharey": bool(label)}
    axes = sheet.panels(len(rates), len(scales), lettered=False, **style)
    for row, rate in zip(axes, rates, strict=True):
        for axis, scale in zip(row, scales, strict=True):
            chosen = first_seed(runs_of(runs, learning_rate=rate, scale=scale))
            if not label:
                axis.set(xticks=[], yticks=[], box_aspect=1)
            if len(chosen):
                draw(axis, chosen)
            write_outcome(axis, chosen)
        row[-1].annotate(
            f"rate {rate:g}", (1.04, 0.5), xycoords="axes fraction", rotation=270, va="center", annotation_clip=False
        )
    for axis, scale in zip(axes[0], scales, strict=True):
        axis.set_title(gamma(scale))
    if label:
        limit_scale(axes[0, 0], runs, 1)
        sheet.figure.supxlabel("epoch (updates)", fontsize=8)
        sheet.figure.supylabel(label, fontsize=8)
    return axes


def _seeds(runs: pd.DataFrame) -> str:
    """Return words on which seed is drawn, the first of each setting."""
    firsts = runs.groupby(list(_PANELS))["seed"].min()
    return f"seed {firsts.iloc[0]}" if firsts.nunique() == 1 else "the first seed of each"


def _draw_losses(axis: Axes, runs: pd.DataFrame) -> None:
    losses, theory = (rows_of(runs, metric) for metric in ("train_loss", "theory_train_loss"))
    axis.plot(losses["step"], losses["value"], label="simulation", color=LOSS, lw=1.8)
    axis.plot(theory["step"], theory["value"], label="theory", **THEORY)


def _draw_modes(axis: Axes, runs: pd.DataFrame) -> None:
    draw_modes(axis, runs, unit=rows_of(runs, "data_singular_value")["value"].max())


def _draw_last_similarity(axis: Axes, runs: pd.DataFrame, *, unit: float) -> None:
    if matrices := _similarities(runs):
        draw_similarity(axis, matrices[max(matrices)] / unit)
    elif divergence_steps(runs).empty:
        write_inside(axis, _NO_MATRIX)


def _draw_loss_and_modes(axis: Axes, runs: pd.DataFrame) -> None:
    losses = rows_of(runs, "train_loss")
    axis.plot(losses["step"], losses["value"], color=LOSS, lw=1.8, label="loss")
    _draw_modes(axis, runs)
    # As long as learning takes, and a little more.
    learned = epochs_of_learning(runs, 0.99)[-1]
    end = losses["step"].max() if learned is None else min(1.3 * learned, losses["step"].max())
    axis.set(xlim=(-0.03 * end, end))
    limit_scale(axis, runs, 1)
    axis.set_title(setting_of(runs), fontsize=7)


def _draw_similarities(panels: list[Axes], runs: pd.DataFrame, unit: float) -> None:
    """Draw the first matrix, one for each level learned, and the last."""
    matrices = _similarities(runs)
    wanted = [min(matrices, default=None), *epochs_of_learning(runs, 0.9), max(matrices, default=None)]
    for axis, epoch in zip(panels, wanted, strict=True):
        axis.set(xticks=[], yticks=[], box_aspect=1)
        if not matrices:
            write_outcome(axis, runs, otherwise=_NO_MATRIX)
            continue
        if epoch is None:
            write_inside(axis, "not\nreached")
            continue
        recorded = recorded_near(matrices, epoch)
        draw_similarity(axis, matrices[recorded] / unit)
        axis.set_title(f"epoch {recorded}", fontsize=7)


def _similarities(runs: pd.DataFrame) -> dict[int, np.ndarray]:
    """Return the matrices of a run that stayed finite, by step."""
    return matrices_of(runs, "rsm") if divergence_steps(runs).empty else {}


def _name_items(axes: np.ndarray, names: list[str]) -> None:
    """Name the items of all matrices, along the first column and the last row."""
    for axis in axes[:, 0]:
        name_items(axis.yaxis, names, fontsize=5)
    for axis in axes[-1]:
        name_items(axis.xaxis, names, fontsize=5, rotation=90)


def _add_similarity_bar(figure: Figure, axes: np.ndarray) -> None:
    shades = ScalarMappable(cmap="Purples", norm=Normalize(0, 1))
    bar = figure.colorbar(shades, ax=axes, shrink=min(1, 2 / len(axes)), aspect=15, ticks=[0, 0.5, 1])
    bar.set_label("similarity (share of the largest)")
