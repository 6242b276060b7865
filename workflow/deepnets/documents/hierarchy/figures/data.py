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
    """Each level of the tree that generates the data has modes of one singular value (section 1).

    Each feature is yes or no at the root with equal odds, and may flip on each edge below: items with a late common
    ancestor share more features. A mode is a pattern over the items, the leaves: that of level 0 is equal for all, and
    each mode of a lower level distinguishes the branches of one node. The other figures have these colours.
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
    """Items are told apart by labels, and related items share features (section 1).

    a: labels, the inputs. b: features with names, made up by the document. c: the last features that are sampled from
    the tree; the net learns them, 1 for yes and −1 for no.
    """
    sheet = api.Sheet(note_divergence=False)
    runs = sheet.take(MAIN.shown(hierarchy))
    left, middle, right = sheet.panels(1, 3, figsize=(6.9, 3.2), width_ratios=(8, 10, 10), layout="compressed")
    features = np.array(list(_NAMED_FEATURES.values())).T
    if panels.tree_of(runs).items != len(features):
        raise api.NotRecordedError(f"the document has made-up features for {len(features)} items only")
    names = panels.item_names(len(features))
    _draw_signs(left, 2 * np.eye(len(names)) - 1, "labels", rows=names)
    left.set_xticks(range(len(names)), names, rotation=90)
    _draw_signs(middle, features, "made-up features")
    middle.set_xticks(range(len(_NAMED_FEATURES)), list(_NAMED_FEATURES), rotation=90)
    _draw_signs(right, panels.features_of(runs), "sampled features")
    _add_key(sheet)
    return sheet.finish()


def added_features(hierarchy: api.Table) -> Figure:
    """The last feature is set by hand: all animals but sharks have bones, and all items but parrots cannot speak.

    Features that the net learns: nine sampled ones and the added one. a: section 4; b: exercise 4.
    """
    sheet = api.Sheet(note_divergence=False)
    axes = sheet.panels(1, 2, figsize=(3.4, 2.4), layout="compressed")
    for axis, described, title in zip(axes, (SHARK, PARROT), ("shark", "parrot"), strict=True):
        with sheet.part(axis):
            runs = sheet.take(described.shown(hierarchy), name=title)
            names, feature = panels.item_and_feature_names(runs, described["block"])
            features = panels.features_of(runs)
            _draw_signs(axis, features, title, rows=names)
            axis.set_xticks([features.shape[1] - 1] if feature else [], [feature] if feature else [], rotation=90)
    _add_key(sheet)
    return sheet.finish()


def data_spectrum(hierarchy: api.Table) -> Figure:
    """The modes of a level of the tree have one singular value, √(F λ), which a finite sample splits.

    F is the number of features and λ the eigenvalue of the level. Points and bars: mean and standard deviation over
    seeds. a: singular values of the sampled data. b: their ratio to the closed form.
    """
    sheet = api.Sheet(note_divergence=False)
    runs = sheet.take(MAIN.shown(hierarchy))
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


def _draw_signs(axis: Axes, signs: np.ndarray, title: str, *, rows: list[str] | None = None) -> None:
    axis.imshow(signs, cmap=ListedColormap([*_COLOURS.values()]), vmin=-1, vmax=1)
    axis.set(title=title, xticks=[], yticks=[])
    if rows:
        axis.set_yticks(range(len(rows)), rows)


def _add_key(sheet: api.Sheet) -> None:
    key = [Patch(color=colour, label=word) for word, colour in _COLOURS.items()]
    sheet.figure.legend(handles=key, loc="outside upper center", ncols=2)


def _draw_spectrum(axis: Axes, shape: panels.Tree, values: pd.DataFrame, expected: pd.Series) -> None:
    """Draw the mean and standard deviation of each mode's values over seeds, and the expected values."""
    axis.plot(expected.index + 1, expected, "_", color="k", ms=14, label="closed form")
    for level, shade in enumerate(panels.shades_of(shape)):
        own = values[shape.level_of_modes == level]
        api.draw_bars(axis, own.set_axis(own.index + 1), api.deviation, fmt="o", color=shade, label=f"level {level}")
