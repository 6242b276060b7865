"""Decoupled, balanced weights: each mode of the task has its own path through all layers."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from deepnets.networks.initialization.initializers import Draw, orthogonal

# A singular value below this share of the largest is a rounding error, not a mode.
_ROUNDING = 1e-9


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
