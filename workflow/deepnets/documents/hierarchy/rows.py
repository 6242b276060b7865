"""Trees, features, epochs and matrices from the table of the experiment `hierarchy`."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from deepnets.theory import tree_spectrum
from reproduce import api


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
    return dict(zip(table.index.tolist(), map(api.square_matrix, table.to_numpy()), strict=True))


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
