"""Whitened principal components, the inputs of document 001."""

from dataclasses import dataclass

import numpy as np

from workflow.deepnets.errors import UserError


@dataclass(frozen=True)
class Whitening:
    """The map from images to whitened components, as it was learned from some of them.

    mean: (pixels,); directions: (pixels, components), ordered by falling variance; deviations: (components,), of the
    images that it was learned from along each direction; all float64.
    """

    mean: np.ndarray
    directions: np.ndarray
    deviations: np.ndarray

    def whitened(self, images: np.ndarray) -> np.ndarray:
        """Return the components of images (n, pixels), those of training or others, as float64 (n, components)."""
        return _centred(images, self.mean) @ self.directions / self.deviations


def learned(images: np.ndarray, components: int) -> Whitening:
    """Learn the first principal components of centred images, and the deviations that bring each to unit variance.

    images: (P, pixels). The sign of a component is that which makes the largest entry of its direction positive.
    Document 001, Part 1, "Target function", where an SVD of XᵀX gives the same directions. Raises UserError if fewer
    components than asked for have variance.
    """
    mean = images.astype(np.float64).mean(axis=0)
    centred = _centred(images, mean)
    covariance = centred.T @ centred / len(centred)
    variances, directions = np.linalg.eigh(covariance)
    order = np.argsort(variances)[::-1][:components]
    if components > len(order) or variances[order[-1]] <= variances[order[0]] * 1e-12:
        raise UserError(
            f"whitening.components: {components} is more than the components that these {len(images)} images have"
        )
    directions = directions[:, order]
    largest = np.abs(directions).argmax(axis=0)
    directions *= np.sign(directions[largest, np.arange(components)])
    return Whitening(mean, directions, (centred @ directions).std(axis=0))


def _centred(images: np.ndarray, mean: np.ndarray) -> np.ndarray:
    centred = images.astype(np.float64)
    # In place: of all images, a second array would take another 300 MB.
    centred -= mean
    return centred
