"""Recorded metrics of document 003 as arrays: curves, modes, similarities, features."""

import numpy as np

from deepnets.claims.evidence import Evidence
from deepnets.claims.section import Runs
from deepnets.tables.axes import run_index
from deepnets.tables.matrices import recordings
from deepnets.tables.rows import rows_of

ITEMS = 8
# The modes of each level of the document's tree: all items, animals and plants, their kinds, single items.
LEVELS = ([0], [1], [2, 3], [4, 5, 6, 7])


def recorded_values(evidence: Evidence, metric: str, wanted: Runs, *, experiment: str = "hierarchy") -> np.ndarray:
    """Return all recorded values of a metric, NaN where a run lacks one; shape (runs, steps, indices)."""
    return recordings(evidence.runs(experiment, **wanted), metric)


def curves(evidence: Evidence, metric: str, wanted: Runs, *, index: int = 0) -> np.ndarray:
    """Return one index of a metric of `hierarchy`, (runs, steps), NaN in runs that diverged."""
    runs = evidence.runs("hierarchy", **wanted)
    diverged = run_index(runs).isin(run_index(rows_of(runs, "diverged")))
    return np.where(diverged[:, np.newaxis], np.nan, recordings(runs, metric)[:, :, index])


def values_by_mode(evidence: Evidence, metric: str, wanted: Runs) -> np.ndarray:
    """Return a metric of each mode at step 0, (runs, modes), NaN where it was not recorded."""
    values = recorded_values(evidence, metric, wanted)[:, 0]
    return np.pad(values, ((0, 0), (0, ITEMS - values.shape[1])), constant_values=np.nan)


def last_singular_values(evidence: Evidence, wanted: Runs) -> np.ndarray:
    """Return the last singular values; shape (runs, modes)."""
    return recorded_values(evidence, "singular_value", wanted)[:, -1]


def last_similarities(evidence: Evidence, wanted: Runs) -> np.ndarray:
    """Return the last similarity matrices; shape (runs, items, items)."""
    return recorded_values(evidence, "rsm", wanted)[:, -1].reshape(-1, ITEMS, ITEMS)


def recorded_features(evidence: Evidence, wanted: Runs, metric: str = "feature") -> np.ndarray:
    """Return a metric of each feature at step 0, (runs, items, features)."""
    values = recorded_values(evidence, metric, wanted)[:, 0]
    return values.reshape(len(values), ITEMS, -1)


def largest_by_size(differences: np.ndarray) -> np.ndarray:
    """Return the difference with the largest absolute value in each run, NaN if one is missing; shape (runs,)."""
    sizes = np.abs(differences)
    found = differences[np.arange(len(sizes)), np.argmax(np.nan_to_num(sizes), axis=1)]
    return np.where(np.isnan(sizes).any(axis=1), np.nan, found)
