"""Measures of document 003 on the features of items, and on the inits from which they are learned."""

from typing import Any

import numpy as np

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.documents.hierarchy.measures.recordings import features_of
from workflow.deepnets.networks.initialization.initializers import fan_sum_normal


def share_of_cells(picture: tuple[str, ...], **wanted: Any) -> Measure:
    """Measure the share of cells of a picture, "1" for yes, that equal the recorded features."""
    cells = np.array([[2 * int(cell) - 1 for cell in row] for row in picture])

    def measured(evidence: Evidence) -> np.ndarray:
        return np.array([np.mean(features == cells) for features in features_of(evidence, wanted)])

    return measured


def sizes_of_features(**wanted: Any) -> Measure:
    """Measure the least and the greatest size of the recorded features, over all runs."""

    def measured(evidence: Evidence) -> np.ndarray:
        sizes = np.abs(features_of(evidence, wanted))
        return np.array([sizes.min(), sizes.max()])

    return measured


def mean_feature(**wanted: Any) -> Measure:
    """Measure the mean of the recorded features over items and features, in each run."""
    return lambda evidence: features_of(evidence, wanted).mean(axis=(1, 2))


def share_of_split_siblings(**wanted: Any) -> Measure:
    """Measure the share of the recorded features in which two items of one parent differ, in each run."""

    def measured(evidence: Evidence) -> np.ndarray:
        features = features_of(evidence, wanted)
        return np.mean(features[:, ::2] != features[:, 1::2], axis=(1, 2))

    return measured


def distance_of_solution_from_features(**wanted: Any) -> Measure:
    """Measure the largest distance of a weight of the analytical solution from the feature that it predicts."""

    def measured(evidence: Evidence) -> np.ndarray:
        features, weights = (features_of(evidence, wanted, metric) for metric in ("feature", "least_squares_weight"))
        return np.abs(features - weights).max(axis=(1, 2))

    return measured


def error_of_svd(**wanted: Any) -> Measure:
    """Measure by how much U Σ Vᵀ misses the recorded features, and UᵀU and VᵀV the identity, at most."""

    def measured(evidence: Evidence) -> np.ndarray:
        errors = []
        for matrix in features_of(evidence, wanted):
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

    return measured


def agreement_with_added_feature(added: list[int], *, block: str) -> Measure:
    """Measure whether the config adds this feature in a block: 1, or 0 if it adds another."""

    def measured(evidence: Evidence) -> np.ndarray:
        found = evidence.settings("hierarchy", "data", block=block)
        return np.array([isinstance(data, dict) and data.get("added_feature") == added for data in found], dtype=float)

    return measured


def spread_at_5000(**wanted: Any) -> Measure:
    """Measure the standard deviation that our initialiser gives 5000 inputs and 5000 hidden units, for γ = 1."""

    def measured(evidence: Evidence) -> np.ndarray:
        # Not testable without runs that start with this initialiser.
        evidence.runs("hierarchy", **wanted)
        return fan_sum_normal(5000, 5000, lambda shape: np.ones(1))

    return measured
