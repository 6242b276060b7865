"""Initialisations of a weight matrix W of shape (n_in, n_out), used as inputs @ W, and of all matrices of a net.

Each experiment lists the functions that its axis `init` allows. If a function is added here, results of
experiments that do not list it stay valid.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

# Draws standard normals of a given shape, from the experiment's generator.
Draw = Callable[[tuple[int, ...]], np.ndarray]
Initializer = Callable[[int, int, Draw], np.ndarray]
# A singular value below this share of the largest is a rounding error, not a mode.
_ROUNDING = 1e-9
# A layer's training ends when an update changes no weight by more than this.
_STILL = 1e-12


def zeros(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return zeros; draw nothing (document 000, the simple linear model)."""
    return np.zeros((n_in, n_out))


def xavier_normal(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return normals of variance 2 / (n_in + n_out) (Glorot & Bengio 2010; document 000)."""
    weights = draw((n_in, n_out))
    return weights * weights.dtype.type(math.sqrt(2 / (n_in + n_out)))


def row_normalized(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return normals, scaled to norm 1 for the weights into each output (document 001, "norm-preserving")."""
    rows = draw((n_out, n_in))
    return np.ascontiguousarray((rows / np.linalg.norm(rows, axis=1, keepdims=True)).T)


def orthogonal(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return a random matrix with orthonormal rows or columns, whichever are fewer, from a QR decomposition.

    If the diagonal of R is positive, all orthogonal matrices are equally likely. Saxe, McClelland & Ganguli 2013,
    section 3, appendix C.
    """
    tall, triangle = np.linalg.qr(draw((max(n_in, n_out), min(n_in, n_out))))
    tall = tall * np.where(np.diag(triangle) < 0, -1, 1)
    return tall if n_in >= n_out else np.ascontiguousarray(tall.T)


def fan_sum_normal(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return normals of variance 1 / (n_in + n_out) (document 003, eq. 22, for γ = 1)."""
    return draw((n_in, n_out)) / math.sqrt(n_in + n_out)


def fan_in_uniform(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return uniforms between −1/√n_in and 1/√n_in (the default of torch's Linear; document 003, `LRNet`)."""
    # The angle of a pair of normals is uniform.
    turns = np.arctan2(*draw((2, n_in, n_out))) / math.pi
    return turns / math.sqrt(n_in)


def kaiming_normal(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return normals of variance 2 / n_in (He et al. 2015; document 004, "Random")."""
    return draw((n_in, n_out)) * math.sqrt(2 / n_in)


def partial_identity(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return ones on the diagonal and zeros elsewhere; draw nothing (document 004, Definition 1)."""
    return np.eye(n_in, n_out)


def zero(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return ZerO's matrix: a partial identity, or a corner of a Hadamard matrix if the layer widens; draw nothing.

    The Hadamard matrix has size 2^k, k = ⌈log₂ n_out⌉, and the factor 2^(−k/2) (document 004, Algorithm 1).
    """
    if n_out <= n_in:
        return partial_identity(n_in, n_out, draw)
    exponent = math.ceil(math.log2(n_out))
    # An entry of Sylvester's matrix is −1 if row number and column number have an odd number of binary ones in common.
    shared = np.bitwise_count(np.arange(n_in)[:, np.newaxis] & np.arange(n_out))
    return (1.0 - 2.0 * (shared % 2)) / 2 ** (exponent / 2)


def one(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return a partial identity; each output beyond n_in copies one random input (document 004, "OnE")."""
    weights = partial_identity(n_in, n_out, draw)
    if n_out > n_in:
        # Each of the n_in normals is the largest with the same probability.
        copied = draw((n_out - n_in, n_in)).argmax(axis=1)
        weights[copied, np.arange(n_in, n_out)] = 1
    return weights


def spray(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return 1 / (n_in − 1) where `one` has 0, and 0 where `one` has 1, for n_in ≥ 2 (document 004, "Spray")."""
    return (1 - one(n_in, n_out, draw)) / (n_in - 1)


def initialize(initializer: Initializer, sizes: Sequence[int], draw: Draw) -> list[np.ndarray]:
    """Initialise the weight matrices between layers of the given sizes, in order."""
    return [initializer(n_in, n_out, draw) for n_in, n_out in pairwise(sizes)]


def decoupled(cross_covariance: np.ndarray, sizes: Sequence[int], strength: float, draw: Draw) -> list[np.ndarray]:
    """Return weight matrices whose product has every mode of the task with the same strength.

    cross_covariance: XᵀY/P = V S Uᵀ, shape (n_in, n_out)
    sizes: layer sizes; no hidden layer may have fewer units than the task has modes

    For m matrices, W_l = strength^{1/m} R_{l−1} R_lᵀ with R_0 = V and R_m = U; all other R_l have random orthonormal
    columns. In all directions that belong to no mode, weights are zero and gradients stay zero. Saxe, McClelland &
    Ganguli 2013, section 2.
    """
    inputs, singular_values, outputs = np.linalg.svd(cross_covariance, full_matrices=False)
    modes = int(np.sum(singular_values > _ROUNDING * singular_values[0]))
    bases = [inputs[:, :modes], *(orthogonal(size, modes, draw) for size in sizes[1:-1]), outputs[:modes].T]
    share = strength ** (1 / (len(sizes) - 1))
    return [share * left @ right.T for left, right in pairwise(bases)]


def pretrain_greedily(
    sizes: Sequence[int], deviation: float, rate: float, most_updates: int, draw: Draw
) -> tuple[list[np.ndarray], list[int]]:
    """Return weight matrices pretrained on white inputs, and the number of updates of each matrix.

    Each layer is the encoder E of an autoencoder; the decoder starts as the transpose of E. The initial entries of E
    are normal with standard deviation `deviation`. Gradient descent on half the mean squared reconstruction error
    trains encoder and decoder until both stop changing. They stay transposes of each other, so only E ← E + rate (I − E
    Eᵀ) E is computed. At the end, E has orthonormal rows or columns: for white inputs, the result of pretraining is a
    random orthogonal matrix. The layer's output is white in the subspace that it reaches. In all other directions there
    is no input, and the next layer's weights are set to zero. Saxe, McClelland & Ganguli 2013, section 3 and appendix
    F.

    Training of a layer also ends after most_updates, or when it diverges.
    """
    reached, weights, updates = np.eye(sizes[0]), [], []
    for size in sizes[1:]:
        encoder = deviation * draw((reached.shape[1], size))
        change, count = np.inf, 0
        while count < most_updates and np.max(np.abs(change)) > _STILL:
            change = rate * (encoder - encoder @ (encoder.T @ encoder))
            encoder += change
            count += 1
        weights.append(reached @ encoder)
        updates.append(count)
        reached = encoder.T if size > len(encoder) else np.eye(size)
    return weights, updates
