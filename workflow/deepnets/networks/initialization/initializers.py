"""Initialisations of a weight matrix W of shape (n_in, n_out), used as inputs @ W.

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
