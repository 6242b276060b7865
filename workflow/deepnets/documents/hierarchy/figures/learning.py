from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from deepnets.documents.hierarchy import panels
from deepnets.documents.hierarchy.runs import BONES, MAIN, PARROT, SHARK
from reproduce import api


def training_loss(hierarchy: api.Table) -> Figure:
    """The loss of the deep linear net falls in steps, one for each level of the tree (Interactive Demo 1).

    Strong line: the first seed; faint lines: others, each with its own data and start. Dashed: theory, in which each
    mode grows independently; nothing is fitted. Dotted: 1 − Σ λ/P, with the eigenvalues λ of the learned modes and P
    items.
    """
    sheet, runs = panels.begin_sheet(hierarchy, MAIN)
    axis = sheet.panel(figsize=(3.4, 2.7), x="epoch (updates)", y="mean squared error")
    panels.draw_seeds(axis, runs, "train_loss", panels.LOSS)
    panels.draw_theory(axis, runs, "theory_train_loss")
    panels.limit_scale(axis, runs, 1)
    _draw_plateaus(axis, runs)
    return sheet.finish()


def loss_and_modes(hierarchy: api.Table) -> Figure:
    """At each drop of the loss, the singular values of one level of the tree rise to their ends (section 2).

    Singular values of the product of both matrices, as shares of the data's largest. Strong lines: the first seed;
    faint lines: others; dashed: theory, nothing fitted. The document draws the singular values one update earlier.
    """
    sheet, runs = panels.begin_sheet(hierarchy, MAIN)
    axis = sheet.panel(figsize=(3.4, 3), x="epoch (updates)", y="mean squared error;\nsingular value (share)")
    panels.draw_seeds(axis, api.first_seed(runs), "train_loss", panels.LOSS, label="loss")
    panels.draw_modes(axis, runs, theory=True)
    panels.limit_scale(axis, runs, 1)
    api.label_lines(axis)
    return sheet.finish()


def half_times(hierarchy: api.Table) -> Figure:
    """Strong modes are half learned first, almost at the times of modes that learn alone.

    a: half times; points and bars: mean and standard deviation over seeds; lines: ln(s/2u₀) / (2 ln(1 + λs)) for the
    tree, where s is the singular value, u₀ the initial strength and λ the rate. b: difference of each seed from modes
    that grow independently to the singular values of its data. Late modes are late: their first vectors in the hidden
    layer are not orthogonal to those of earlier modes.
    """
    sheet, runs = panels.begin_sheet(hierarchy, MAIN)
    labels = ("half time (updates)", "simulation − theory of\nindependent modes (updates)")
    axes = sheet.panels(2, 1, figsize=(3.4, 4.2), sharex=True, x="mode", y=labels)
    axes[1].xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    measured, formula, own = (
        api.by_seed(api.require_rows(runs, metric), down="index")
        for metric in ("half_time", "half_time_formula", "predicted_half_time")
    )
    axes[0].plot(formula.index + 1, formula.mean(axis=1), "_", color="k", ms=14, label="formula")
    api.draw_bars(axes[0], measured.set_axis(measured.index + 1), api.deviation, fmt="o", ms=4, label="simulation")
    axes[0].legend()
    axes[1].axhline(0, color="k", lw=0.6)
    for position, (_, excess) in enumerate((measured - own).items()):
        # Draw seeds side by side, so that equal values do not overlap.
        offset = 0.06 * (position - (measured.shape[1] - 1) / 2)
        axes[1].plot(excess.index + 1 + offset, excess, "o", color="C0", ms=3, mew=0)
    return sheet.finish()


def rsm_over_epochs(hierarchy: api.Table) -> Figure:
    """The hidden layer first separates animals from plants, then fish from birds, then single items (section 3).

    Each matrix compares the hidden activities of all pairs of items, for the first seed. Columns: the epochs at which
    the loss has fallen by nine tenths of the way to the theory's next plateau, and the last. Theory: V A(t) Vᵀ, with
    the modes V of the tree and their strengths A(t) if each grows independently; nothing is fitted. 0 and below have
    the background's colour.
    """
    sheet = api.Sheet(note_divergence=False)
    runs, left_out = MAIN.shown(hierarchy)
    runs = api.first_seed(runs)
    simulated, expected = panels.matrices_of(runs, "rsm"), panels.matrices_of(runs, "theory_rsm")
    wanted = [*panels.epochs_of_learning(runs, 0.9), max(simulated)]
    epochs = sorted({panels.nearest_recorded(simulated, epoch) for epoch in wanted if epoch is not None})
    names = panels.item_names(len(simulated[epochs[0]]))
    axes = sheet.panels(2, len(epochs), lettered=False, figsize=(6.9, 2.9), layout="compressed", squeeze=False)
    largest = panels.largest_of(simulated)
    for row, matrices, label in zip(axes, (simulated, expected), ("simulation", "theory"), strict=True):
        for axis, epoch in zip(row, epochs, strict=True):
            axis.set(xticks=[], yticks=[], box_aspect=1)
            image = axis.imshow(matrices[epoch] / largest, **panels.SIMILARITY)
        row[0].set_ylabel(label)
        row[0].set_yticks(range(len(names)), names, fontsize=7)
    for axis, epoch in zip(axes[0], epochs, strict=True):
        axis.set_title(f"epoch {epoch}")
    for axis in axes[1]:
        axis.set_xticks(range(len(names)), names, fontsize=7, rotation=90)
    sheet.figure.colorbar(image, ax=axes, label="similarity (share of the largest)", ticks=[0, 0.5, 1])
    words = filter(None, (left_out, panels.setting_text(runs) + api.divergence_suffix(runs)))
    sheet.figure.suptitle("\n".join(words), fontsize=8)
    return sheet.figure


def illusions(hierarchy: api.Table) -> Figure:
    """For a while the net believes that sharks have bones (section 4) and that parrots cannot speak (exercise 4).

    Orange: the prediction, from 1 (yes) to −1 (no); strong line: the first seed; faint lines: others; dashed: theory, from
    the tree only. Others: its singular values, as shares of the data's largest. The belief in bones grows with the mode
    that separates animals from plants. If all four animals have bones, it is true and stays (not in the document).
    """
    sheet, blocks = api.Sheet(), {*hierarchy.frame["block"]}
    described = [each for each in (SHARK, PARROT, BONES) if each["block"] in blocks] or [SHARK]
    size = min(6.9, 3.4 * len(described)), 3
    label = "prediction; singular value (share)"
    axes = sheet.panels(1, len(described), figsize=size, sharey=True, x="epoch (updates)", y=label)
    for axis, each in zip(axes, described, strict=True):
        runs = sheet.take(each.shown(hierarchy))
        axis.set_ylim(-1.1, 1.1)
        axis.axhline(0, color="0.8", lw=0.5, zorder=0)
        panels.draw_modes(axis, api.first_seed(runs))
        panels.draw_seeds(axis, runs, "illusory_prediction", panels.LOSS, label="prediction")
        panels.draw_theory(axis, runs, "theory_illusory_prediction")
        names, feature = panels.item_and_feature_names(runs, each["block"])
        item = api.rows_of(runs, "illusory_prediction")["index"].iloc[0]
        axis.set_title(f"{names[item]}: {feature}\n{panels.setting_text(runs)}, {api.runs_text(runs)}", fontsize=7)
    api.label_lines(axes[-1])
    return sheet.finish()


def _draw_plateaus(axis: Axes, runs: pd.DataFrame) -> None:
    """Draw theory's plateaus of the loss, and write the levels of the tree that are learned on the right of each."""
    levels = panels.tree_of(runs).levels
    style: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "fontsize": 7}
    for level, height in api.rows_of(runs, "theory_plateau").groupby("index")["value"].mean().items():
        axis.axhline(height, color="0.6", ls=":", lw=0.8, zorder=0, label="_plateau")
        axis.annotate(panels.learned_levels(level, levels), (1.01, height), va="center", **style)
    axis.annotate("learned:", (1.01, 1.08), **style)
