"""Hierarchical data: features that diffuse down a tree and flip at its branches.

The tree has `levels` levels below its root, and each node has `branches` children; the branches^levels leaves are the
items. A feature is 1 or −1 with equal probability at the root, and flips on each edge with probability ε,
`flip_probability` (Saxe, McClelland & Ganguli 2019; document 003, `generate_hsd`).
"""

import numpy as np


def sample_features(
    levels: int, branches: int, flip_probability: float, features: int, random: np.random.RandomState
) -> np.ndarray:
    """Return independent features ±1 of the items: float64, shape (items, features).

    Draws uniforms of shape (features, nodes), with nodes ordered by level. This is the order of `sample_from_tree` in
    document 003: the document's generator gives the document's data.
    """
    nodes = sum(branches**level for level in range(levels + 1))
    flip_odds = np.full(nodes, flip_probability)
    flip_odds[0] = 0.5
    signs = np.where(random.random_sample((features, nodes)) > flip_odds, 1.0, -1.0)
    values, first = signs[:, :1], 1
    for level in range(1, levels + 1):
        count = branches**level
        values = np.repeat(values, branches, axis=1) * signs[:, first : first + count]
        first += count
    return np.ascontiguousarray(values.T)
