"""Measures of document 003 on features and initial weights."""

from typing import Any

import numpy as np

from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import as_measure
from deepnets.documents.hierarchy.measures.recordings import recorded_features
from deepnets.networks.initialization.initializers import fan_sum_normal


@as_measure
def share_of_cells(evidence: Evidence, picture: tuple[str, ...], **wanted: Any) -> np.ndarray:
    """Measure the share of a picture's cells ("1" for yes) that equal the recorded features, in each run."""
    cells = np.array([[2 * int(cell) - 1 for cell in row] for row in picture])
    return np.array([np.mean(features == cells) for features in recorded_features(evidence, wanted)])


@as_measure
def sizes_of_features(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the least and the greatest absolute value of the recorded features, over all runs."""
    sizes = np.abs(recorded_features(evidence, wanted))
    return np.array([sizes.min(), sizes.max()])


@as_measure
def mean_feature(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the mean of the recorded features over items and features, in each run."""
    return recorded_features(evidence, wanted).mean(axis=(1, 2))


@as_measure
def share_of_split_siblings(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the share of recorded features in which two items of one parent differ, in each run."""
    features = recorded_features(evidence, wanted)
    return np.mean(features[:, ::2] != features[:, 1::2], axis=(1, 2))


@as_measure
def distance_of_solution_from_features(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the largest difference of an analytical weight from the feature that it predicts, in each run."""
    features, weights = (recorded_features(evidence, wanted, metric) for metric in ("feature", "least_squares_weight"))
    return np.abs(features - weights).max(axis=(1, 2))


@as_measure
def error_of_svd(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the largest difference of U Σ Vᵀ from the features, and of UᵀU and VᵀV from the identity, in each run."""
    errors = []
    for matrix in recorded_features(evidence, wanted):
        left, values, right = np.linalg.svd(matrix)
        diagonal = np.zeros(matrix.shape)
        np.fill_diagonal(diagonal, values)
        misses = (
            left @ diagonal @ right - matrix,
            left.T @ left - np.eye(len(left)),
            right @ right.T - np.eye(len(right)),
        )
        errors.append(max(np.abs(miss).max() for miss in misses))
    return np.array(errors)


@as_measure
def agreement_with_added_feature(evidence: Evidence, added: list[int], *, block: str) -> np.ndarray:
    """Measure whether the config adds this feature in a block: 1 if it does, otherwise 0."""
    found = evidence.settings("hierarchy", "data", block=block)
    return np.array([isinstance(data, dict) and data.get("added_feature") == added for data in found], dtype=float)


@as_measure
def spread_at_5000(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the standard deviation of our initialiser's weights for 5000 inputs, 5000 hidden units and γ = 1."""
    # Raise an error unless runs with this initialiser exist.
    evidence.runs("hierarchy", **wanted)
    return fan_sum_normal(5000, 5000, lambda shape: np.ones(1))
