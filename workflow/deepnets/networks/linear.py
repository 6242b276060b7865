"""Deep linear networks: outputs = inputs @ W1 @ … @ WL, and gradient descent from samples or from covariances.

Forward passes, gradients and updates use only @, .T, - and scalar factors. This allows `shapes.Shape` to replace arrays
and count operations.
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
    """Return the end-to-end matrix W1 @ … @ WL, of shape (n_in, n_out)."""
    return reduce(matmul, weights)


def activations(inputs: np.ndarray, weights: Weights) -> list[np.ndarray]:
    """Return the activations of all layers; the first are the inputs, of shape (P, n_in), the last the outputs."""
    layers = [inputs]
    for matrix in weights:
        layers.append(layers[-1] @ matrix)
    return layers


def sample_gradients(layers: Sequence[np.ndarray], weights: Weights, output_gradient: np.ndarray) -> list[np.ndarray]:
    """Return the loss gradient for each weight matrix by backpropagation.

    layers: as `activations` returns them
    output_gradient: ∂loss/∂outputs, shape (P, n_out)
    """
    gradients = [layers[-2].T @ output_gradient]
    for matrix, layer in zip(reversed(weights[1:]), reversed(layers[:-2]), strict=True):
        output_gradient = output_gradient @ matrix.T
        gradients.append(layer.T @ output_gradient)
    return gradients[::-1]


def covariance_gradients(
    weights: Weights, input_covariance: np.ndarray, cross_covariance: np.ndarray
) -> list[np.ndarray]:
    """Return half the gradient of the squared error per sample for each weight matrix, from covariances only.

    input_covariance: XᵀX/P, shape (n_in, n_in)
    cross_covariance: XᵀY/P, shape (n_in, n_out)

    Sources, transposed here: Saxe, McClelland & Ganguli 2013, eq. 13; document 001, Part 2. The document does not
    define its function `compose`. All gradients are computed before any update.
    """
    prefixes = list(accumulate(weights, matmul))
    transposed = accumulate((matrix.T for matrix in reversed(weights[1:])), matmul)
    suffixes = [suffix.T for suffix in transposed][::-1]
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


def product_gradients(prefixes: Weights, weights: Weights, gradient: np.ndarray) -> list[np.ndarray]:
    """Return the loss gradient for each weight matrix from the gradient for the end-to-end matrix.

    prefixes: the products W1, W1 @ W2, …, up to the end-to-end matrix
    gradient: ∂loss/∂(end-to-end matrix), shape (n_in, n_out)
    """
    gradients = []
    for before, matrix in zip(reversed(prefixes[:-1]), reversed(weights[1:]), strict=True):
        gradients.append(before.T @ gradient)
        gradient = gradient @ matrix.T
    return [gradient, *reversed(gradients)]


def gradient_step(weights: Weights, gradients: Weights, rate: float | np.floating) -> list[np.ndarray]:
    """Return the weights after one step of gradient descent; `rate` must have the weights' dtype."""
    steps = [rate * gradient for gradient in gradients]
    # In place: the memory of a third array per matrix would be given back to the system and fetched in each update.
    return [np.subtract(matrix, step, out=step) for matrix, step in zip(weights, steps, strict=True)]


def gradient_step_in_place(
    weights: Weights, input_covariance: np.ndarray, cross_covariance: np.ndarray, rate: float
) -> list[np.ndarray]:
    """Return the weights after one update from covariances that changes the matrices one after the other, in order.

    A matrix's gradient is computed from the old error, the old later matrices, and the earlier matrices already
    updated. This is the code that document 001 prints in Part 2 (`W -= lr * dLdW` in the loop), transposed.
    """
    transposed = accumulate((matrix.T for matrix in reversed(weights[1:])), matmul)
    suffixes = [suffix.T for suffix in transposed][::-1]
    end_to_end = weights[0] @ suffixes[0] if suffixes else weights[0]
    difference = input_covariance @ end_to_end - cross_covariance
    updated = [weights[0] - rate * (difference @ suffixes[0].T if suffixes else difference)]
    before = updated[0]
    for layer, matrix in enumerate(weights[1:], start=1):
        gradient = before.T @ difference
        last = layer == len(weights) - 1
        updated.append(matrix - rate * (gradient if last else gradient @ suffixes[layer].T))
        before = before if last else before @ updated[-1]
    return updated


def least_squares(inputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return the matrix W, of shape (n_in, n_out), that minimises ‖targets − inputs @ W‖².

    W = (XᵀX)⁻¹ XᵀY (document 003, eq. 33, transposed). The inputs X, of shape (P, n_in), must have rank n_in.
    """
    return np.linalg.solve(inputs.T @ inputs, inputs.T @ targets)


def gram(matrix: np.ndarray) -> np.ndarray:
    """Return matrix @ matrix.T in float64, of shape (rows, rows), for `singular_values_of_gram`."""
    wide = matrix.astype(np.float64)
    return wide @ wide.T


def singular_values_of_gram(grams: np.ndarray) -> np.ndarray:
    """Return matrices' singular values, in falling order, from the Gram matrices; shape (…, rows).

    grams: Gram matrices, shape (…, rows, rows). Singular values are the square roots of the eigenvalues. Rounding hides
    singular values below √eps = 1.5e-8 times the largest. Rounding a matrix to float32 hides more, below 6e-8 times the
    largest.
    """
    return np.sqrt(np.maximum(np.linalg.eigvalsh(grams), 0))[..., ::-1]


def effective_rank(singular_values: np.ndarray) -> float:
    """Return the effective rank: exp(entropy of p), where p are the singular values divided by their sum.

    The effective rank is n if n singular values are equal and the rest are 0; NaN if all are 0. Sources: Roy & Vetterli
    2007; Arora et al. 2019.
    """
    sizes = np.abs(singular_values)
    if not np.sum(sizes) > 0:
        return np.nan
    shares = sizes[sizes > 0] / np.sum(sizes)
    return float(np.exp(-np.sum(shares * np.log(shares))))


def half_times(strengths: np.ndarray, singular_values: np.ndarray) -> np.ndarray:
    """Return the update at which each mode first reaches half its singular value, interpolated linearly.

    strengths: mode strengths after 0, 1, … updates, shape (updates + 1, …, modes)
    returns: half times, shape (…, modes); NaN for a mode that starts at or above the half, or never reaches the half
    """
    halves = singular_values / 2
    # The index is also 0 if the mode never reaches the half.
    after = np.argmax(strengths >= halves, axis=0)
    before = np.maximum(after - 1, 0)
    low, high = (np.take_along_axis(strengths, at[np.newaxis], axis=0)[0] for at in (before, after))
    share = np.divide(halves - low, high - low, out=np.full(low.shape, np.nan), where=after > 0)
    return before + share
