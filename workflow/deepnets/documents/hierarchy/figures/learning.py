from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from deepnets.documents.hierarchy import panels
from deepnets.documents.hierarchy.runs import BONES, MAIN, PARROT, SHARK, SLIDER_EPOCH
from reproduce import api


def training_loss(hierarchy: api.Table) -> Figure:
    """Training loss of the deep linear network against epochs: it falls in steps (Interactive Demo 1).

    Strong line: the first seed; faint lines: other seeds, each with its own data and initial weights. Dashed: theory,
    in which each mode of the tree grows independently, from one small strength in both layers. Dotted: the plateaus of
    the loss after each level of the tree is learned, 1 − Σ λ/P, where the sum is over the eigenvalues λ of the learned
    modes and P is the number of items. No number of the theory was fitted.
    """
    sheet, runs = panels.begin_sheet(hierarchy, MAIN)
    axis = sheet.panel(figsize=(3.4, 2.7), x="epoch (updates)", y="mean squared error")
    panels.draw_seeds(axis, runs, "train_loss", panels.LOSS)
    panels.draw_theory(axis, runs, "theory_train_loss")
    panels.limit_scale(axis, runs, 1)
    _draw_plateaus(axis, runs)
    sheet.add_legend(columns=3, title=panels.setting_text(runs))
    return sheet.finish()


def loss_and_modes(hierarchy: api.Table) -> Figure:
    """Training loss, and the singular values of the network's end-to-end matrix (section 2).

    The end-to-end matrix is the product of both weight matrices. Strong lines: the first seed; faint lines: singular
    values of other seeds. At each drop of the loss, the modes of one level of the tree reach their final singular
    values. Dashed: theory, in which each mode grows independently, one line per level; no number was fitted. The
    document divides the singular values by the largest one and draws them one update earlier.
    """
    sheet, runs = panels.begin_sheet(hierarchy, MAIN)
    _draw_dynamics(sheet.panel(figsize=(3.4, 3.4)), runs, theory=True)
    return sheet.finish()


def half_times(hierarchy: api.Table) -> Figure:
    """Updates until each mode has half its singular value: simulation and theory.

    a: points and bars are means and standard deviations over seeds. Short lines: theory, in which each mode grows
    independently by gradient descent ("map"), and the formula ln(s/2u₀) / (2 ln(1 + λs)), where s is the singular
    value, u₀ the initial strength and λ the rate. The formula neglects that growth slows down towards the end. b:
    simulation minus the map with the singular values of each seed's own data. Late modes come later than in theory: in
    the hidden layer, the vectors from which they start are not orthogonal to those of earlier modes.
    """
    sheet, runs = panels.begin_sheet(hierarchy, MAIN)
    labels = ("half time (updates)", "simulation − map\nof own data (updates)")
    axes = sheet.panels(2, 1, figsize=(3.4, 4.2), sharex=True, x="mode", y=labels)
    axes[1].xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    measured, tree, formula, own = (
        api.by_seed(api.require_rows(runs, metric), down="index")
        for metric in ("half_time", "theory_half_time", "half_time_formula", "predicted_half_time")
    )
    for theory, colour, name in ((tree, "k", "map, tree"), (formula, "C1", "formula, tree")):
        axes[0].plot(theory.index + 1, theory.mean(axis=1), "_", color=colour, ms=14, label=name)
    api.draw_bars(axes[0], measured.set_axis(measured.index + 1), api.deviation, fmt="o", ms=3, label="simulation")
    sheet.add_legend(columns=3, title=f"{panels.setting_text(runs)}, {api.count_text(measured.shape[1], 'seed')}")
    axes[1].axhline(0, color="k", lw=0.6)
    for position, (_, excess) in enumerate((measured - own).items()):
        # Draw seeds side by side, so that equal values do not overlap.
        offset = 0.04 * (position - (measured.shape[1] - 1) / 2)
        axes[1].plot(excess.index + 1 + offset, excess, "o", color="C0", ms=2, mew=0)
    return sheet.finish()


def rsm_over_epochs(hierarchy: api.Table) -> Figure:
    """Similarity of the items in the hidden layer over the epochs (section 3's slider): simulation above, theory below.

    Each matrix compares the hidden activities of each pair of items, for the first seed. Columns: the epoch at which
    the slider starts; the epochs at which a level of the tree is learned, that is, the loss has fallen by nine tenths
    of the way to the next plateau of the theory; and the last epoch. Theory: V A(t) Vᵀ, where V contains the modes of
    the tree and A(t) their strengths at time t if each grows independently. No number was fitted. All matrices are
    divided by the largest similarity of the simulated run; 0 and below have the background's colour.
    """
    sheet = api.Sheet(note_divergence=False)
    runs, left_out = MAIN.shown(hierarchy)
    runs = api.first_seed(runs)
    simulated, expected = panels.matrices_of(runs, "rsm"), panels.matrices_of(runs, "theory_rsm")
    wanted = [SLIDER_EPOCH, *panels.epochs_of_learning(runs, 0.9), max(simulated)]
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


def illusory_shark(hierarchy: api.Table) -> Figure:
    """The network's prediction that sharks have bones, and its singular values, over the epochs (section 4).

    1 means yes and −1 means no, which is the target. Strong lines: the first seed; faint lines: the prediction of other
    seeds; dashed: theory, from the tree only. The false belief grows with the mode that separates animals from plants.
    It shrinks with the modes that separate fish from birds, and vanishes with the last modes, which separate single
    items.
    """
    return _prediction_figure(hierarchy, SHARK)


def illusory_parrot(hierarchy: api.Table) -> Figure:
    """The network's prediction that parrots cannot speak, and its singular values, over the epochs (exercise 4).

    1 means yes and −1 means no, which is the target. Strong lines: the first seed; faint lines: the prediction of other
    seeds; dashed: theory, from the tree only.
    """
    return _prediction_figure(hierarchy, PARROT)


def bones_of_all_animals(hierarchy: api.Table) -> Figure:
    """The network's prediction that goldfish have bones, if all four animals have bones, and its singular values.

    1 means yes, which is the target, and −1 means no. Strong lines: the first seed; faint lines: the prediction of
    other seeds; dashed: theory, from the tree only. The network learns this feature with the second mode, which
    separates animals from plants, as section 4 states. The document has no such figure.
    """
    return _prediction_figure(hierarchy, BONES)


def _prediction_figure(hierarchy: api.Table, described: api.Selection) -> Figure:
    sheet, runs = panels.begin_sheet(hierarchy, described)
    axis = sheet.panel(figsize=(3.4, 3.4), x="epoch (updates)")
    axis.set_ylim(-1.15, 1.15)
    panels.draw_seeds(axis, runs, "illusory_prediction", panels.LOSS)
    panels.draw_theory(axis, runs, "theory_illusory_prediction")
    axis.axhline(0, color="0.8", lw=0.5, zorder=0)
    names, feature = panels.item_and_feature_names(runs, described["block"])
    item = api.rows_of(runs, "illusory_prediction")["index"].iloc[0]
    panels.colour_left(axis, f"prediction for {names[item]}: {feature}")
    _add_legend(axis, panels.add_modes(axis, api.first_seed(runs)), panels.setting_text(runs))
    return sheet.finish()


def _draw_dynamics(axis: Axes, runs: pd.DataFrame, *, theory: bool = False) -> None:
    """Draw the first seed's loss and modes on twin axes, and the modes of the other seeds faintly."""
    axis.set(xlabel="epoch (updates)")
    first = api.first_seed(runs)
    panels.draw_seeds(axis, first, "train_loss", panels.LOSS, label=f"loss, seed {first['seed'].min()}")
    panels.limit_scale(axis, first, 1)
    panels.colour_left(axis, "mean squared error")
    _add_legend(
        axis, panels.add_modes(axis, runs, theory=theory), f"{panels.setting_text(runs)}, {api.runs_text(runs)}"
    )


def _add_legend(left: Axes, right: Axes, setting: str) -> None:
    (handles, labels), (more_handles, more_labels) = (axis.get_legend_handles_labels() for axis in (left, right))
    style: dict[str, Any] = {"loc": "outside upper center", "ncols": 3, "columnspacing": 1, "handlelength": 1.5}
    left.figure.legend(handles + more_handles, labels + more_labels, title=setting, **style)


def _draw_plateaus(axis: Axes, runs: pd.DataFrame) -> None:
    """Draw theory's plateaus of the loss, and write the levels of the tree that are learned on the right of each."""
    levels = panels.tree_of(runs).levels
    style: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "fontsize": 7}
    for level, height in api.rows_of(runs, "theory_plateau").groupby("index")["value"].mean().items():
        axis.axhline(height, color="0.6", ls=":", lw=0.8, zorder=0, label="_plateau")
        axis.annotate(panels.learned_levels(level, levels), (1.01, height), va="center", **style)
    axis.annotate("learned:", (1.01, 1.08), **style)
