"""The smaller linear net that learns just like a given one, where there is one."""

import numpy as np

from workflow.deepnets.networks.linear import Weights

# Of the norm of what a layer passes on: what is smaller is rounding.
_ROUNDING = 1e-9


def reduced(weights: Weights, cross_covariance: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Return a net with narrower layers, and its task: at all times it has the given net's training error.

    For white inputs, a cross covariance XᵀY/P (n_in, n_out), and gradient descent at any rate. A gradient of W_l is an
    outer product of what reaches its layer forwards from the task, and backwards from the outputs. So weights change
    only between the smallest subspaces, one for each layer, that hold the task, all outputs, and what the initial
    weights make of each other's subspaces, forwards and backwards; between these all signals stay. Orthogonal layers
    leave few directions, normal ones all.
    """
    inner = [np.zeros((matrix.shape[1], 0)) for matrix in weights[:-1]]
    bases = [_joined(np.zeros((len(cross_covariance), 0)), cross_covariance), *inner, np.eye(cross_covariance.shape[1])]
    layers = range(len(weights))
    sizes = None
    while sizes != (sizes := [basis.shape[1] for basis in bases]):
        for layer in layers[:-1]:
            bases[layer + 1] = _joined(bases[layer + 1], weights[layer].T @ bases[layer])
        for layer in layers[::-1]:
            bases[layer] = _joined(bases[layer], weights[layer] @ bases[layer + 1])
    narrow = [bases[layer].T @ weights[layer] @ bases[layer + 1] for layer in layers]
    return narrow, bases[0].T @ cross_covariance


def _joined(basis: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis (n, …) of what a basis and some vectors (n, …) span."""
    rest = vectors - basis @ (basis.T @ vectors)
    # Twice, for what rounding left.
    rest -= basis @ (basis.T @ rest)
    directions, norms, _ = np.linalg.svd(rest, full_matrices=False)
    return np.hstack([basis, directions[:, norms > _ROUNDING * np.linalg.norm(vectors)]])
