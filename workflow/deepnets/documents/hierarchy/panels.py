"""Parts of document 003's figures: the tree, features, epochs and matrices of runs; curves, modes and names of items."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from deepnets.documents.hierarchy.runs import CANNOT_SPEAK, HAS_BONES, OF_ANIMALS
from deepnets.theory import tree_spectrum
from reproduce import api

LOSS = "C1"
THEORY: dict[str, Any] = {"color": "k", "ls": "--", "lw": 0.7, "zorder": 4}
# Similarities from 0, the background's colour, to 1.
SIMILARITY: dict[str, Any] = {"cmap": "Purples", "vmin": 0, "vmax": 1}
# `plot_tree_data`
_ITEMS = ("Goldfish", "Tuna", "Robin", "Canary", "Rose", "Daisy", "Pine", "Oak")
# Section 4 and exercise 4: block → name and values of the feature that the document adds, and renamed item.
_ADDED = {
    "shark": ("has_bones", HAS_BONES, {0: "Shark"}),
    "bones": ("has_bones", OF_ANIMALS, {}),
    "parrot": ("cannot_speak", CANNOT_SPEAK, {3: "Parrot"}),
}


@dataclass(frozen=True)
class Tree:
    """The tree that generates the data. levels: below the root; branches: the children of every node."""

    levels: int
    branches: int

    @property
    def items(self) -> int:
        """The number of leaves."""
        return self.branches**self.levels

    @property
    def modes(self) -> np.ndarray:
        """The numbers of modes of levels 0, 1, …, (levels + 1,)."""
        return tree_spectrum.degeneracies(self.levels, self.branches)

    @property
    def level_of_modes(self) -> np.ndarray:
        """The level of each mode, strongest first; shape (items,)."""
        return np.repeat(np.arange(self.levels + 1), self.modes)


def tree_of(runs: pd.DataFrame) -> Tree:
    """Return the tree that all runs share."""
    # Theory has a plateau before and after each level.
    levels = int(api.rows_of(runs, "theory_plateau")["index"].max()) - 1
    items = api.rows_of(runs, "data_singular_value")["index"].max() + 1
    return Tree(levels, round(items ** (1 / levels)))


def features_of(runs: pd.DataFrame) -> np.ndarray:
    """Return the recorded features of the first seed; shape (items, features)."""
    return api.values_by_index(api.first_seed(api.rows_of(runs, "feature"))).to_numpy().reshape(tree_of(runs).items, -1)


def epochs_of_learning(runs: pd.DataFrame, share: float) -> list[int | None]:
    """Return when the first seed's loss has fallen by a share of the way from each plateau of theory to the next.

    Returns one epoch for each level of the tree, in order; None for levels that the run did not learn.
    """
    loss = api.first_seed(api.rows_of(runs, "train_loss")).set_index("step")["value"]
    plateaus = api.values_by_index(api.first_seed(api.rows_of(runs, "theory_plateau")))
    reached = (loss.index[loss <= before + share * (after - before)] for before, after in pairwise(plateaus))
    return [int(steps[0]) if len(steps) else None for steps in reached]


def matrices_of(runs: pd.DataFrame, metric: str) -> dict[int, np.ndarray]:
    """Return the square matrices of the first seed, by step; raise NotRecordedError if there is none."""
    table = api.by_index(api.first_seed(api.require_rows(runs, metric)))
    size = round(table.shape[1] ** 0.5)
    return dict(zip(table.index.tolist(), table.to_numpy().reshape(-1, size, size), strict=True))


def largest_of(*runs: dict[int, np.ndarray]) -> float:
    """Return the largest entry of all matrices; 1 if no entry is above 0."""
    return max((matrix.max() for matrices in runs for matrix in matrices.values()), default=0) or 1.0


def nearest_recorded(matrices: dict[int, np.ndarray], epoch: int) -> int:
    """Return the recorded epoch that is closest to a given one."""
    return min(matrices, key=lambda recorded: abs(recorded - epoch))


def setting_text(runs: pd.DataFrame) -> str:
    """Return the learning rate and the start of all runs as text; γ is a factor on the document's own initial weights."""
    first = runs.iloc[0]
    factor = "" if first["scale"] == 1 else f" × {first['scale']:g}"
    start = f"torch's default start{factor}" if first["init"] == "fan_in_uniform" else gamma_text(first["scale"])
    return f"rate {first['learning_rate']:g}, {start}"


def gamma_text(scale: float) -> str:
    """Return "γ = …" in matplotlib's mathematical notation."""
    exponent = np.log10(scale)
    power = abs(exponent) >= 2 and exponent == round(exponent)
    return r"$\gamma$ = " + (f"$10^{{{exponent:.0f}}}$" if power else f"{scale:g}")


def begin_sheet(hierarchy: api.Table, described: api.Selection) -> tuple[api.Sheet, pd.DataFrame]:
    """Return a sheet with a note on the setting and the seeds, and the runs that it shows."""
    sheet, (runs, left_out) = api.Sheet(), described.shown(hierarchy)
    words = f"{setting_text(runs)}, {api.runs_text(runs)}"
    return sheet, sheet.take((runs, f"{words}; {left_out}" if left_out else words))


def item_names(count: int) -> list[str]:
    """Return the document's names of the first items, and numbers for further items."""
    return [_ITEMS[item] if item < len(_ITEMS) else f"item {item + 1}" for item in range(count)]


def item_and_feature_names(runs: pd.DataFrame, block: str) -> tuple[list[str], str]:
    """Return the names of the items and of the added feature: the document's if it adds the same feature."""
    features = features_of(runs)
    names = item_names(len(features))
    feature, values, renamed = _ADDED.get(block, ("", [], {}))
    if features[:, -1].tolist() == values:
        return [renamed.get(item, name) for item, name in enumerate(names)], feature
    return names, "" if api.rows_of(runs, "illusory_prediction").empty else "added feature"


def level_name(tree: Tree, level: int) -> str:
    """Return a level's name with the number of its modes."""
    return f"level {level}: {api.count_text(tree.modes[level], 'mode')}"


def learned_levels(count: int, levels: int) -> str:
    """Return the first `count` levels of a tree as text."""
    return "none" if count == 0 else "all" if count > levels else "level 0" if count == 1 else f"levels 0–{count - 1}"


def shades_of(tree: Tree) -> np.ndarray:
    """Return a colour for each level, from dark (all items) to light (single items)."""
    return plt.get_cmap("viridis")(np.linspace(0, 0.72, tree.levels + 1))


def draw_seeds(axis: Axes, runs: pd.DataFrame, metric: str, colour: str, *, label: str = "_first seed") -> None:
    """Draw a metric against epochs, the first seed strong and the others faint. label: of the first seed's curve.

    raises: NotRecordedError if there is no curve.
    """
    values = api.by_seed(api.require_curve(runs, metric)).sort_index(axis=1)
    for position, (_, curve) in enumerate(values.items()):
        first: dict[str, Any] = {"lw": 1.8, "zorder": 3, "label": label}
        axis.plot(curve.dropna(), color=colour, **({"lw": 0.5, "alpha": 0.35} if position else first))


def limit_scale(axis: Axes, runs: pd.DataFrame, largest: float) -> None:
    """Begin the y axis just below 0, and end it at `largest` or above, but at twice `largest` if a run diverged."""
    # Curves that diverge leave any scale, and constant curves would have an arbitrary one.
    top = max(axis.get_ylim()[1], largest) if api.divergence_steps(runs).empty else 2 * largest
    axis.set_ylim(-0.03 * largest, top)


def write_inside(axis: Axes, text: str) -> None:
    """Write text into the middle of a small panel."""
    axis.text(0.5, 0.5, text, transform=axis.transAxes, ha="center", va="center", color="0.3", zorder=5)


def write_outcome(axis: Axes, runs: pd.DataFrame) -> None:
    """Write into a small panel that its run diverged, if it did."""
    if len(steps := api.divergence_steps(runs)):
        write_inside(axis, f"diverged\nat {steps.min()}")


def draw_theory(axis: Axes, runs: pd.DataFrame, metric: str, *, unit: float = 1) -> None:
    """Draw the first seed's theory of a metric in multiples of `unit`, a thin line per index, on top of the simulation."""
    for _, values in api.first_seed(api.rows_of(runs, metric)).groupby("index"):
        axis.plot(values["step"], values["value"] / unit, label="_theory", **THEORY)


def draw_modes(axis: Axes, runs: pd.DataFrame, *, theory: bool = False) -> None:
    """Draw the singular values as shares of the data's largest, a shade per level; seeds after the first are faint."""
    tree, values_of_modes = tree_of(runs), api.rows_of(runs, "singular_value")
    unit = api.rows_of(runs, "data_singular_value")["value"].max()
    for seed in np.unique(values_of_modes["seed"]):
        first = seed == runs["seed"].min()
        style: dict[str, Any] = {"lw": 1.2, "zorder": 3} if first else {"lw": 0.4, "alpha": 0.35}
        table = api.by_index(api.runs_of(values_of_modes, seed=seed))
        for mode, values in enumerate(table.to_numpy().T):
            level = tree.level_of_modes[mode]
            # Only the first mode of a level has a label.
            label = level_name(tree, level) if first and mode == np.sum(tree.modes[:level]) else None
            axis.plot(table.index, values / unit, color=shades_of(tree)[level], label=label, **style)
    if theory:
        draw_theory(axis, runs, "theory_mode_strength", unit=unit)
