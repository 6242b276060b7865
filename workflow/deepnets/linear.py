"""Deep linear networks: outputs = inputs @ W1 @ … @ WL, and gradient descent from samples or from covariances.

The functions use nothing but @, .T and -, so that `operations.Shape` can stand in for arrays to count what they do.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from operator import matmul

import numpy as np

Weights = Sequence[np.ndarray]


def layer_sizes(n_in: int, hidden: int, n_out: int, depth: int) -> list[int]:
    """Return the sizes of the layers of a net with `depth` weight matrices."""
    return [n_in, *[hidden] * (depth - 1), n_out]


def product(weights: Weights) -> np.ndarray:
    """Return the end-to-end matrix W1 @ … @ WL, (n_in, n_out)."""
    return reduce(matmul, weights)


def activations(inputs: np.ndarray, weights: Weights) -> list[np.ndarray]:
    """Return the inputs (P, n_in) and the activations of every layer behind them, the outputs last."""
    layers = [inputs]
    for matrix in weights:
        layers.append(layers[-1] @ matrix)
    return layers


def sample_gradients(layers: Sequence[np.ndarray], weights: Weights, output_gradient: np.ndarray) -> list[np.ndarray]:
    """Return the loss gradient for each weight matrix by backpropagation.

    layers: as `activations` gives them; output_gradient: ∂loss/∂outputs, (P, n_out).
    """
    gradients = [layers[-2].T @ output_gradient]
    for matrix, layer in zip(reversed(weights[1:]), reversed(layers[:-2]), strict=True):
        output_gradient = output_gradient @ matrix.T
        gradients.append(layer.T @ output_gradient)
    return gradients[::-1]


def covariance_gradients(
    weights: Weights, input_covariance: np.ndarray, cross_covariance: np.ndarray
) -> list[np.ndarray]:
    """Return half the gradient of the mean squared error for each weight matrix, from covariances alone.

    input_covariance: XᵀX/P, (n_in, n_in); cross_covariance: XᵀY/P, (n_in, n_out). Saxe, McClelland & Ganguli 2013,
    eq. 13, transposed; document 001, Part 2, with `compose` supplied and all gradients taken before any update.
    """
    prefixes = list(accumulate(weights, matmul))
    transposed = accumulate((matrix.T for matrix in reversed(weights[1:])), matmul)
    suffixes = [behind.T for behind in transposed][::-1]
    difference = input_covariance @ prefixes[-1] - cross_covariance
    gradients = []
    for layer in range(len(weights)):
        gradient = difference
        if layer > 0:
            gradient = prefixes[layer - 1].T @ gradient
        if layer < len(weights) - 1:
            gradient = gradient @ suffixes[layer].T
        gradients.append(gradient)
    return gradients
