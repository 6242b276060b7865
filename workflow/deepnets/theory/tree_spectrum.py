"""The exact spectrum of features that diffuse down a tree of P = branches^levels items, as in `data.tree`."""

import numpy as np


def degeneracies(levels: int, branches: int) -> np.ndarray:
    """Return the number of modes at each level l = 0 … levels: 1 for l = 0, else branches^(l−1)·(branches − 1)."""
    return np.array([1, *(branches ** (level - 1) * (branches - 1) for level in range(1, levels + 1))])


def eigenvalues(levels: int, branches: int, flip_probability: float) -> np.ndarray:
    """Return the eigenvalue λ_l of the items' expected similarity E[y yᵀ] at each level, falling; shape (levels + 1,).

    λ_l = P Σ_{k≥l} (q_k − q_{k−1}) / branches^k with q_{−1} = 0. For k ≥ 0, q_k = (1 − 2ε)^{2(levels − k)} is the
    correlation of two leaves with the last common ancestor at level k. With many features F, their singular
    values are about √(F λ_l). Saxe, McClelland & Ganguli 2019.
    """
    level = np.arange(levels + 1)
    correlations = (1 - 2 * flip_probability) ** (2 * (levels - level))
    shares = np.diff(correlations, prepend=0) / branches ** level.astype(float)
    return branches**levels * np.cumsum(shares[::-1])[::-1]


def projectors(levels: int, branches: int) -> np.ndarray:
    """Return the orthogonal projectors onto the modes of each level, shape (levels + 1, P, P). Their sum is 1.

    The modes of level l are the differences between siblings at level l. Their projector is the average over the leaves
    below each node of level l, minus the average over the leaves below each node of level l − 1.
    """
    averages = []
    for level in range(levels + 1):
        leaves = branches ** (levels - level)
        averages.append(np.kron(np.eye(branches**level), np.full((leaves, leaves), 1 / leaves)))
    return np.diff(np.stack(averages), axis=0, prepend=np.zeros((1, *averages[0].shape)))
