"""Choosing runs, epochs and matrices of document 003 from the table of the experiment `hierarchy`."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from workflow.deepnets.figures.rows import rows_of
from workflow.deepnets.theory import tree_spectrum


@dataclass(frozen=True)
class Tree:
    """The tree behind the data: its levels below the root, and the children of every node."""

    levels: int
    branches: int

    @property
    def items(self) -> int:
        """The number of leaves."""
        return self.branches**self.levels

    @property
    def modes(self) -> np.ndarray:
        """How many modes each level 0, 1, … has, (levels + 1,)."""
        return tree_spectrum.degeneracies(self.levels, self.branches)

    @property
    def level_of_modes(self) -> np.ndarray:
        """The level of each mode, strongest first, (items,)."""
        return np.repeat(np.arange(self.levels + 1), self.modes)


def tree_of(runs: pd.DataFrame) -> Tree:
    """Return the tree of some runs, which all have the same: theory has a plateau before and after each level."""
    levels = int(rows_of(runs, "theory_plateau")["index"].max()) - 1
    items = rows_of(runs, "data_singular_value")["index"].max() + 1
    return Tree(levels, round(items ** (1 / levels)))


def setting_of(runs: pd.DataFrame) -> str:
    """Say at which rate and scale some runs are, which all have the same."""
    first = runs.iloc[0]
    return f"rate {first['learning_rate']:g}, {gamma(first['scale'])}"


def gamma(scale: float) -> str:
    """Return "γ = …" as matplotlib sets it."""
    exponent = np.log10(scale)
    power = abs(exponent) >= 2 and exponent == round(exponent)
    return r"$\gamma$ = " + (f"$10^{{{exponent:.0f}}}$" if power else f"{scale:g}")


def first_seed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the smallest seed."""
    return rows[rows["seed"] == rows["seed"].min()]


def epochs_of_learning(runs: pd.DataFrame, share: float) -> list[int | None]:
    """Return when the first seed's loss had fallen by a share of the way from each plateau of theory to the next.

    An epoch for each level of the tree, in order; None where the run did not get there.
    """
    loss = first_seed(rows_of(runs, "train_loss")).set_index("step")["value"]
    plateaus = first_seed(rows_of(runs, "theory_plateau")).sort_values("index")["value"]
    reached = (loss.index[loss <= before + share * (after - before)] for before, after in pairwise(plateaus))
    return [int(steps[0]) if len(steps) else None for steps in reached]


def matrices_of(runs: pd.DataFrame, metric: str) -> dict[int, np.ndarray]:
    """Return the square matrices of the first seed, by step."""
    return {
        step: values["value"].to_numpy().reshape(round(len(values) ** 0.5), -1)
        for step, values in first_seed(rows_of(runs, metric)).groupby("step")
    }


def largest_of(*runs: dict[int, np.ndarray]) -> float:
    """Return the largest entry of all matrices; 1 where there is none above 0."""
    return max((matrix.max() for matrices in runs for matrix in matrices.values()), default=0) or 1.0


def recorded_near(matrices: dict[int, np.ndarray], epoch: int) -> int:
    """Return the recorded epoch next to a given one."""
    return min(matrices, key=lambda recorded: abs(recorded - epoch))
