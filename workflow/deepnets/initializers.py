"""Initialisations of a weight matrix. Matrices act from the right: inputs (…, n_in) @ W (n_in, n_out).

Each experiment lists those that its axis `init` allows, so that a new one here reruns nobody who does not use it.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

# Standard normals of a shape, from whichever generator the experiment prescribes.
Draw = Callable[[tuple[int, ...]], np.ndarray]
Initializer = Callable[[int, int, Draw], np.ndarray]


def zeros(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return zeros and draw nothing (document 000, the simple linear model)."""
    return np.zeros((n_in, n_out))


def xavier_normal(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return normals of variance 2 / (n_in + n_out) (Glorot & Bengio 2010; document 000)."""
    weights = draw((n_in, n_out))
    return weights * weights.dtype.type(math.sqrt(2 / (n_in + n_out)))


def row_normalized(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return normals in which the weights into each output have norm 1 (document 001, "norm-preserving")."""
    rows = draw((n_out, n_in))
    return np.ascontiguousarray((rows / np.linalg.norm(rows, axis=1, keepdims=True)).T)


def fan_sum_normal(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return normals of variance 1 / (n_in + n_out) (document 003, eq. 22, for γ = 1)."""
    return draw((n_in, n_out)) / math.sqrt(n_in + n_out)


def fan_in_uniform(n_in: int, n_out: int, draw: Draw) -> np.ndarray:
    """Return uniforms within ±1/√n_in (the default of torch's Linear; document 003, `LRNet`)."""
    # The direction of a pair of normals is uniform.
    turns = np.arctan2(*draw((2, n_in, n_out))) / math.pi
    return turns / math.sqrt(n_in)


def initialize(initializer: Initializer, sizes: Sequence[int], draw: Draw) -> list[np.ndarray]:
    """Initialise the weight matrices between layers of the given sizes, the first layer first."""
    return [initializer(n_in, n_out, draw) for n_in, n_out in pairwise(sizes)]
