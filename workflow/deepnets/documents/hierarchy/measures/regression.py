"""Measures of document 003 on linear regression."""

from typing import Any

import numpy as np

from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import as_measure
from deepnets.claims.section import Runs
from deepnets.documents.hierarchy.measures.recordings import recorded_values
from deepnets.tables.matrices import square_matrix


@as_measure
def rounded_errors(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Count the estimated weights that do not round to the true ones at one decimal, in each run."""
    true, estimated = (_weights(evidence, metric, wanted) for metric in ("true_weight", "estimated_weight"))
    return np.sum(np.round(estimated, 1) != true, axis=1).astype(float)


@as_measure
def largest_scaled_error(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the largest error of an estimated weight in units of its standard error, in each run."""
    names = ("true_weight", "estimated_weight", "standard_error")
    true, estimated, errors = (_weights(evidence, metric, wanted) for metric in names)
    return np.abs((estimated - true) / errors).max(axis=1)


@as_measure
def largest_cosine_of_eigenvectors(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the largest cosine between two eigenvectors of a run's true weights, over all runs."""
    cosines = []
    for weights in _weights(evidence, "true_weight", wanted):
        vectors = np.linalg.eig(square_matrix(weights))[1]
        products = np.abs(vectors.conj().T @ vectors)
        cosines.append(products[~np.eye(len(products), dtype=bool)].max())
    return np.array([max(cosines)])


def _weights(evidence: Evidence, metric: str, wanted: Runs) -> np.ndarray:
    """Return a metric of each weight; shape (runs, weights)."""
    return recorded_values(evidence, metric, wanted, experiment="regression")[:, 0]
