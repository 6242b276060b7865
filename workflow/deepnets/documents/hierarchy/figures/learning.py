"""The figures of document 003, a Neuromatch tutorial on deep linear networks and hierarchical data."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage

from workflow.deepnets.documents.hierarchy.panels import (
    LOSS,
    add_modes,
    bound,
    colour_left,
    draw_seeds,
    draw_similarity,
    draw_theory,
    item_names,
    learned,
    level_name,
    name_items,
    nothing_to_show,
    say,
    say_end,
    shades_of,
)
from workflow.deepnets.documents.hierarchy.printed import CANNOT_SPEAK, HAS_BONES, SLIDER_EPOCH, TOLERANCE
from workflow.deepnets.documents.hierarchy.rows import (
    Tree,
    epochs_of_learning,
    first_seed,
    largest_of,
    matrices_of,
    recorded_near,
    setting_of,
    tree_of,
)
from workflow.deepnets.figures.panels import letter, say_nothing_to_show, why_nothing
from workflow.deepnets.figures.rows import rows_of, runs_of
from workflow.deepnets.figures.which_runs import choose, say_which_runs

# The features that the document made up to explain the data (`plot_tree_data`), for its eight items.
_NAMED_FEATURES = {
    "can_grow": (1, 1, 1, 1, 1, 1, 1, 1),
    "is_mammal": (-1, -1, -1, -1, -1, -1, -1, -1),
    "has_leaves": (-1, -1, -1, -1, 1, 1, 1, 1),
    "can_move": (1, 1, 1, 1, -1, -1, -1, -1),
    "has_trunk": (-1, -1, -1, -1, -1, -1, 1, 1),
    "can_fly": (-1, -1, 1, 1, -1, -1, -1, -1),
    "can_swim": (1, 1, -1, -1, -1, -1, -1, -1),
    "has_stem": (-1, -1, -1, -1, 1, 1, -1, -1),
    "is_warmblooded": (-1, 1, 1, 1, -1, -1, -1, -1),
    "can_flower": (-1, -1, -1, -1, 1, 1, -1, 1),
}
# Section 4 and exercise 4: the feature that the document adds behind the others, and the item that it renames.
_ADDED = {
    "shark": ("has_bones", HAS_BONES, {0: "Shark"}),
    "parrot": ("cannot_speak", CANNOT_SPEAK, {3: "Parrot"}),
}
_NO_AND_YES = ListedColormap(["#56B4E9", "#E69F00"])


def tree(hierarchy: pd.DataFrame) -> Figure:
    """The tree behind the data: its leaves are the items (section 1).

    Each feature starts at the root as yes or no with equal odds, and may flip on each edge on its way down. So items
    with a late common ancestor share more features. A mode is a pattern over the items. The mode of level 0 is what all
    items share; the modes of a level below it set the branches of one node apart. The modes of a level have one
    singular value, written here from its formula √(F λ_l), where F is the number of features and λ_l the level's
    eigenvalue. The colours of the levels are those of the other figures.
    """
    figure, axis = plt.subplots(figsize=(3.4, 2.2))
    axis.set_axis_off()
    if hierarchy.empty:
        say_nothing_to_show(axis, why_nothing(hierarchy))
    else:
        _draw_tree(axis, tree_of(hierarchy), first_seed(rows_of(hierarchy, "theory_singular_value")))
    return figure


def data(hierarchy: pd.DataFrame) -> Figure:
    """Labels, features that the document made up, and the last of the features sampled from the tree.

    a: the labels of the items, which are the inputs. b: made-up features with names, which explain what a feature is.
    c: sampled features, which the network learns and which have no names. The network is trained on 1 for yes and −1
    for no.
    """
    figure, axes = plt.subplots(1, 3, figsize=(6.9, 2.7), width_ratios=(8, 10, 10), layout="compressed")
    letter(axes)
    runs, words = choose(runs_of(hierarchy, block="main"))
    _draw_made_up_features(axes[1], runs)
    _draw_labels_and_features(figure, (axes[0], axes[2]), axes, runs, "main")
    say_which_runs(figure, words)
    return figure


def data_shark(hierarchy: pd.DataFrame) -> Figure:
    """Labels, and the last features of the data with has_bones, which is not true of sharks (section 4)."""
    return _data_with(hierarchy, "shark")


def data_parrot(hierarchy: pd.DataFrame) -> Figure:
    """Labels, and the last features of the data with cannot_speak, which is not true of parrots (exercise 4)."""
    return _data_with(hierarchy, "parrot")


def training_loss(hierarchy: pd.DataFrame) -> Figure:
    """Training loss of the deep linear network, which falls in steps (Interactive Demo 1).

    Strong line: the first seed; faint lines: other seeds, each with its own data and initial weights. Dashed: theory,
    in which each mode of the tree grows without the others, from one small strength in both layers. Dotted: the
    plateaus of the loss after each level of the tree is learned, 1 − Σ λ/P, where the sum is over the eigenvalues λ of
    the modes learned and P is the number of items. No number of the theory was fitted.
    """
    figure, axis = plt.subplots(figsize=(3.4, 2.7))
    runs, words = choose(runs_of(hierarchy, block="main"))
    if draw_seeds(axis, runs, "train_loss", LOSS):
        draw_theory(axis, runs, "theory_train_loss")
        bound(axis, runs, 1)
        _draw_plateaus(axis, runs)
        figure.legend(loc="outside upper center", ncols=3, title=setting_of(runs))
    else:
        say_nothing_to_show(axis, why_nothing(runs))
    axis.set(xlabel="epoch (updates)", ylabel="mean squared error")
    say_which_runs(figure, words)
    return figure


def loss_and_modes(hierarchy: pd.DataFrame) -> Figure:
    """Training loss, and the singular values of the network's end-to-end matrix (section 2).

    The end-to-end matrix is the product of both weight matrices. Strong lines: the first seed; faint lines: singular
    values of other seeds. Each time the loss drops, the modes of one level of the tree reach their singular values.
    Dashed: theory, in which each mode grows without the others, one line per level; no number was fitted. The document
    divides the singular values by the largest one and draws them one update earlier.
    """
    figure, axis = plt.subplots(figsize=(3.4, 3.1))
    runs, words = choose(runs_of(hierarchy, block="main"))
    _draw_dynamics(axis, runs, theory=True)
    say_which_runs(figure, words)
    return figure


def loss_modes_and_rsm(hierarchy: pd.DataFrame) -> Figure:
    """Loss, singular values, and similarity of the items in the network, where section 3's slider starts.

    All of the first seed. a: loss and singular values of the end-to-end matrix; the grey line marks the epoch. b: the
    representational similarity matrix, which compares how the hidden layer represents each pair of items. As in the
    document, it is divided by the largest similarity of the whole run. So it is blank at this epoch, long before the
    first mode is learned. c: the same matrix divided by its own largest entry: what grows first is what all items
    share.
    """
    figure = plt.figure(figsize=(3.4, 4.9))
    upper, lower = figure.subfigures(2, 1, height_ratios=(1.2, 1))
    runs, words = choose(runs_of(hierarchy, block="main"))
    top, runs = upper.add_subplot(), first_seed(runs)
    _draw_dynamics(top, runs)
    axes = lower.subplots(1, 2)
    _draw_on_two_scales(lower, axes, top, runs)
    letter([top, *axes])
    say_which_runs(upper, words)
    return figure


def rsm_over_epochs(hierarchy: pd.DataFrame) -> Figure:
    """Similarity of the items inside the network over the epochs (section 3's slider): simulation above theory.

    Each matrix compares how the hidden layer represents each pair of items, for the first seed. Columns: the epoch at
    which the slider starts; the epochs at which a level of the tree is learned, that is, when the loss has fallen by
    nine tenths of the way to the next plateau of the theory; and the last epoch. Theory: V A(t) Vᵀ, where V holds the
    modes of the tree and A(t) their strengths at time t if each grows without the others. No number was fitted. All
    matrices are divided by the largest similarity of the simulated run; white stands for 0 and below.
    """
    runs, words = choose(runs_of(hierarchy, block="main"))
    runs = first_seed(runs)
    simulated, expected = matrices_of(runs, "rsm"), matrices_of(runs, "theory_rsm")
    if not simulated:
        return nothing_to_show(runs, words)
    wanted = [SLIDER_EPOCH, *epochs_of_learning(runs, 0.9), max(simulated)]
    epochs = sorted({recorded_near(simulated, epoch) for epoch in wanted if epoch is not None})
    figure, axes = plt.subplots(2, len(epochs), figsize=(6.9, 2.9), layout="compressed", squeeze=False)
    largest = largest_of(simulated)
    for row, matrices, label in zip(axes, (simulated, expected), ("simulation", "theory"), strict=True):
        for axis, epoch in zip(row, epochs, strict=True):
            axis.set(xticks=[], yticks=[], box_aspect=1)
            if epoch in matrices:
                image = draw_similarity(axis, matrices[epoch] / largest)
            else:
                say(axis, "none")
        row[0].set_ylabel(label)
        name_items(row[0].yaxis, item_names(len(simulated[epochs[0]])), fontsize=6)
    for axis, epoch in zip(axes[0], epochs, strict=True):
        axis.set_title(f"epoch {epoch}")
    for axis in axes[1]:
        name_items(axis.xaxis, item_names(len(simulated[epochs[0]])), fontsize=6, rotation=90)
    figure.colorbar(image, ax=axes, label="similarity (share of the largest)", ticks=[0, 0.5, 1])
    stopped = rows_of(runs, "diverged")["step"]
    end = f", diverged at {stopped.iloc[0]}" if len(stopped) else ""
    figure.suptitle("\n".join(filter(None, (words, setting_of(runs) + end))), fontsize=8)
    return figure


def illusory_shark(hierarchy: pd.DataFrame) -> Figure:
    """How far the network believes that sharks have bones, with its singular values (section 4).

    The network predicts 1 for yes and −1 for no; the data say no. Strong lines: the first seed; faint lines: the
    prediction of other seeds; dashed: theory, from the tree alone. The false belief grows with the mode that parts
    animals from plants. It shrinks with the modes that part fish from birds, and vanishes with the last modes, which
    part single items.
    """
    return _illusory(hierarchy, "shark")


def illusory_parrot(hierarchy: pd.DataFrame) -> Figure:
    """How far the network believes that parrots cannot speak, with its singular values (exercise 4).

    The network predicts 1 for yes and −1 for no; the data say no. Strong lines: the first seed; faint lines: the
    prediction of other seeds; dashed: theory, from the tree alone.
    """
    return _illusory(hierarchy, "parrot")


def zero_depth_loss(hierarchy: pd.DataFrame) -> Figure:
    """Training loss of the network without a hidden layer, which has no plateaus ("Linear Regression vs. DLNN").

    The lines of all seeds lie on each other. Dashed: theory. The loss shrinks by the factor (1 − λ)² at each update,
    where λ = 2·rate/(items·features).
    """
    figure, axis = plt.subplots(figsize=(3.4, 2.2))
    runs, words = choose(runs_of(hierarchy, block="zero_depth"))
    if draw_seeds(axis, runs, "train_loss", LOSS):
        draw_theory(axis, runs, "theory_train_loss")
        bound(axis, runs, 1)
        axis.legend(title=setting_of(runs))
    else:
        say_nothing_to_show(axis, why_nothing(runs))
    axis.set(xlabel="epoch (updates)", ylabel="mean squared error")
    say_which_runs(figure, words)
    return figure


def weights_compared(hierarchy: pd.DataFrame) -> Figure:
    """Weights of linear regression, of the network without a hidden layer, and of the deep one ("… vs. DLNN").

    a–c: the weights from the items to the last features, for the first seed. d: the largest distance of any weight from
    that of the regression during training. Strong: the first seed; faint: other seeds. Dotted: the distance below which
    the document calls weights equal. The document trains both networks on another sample of the tree.
    """
    figure = plt.figure(figsize=(3.4, 4.6))
    upper, lower = figure.subfigures(2, 1, height_ratios=(0.6, 1))
    panels, bottom = upper.subplots(1, 3), lower.add_subplot()
    letter([*panels, bottom])
    shallow, of_shallow = choose(runs_of(hierarchy, block="zero_depth"))
    deep, of_deep = choose(runs_of(hierarchy, block="main"))
    _draw_weights(upper, panels, shallow, deep)
    _draw_weight_differences(lower, bottom, shallow, deep)
    say_which_runs(figure, of_shallow and f"zero depth: {of_shallow}", of_deep and f"deep: {of_deep}")
    return figure


def _draw_tree(axis: Axes, shape: Tree, singular_values: pd.DataFrame) -> None:
    items = shape.items
    values = singular_values.drop_duplicates("index").set_index("index")["value"]
    parents = np.array([(items - 1) / 2])
    for level, colour in enumerate(shades_of(shape)):
        width = items // shape.branches**level
        nodes = (np.arange(shape.branches**level) + 0.5) * width - 0.5
        for node, parent in zip(nodes, np.repeat(parents, len(nodes) // len(parents)), strict=True):
            axis.plot([parent, node], [-max(level - 1, 0), -level], color=colour, lw=1.5, zorder=1)
        axis.plot(nodes, np.full(len(nodes), -level), "o", color=colour, ms=5)
        value = values[np.flatnonzero(shape.level_of_modes == level)[0]]
        text = f"{level_name(shape, level)},\nsingular value {value:.0f}"
        axis.annotate(text, (1.03, -level), xycoords=("axes fraction", "data"), va="center", fontsize=7)
        parents = nodes
    axis.set(xlim=(-0.5, items - 0.5), ylim=(-shape.levels - 0.2, 0.2))
    names = item_names(items) if items <= 16 else [f"{items:,} items"]
    for place, name in zip(np.linspace(0, items - 1, len(names)), names, strict=True):
        style = {"rotation": 90, "ha": "center", "va": "top", "fontsize": 7}
        axis.annotate(name, (place, -shape.levels), (0, -6), textcoords="offset points", **style)


def _data_with(hierarchy: pd.DataFrame, block: str) -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(3.4, 2.2), width_ratios=(8, 10), layout="compressed")
    letter(axes)
    runs, words = choose(runs_of(hierarchy, block=block))
    _draw_labels_and_features(figure, axes, axes, runs, block)
    say_which_runs(figure, words)
    return figure


def _draw_labels_and_features(
    figure: Figure, panels: tuple[Axes, Axes], all_panels: np.ndarray, runs: pd.DataFrame, block: str
) -> None:
    """Draw the items' labels and their last features, with a key of the two colours beside all panels."""
    panels[0].set(title="labels")
    panels[1].set(yticks=[], title="sampled features")
    if runs.empty:
        for axis in panels:
            axis.set(xticks=[], yticks=[])
            say_nothing_to_show(axis, why_nothing(runs))
        return
    features, (names, feature) = _features(runs), _names(runs, block)
    _draw_signs(panels[0], 2 * np.eye(len(names)) - 1)
    name_items(panels[0].xaxis, names, rotation=90)
    name_items(panels[0].yaxis, names)
    image = _draw_signs(panels[1], features)
    panels[1].set_xticks([features.shape[1] - 1] if feature else [], [feature] if feature else [], rotation=90)
    key = figure.colorbar(image, ax=all_panels, ticks=[-0.5, 0.5], shrink=0.5, aspect=10)
    key.ax.set_yticklabels(["no", "yes"])


def _draw_made_up_features(axis: Axes, runs: pd.DataFrame) -> None:
    axis.set(xticks=[], yticks=[], title="made-up features")
    features = np.array(list(_NAMED_FEATURES.values())).T
    if runs.empty:
        say_nothing_to_show(axis, why_nothing(runs))
    elif tree_of(runs).items != len(features):
        say_nothing_to_show(axis, f"the document made them up for its {len(features)} items")
    else:
        _draw_signs(axis, features)
        axis.set_xticks(range(len(_NAMED_FEATURES)), _NAMED_FEATURES, rotation=90)


def _features(runs: pd.DataFrame) -> np.ndarray:
    """Return the recorded features of the first seed's items, (items, features)."""
    return first_seed(rows_of(runs, "feature"))["value"].to_numpy().reshape(tree_of(runs).items, -1)


def _names(runs: pd.DataFrame, block: str) -> tuple[list[str], str]:
    """Return the items' names, and that of the added feature, which is the document's where its values are."""
    features = _features(runs)
    names = item_names(len(features))
    feature, values, renamed = _ADDED.get(block, ("", [], {}))
    if features[:, -1].tolist() == values:
        return [renamed.get(item, name) for item, name in enumerate(names)], feature
    return names, "" if rows_of(runs, "illusory_prediction").empty else "added feature"


def _draw_signs(axis: Axes, signs: np.ndarray) -> AxesImage:
    return axis.imshow(signs, cmap=_NO_AND_YES, vmin=-1, vmax=1)


def _illusory(hierarchy: pd.DataFrame, block: str) -> Figure:
    figure, axis = plt.subplots(figsize=(3.4, 3.1))
    axis.set(xlabel="epoch (updates)", ylim=(-1.05, 1.05))
    runs, words = choose(runs_of(hierarchy, block=block))
    if draw_seeds(axis, runs, "illusory_prediction", LOSS):
        draw_theory(axis, runs, "theory_illusory_prediction")
        axis.axhline(0, color="0.8", lw=0.5, zorder=0)
        names, feature = _names(runs, block)
        item = rows_of(runs, "illusory_prediction")["index"].iloc[0]
        colour_left(axis, f"prediction for {names[item]}: {feature}")
        _add_legend(axis, add_modes(axis, first_seed(runs)), setting_of(runs))
    else:
        say_nothing_to_show(axis, why_nothing(runs))
    say_which_runs(figure, words)
    return figure


def _draw_dynamics(axis: Axes, runs: pd.DataFrame, *, theory: bool = False) -> None:
    """Draw the first seed's loss and modes on twin axes, faint the modes of the others."""
    axis.set(xlabel="epoch (updates)")
    first = first_seed(runs)
    if draw_seeds(axis, first, "train_loss", LOSS, label=f"loss, seed {first['seed'].min()}"):
        bound(axis, first, 1)
        colour_left(axis, "mean squared error")
        _add_legend(axis, add_modes(axis, runs, theory=theory), setting_of(runs))
    else:
        say_nothing_to_show(axis, why_nothing(runs))


def _add_legend(left: Axes, right: Axes, setting: str) -> None:
    ours, theirs = left.get_legend_handles_labels(), right.get_legend_handles_labels()
    handles, labels = (mine + others for mine, others in zip(ours, theirs, strict=True))
    left.figure.legend(handles, labels, loc="outside upper center", ncols=2, title=setting)


def _draw_plateaus(axis: Axes, runs: pd.DataFrame) -> None:
    """Draw theory's plateaus of the loss, and name at the right which levels of the tree are learned on each."""
    for level, height in rows_of(runs, "theory_plateau").groupby("index")["value"].mean().items():
        axis.axhline(height, color="0.6", ls=":", lw=0.8, zorder=0)
        axis.annotate(
            learned(level, tree_of(runs).levels),
            (1.01, height),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=7,
        )
    axis.annotate("learned:", (1.01, 1.08), xycoords=("axes fraction", "data"), fontsize=7)


def _draw_on_two_scales(figure: SubFigure, axes: np.ndarray, top: Axes, runs: pd.DataFrame) -> None:
    """Draw the similarities at the slider's epoch in shares of the whole run's largest, and of their own largest."""
    matrices = matrices_of(runs, "rsm")
    if not matrices:
        for axis in axes:
            say_nothing_to_show(axis, why_nothing(runs))
        return
    epoch = recorded_near(matrices, SLIDER_EPOCH)
    top.axvspan(epoch - 2, epoch + 2, color="0.5", alpha=0.3, lw=0)
    names = item_names(len(matrices[epoch]))
    titles = (f"epoch {epoch}", f"epoch {epoch},\nown scale")
    for axis, title, unit in zip(
        axes, titles, (largest_of(matrices), largest_of({epoch: matrices[epoch]})), strict=True
    ):
        axis.set(xticks=[], yticks=[], title=title)
        image = draw_similarity(axis, matrices[epoch] / unit)
        name_items(axis.xaxis, names, rotation=90)
    name_items(axes[0].yaxis, names)
    figure.colorbar(image, ax=axes, label="similarity", shrink=0.6, ticks=[0, 0.5, 1])


def _draw_weights(figure: SubFigure, axes: np.ndarray, shallow: pd.DataFrame, deep: pd.DataFrame) -> None:
    panels = (
        ("regression", "least_squares_weight", deep),
        ("zero depth", "weight", shallow),
        ("deep", "weight", deep),
    )
    image = None
    for axis, (title, metric, runs) in zip(axes, panels, strict=True):
        axis.set(xticks=[], yticks=[], title=title)
        rows = first_seed(rows_of(runs, metric))
        if rows.empty:
            say_end(axis, runs)
            continue
        weights = rows["value"].to_numpy().reshape(len(_features(runs)), -1)
        image = axis.imshow(weights, cmap="cividis", vmin=-1, vmax=1)
        if axis is axes[0]:
            name_items(axis.yaxis, item_names(len(weights)), fontsize=6)
    axes[1].set_xlabel("feature")
    if image is not None:
        figure.colorbar(image, ax=axes, location="bottom", label="weight", ticks=[-1, 0, 1], shrink=0.5, aspect=15)


def _draw_weight_differences(figure: SubFigure, axis: Axes, shallow: pd.DataFrame, deep: pd.DataFrame) -> None:
    for name, runs, colour in (("zero depth", shallow, "C4"), ("deep", deep, "C0")):
        differences = rows_of(runs, "weight_difference")
        if len(differences):
            final = differences.loc[differences["step"] == differences["step"].max(), "value"].max()
            label = f"{name}, at the end ≤ {final:.1e}\n{setting_of(runs)}"
            draw_seeds(axis, runs, "weight_difference", colour, label=label)
    if not axis.lines:
        say_nothing_to_show(axis, why_nothing(pd.concat([shallow, deep])))
        return
    axis.axhline(TOLERANCE, color="0.4", ls=":", label="tolerance of the document")
    axis.set(yscale="log", xlabel="epoch (updates)", ylabel="largest difference\nfrom regression")
    figure.legend(loc="outside upper center")
