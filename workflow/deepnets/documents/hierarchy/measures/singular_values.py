"""Measures of document 003 on modes: when they are learned, and at which singular values they end."""

from itertools import pairwise
from typing import Any

import numpy as np

from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import as_measure
from workflow.deepnets.documents.hierarchy.measures.plateaus import first_crossing
from workflow.deepnets.documents.hierarchy.measures.recordings import LEVELS, by_mode, last_singular_values, recorded


@as_measure
def half_time_of_level(evidence: Evidence, level: int, **wanted: Any) -> np.ndarray:
    """Measure the mean half time of the modes of a level of the tree in each run (updates)."""
    return by_mode(evidence, "half_time", wanted)[:, LEVELS[level]].mean(axis=1)


@as_measure
def wait_between_levels(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure in each run the shortest wait from the last mode of a level to the first of the next, by half times."""
    halves = by_mode(evidence, "half_time", wanted)
    waits = [halves[:, later].min(axis=1) - halves[:, earlier].max(axis=1) for earlier, later in pairwise(LEVELS)]
    return np.min(waits, axis=0)


@as_measure
def lead_of_first_mode(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure by how many updates the first mode's half time is before that of any other."""
    halves = by_mode(evidence, "half_time", wanted)
    return halves[:, 1:].min(axis=1) - halves[:, 0]


@as_measure
def scatter_of_last_half_times(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the range of the last level's half times over the wait before them."""
    halves = by_mode(evidence, "half_time", wanted)
    last, before = halves[:, LEVELS[-1]], halves[:, LEVELS[-2]]
    return np.ptp(last, axis=1) / (last.min(axis=1) - before.max(axis=1))


@as_measure
def scatter_of_last_singular_values(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the range of the last level's final singular values over the gap above them."""
    values = last_singular_values(evidence, wanted)
    last, before = values[:, LEVELS[-1]], values[:, LEVELS[-2]]
    return np.ptp(last, axis=1) / (before.min(axis=1) - last.max(axis=1))


@as_measure
def share_of_level(evidence: Evidence, level: int, **wanted: Any) -> np.ndarray:
    """Measure the mean final singular value of a level's modes over the largest, in each run."""
    values = last_singular_values(evidence, wanted)
    return values[:, LEVELS[level]].mean(axis=1) / values[:, 0]


@as_measure
def distance_from_data(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the relative difference of each final singular value from that of the data, in all runs."""
    return (last_singular_values(evidence, wanted) / by_mode(evidence, "data_singular_value", wanted) - 1).ravel()


@as_measure
def distance_from_narrow_nets(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure by how many updates each mode is later than a net of one unit with its singular value, in all runs."""
    own, predicted = (by_mode(evidence, metric, wanted) for metric in ("half_time", "predicted_half_time"))
    return (own - predicted).ravel()


@as_measure
def count_of_modes(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure how many singular values the data of each run have."""
    return np.sum(np.isfinite(by_mode(evidence, "data_singular_value", wanted)), axis=1).astype(float)


@as_measure
def scatter_of_shallow_times(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the range of the times at which the singular values of a run reach half of their ends (updates)."""
    values = recorded(evidence, "singular_value", wanted)
    times = [[first_crossing(curve, curve[-1] / 2) for curve in run.T] for run in values]
    return np.ptp(times, axis=1)
