"""The smaller linear net that learns exactly like a given one, if there is one."""

import numpy as np

from deepnets.networks.linear import Weights

# Directions with less than this share of a layer's norm are rounding errors.
_ROUNDING = 1e-9


def reduce_net(weights: Weights, cross_covariance: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Return a narrower net and a task for it: in training, both nets always have the same error.

    This holds for white inputs, a cross covariance XᵀY/P (n_in, n_out), and gradient descent at any rate. The gradient
    of W_l is a sum of outer products of two vectors. One vector comes forwards from the task, the other backwards from
    the outputs. Each layer has a smallest subspace with these properties: the subspaces contain the task and all
    outputs, and the initial weights map adjacent subspaces into each other, forwards and backwards. Weights change only
    between these subspaces, and all signals stay inside. For orthogonal layers the subspaces have few dimensions; for
    normal layers nothing is reduced.
    """
    inner = [np.zeros((matrix.shape[1], 0)) for matrix in weights[:-1]]
    n_in, n_out = cross_covariance.shape
    bases = [_extend_basis(np.zeros((n_in, 0)), cross_covariance), *inner, np.eye(n_out)]
    layers = range(len(weights))
    sizes = None
    while sizes != (sizes := [basis.shape[1] for basis in bases]):
        for layer in layers[:-1]:
            bases[layer + 1] = _extend_basis(bases[layer + 1], weights[layer].T @ bases[layer])
        for layer in layers[::-1]:
            bases[layer] = _extend_basis(bases[layer], weights[layer] @ bases[layer + 1])
    narrow = [bases[layer].T @ weights[layer] @ bases[layer + 1] for layer in layers]
    return narrow, bases[0].T @ cross_covariance


def _extend_basis(basis: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of the span of a basis and further vectors; all are columns, of shape (n, …)."""
    rest = vectors - basis @ (basis.T @ vectors)
    # The second projection removes the rounding errors of the first.
    rest -= basis @ (basis.T @ rest)
    directions, norms, _ = np.linalg.svd(rest, full_matrices=False)
    return np.hstack([basis, directions[:, norms > _ROUNDING * np.linalg.norm(vectors)]])
