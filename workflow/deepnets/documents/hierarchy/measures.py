"""Measures of document 003 on modes, similarities, features and weights.

Each function takes the rows of some runs and returns one value per run, NaN where a run lacks it.
"""

import numpy as np
import pandas as pd

from reproduce import api

ITEMS = 8
# The modes of each level of the document's tree: all items, animals and plants, their kinds, single items.
LEVELS = ([0], [1], [2, 3], [4, 5, 6, 7])


def curves(runs: pd.DataFrame, metric: str, *, index: int = 0) -> np.ndarray:
    """Return one index of a metric at all steps, (runs, steps), NaN in runs that diverged."""
    diverged = api.run_index(runs).isin(api.run_index(api.rows_of(runs, "diverged")))
    return np.where(diverged[:, np.newaxis], np.nan, api.recordings(runs, metric)[:, :, index])


def values_by_mode(runs: pd.DataFrame, metric: str) -> np.ndarray:
    """Return a metric of each mode, (runs, modes): the last singular values, or another metric at step 0."""
    values = api.recordings(runs, metric)[:, -1 if metric == "singular_value" else 0]
    return np.pad(values, ((0, 0), (0, ITEMS - values.shape[1])), constant_values=np.nan)


def mean_of_level(runs: pd.DataFrame, metric: str, level: int) -> np.ndarray:
    """Measure the mean of a metric over the modes of a level of the tree."""
    return values_by_mode(runs, metric)[:, LEVELS[level]].mean(axis=1)


def wait_after_level(runs: pd.DataFrame, level: int) -> np.ndarray:
    """Measure the wait from the last mode of a level to the first of the next, by half times (updates)."""
    halves = values_by_mode(runs, "half_time")
    return halves[:, LEVELS[level + 1]].min(axis=1) - halves[:, LEVELS[level]].max(axis=1)


def scatter_of_last_level(runs: pd.DataFrame, metric: str) -> np.ndarray:
    """Measure the range of a metric over the last level as a share of its distance from the level before."""
    values = values_by_mode(runs, metric)
    last, before = values[:, LEVELS[-1]], values[:, LEVELS[-2]]
    # Half times of the last level are the largest, its singular values the smallest.
    above, below = (last, before) if metric == "half_time" else (before, last)
    return np.ptp(last, axis=1) / (above.min(axis=1) - below.max(axis=1))


def distance_from_data(runs: pd.DataFrame) -> np.ndarray:
    """Measure the largest relative difference of a final singular value from that of the data."""
    return largest_by_size(values_by_mode(runs, "singular_value") / values_by_mode(runs, "data_singular_value") - 1)


def ratio_to_narrow_nets(runs: pd.DataFrame) -> np.ndarray:
    """Measure the half time of a mode divided by that of a net of one unit; of all modes, the ratio furthest from 1."""
    return 1 + largest_by_size(values_by_mode(runs, "half_time") / values_by_mode(runs, "predicted_half_time") - 1)


def scatter_of_shallow_times(runs: pd.DataFrame) -> np.ndarray:
    """Measure the range of the times at which singular values reach half of their final values (updates)."""
    values = api.recordings(runs, "singular_value")
    times = [[first_crossing(curve, curve[-1] / 2) for curve in run.T] for run in values]
    return np.ptp(times, axis=1)


def overlap_of_modes(runs: pd.DataFrame, contrast: tuple[int, ...], modes: list[int]) -> np.ndarray:
    """Measure the share of a contrast between items that lies in some of the final hidden modes.

    contrast: one number for each item; modes: of the final similarity matrix, from 0, strongest first.
    """
    matrices = api.recordings(runs, "rsm")[:, -1].reshape(-1, ITEMS, ITEMS)
    vectors = np.linalg.eigh(matrices)[1][:, :, ::-1][:, :, modes]
    return np.sum((contrast @ vectors / np.linalg.norm(contrast)) ** 2, axis=1)


def share_of_cells(runs: pd.DataFrame, picture: tuple[str, ...]) -> np.ndarray:
    """Measure the share of a picture's cells ("1" for yes) that equal the recorded features."""
    cells = [[2 * int(cell) - 1 for cell in row] for row in picture]
    return np.mean(_features(runs) == cells, axis=(1, 2))


def rounded_errors(runs: pd.DataFrame) -> np.ndarray:
    """Count the estimated weights of a regression that do not round to the true ones at one decimal."""
    true, estimated = (api.recordings(runs, f"{which}_weight")[:, 0] for which in ("true", "estimated"))
    return np.sum(np.round(estimated, 1) != true, axis=1).astype(float)


def largest_by_size(differences: np.ndarray) -> np.ndarray:
    """Return the difference with the largest absolute value in each run, NaN if one is missing; shape (runs,)."""
    sizes = np.abs(differences)
    found = differences[np.arange(len(sizes)), np.argmax(np.nan_to_num(sizes), axis=1)]
    return np.where(np.isnan(sizes).any(axis=1), np.nan, found)


def first_crossing(curve: np.ndarray, level: float) -> float:
    """Return the update at which a curve first reaches a level, interpolated linearly; NaN if it never does.

    curve: values after 0, 1, … updates.
    """
    after = int(np.argmax(curve >= level))
    if not curve[after] >= level:
        return np.nan
    if after == 0:
        return 0.0
    return after - 1 + (level - curve[after - 1]) / (curve[after] - curve[after - 1])


def _features(runs: pd.DataFrame) -> np.ndarray:
    """Return the recorded features; shape (runs, items, features)."""
    values = api.recordings(runs, "feature")[:, 0]
    return values.reshape(len(values), ITEMS, -1)
