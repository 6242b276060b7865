"""Measures of document 003 on modes: their half times and final singular values."""

from typing import Any

import numpy as np

from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import as_measure
from deepnets.documents.hierarchy.measures.plateaus import first_crossing
from deepnets.documents.hierarchy.measures.recordings import (
    LEVELS,
    largest_by_size,
    last_singular_values,
    recorded_values,
    values_by_mode,
)


@as_measure
def half_time_of_level(evidence: Evidence, level: int, **wanted: Any) -> np.ndarray:
    """Measure the mean half time of the modes of a level of the tree in each run (updates)."""
    return values_by_mode(evidence, "half_time", wanted)[:, LEVELS[level]].mean(axis=1)


@as_measure
def wait_after_level(evidence: Evidence, level: int, **wanted: Any) -> np.ndarray:
    """Measure the wait from the last mode of a level to the first of the next, by half times in each run (updates)."""
    halves = values_by_mode(evidence, "half_time", wanted)
    return halves[:, LEVELS[level + 1]].min(axis=1) - halves[:, LEVELS[level]].max(axis=1)


@as_measure
def scatter_of_last_half_times(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the range of the last level's half times as a share of the wait since the level before."""
    halves = values_by_mode(evidence, "half_time", wanted)
    last, before = halves[:, LEVELS[-1]], halves[:, LEVELS[-2]]
    return np.ptp(last, axis=1) / (last.min(axis=1) - before.max(axis=1))


@as_measure
def scatter_of_last_singular_values(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the range of the last level's final singular values as a share of the gap above them."""
    values = last_singular_values(evidence, wanted)
    last, before = values[:, LEVELS[-1]], values[:, LEVELS[-2]]
    return np.ptp(last, axis=1) / (before.min(axis=1) - last.max(axis=1))


@as_measure
def share_of_level(evidence: Evidence, level: int, **wanted: Any) -> np.ndarray:
    """Measure the mean final singular value of a level's modes, divided by the largest one, in each run."""
    values = last_singular_values(evidence, wanted)
    return values[:, LEVELS[level]].mean(axis=1) / values[:, 0]


@as_measure
def ratio_to_tree(evidence: Evidence, level: int, **wanted: Any) -> np.ndarray:
    """Measure the mean singular value of a level's modes in the data, divided by that of theory, in each run."""
    own, expected = (
        values_by_mode(evidence, f"{of}_singular_value", wanted)[:, LEVELS[level]] for of in ("data", "theory")
    )
    return own.mean(axis=1) / expected.mean(axis=1)


@as_measure
def distance_from_data(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the largest relative difference of a final singular value from that of the data, in each run."""
    return largest_by_size(
        last_singular_values(evidence, wanted) / values_by_mode(evidence, "data_singular_value", wanted) - 1
    )


@as_measure
def distance_from_narrow_nets(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the largest delay of a mode after a net of one unit with its singular value, in each run (updates).

    Negative if the mode with the largest difference comes earlier than this net.
    """
    own, predicted = (values_by_mode(evidence, metric, wanted) for metric in ("half_time", "predicted_half_time"))
    return largest_by_size(own - predicted)


@as_measure
def count_of_modes(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Count the singular values of each run's data."""
    return np.sum(np.isfinite(values_by_mode(evidence, "data_singular_value", wanted)), axis=1).astype(float)


@as_measure
def scatter_of_shallow_times(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the range of the times at which a run's singular values reach half of their final values (updates)."""
    values = recorded_values(evidence, "singular_value", wanted)
    times = [[first_crossing(curve, curve[-1] / 2) for curve in run.T] for run in values]
    return np.ptp(times, axis=1)
