"""The figures of document 003, a Neuromatch tutorial on deep linear networks and hierarchical data."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage

from workflow.deepnets.figures._rows import by_seed, main_setting, rows_of

DOCUMENT = "003-hierarchy"
# `plot_tree_data`: the names of the items, and the features that the document made up to explain the data.
_ITEMS = ("Goldfish", "Tuna", "Robin", "Canary", "Rose", "Daisy", "Pine", "Oak")
_RENAMED = {"shark": {0: "Shark"}, "parrot": {3: "Parrot"}}
_ADDED = {"shark": "has_bones", "parrot": "cannot_speak"}
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
_DEEP, _ZERO_DEPTH = 2, 1
_LOSS, _MODES = "C1", "C0"
_NO_AND_YES = ListedColormap(["#56B4E9", "#E69F00"])


def data(hierarchy: pd.DataFrame) -> Figure:
    """Labels, the features that the document made up to explain them, and ten features sampled from the tree.

    The first two as in "Run to generate and visualize training samples from tree"; the network learns the third, the
    last ten of 10,000 sampled features, which have no names. Features are −1 (no) or 1 (yes).
    """
    figure, axes = plt.subplots(1, 3, figsize=(6.9, 2.7), width_ratios=(8, 10, 10), layout="compressed")
    _draw_labels(axes[0], hierarchy, "plain")
    image = _draw_signs(axes[1], np.array(list(_NAMED_FEATURES.values())).T)
    axes[1].set_xticks(range(len(_NAMED_FEATURES)), _NAMED_FEATURES, rotation=90)
    axes[1].set(yticks=[], title="made-up features")
    _draw_features(axes[2], hierarchy, "plain")
    _add_key(figure, image, axes)
    return figure


def data_shark(hierarchy: pd.DataFrame) -> Figure:
    """Labels and the last ten features of the data with the feature has_bones: not true of sharks (section 4)."""
    return _data_with(hierarchy, "shark")


def data_parrot(hierarchy: pd.DataFrame) -> Figure:
    """Labels and the last ten features of the data with the feature cannot_speak: not true of parrots (exercise 4)."""
    return _data_with(hierarchy, "parrot")


def training_loss(hierarchy: pd.DataFrame) -> Figure:
    """Training loss of the deep linear network with its bumps (Interactive Demo 1), at the document's rate and scale.

    Strong: seed 2021; faint: nine more seeds, each with its own data and initialisation.
    """
    figure, axis = plt.subplots(figsize=(3.4, 2.2))
    _draw_seeds(axis, rows_of(hierarchy, "train_loss", **_setting(hierarchy, "plain")), _LOSS)
    axis.set(xlabel="epoch (updates)", ylabel="mean squared error")
    return figure


def loss_and_modes(hierarchy: pd.DataFrame) -> Figure:
    """Training loss and the eight singular values of the end-to-end matrix on twin axes (section 2), seed 2021.

    Each drop of the loss is a group of modes that reaches its singular value. The document divides the singular
    values by the largest one and draws them one update earlier.
    """
    figure, axis = plt.subplots(figsize=(3.4, 2.4))
    _draw_dynamics(axis, hierarchy)
    return figure


def loss_modes_and_rsm(hierarchy: pd.DataFrame) -> Figure:
    """Loss, singular values and the representational similarity matrix at epoch 61 (section 3), seed 2021.

    Left: as in the document, in shares of the largest similarity of the whole run, of which nothing is to be seen at
    epoch 61, some 30 updates before the first mode is learned. Right: the same matrix in shares of its own largest
    entry: what grows first is what all items share.
    """
    epoch = 61
    figure = plt.figure(figsize=(3.4, 4.0))
    upper, lower = figure.subfigures(2, 1, height_ratios=(1, 0.85))
    top = upper.add_subplot()
    _draw_dynamics(top, hierarchy)
    top.axvspan(epoch - 2, epoch + 2, color="0.5", alpha=0.3, lw=0)
    _draw_on_two_scales(lower, hierarchy, epoch)
    return figure


def rsm_over_epochs(hierarchy: pd.DataFrame) -> Figure:
    """Representational similarity over the epochs (section 3's slider): simulation, seed 2021, above theory.

    Theory is V A(t) Vᵀ with the modes of the tree and the strengths of decoupled modes, no fitted number. All in
    shares of the largest similarity of the simulated run; white from 0 down. The network parts animals from plants
    first, single items last.
    """
    epochs = (61, 93, 104, 116, 125, 137, 160, 187, 241)
    figure, axes = plt.subplots(2, len(epochs), figsize=(6.9, 1.8), layout="compressed")
    largest, image = None, None
    for row, (metric, label) in zip(axes, (("rsm", "simulation"), ("theory_rsm", "theory")), strict=True):
        matrices = _matrices(_first(rows_of(hierarchy, metric, **_setting(hierarchy, "plain"))))
        largest = largest or max((np.abs(matrix).max() for matrix in matrices.values()), default=1.0)
        for axis, epoch in zip(row, epochs, strict=True):
            axis.set(xticks=[], yticks=[], box_aspect=1)
            if epoch in matrices:
                image = _draw_similarity(axis, matrices[epoch] / largest)
        row[0].set_ylabel(label)
    for axis, epoch in zip(axes[0], epochs, strict=True):
        axis.set_title(f"{epoch}" if axis is not axes[0, 0] else f"epoch {epoch}")
    if image is not None:
        figure.colorbar(image, ax=axes, label="similarity", ticks=[0, 0.5, 1])
    return figure


def illusory_shark(hierarchy: pd.DataFrame) -> Figure:
    """The network's prediction that sharks have bones, with the singular values (section 4).

    Strong: seed 2021; faint: nine more seeds; dashed: theory, from the tree alone. The network comes to believe it with
    the mode that parts animals from plants, doubts it with those that part fish from birds, and sees through it with
    the last, which part single items.
    """
    return _illusory(hierarchy, "shark", "prediction: sharks have bones")


def illusory_parrot(hierarchy: pd.DataFrame) -> Figure:
    """The network's prediction that parrots cannot speak, with the singular values (exercise 4).

    Strong: seed 2021; faint: nine more seeds; dashed: theory, from the tree alone.
    """
    return _illusory(hierarchy, "parrot", "prediction: parrots cannot speak")


def zero_depth_loss(hierarchy: pd.DataFrame) -> Figure:
    """Training loss of the network without a hidden layer ("Linear Regression vs. DLNN"): no plateaus.

    Ten seeds, which the eye cannot part; dashed: theory, a factor (1 − λ)² an update, λ = 2·rate/(items·features).
    """
    figure, axis = plt.subplots(figsize=(3.4, 2.2))
    _draw_seeds(
        axis, rows_of(hierarchy, "train_loss", **_setting(hierarchy, "plain", _ZERO_DEPTH)), _LOSS, label="simulation"
    )
    theory = _first(rows_of(hierarchy, "theory_train_loss", **_setting(hierarchy, "plain", _ZERO_DEPTH)))
    axis.plot(theory["step"], theory["value"], "k--", lw=1, zorder=4, label="theory")
    axis.set(xlabel="epoch (updates)", ylabel="mean squared error")
    axis.legend()
    return figure


def weights_compared(hierarchy: pd.DataFrame) -> Figure:
    """Weights of linear regression, of the zero-depth and of the deep network, after training ("… vs. DLNN").

    Above: the weights from the items (rows) to the last ten features (columns), seed 2021. Below: the largest distance
    of any of the 80,000 weights from the regression's during training, ten seeds; dotted: the tolerance within which
    the document calls them equal. The document trains both networks on a fourth sample of the tree.
    """
    figure = plt.figure(figsize=(3.4, 3.5))
    upper, lower = figure.subfigures(2, 1, height_ratios=(0.45, 1))
    _draw_weights(upper, hierarchy)
    _draw_weight_differences(lower.add_subplot(), hierarchy)
    return figure


def _setting(hierarchy: pd.DataFrame, dataset: str, depth: int = _DEEP) -> dict[str, object]:
    """Return the axes of the document's runs on a data set; the sliders' runs have other scales and rates."""
    return main_setting(hierarchy, ["scale", "learning_rate"], dataset=dataset, depth=depth)


def _data_with(hierarchy: pd.DataFrame, dataset: str) -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(3.4, 2.2), width_ratios=(8, 10), layout="compressed")
    _draw_labels(axes[0], hierarchy, dataset)
    image = _draw_features(axes[1], hierarchy, dataset)
    _add_key(figure, image, axes)
    return figure


def _draw_labels(axis: Axes, hierarchy: pd.DataFrame, dataset: str) -> None:
    names = _names(_items(hierarchy), dataset)
    _draw_signs(axis, 2 * np.eye(len(names)) - 1)
    axis.set_xticks(range(len(names)), names, rotation=90)
    axis.set_yticks(range(len(names)), names)
    axis.set_title("labels")


def _draw_features(axis: Axes, hierarchy: pd.DataFrame, dataset: str) -> AxesImage | None:
    axis.set(xticks=[], yticks=[], title="sampled features")
    rows = _first(rows_of(hierarchy, "feature", dataset=dataset))
    # Several runs learn the same data.
    rows = rows.drop_duplicates("index")
    if not len(rows):
        return None
    features = rows["value"].to_numpy().reshape(_items(hierarchy), -1)
    if dataset in _ADDED:
        axis.set_xticks([features.shape[1] - 1], [_ADDED[dataset]], rotation=90)
    return _draw_signs(axis, features)


def _draw_signs(axis: Axes, signs: np.ndarray) -> AxesImage:
    return axis.imshow(signs, cmap=_NO_AND_YES, vmin=-1, vmax=1)


def _add_key(figure: Figure, image: AxesImage | None, axes: np.ndarray) -> None:
    if image is not None:
        key = figure.colorbar(image, ax=axes, ticks=[-0.5, 0.5], shrink=0.5, aspect=10)
        key.ax.set_yticklabels(["no", "yes"])


def _illusory(hierarchy: pd.DataFrame, dataset: str, label: str) -> Figure:
    figure, axis = plt.subplots(figsize=(3.4, 2.4))
    _draw_modes(axis, hierarchy, dataset)
    _draw_seeds(axis, rows_of(hierarchy, "illusory_prediction", **_setting(hierarchy, dataset)), _LOSS)
    theory = _first(rows_of(hierarchy, "theory_illusory_prediction", **_setting(hierarchy, dataset)))
    axis.plot(theory["step"], theory["value"], "k--", lw=1, zorder=4)
    axis.axhline(0, color="0.8", lw=0.5, zorder=0)
    axis.set(xlabel="epoch (updates)", ylim=(-1.05, 1.05))
    _colour_left(axis, label)
    return figure


def _draw_dynamics(axis: Axes, hierarchy: pd.DataFrame) -> None:
    rows = _first(rows_of(hierarchy, "train_loss", **_setting(hierarchy, "plain")))
    axis.plot(rows["step"], rows["value"], color=_LOSS)
    axis.set(xlabel="epoch (updates)", ylim=(0, None))
    _colour_left(axis, "mean squared error")
    _draw_modes(axis, hierarchy, "plain")


def _draw_modes(axis: Axes, hierarchy: pd.DataFrame, dataset: str) -> None:
    """Draw the singular values of the first seed over a right axis of their own."""
    right = axis.twinx()
    # The left axis stays in front, without a background that would hide the right one.
    axis.set_zorder(right.get_zorder() + 1)
    axis.patch.set_visible(False)
    right.spines["right"].set(visible=True, color=_MODES)
    right.tick_params(axis="y", colors=_MODES)
    right.set_ylabel("singular value", color=_MODES)
    rows = _first(rows_of(hierarchy, "singular_value", **_setting(hierarchy, dataset)))
    for _, values in rows.groupby("index"):
        right.plot(values["step"], values["value"], color=_MODES, lw=0.8)
    right.set_ylim(0, None)


def _draw_weights(figure: SubFigure, hierarchy: pd.DataFrame) -> None:
    panels = (
        ("regression", "least_squares_weight", _DEEP),
        ("zero depth", "weight", _ZERO_DEPTH),
        ("deep", "weight", _DEEP),
    )
    axes, image = figure.subplots(1, len(panels)), None
    for axis, (title, metric, depth) in zip(axes, panels, strict=True):
        axis.set(xticks=[], yticks=[], title=title)
        rows = _first(rows_of(hierarchy, metric, **_setting(hierarchy, "plain", depth)))
        if len(rows):
            weights = rows["value"].to_numpy().reshape(_items(hierarchy), -1)
            image = axis.imshow(weights, cmap="cividis", vmin=-1, vmax=1)
    axes[0].set_ylabel("item")
    axes[1].set_xlabel("feature")
    if image is not None:
        figure.colorbar(image, ax=axes, label="weight", ticks=[-1, 0, 1], shrink=0.8, aspect=10)


def _draw_weight_differences(axis: Axes, hierarchy: pd.DataFrame) -> None:
    for name, depth, colour in (("zero depth", _ZERO_DEPTH, "C4"), ("deep", _DEEP, _MODES)):
        rows = rows_of(hierarchy, "weight_difference", **_setting(hierarchy, "plain", depth))
        final = rows.loc[rows["step"] == rows["step"].max(), "value"].max()
        _draw_seeds(axis, rows, colour, label=f"{name}, at the end ≤ {final:.1e}")
    axis.axhline(1e-2, color="0.4", ls=":", label="tolerance of the document")
    axis.set(yscale="log", xlabel="epoch (updates)", ylabel="largest difference\nfrom regression")
    axis.legend(loc="lower left")


def _colour_left(axis: Axes, label: str) -> None:
    axis.set_ylabel(label, color=_LOSS)
    axis.tick_params(axis="y", colors=_LOSS)
    axis.spines["left"].set_color(_LOSS)


def _draw_seeds(axis: Axes, rows: pd.DataFrame, colour: str, *, label: str | None = None) -> None:
    for position, (_, values) in enumerate(by_seed(rows).items()):
        style = {"zorder": 3, "label": label} if position == 0 else {"lw": 0.5, "alpha": 0.35}
        axis.plot(values, color=colour, **style)


def _draw_on_two_scales(figure: SubFigure, hierarchy: pd.DataFrame, epoch: int) -> None:
    """Draw the similarities at an epoch in shares of the largest of the whole run, and of their own largest."""
    matrices = _matrices(_first(rows_of(hierarchy, "rsm", **_setting(hierarchy, "plain"))))
    largest = max((np.abs(matrix).max() for matrix in matrices.values()), default=1.0)
    axes, image = figure.subplots(1, 2), None
    for column, title in enumerate((f"epoch {epoch}", f"epoch {epoch},\nown scale")):
        axis = axes[column]
        axis.set(xticks=[], yticks=[], title=title)
        if epoch not in matrices:
            continue
        matrix = matrices[epoch]
        image = _draw_similarity(axis, matrix / (largest if column == 0 else np.abs(matrix).max()))
        names = _names(len(matrix), "plain")
        axis.set_xticks(range(len(names)), names, rotation=90)
        axis.set_yticks(range(len(names)), names if column == 0 else [])
    if image is not None:
        figure.colorbar(image, ax=axes, label="similarity", shrink=0.6, ticks=[0, 0.5, 1])


def _draw_similarity(axis: Axes, matrix: np.ndarray) -> AxesImage:
    return axis.imshow(matrix, cmap="Purples", vmin=0, vmax=1)


def _matrices(rows: pd.DataFrame) -> dict[int, np.ndarray]:
    """Return the square matrices of a run, by step."""
    return {
        step: values["value"].to_numpy().reshape(round(len(values) ** 0.5), -1) for step, values in rows.groupby("step")
    }


def _items(hierarchy: pd.DataFrame) -> int:
    """Return the number of items, which is that of the modes; the document's where the table is empty."""
    modes = rows_of(hierarchy, "data_singular_value")["index"]
    return modes.max() + 1 if len(modes) else len(_ITEMS)


def _first(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first seed."""
    return rows[rows["seed"] == rows["seed"].min()]


def _names(count: int, dataset: str) -> list[str]:
    renamed = _RENAMED.get(dataset, {})
    return [renamed.get(item, _ITEMS[item] if item < len(_ITEMS) else f"item {item + 1}") for item in range(count)]
