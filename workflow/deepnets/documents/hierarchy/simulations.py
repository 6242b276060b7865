"""The simulated settings of document 003's chart, and their data sets."""

import numpy as np
import pandas as pd

from deepnets.charts.charts import rounded
from deepnets.documents.hierarchy.tree_theory import MARKS, Theory
from deepnets.tables.matrices import by_index, square_matrix
from deepnets.tables.rows import first_seed, rows_of
from deepnets.tables.thinning import thin_steps

# The axes with sliders.
AXES = ("learning_rate", "scale")
# Steps of a slider from one simulated value to the next, in equal ratios; between these values there is only theory.
_BETWEEN = 10


class Simulations:
    """The settings that were simulated.

    The key of a setting is the places of its rate and its scale on the sliders. values: the simulated values of each
    axis, in order; runs: key → all rows of the setting's first seed.
    """

    def __init__(self, runs: pd.DataFrame) -> None:
        self.values = {axis: sorted(map(float, runs[axis].unique())) for axis in AXES}
        self.runs = self.split(first_seed(runs))

    def split(self, rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """Return the rows of each setting by its key, in order of rate and scale.

        rows: only simulated values of rate and scale.
        """
        return {self._key(each): each for _, each in rows.groupby(list(AXES))}

    def places(self, axis: str) -> list[float]:
        """Return the value at each place of the axis's slider."""
        values = self.values[axis]
        logs = np.interp(np.arange(_BETWEEN * (len(values) - 1) + 1), _BETWEEN * np.arange(len(values)), np.log(values))
        return [
            values[place // _BETWEEN] if place % _BETWEEN == 0 else float(np.exp(log)) for place, log in enumerate(logs)
        ]

    def labels(self, axis: str) -> list[str]:
        """Return the text beside the axis's slider at each place."""
        return [
            f"{value:.3g}{'' if place % _BETWEEN else ' (simulated)'}" for place, value in enumerate(self.places(axis))
        ]

    def similarities(self, hierarchy: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """Return the finite similarities of each setting by its key, at `MARKS` epochs at most.

        hierarchy: the rows of all blocks, since another block may have recorded more similarities of the same run.
        """
        runs = pd.concat(self.runs.values())
        same = ["depth", "init", "dataset", "seed", *AXES]
        rows = rows_of(hierarchy, "rsm").merge(runs[same].drop_duplicates(), on=same)
        rows = rows.drop_duplicates([*same, "step", "index"])
        finite = np.isfinite(rows["value"]).groupby([rows[axis] for axis in (*AXES, "step")]).transform("all")
        return {
            key: each[each["step"].isin(thin_steps(each["step"].to_numpy(), MARKS))]
            for key, each in self.split(rows[finite]).items()
        }

    def curves(self, metric: str, theory: Theory) -> list[tuple[str, int, list[float | None]]]:
        """Return (key, index, values at the marked epochs) of a metric, up to the end of each run."""
        tables = {key: by_index(rows_of(run, metric, step=theory.marks.tolist())) for key, run in self.runs.items()}
        return [
            (key, index, rounded(values))
            for key, table in tables.items()
            for index, values in enumerate(table.to_numpy().T)
        ]

    def _key(self, rows: pd.DataFrame) -> str:
        setting = rows.iloc[0]
        return " ".join(str(_BETWEEN * values.index(setting[axis])) for axis, values in self.values.items())


def similarity_rows(similarities: dict[str, pd.DataFrame], theory: Theory) -> list[dict]:
    """Return one row per setting and recorded epoch, with the flattened similarities of the shown items in percent."""
    shown = theory.shown
    return [
        {"key": key, "step": step, "value": _whole_percents(square_matrix(values)[:shown, :shown] / theory.unit)}
        for key, table in ((key, by_index(rows)) for key, rows in similarities.items())
        for step, values in zip(table.index.tolist(), table.to_numpy(), strict=True)
    ]


def _whole_percents(shares: np.ndarray) -> list[int]:
    """Return shares in whole percents, as shades are coarser; limit them to ±1000, since runs may diverge."""
    return np.rint(np.clip(100 * shares.ravel(), -1000, 1000)).astype(int).tolist()
