"""Measures of document 003 on modes: when they are learned, and at which singular values they end."""

from itertools import pairwise
from typing import Any

import numpy as np

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.documents.hierarchy.measures.plateaus import first_crossing
from workflow.deepnets.documents.hierarchy.measures.recordings import LEVELS, by_mode, last_singular_values, recorded


def half_time_of_level(level: int, **wanted: Any) -> Measure:
    """Measure the mean half time of the modes of a level of the tree in each run (updates)."""
    return lambda evidence: by_mode(evidence, "half_time", wanted)[:, LEVELS[level]].mean(axis=1)


def wait_between_levels(**wanted: Any) -> Measure:
    """Measure in each run the shortest wait from the last mode of a level to the first of the next, by half times."""

    def measured(evidence: Evidence) -> np.ndarray:
        halves = by_mode(evidence, "half_time", wanted)
        waits = [halves[:, later].min(axis=1) - halves[:, earlier].max(axis=1) for earlier, later in pairwise(LEVELS)]
        return np.min(waits, axis=0)

    return measured


def lead_of_first_mode(**wanted: Any) -> Measure:
    """Measure by how many updates the first mode's half time is before that of any other."""

    def measured(evidence: Evidence) -> np.ndarray:
        halves = by_mode(evidence, "half_time", wanted)
        return halves[:, 1:].min(axis=1) - halves[:, 0]

    return measured


def scatter_of_last_half_times(**wanted: Any) -> Measure:
    """Measure the range of the last level's half times over the wait before them."""

    def measured(evidence: Evidence) -> np.ndarray:
        halves = by_mode(evidence, "half_time", wanted)
        last, before = halves[:, LEVELS[-1]], halves[:, LEVELS[-2]]
        return np.ptp(last, axis=1) / (last.min(axis=1) - before.max(axis=1))

    return measured


def scatter_of_last_singular_values(**wanted: Any) -> Measure:
    """Measure the range of the last level's final singular values over the gap above them."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = last_singular_values(evidence, wanted)
        last, before = values[:, LEVELS[-1]], values[:, LEVELS[-2]]
        return np.ptp(last, axis=1) / (before.min(axis=1) - last.max(axis=1))

    return measured


def share_of_level(level: int, **wanted: Any) -> Measure:
    """Measure the mean final singular value of a level's modes over the largest, in each run."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = last_singular_values(evidence, wanted)
        return values[:, LEVELS[level]].mean(axis=1) / values[:, 0]

    return measured


def distance_from_data(**wanted: Any) -> Measure:
    """Measure the relative difference of each final singular value from that of the data, in all runs."""

    def measured(evidence: Evidence) -> np.ndarray:
        return (last_singular_values(evidence, wanted) / by_mode(evidence, "data_singular_value", wanted) - 1).ravel()

    return measured


def distance_from_narrow_nets(**wanted: Any) -> Measure:
    """Measure by how many updates each mode is later than a net of one unit with its singular value, in all runs."""

    def measured(evidence: Evidence) -> np.ndarray:
        own, predicted = (by_mode(evidence, metric, wanted) for metric in ("half_time", "predicted_half_time"))
        return (own - predicted).ravel()

    return measured


def count_of_modes(**wanted: Any) -> Measure:
    """Measure how many singular values the data of each run have."""
    return lambda evidence: np.sum(np.isfinite(by_mode(evidence, "data_singular_value", wanted)), axis=1).astype(float)


def scatter_of_shallow_times(**wanted: Any) -> Measure:
    """Measure the range of the times at which the singular values of a run reach half of their ends (updates)."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = recorded(evidence, "singular_value", wanted)
        times = [[first_crossing(curve, curve[-1] / 2) for curve in run.T] for run in values]
        return np.ptp(times, axis=1)

    return measured
