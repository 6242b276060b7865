"""Theory behind the sliders of document 003, as workflow/report/live.js computes it anew in the page."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from workflow.deepnets.charts.charts import thinned
from workflow.deepnets.documents.hierarchy.rows import Tree, tree_of
from workflow.deepnets.figures.rows import rows_of
from workflow.deepnets.theory import linear_learning, tree_spectrum

# How many epochs of a simulated curve are marked, and of how many items similarities are shown.
MARKS, _ITEMS = 26, 16


@dataclass(frozen=True)
class Theory:
    """What the exact map of decoupled modes needs beside rate and scale.

    values: the singular value of each level of the tree; start: the initial strength of a mode over γ²; steps: updates.
    """

    tree: Tree
    values: np.ndarray
    start: float
    steps: int

    @property
    def entries(self) -> float:
        """Items times features: features are ±1, so that it is the sum of all squared singular values."""
        return float(np.sum(self.tree.modes * self.values**2))

    def strengths(self, rate: float, scale: float) -> np.ndarray:
        """Return the strength of each level's modes after 0 … steps updates, (steps + 1, levels), while finite."""
        with np.errstate(over="ignore", invalid="ignore"):
            strengths = linear_learning.mode_strengths(
                self.values, self.start * scale**2, 2 * rate / self.entries, self.steps
            )
            # The loss contains the squares.
            lost = np.flatnonzero(~np.isfinite(strengths**2).all(axis=1))
        return strengths[: lost[0]] if len(lost) else strengths

    def losses(self, strengths: np.ndarray) -> np.ndarray:
        """Return the mean squared error that belongs to some strengths, (steps,)."""
        modes = self.tree.modes
        return linear_learning.mode_loss(
            np.repeat(self.values, modes), np.repeat(strengths, modes, axis=1), self.entries
        )

    @property
    def shown(self) -> int:
        """Of how many items similarities are shown: the first ones."""
        return min(self.tree.items, _ITEMS)

    @cached_property
    def _projectors(self) -> np.ndarray:
        projectors = tree_spectrum.projectors(self.tree.levels, self.tree.branches)
        return projectors[:, : self.shown, : self.shown]

    def similarities(self, strengths: np.ndarray) -> np.ndarray:
        """Return the representational similarities of the shown items where the levels have some strengths."""
        return np.tensordot(strengths, self._projectors, axes=1)

    @property
    def marks(self) -> np.ndarray:
        """The epochs at which simulated curves are marked."""
        return thinned(np.arange(self.steps + 1), MARKS)

    @cached_property
    def unit(self) -> float:
        """The largest similarity when all is learned."""
        return float(self.similarities(self.values).max())


def theory_of(runs: pd.DataFrame) -> Theory:
    """Return what theory needs, from what the runs of a tree recorded of theory themselves."""
    tree, first = tree_of(runs), np.cumsum([0, *tree_of(runs).modes[:-1]])
    singular_values = rows_of(runs, "theory_singular_value").drop_duplicates("index").set_index("index")["value"]
    strengths = rows_of(runs, "theory_mode_strength", step=0, index=0)
    # The same draw at every scale, but for rounding.
    start = float((strengths["value"] / strengths["scale"] ** 2).median())
    return Theory(tree, singular_values[first].to_numpy(), start, int(rows_of(runs, "train_loss")["step"].max()))
