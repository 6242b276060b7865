"""Matrix completion with the least nuclear norm, and a bound on the error by duality (Candès & Recht 2009)."""

import numpy as np

# One iteration lowers singular values by this share of the spectral norm of the observed entries.
_THRESHOLD = 0.3
# The gap is computed after each of so many iterations: it takes two decompositions, an iteration takes one.
_ITERATIONS = 10


def least_nuclear_norm(
    matrix: np.ndarray, observed: np.ndarray, *, gap: float, most_iterations: int = 10_000
) -> tuple[np.ndarray, float]:
    """Return the matrix of least nuclear norm that has the observed entries, and its relative duality gap.

    Each iteration of the alternating direction method of multipliers lowers the singular values by a threshold, and
    restores the observed entries. If a matrix Y is 0 at all entries not observed and has a spectral norm of at most 1,
    then ⟨Y, matrix⟩ is a lower bound of the nuclear norm (duality). The multipliers of the method give such a Y.

    matrix: shape (rows, columns); only observed entries are read.
    observed: shape (rows, columns), 1 for observed entries, else 0.
    gap: stop when (nuclear norm − lower bound) / nuclear norm is at most this.
    Returns: the matrix, which has exactly the observed entries; and its gap, which exceeds `gap` only after
        `most_iterations`.
    """
    seen = observed > 0
    completed = np.where(seen, matrix, 0.0)
    norm = float(np.linalg.norm(completed, 2))
    threshold, multipliers, reached = _THRESHOLD * norm, np.zeros_like(completed), float(norm > 0)
    for iteration in range(1, most_iterations + 1 if norm else 0):
        lowered = _lower_singular_values(completed - multipliers, threshold)
        completed = np.where(seen, matrix, lowered + multipliers)
        multipliers += lowered - completed
        if iteration % _ITERATIONS == 0 or iteration == most_iterations:
            dual = np.where(seen, -multipliers / threshold, 0)
            bound = np.vdot(dual, completed) / max(1, np.linalg.norm(dual, 2))
            reached = float(1 - bound / np.linalg.norm(completed, "nuc"))
            if reached <= gap:
                break
    return completed, reached


def _lower_singular_values(matrix: np.ndarray, threshold: float) -> np.ndarray:
    """Return a matrix A with each singular value σ lowered by a threshold t, or to 0 if it is below.

    The right singular vectors v and σ² are from AᵀA, which takes a fraction of the time of an SVD of A: the result is
    the sum of (1 − t/σ) A v vᵀ over σ > t. Rounding hides only singular values far below t.
    """
    squares, right = np.linalg.eigh(matrix.T @ matrix)
    above = squares > threshold**2
    right = right[:, above]
    return matrix @ (right * (1 - threshold / np.sqrt(squares[above]))) @ right.T
