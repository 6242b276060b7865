"""The task of matrix completion: a matrix of low rank, and which of its entries are observed."""

import numpy as np


def draw_task(size: int, rank: int, entries: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw the true matrix and a mask of the observed entries, both of shape (size, size).

    The entries of the true matrix have root mean square 1. Tasks of the same size, seed and rank share this matrix. For
    one size and seed, entries that are observed among a few are also observed among more.
    """
    draw = np.random.default_rng([seed, 0])
    truth = draw.standard_normal((size, rank)) @ draw.standard_normal((rank, size))
    observed = np.zeros(size**2)
    observed[np.random.default_rng([seed, 1]).permutation(size**2)[:entries]] = 1
    return truth * (size / np.linalg.norm(truth)), observed.reshape(size, size)
