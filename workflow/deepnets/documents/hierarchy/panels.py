"""Panels that several figures of document 003 share: curves of seeds, modes by level, matrices of items."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from workflow.deepnets.documents.hierarchy.rows import Tree, first_seed, tree_of
from workflow.deepnets.figures.panels import say_nothing_to_show, why_nothing
from workflow.deepnets.figures.rows import by_seed, rows_of
from workflow.deepnets.figures.which_runs import say_which_runs

LOSS = "C1"
THEORY = {"color": "k", "ls": "--", "lw": 0.7, "zorder": 4}
# `plot_tree_data`
_ITEMS = ("Goldfish", "Tuna", "Robin", "Canary", "Rose", "Daisy", "Pine", "Oak")


def item_names(count: int) -> list[str]:
    """Return the document's names of the items, and numbers for those beyond them."""
    return [_ITEMS[item] if item < len(_ITEMS) else f"item {item + 1}" for item in range(count)]


def name_items(axis: Axis, names: list[str], **style: object) -> None:
    """Write the items' names along an axis, or what stands there where names would cover each other."""
    if len(names) <= 10:
        axis.set_ticks(range(len(names)), names, **style)
    else:
        axis.set_label_text(f"{len(names)} items", fontsize=style.get("fontsize"))


def level_name(tree: Tree, level: int) -> str:
    """Return a level's name with the number of its modes."""
    count = tree.modes[level]
    return f"level {level}: {count} mode{'s' if count > 1 else ''}"


def learned(count: int, levels: int) -> str:
    """Say which levels of a tree are learned when `count` of them are."""
    return "none" if count == 0 else "all" if count > levels else "level 0" if count == 1 else f"levels 0–{count - 1}"


def shades_of(tree: Tree) -> np.ndarray:
    """Return a colour for each level, from dark for what all items share to light for single items."""
    return plt.get_cmap("viridis")(np.linspace(0, 0.8, tree.levels + 1))


def draw_seeds(axis: Axes, runs: pd.DataFrame, metric: str, colour: str, *, label: str = "") -> bool:
    """Draw a metric against epochs, the first seed strong and the others faint; tell whether there was a curve.

    label: what the first seed's curve is called; without one, all are called by their seeds.
    """
    values = by_seed(rows_of(runs, metric))
    if len(values) < 2:
        return False
    for position, (seed, curve) in enumerate(values.sort_index(axis=1).items()):
        stopped = rows_of(runs, "diverged", seed=seed)["step"]
        end = f", diverged at {stopped.iloc[0]}" if len(stopped) else ""
        name = (label or f"seed {seed}") + end if position == 0 else f"{len(values.columns) - 1} more"
        style = {"lw": 1.8, "zorder": 3} if position == 0 else {"lw": 0.5, "alpha": 0.35}
        named = position == 0 or (position == 1 and not label)
        axis.plot(curve.dropna(), color=colour, label=name if named else None, **style)
    return True


def bound(axis: Axes, runs: pd.DataFrame, largest: float) -> None:
    """Begin a scale just below 0 and end it at a value or above, but at twice the value where a run diverged."""
    # What diverges leaves any scale, and what learns nothing has none of its own.
    top = max(axis.get_ylim()[1], largest) if rows_of(runs, "diverged").empty else 2 * largest
    axis.set_ylim(-0.03 * largest, top)


def say(axis: Axes, text: str) -> None:
    """Write into the middle of a small panel."""
    axis.text(0.5, 0.5, text, transform=axis.transAxes, ha="center", va="center", color="0.3", zorder=5)


def say_end(axis: Axes, runs: pd.DataFrame, *, otherwise: str = "") -> None:
    """Write into a small panel that its run diverged, or that there is none, or a text for all other runs."""
    stopped = rows_of(runs, "diverged")["step"]
    if text := f"diverged\nat {stopped.min()}" if len(stopped) else "not run" if runs.empty else otherwise:
        say(axis, text)


def draw_theory(axis: Axes, runs: pd.DataFrame, metric: str) -> None:
    """Draw theory's values of a metric, a line for each index, thin over the first seed's simulation."""
    lines = first_seed(rows_of(runs, metric)).groupby("index")
    for position, (_, values) in enumerate(lines):
        axis.plot(values["step"], values["value"], label="theory" if position == 0 else None, **THEORY)


def draw_modes(axis: Axes, runs: pd.DataFrame, *, unit: float = 1) -> None:
    """Draw the singular values in multiples of `unit`, in a shade for each level; faint those of all seeds but one."""
    tree = tree_of(runs)
    for (seed, mode), values in rows_of(runs, "singular_value").groupby(["seed", "index"]):
        level = tree.level_of_modes[mode]
        first = seed == runs["seed"].min()
        style = {"lw": 1.2, "zorder": 3} if first else {"lw": 0.4, "alpha": 0.35}
        # One label stands for all modes of a level.
        label = level_name(tree, level) if first and mode == np.sum(tree.modes[:level]) else None
        axis.plot(values["step"], values["value"] / unit, color=shades_of(tree)[level], label=label, **style)


def add_modes(axis: Axes, runs: pd.DataFrame, *, theory: bool = False) -> Axes:
    """Draw the singular values over a right axis of their own, and return it."""
    right = axis.twinx()
    # The left axis stays in front, without a background that would hide the right one.
    axis.set_zorder(right.get_zorder() + 1)
    axis.patch.set_visible(False)
    right.spines["right"].set_visible(True)
    right.set_ylabel("singular value")
    draw_modes(right, runs)
    if theory:
        draw_theory(right, runs, "theory_mode_strength")
    bound(right, runs, rows_of(runs, "data_singular_value")["value"].max())
    return right


def colour_left(axis: Axes, label: str) -> None:
    """Name the left of two axes in the colour of its curve."""
    axis.set_ylabel(label, color=LOSS)
    axis.tick_params(axis="y", colors=LOSS)
    axis.spines["left"].set_color(LOSS)


def draw_similarity(axis: Axes, matrix: np.ndarray) -> AxesImage:
    """Draw similarities in shares of 1, white from 0 down."""
    return axis.imshow(matrix, cmap="Purples", vmin=0, vmax=1)


def nothing_to_show(runs: pd.DataFrame, words: str = "") -> Figure:
    """Return an empty frame that says why some runs give nothing to show, and which runs they are."""
    figure, axis = plt.subplots(figsize=(3.4, 2.2))
    say_nothing_to_show(axis, why_nothing(runs))
    say_which_runs(figure, words)
    return figure
