"""Measures of document 003 on similarities of hidden activities."""

from typing import Any

import numpy as np

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.documents.hierarchy.measures.recordings import similarities


def overlap_of_modes(contrasts: tuple[tuple[int, ...], ...], modes: tuple[int, ...], **wanted: Any) -> Measure:
    """Measure the least share of any contrast between items that lies in some of the final hidden modes.

    contrasts: orthogonal, one number for each item; modes: of the final similarity matrix, from 0, strongest first.
    """
    directions = np.array(contrasts) / np.linalg.norm(contrasts, axis=1, keepdims=True)

    def measured(evidence: Evidence) -> np.ndarray:
        shares = []
        for matrix in similarities(evidence, wanted):
            vectors = np.linalg.eigh(matrix)[1][:, ::-1][:, list(modes)]
            shares.append(np.linalg.svd(directions @ vectors, compute_uv=False)[-1] ** 2)
        return np.array(shares)

    return measured


def closeness(item: int, near: int, far: int, **wanted: Any) -> Measure:
    """Measure by how much an item's final hidden similarity to one item exceeds that to another."""

    def measured(evidence: Evidence) -> np.ndarray:
        matrices = similarities(evidence, wanted)
        return matrices[:, item, near] - matrices[:, item, far]

    return measured


def distance_from_cosines(**wanted: Any) -> Measure:
    """Measure the largest difference between a dot product of final hidden activities and their cosine."""

    def measured(evidence: Evidence) -> np.ndarray:
        matrices = similarities(evidence, wanted)
        norms = np.sqrt(np.diagonal(matrices, axis1=1, axis2=2))
        cosines = matrices / (norms[:, :, np.newaxis] * norms[:, np.newaxis])
        return np.abs(matrices - cosines).max(axis=(1, 2))

    return measured


def least_similarity_eigenvalue(**wanted: Any) -> Measure:
    """Measure the least eigenvalue of the final similarity matrix over the largest."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = np.linalg.eigvalsh(similarities(evidence, wanted))
        return values[:, 0] / values[:, -1]

    return measured
