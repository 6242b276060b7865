"""What runs of document 003 recorded, as arrays: curves, modes of a tree, similarities, features."""

import numpy as np
import pandas as pd

from workflow.deepnets.claims.evidence import Evidence, axes_of
from workflow.deepnets.claims.rows import rows_of

ITEMS = 8
# The modes of each level of the document's tree: what all items share, animals and plants, their kinds, single items.
LEVELS = ([0], [1], [2, 3], [4, 5, 6, 7])


def recorded(
    evidence: Evidence, experiment: str, metric: str, wanted: dict[str, object], *, to_the_end: bool = False
) -> np.ndarray:
    """Return all that was recorded of a metric, (runs, steps, indices), NaN where a run has nothing.

    to_the_end: whether a run that diverged counts as having nothing.
    """
    runs = evidence.runs(experiment, **wanted)
    rows = rows_of(runs, metric)
    axes = axes_of(runs)
    every = pd.MultiIndex.from_frame(runs[axes].drop_duplicates())
    steps, indices = sorted(rows["step"].unique()), range(rows["index"].max() + 1)
    table = rows.set_index([*axes, "step", "index"])["value"].unstack(["step", "index"])
    whole = table.reindex(index=every, columns=pd.MultiIndex.from_product([steps, indices]))
    values = whole.to_numpy().reshape(len(every), len(steps), len(indices))
    if to_the_end:
        diverged = runs.loc[runs["metric"] == "diverged", axes]
        values = np.where(every.isin(pd.MultiIndex.from_frame(diverged))[:, np.newaxis, np.newaxis], np.nan, values)
    return values


def curves(evidence: Evidence, metric: str, wanted: dict[str, object], *, index: int = 0) -> np.ndarray:
    """Return one index of a metric of `hierarchy`, (runs, steps), NaN in runs that diverged."""
    return recorded(evidence, "hierarchy", metric, wanted, to_the_end=True)[:, :, index]


def by_mode(evidence: Evidence, metric: str, wanted: dict[str, object]) -> np.ndarray:
    """Return what is recorded of each mode at the start, (runs, modes), NaN where there is nothing."""
    values = recorded(evidence, "hierarchy", metric, wanted)[:, 0]
    return np.pad(values, ((0, 0), (0, ITEMS - values.shape[1])), constant_values=np.nan)


def last_singular_values(evidence: Evidence, wanted: dict[str, object]) -> np.ndarray:
    """Return the last singular values, (runs, modes)."""
    return recorded(evidence, "hierarchy", "singular_value", wanted)[:, -1]


def similarities(evidence: Evidence, wanted: dict[str, object]) -> np.ndarray:
    """Return the last similarity matrices, (runs, items, items)."""
    return recorded(evidence, "hierarchy", "rsm", wanted)[:, -1].reshape(-1, ITEMS, ITEMS)


def features_of(evidence: Evidence, wanted: dict[str, object], metric: str = "feature") -> np.ndarray:
    """Return what is recorded of the last features, (runs, items, features)."""
    values = recorded(evidence, "hierarchy", metric, wanted)[:, 0]
    return values.reshape(len(values), ITEMS, -1)
