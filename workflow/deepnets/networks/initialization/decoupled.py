"""Decoupled, balanced weights: each mode of the task has its own path through all layers."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from workflow.deepnets.networks.initialization.initializers import Draw, orthogonal

# A singular value below this share of the largest is rounding, not a mode.
_ROUNDING = 1e-9


def decoupled(cross_covariance: np.ndarray, sizes: Sequence[int], strength: float, draw: Draw) -> list[np.ndarray]:
    """Return weight matrices between layers of these sizes whose product has every mode of the task at one strength.

    cross_covariance: XᵀY/P = V S Uᵀ, (n_in, n_out)
    sizes: hidden layers must be at least as wide as the number of modes

    For m matrices, W_l = strength^{1/m} R_{l−1} R_lᵀ with R_0 = V, R_m = U, and random orthonormal columns between.
    Saxe, McClelland & Ganguli 2013, section 2; entries beyond the modes of the task, where gradients are always zero,
    are zero.
    """
    inputs, singular_values, outputs = np.linalg.svd(cross_covariance, full_matrices=False)
    modes = int(np.sum(singular_values > _ROUNDING * singular_values[0]))
    bases = [inputs[:, :modes], *(orthogonal(size, modes, draw) for size in sizes[1:-1]), outputs[:modes].T]
    share = strength ** (1 / (len(sizes) - 1))
    return [share * left @ right.T for left, right in pairwise(bases)]
