"""Theory for the chart of document 003; page/templates/live.js computes the same in the page."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from deepnets.documents.hierarchy.rows import Tree, tree_of
from deepnets.tables.matrices import values_by_index
from deepnets.tables.rows import rows_of
from deepnets.tables.thinning import thin_steps
from deepnets.theory import linear_learning, tree_spectrum

# The maximum number of epochs with marks, and the maximum number of items in a similarity matrix.
MARKS, _ITEMS = 26, 16


@dataclass(frozen=True)
class Theory:
    """Parameters of the exact update of decoupled modes, without rate and scale.

    values: the singular value of each level of the tree
    start: the initial strength of a mode, divided by γ²
    steps: number of updates
    """

    tree: Tree
    values: np.ndarray
    start: float
    steps: int

    @property
    def entries(self) -> float:
        """Items × features, which equals the sum of all squared singular values, since features are ±1."""
        return float(np.sum(self.tree.modes * self.values**2))

    def strengths(self, rate: float, scale: float) -> np.ndarray:
        """Return the strengths of each level's modes after 0, 1, … updates, up to the last finite ones.

        Their shape is (updates + 1, levels).
        """
        with np.errstate(over="ignore", invalid="ignore"):
            strengths = linear_learning.mode_strengths(
                self.values, self.start * scale**2, 2 * rate / self.entries, self.steps
            )
            # The squares must be finite, too, since the loss contains them.
            lost = np.flatnonzero(~np.isfinite(strengths**2).all(axis=1))
        return strengths[: lost[0]] if len(lost) else strengths

    def losses(self, strengths: np.ndarray) -> np.ndarray:
        """Return the mean squared error at each step, shape (steps,), for strengths of shape (steps, levels)."""
        modes = self.tree.modes
        return linear_learning.mode_loss(
            np.repeat(self.values, modes), np.repeat(strengths, modes, axis=1), self.entries
        )

    @property
    def shown(self) -> int:
        """The number of items shown, which are the first ones."""
        return min(self.tree.items, _ITEMS)

    @cached_property
    def _projectors(self) -> np.ndarray:
        projectors = tree_spectrum.projectors(self.tree.levels, self.tree.branches)
        return projectors[:, : self.shown, : self.shown]

    def similarities(self, strengths: np.ndarray) -> np.ndarray:
        """Return the similarities of the shown items, shape (…, shown, shown), for strengths of shape (…, levels)."""
        return np.tensordot(strengths, self._projectors, axes=1)

    @property
    def marks(self) -> np.ndarray:
        """The epochs at which simulated curves are marked."""
        return thin_steps(np.arange(self.steps + 1), MARKS)

    @cached_property
    def unit(self) -> float:
        """The largest similarity after everything is learned."""
        return float(self.similarities(self.values).max())


def theory_of(runs: pd.DataFrame) -> Theory:
    """Return the theory of the tree that all runs share, from the metrics that the runs recorded."""
    tree = tree_of(runs)
    first_modes = np.cumsum([0, *tree.modes[:-1]])
    singular_values = values_by_index(rows_of(runs, "theory_singular_value")).to_numpy()
    strengths = rows_of(runs, "theory_mode_strength", step=0, index=0)
    # Up to rounding, this ratio is equal at every scale.
    start = float((strengths["value"] / strengths["scale"] ** 2).median())
    return Theory(tree, singular_values[first_modes], start, int(rows_of(runs, "train_loss")["step"].max()))
