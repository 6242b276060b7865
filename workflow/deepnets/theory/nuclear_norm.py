"""The completion of a matrix that has the least nuclear norm, with a certificate (Candès & Recht 2009)."""

import numpy as np

# How far singular values are lowered in one iteration, as a share of the largest one of the observed entries.
_THRESHOLD = 0.3


def least_nuclear_norm(
    matrix: np.ndarray, observed: np.ndarray, *, gap: float, most_iterations: int = 10_000
) -> tuple[np.ndarray, float]:
    """Return the matrix of least nuclear norm that has the observed entries, and how far it may be from the least.

    The alternating direction method of multipliers: singular values are lowered by a threshold, and observed entries
    are put back. Any Y on the observed entries with a spectral norm of 1 at most proves that no such matrix has a
    nuclear norm below ⟨Y, matrix⟩ (duality); the multipliers give one.

    matrix: (rows, columns), of which only observed entries are read; observed: 1 for these and 0 elsewhere.
    gap: when to stop: the nuclear norm minus the proven bound, as a share of the nuclear norm.
    returns: the matrix, which has the observed entries exactly; and its gap, larger than asked for only after
        most_iterations.
    """
    seen = observed > 0
    completed = np.where(seen, matrix, 0.0)
    norm = np.linalg.norm(completed, 2)
    threshold, multipliers, reached = _THRESHOLD * norm, np.zeros_like(completed), float(norm > 0)
    for _ in range(most_iterations if norm else 0):
        left, values, right = np.linalg.svd(completed - multipliers, full_matrices=False)
        lowered = (left * np.maximum(values - threshold, 0)) @ right
        completed = np.where(seen, matrix, lowered + multipliers)
        multipliers += lowered - completed
        dual = np.where(seen, -multipliers / threshold, 0)
        bound = np.vdot(dual, completed) / max(1, np.linalg.norm(dual, 2))
        reached = float(1 - bound / np.linalg.norm(completed, "nuc"))
        if reached <= gap:
            break
    return completed, reached
