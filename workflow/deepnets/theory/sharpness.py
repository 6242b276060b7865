"""The Gauss–Newton matrix of a balanced and aligned linear net with white inputs, by the strengths a of its modes."""

import numpy as np


def eigenvalues(a: np.ndarray, inputs: int, outputs: int, depth: int) -> np.ndarray:
    """Return (a_i² − a_k²) / (a_i^{2/L} − a_k^{2/L}), first for i = k, then for pairs of modes, then with a_k = 0.

    It is written as a geometric sum, which holds for equal a too; eigenvalues that are always 0 are the last.
    """
    first, last = (np.pad(a, (0, size - len(a))) ** (2 / depth) for size in (inputs, outputs))
    values = np.sum([np.outer(first**layer, last ** (depth - 1 - layer)) for layer in range(depth)], axis=0)
    kinds = np.pad(1 - np.eye(len(a)), [(0, size - len(a)) for size in values.shape], constant_values=2)
    kinds[len(a) :, len(a) :] = 3
    return values.ravel()[np.argsort(kinds, axis=None, kind="stable")]
