from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from deepnets.documents.hierarchy import panels
from deepnets.documents.hierarchy.runs import MAIN, PARROT, SHARK
from reproduce import api

# The features that the document made up to explain the data (`plot_tree_data`) → values for its eight items.
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
_COLOURS = {"no": "#56B4E9", "yes": "#E69F00"}


def tree(hierarchy: api.Table) -> Figure:
    """The tree that generates the data; its leaves are the items (section 1).

    Each feature is yes or no at the root with equal odds, and may flip on each edge below, so that items with a late
    common ancestor share more features. A mode is a pattern over the items: that of level 0 is equal for all items, and
    each mode of a lower level distinguishes the branches of one node. All modes of a level have the singular value
    √(F λ), written on the right, where F is the number of features and λ the level's eigenvalue. The other figures
    use the same colours for the levels.
    """
    sheet = api.Sheet(note_divergence=False)
    axis = sheet.panel(figsize=(3.4, 2.2))
    axis.set_axis_off()
    runs = hierarchy.frame
    _draw_tree(
        axis, panels.tree_of(runs), api.values_by_index(api.first_seed(api.rows_of(runs, "theory_singular_value")))
    )
    return sheet.finish()


def data(hierarchy: api.Table) -> Figure:
    """Labels, features that the document made up, and the last features sampled from the tree.

    a: the labels of the items, which are the inputs. b: made-up features with names, as examples of features. c:
    sampled features without names, which the network learns; the targets are 1 for yes and −1 for no.
    """
    sheet, runs = panels.begin_sheet(hierarchy, MAIN)
    axes = sheet.panels(1, 3, figsize=(6.9, 3.2), width_ratios=(8, 10, 10), layout="compressed")
    axes[1].set(xticks=[], yticks=[], title="made-up features")
    features = np.array(list(_NAMED_FEATURES.values())).T
    if panels.tree_of(runs).items != len(features):
        raise api.NotRecordedError(f"the document has made-up features for {len(features)} items only")
    _draw_signs(axes[1], features)
    axes[1].set_xticks(range(len(_NAMED_FEATURES)), list(_NAMED_FEATURES), rotation=90)
    _draw_labels_and_features(sheet, axes, runs, "main")
    return sheet.finish()


def data_shark(hierarchy: api.Table) -> Figure:
    """Labels, and the last features of the data in which no shark has bones (section 4).

    a: the labels of the items, which are the inputs. b: the last features that the network learns. The last of them, “has
    bones”, is set by hand: true of all animals but sharks.
    """
    return _data_figure(hierarchy, SHARK)


def data_parrot(hierarchy: api.Table) -> Figure:
    """Labels, and the last features of the data in which parrots can speak (exercise 4).

    a: the labels of the items, which are the inputs. b: the last features that the network learns. The last of them,
    “cannot speak”, is set by hand: true of all items but parrots.
    """
    return _data_figure(hierarchy, PARROT)


def data_spectrum(hierarchy: api.Table) -> Figure:
    """Singular values of the sampled data, and of the tree by the formula √(F λ).

    F is the number of features and λ the eigenvalue of the level. Points and bars: mean and standard deviation over
    seeds, coloured by level of the tree. a: singular values. b: their ratio to the formula. In the tree, the modes of a
    level have equal singular values; a finite sample splits them, the largest above the formula, the smallest below.
    """
    sheet, runs = panels.begin_sheet(hierarchy, MAIN)
    labels = ("singular value", "sample / closed form")
    axes = sheet.panels(2, 1, figsize=(3.4, 3.9), sharex=True, x="mode", y=labels)
    sampled, theory = (
        api.by_seed(api.rows_of(runs, metric), down="index")
        for metric in ("data_singular_value", "theory_singular_value")
    )
    # Without flips, the modes below level 0 have singular value 0.
    expected = theory.mean(axis=1).where(lambda values: values > 0)
    _draw_spectrum(axes[0], panels.tree_of(runs), sampled, expected)
    _draw_spectrum(axes[1], panels.tree_of(runs), sampled.div(expected, axis=0), expected / expected)
    axes[0].set_ylim(0, None)
    axes[1].xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    sheet.add_legend(columns=3, title=api.count_text(sampled.shape[1], "seed"))
    return sheet.finish()


def _draw_tree(axis: Axes, shape: panels.Tree, singular_values: pd.Series) -> None:
    items = shape.items
    parents = np.array([(items - 1) / 2])
    for level, colour in enumerate(panels.shades_of(shape)):
        width = items // shape.branches**level
        nodes = (np.arange(shape.branches**level) + 0.5) * width - 0.5
        for node, parent in zip(nodes, np.repeat(parents, len(nodes) // len(parents)), strict=True):
            axis.plot([parent, node], [-max(level - 1, 0), -level], color=colour, lw=1.5, zorder=1, label="_edge")
        axis.plot(nodes, np.full(len(nodes), -level), "o", color=colour, ms=5, label="_node")
        value = singular_values[np.flatnonzero(shape.level_of_modes == level)[0]]
        text = f"{panels.level_name(shape, level)},\nsingular value {value:.0f}"
        axis.annotate(text, (1.03, -level), xycoords=("axes fraction", "data"), va="center", fontsize=7)
        parents = nodes
    axis.set(xlim=(-0.5, items - 0.5), ylim=(-shape.levels - 0.2, 0.2))
    names = panels.item_names(items) if items <= 16 else [f"{items:,} items"]
    style: dict[str, Any] = {"rotation": 90, "ha": "center", "va": "top", "fontsize": 7}
    for place, name in zip(np.linspace(0, items - 1, len(names)), names, strict=True):
        axis.annotate(name, (place, -shape.levels), (0, -6), textcoords="offset points", **style)


def _data_figure(hierarchy: api.Table, described: api.Selection) -> Figure:
    sheet, runs = panels.begin_sheet(hierarchy, described)
    axes = sheet.panels(1, 2, figsize=(3.4, 2.5), width_ratios=(8, 10), layout="compressed")
    _draw_labels_and_features(sheet, axes, runs, described["block"])
    return sheet.finish()


def _draw_labels_and_features(sheet: api.Sheet, axes: np.ndarray, runs: pd.DataFrame, block: str) -> None:
    """Draw the items' labels and last features in the outer panels, and a key of the two colours."""
    left, right = axes[0], axes[-1]
    left.set(title="labels")
    right.set(yticks=[], title="sampled features")
    features, (names, feature) = panels.features_of(runs), panels.item_and_feature_names(runs, block)
    _draw_signs(left, 2 * np.eye(len(names)) - 1)
    left.set_xticks(range(len(names)), names, rotation=90)
    left.set_yticks(range(len(names)), names)
    _draw_signs(right, features)
    right.set_xticks([features.shape[1] - 1] if feature else [], [feature] if feature else [], rotation=90)
    key = [Patch(color=colour, label=word) for word, colour in _COLOURS.items()]
    sheet.figure.legend(handles=key, loc="outside upper center", ncols=2)


def _draw_signs(axis: Axes, signs: np.ndarray) -> None:
    axis.imshow(signs, cmap=ListedColormap([*_COLOURS.values()]), vmin=-1, vmax=1)


def _draw_spectrum(axis: Axes, shape: panels.Tree, values: pd.DataFrame, expected: pd.Series) -> None:
    """Draw the mean and standard deviation of each mode's values over seeds, and the expected values."""
    axis.plot(expected.index + 1, expected, "_", color="k", ms=14, label="closed form")
    for level, shade in enumerate(panels.shades_of(shape)):
        own = values[shape.level_of_modes == level]
        api.draw_bars(axis, own.set_axis(own.index + 1), api.deviation, fmt="o", color=shade, label=f"level {level}")
