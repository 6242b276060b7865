"""Whiten the first principal components of MNIST, the inputs of document 001."""

from dataclasses import asdict, dataclass

import numpy as np

from reproduce import api


def make(spec: dict, mnist: api.Dataset) -> api.Dataset:
    """Whiten the first training images, and map the test images alike.

    spec: images and components, the numbers of both
    returns: inputs float64 (P, N) and labels uint8 (P,) of the training images; test_inputs and test_labels of the test
        images; mean, directions and deviations, as in `Whitening`
    """
    # If there are fewer images than the document's 50,000, as in the embedded subset, the slice takes all.
    images, labels = (mnist[name][: spec["images"]] for name in ("train_images", "train_labels"))
    whitening = fit_whitening(images, spec["components"])
    arrays = {"inputs": whitening.whiten(images), "labels": labels}
    arrays |= {"test_inputs": whitening.whiten(mnist["test_images"]), "test_labels": mnist["test_labels"]}
    return api.Dataset({**arrays, **asdict(whitening)})


@dataclass(frozen=True)
class Whitening:
    """A map from images to whitened components, fitted to a set of images.

    mean: shape (pixels,)
    directions: shape (pixels, components), ordered by falling variance
    deviations: standard deviations of the fitted images along each direction, shape (components,)

    All arrays are float64.
    """

    mean: np.ndarray
    directions: np.ndarray
    deviations: np.ndarray

    def whiten(self, images: np.ndarray) -> np.ndarray:
        """Return the components, float64 of shape (n, components), of images of shape (n, pixels)."""
        return _centre(images, self.mean) @ self.directions / self.deviations


def fit_whitening(images: np.ndarray, components: int) -> Whitening:
    """Fit principal components of centred images, and the standard deviations of these components.

    images: shape (P, pixels)
    components: number of components; they are ordered by falling variance

    The sign of each direction is chosen so that the entry of largest size is positive. Source: document 001, Part 1,
    "Target function"; there, an SVD of XᵀX gives the same directions. Raises UserError if the images have fewer
    components with variance.
    """
    mean = images.astype(np.float64).mean(axis=0)
    centred = _centre(images, mean)
    covariance = centred.T @ centred / len(centred)
    variances, directions = np.linalg.eigh(covariance)
    order = np.argsort(variances)[::-1][:components]
    if components > len(order) or variances[order[-1]] <= variances[order[0]] * 1e-12:
        raise api.UserError(
            f"data.whitened.components: {components} is more than the components that these {len(images)} images have"
        )
    directions = directions[:, order]
    largest = np.abs(directions).argmax(axis=0)
    directions *= np.sign(directions[largest, np.arange(components)])
    return Whitening(mean, directions, (centred @ directions).std(axis=0))


def _centre(images: np.ndarray, mean: np.ndarray) -> np.ndarray:
    centred = images.astype(np.float64)
    # In place: a second array of all images would take 300 MB.
    centred -= mean
    return centred
