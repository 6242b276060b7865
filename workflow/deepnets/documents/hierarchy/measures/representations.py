"""Measures of document 003 on similarities of hidden activities."""

from typing import Any

import numpy as np

from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import as_measure
from deepnets.documents.hierarchy.measures.recordings import last_similarities


@as_measure
def overlap_of_modes(
    evidence: Evidence, contrasts: tuple[tuple[int, ...], ...], modes: tuple[int, ...], **wanted: Any
) -> np.ndarray:
    """Measure the share of contrasts between items that lies in some of the final hidden modes, in each run.

    The result is that of the combination of contrasts with the least share.

    contrasts: orthogonal vectors, one number for each item.
    modes: of the final similarity matrix, from 0, strongest first.
    """
    directions = np.array(contrasts) / np.linalg.norm(contrasts, axis=1, keepdims=True)
    shares = []
    for matrix in last_similarities(evidence, wanted):
        vectors = np.linalg.eigh(matrix)[1][:, ::-1][:, list(modes)]
        shares.append(np.linalg.svd(directions @ vectors, compute_uv=False)[-1] ** 2)
    return np.array(shares)


@as_measure
def closeness(evidence: Evidence, item: int, near: int, far: int, **wanted: Any) -> np.ndarray:
    """Measure an item's final hidden similarity to a near item minus that to a far item, in each run."""
    matrices = last_similarities(evidence, wanted)
    return matrices[:, item, near] - matrices[:, item, far]


@as_measure
def distance_from_cosines(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the largest difference between a dot product of final hidden activities and their cosine, in each run."""
    matrices = last_similarities(evidence, wanted)
    norms = np.sqrt(np.diagonal(matrices, axis1=1, axis2=2))
    cosines = matrices / (norms[:, :, np.newaxis] * norms[:, np.newaxis])
    return np.abs(matrices - cosines).max(axis=(1, 2))


@as_measure
def least_similarity_eigenvalue(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the ratio of the least to the largest eigenvalue of the final similarity matrix, in each run."""
    values = np.linalg.eigvalsh(last_similarities(evidence, wanted))
    return values[:, 0] / values[:, -1]
