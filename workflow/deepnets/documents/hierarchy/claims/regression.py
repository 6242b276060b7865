"""Measures of document 003 on its exercise in linear regression."""

import numpy as np

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.documents.hierarchy.claims.recordings import recorded


def rounded_errors(**wanted: object) -> Measure:
    """Measure how many estimates of a regression do not round to their true weights, to one decimal, in each run."""

    def measured(evidence: Evidence) -> np.ndarray:
        true, estimated = (
            recorded(evidence, "regression", metric, wanted)[:, 0] for metric in ("true_weight", "estimated_weight")
        )
        return np.sum(np.round(estimated, 1) != true, axis=1).astype(float)

    return measured


def squared_errors(**wanted: object) -> Measure:
    """Measure the mean squared error of a regression's estimates in units of their standard errors, in each run."""

    def measured(evidence: Evidence) -> np.ndarray:
        names = ("true_weight", "estimated_weight", "standard_error")
        true, estimated, errors = (recorded(evidence, "regression", metric, wanted)[:, 0] for metric in names)
        return np.mean(((estimated - true) / errors) ** 2, axis=1)

    return measured


def largest_cosine_of_eigenvectors(**wanted: object) -> Measure:
    """Measure the largest cosine between two eigenvectors of a regression's true weights, over all runs."""

    def measured(evidence: Evidence) -> np.ndarray:
        cosines = []
        for weights in recorded(evidence, "regression", "true_weight", wanted)[:, 0]:
            size = int(np.sqrt(len(weights)))
            vectors = np.linalg.eig(weights.reshape(size, size))[1]
            products = np.abs(vectors.conj().T @ vectors)
            cosines.append(products[~np.eye(size, dtype=bool)].max())
        return np.array([max(cosines)])

    return measured
