"""The exact spectrum of features that diffuse down a tree of P = branches^levels items, as in `data.tree`."""

import numpy as np


def degeneracies(levels: int, branches: int) -> np.ndarray:
    """Return the number of modes at each level 0 … levels: 1, then branches^(l−1)·(branches − 1); their sum is P."""
    return np.array([1, *(branches ** (level - 1) * (branches - 1) for level in range(1, levels + 1))])


def eigenvalues(levels: int, branches: int, flip_probability: float) -> np.ndarray:
    """Return the eigenvalue λ_l of the items' expected similarity E[y yᵀ] at each level, falling; shape (levels + 1,).

    λ_l = P Σ_{k≥l} (q_k − q_{k−1}) / branches^k, where q_{−1} = 0 and q_k = (1 − 2ε)^{2(levels − k)} is the correlation
    of two leaves that part below level k. F features have the singular values √(F λ_l). Saxe, McClelland & Ganguli
    2019.
    """
    level = np.arange(levels + 1)
    correlations = (1 - 2 * flip_probability) ** (2 * (levels - level))
    shares = np.diff(correlations, prepend=0) / branches ** level.astype(float)
    return branches**levels * np.cumsum(shares[::-1])[::-1]


def projectors(levels: int, branches: int) -> np.ndarray:
    """Return the orthogonal projectors onto the modes of each level, shape (levels + 1, P, P); they sum to 1.

    Level l contains the differences between sibling branches at l: averages over the leaves below each node of level l,
    minus those of level l − 1.
    """
    averages = []
    for level in range(levels + 1):
        leaves = branches ** (levels - level)
        averages.append(np.kron(np.eye(branches**level), np.full((leaves, leaves), 1 / leaves)))
    return np.diff(np.stack(averages), axis=0, prepend=np.zeros((1, *averages[0].shape)))
