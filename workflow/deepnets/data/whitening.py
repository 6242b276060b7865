"""Whitened principal components, the inputs of document 001."""

import numpy as np

from workflow.deepnets.errors import UserError


def whitened(images: np.ndarray, components: int) -> np.ndarray:
    """Return the first principal components of centred images, each with unit variance.

    images: (P, pixels); returns float64 (P, components), ordered by falling variance. The sign of a component is
    that which makes the largest entry of its direction positive. Document 001, Part 1, "Target function", where an
    SVD of XᵀX gives the same directions. Raises UserError if fewer components than asked for have variance.
    """
    centred = images.astype(np.float64)
    centred -= centred.mean(axis=0)
    covariance = centred.T @ centred / len(centred)
    variances, directions = np.linalg.eigh(covariance)
    order = np.argsort(variances)[::-1][:components]
    if components > len(order) or variances[order[-1]] <= variances[order[0]] * 1e-12:
        raise UserError(f"whitening.components: {components} is more than these {len(images)} images have")
    directions = directions[:, order]
    largest = np.abs(directions).argmax(axis=0)
    directions *= np.sign(directions[largest, np.arange(components)])
    scores = centred @ directions
    return scores / scores.std(axis=0)
