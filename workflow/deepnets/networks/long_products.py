"""Singular values of products of many matrices. These values may differ by hundreds of orders of magnitude.

If the product were computed in float64, all singular values below 1e-16 times the largest would be lost. This module
stores the logarithms of scales, separately from directions.
"""

import numpy as np

# Number of QR steps before Jacobi's method. QR steps separate different scales; these halve the number of Jacobi
# sweeps.
_QR_STEPS = 10
# Two rows with a smaller cosine count as orthogonal: singular values change only by about the square of the cosine.
_ORTHOGONAL = 1e-8
# Smaller ratios of scales count as 0, because products of such ratios underflow.
_NO_RATIO = 1e-150


class LongProduct:
    """A product F1 @ F2 @ … of square matrices of the same size; `multiply` adds a factor at the right.

    The product's transpose is stored as orthogonal @ diag(exp(log_scales)) @ directions. `directions` is unit upper
    triangular, and well conditioned for random factors (as for Lyapunov exponents; Benettin et al. 1980).
    """

    def __init__(self, size: int) -> None:
        self._orthogonal = np.eye(size)
        self._log_scales = np.zeros(size)
        self._directions = np.eye(size)

    def multiply(self, factor: np.ndarray) -> None:
        """Add a factor, of shape (size, size), at the right; after a singular factor, no singular value is finite."""
        orthogonal, triangular = np.linalg.qr(factor.T @ self._orthogonal)
        signs, log_scales, unit = _divide_rows(triangular)
        self._orthogonal = orthogonal * signs
        self._directions = _conjugate(unit, self._log_scales) @ self._directions
        self._log_scales = self._log_scales + log_scales

    def mean_log_singular_value(self) -> float:
        """Return the mean natural logarithm of the singular values, from the determinant."""
        return float(np.mean(self._log_scales))

    def log_singular_values(self) -> np.ndarray:
        """Return the natural logarithms of the singular values, in falling order, of shape (size,).

        Also for small singular values, the relative error is about 1e-16 times the condition number of the worst
        factor. One-sided Jacobi rotations keep this accuracy if rows have different scales (Demmel & Veselić 1992).
        """
        directions, log_scales = self._directions, self._log_scales
        for _ in range(_QR_STEPS):
            triangular = np.linalg.qr(directions.T, mode="r")
            _, more, unit = _divide_rows(np.asarray(triangular))
            # Up to a rotation, the transpose of diag(scales) @ directions is triangular @ diag(scales).
            directions = _conjugate(unit, log_scales)
            log_scales = log_scales + more
        return _log_norms_of_orthogonalized(directions, log_scales)


def _divide_rows(triangular: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the diagonal's signs, the logarithms of its absolute values, and the rows divided by the diagonal."""
    diagonal = np.diag(triangular)
    return np.sign(diagonal), np.log(np.abs(diagonal)), triangular / diagonal[:, np.newaxis]


def _conjugate(unit: np.ndarray, log_scales: np.ndarray) -> np.ndarray:
    """Return diag(1/scales) @ unit @ diag(scales)."""
    return unit * np.exp(np.triu(log_scales - log_scales[:, np.newaxis]))


def _log_norms_of_orthogonalized(rows: np.ndarray, log_scales: np.ndarray) -> np.ndarray:
    """Rotate pairs of scaled rows until all rows are orthogonal; return the logarithms of the rows' norms."""
    size = len(rows)
    if size % 2:
        # With an extra row, orthogonal to all other rows, the number of rows is even, as pairs require.
        rows, log_scales = np.pad(rows, (0, 1)), np.append(log_scales, 0)
        rows[-1, -1] = 1
    rows, log_norms = _normalize(rows)
    log_norms += log_scales
    places, half = np.arange(len(rows)), len(rows) // 2
    largest = 1.0
    while largest > _ORTHOGONAL:
        largest = 0.0
        # In one sweep, each pair of rows is rotated once; each step rotates disjoint pairs that contain all rows.
        for _ in range(len(rows) - 1):
            places = np.append(places[0], np.roll(places[1:], 1))
            pairs = np.stack([places[:half], places[: half - 1 : -1]])
            pairs = np.where(log_norms[pairs[0]] >= log_norms[pairs[1]], pairs, pairs[::-1])
            rows[pairs], growth, cosines = _rotate(rows[pairs], np.exp(log_norms[pairs[1]] - log_norms[pairs[0]]))
            log_norms[pairs] += growth
            largest = max(largest, np.abs(cosines).max())
    return np.sort(log_norms[:size])[::-1]


def _rotate(pairs: np.ndarray, ratios: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make pairs of scaled vectors orthogonal by a rotation in the plane of each pair.

    pairs: the unit vectors, shape (2, pairs, size)
    ratios: scale of the second divided by the scale of the first, at most 1
    returns: the new unit vectors, the increases of the logarithms of the scales (shape (2, pairs)), and the old cosines
    """
    first, second = pairs
    cosines = np.einsum("ij,ij->i", first, second)
    angles = np.arctan2(2 * ratios * cosines, 1 - ratios**2) / 2
    cos, sin = np.cos(angles), np.sin(angles)
    # The rotation subtracts sin/ratio times the first unit vector from the second; sin/ratio has a limit at ratio 0.
    loss = np.where(ratios > _NO_RATIO, sin / np.maximum(ratios, _NO_RATIO), cosines)
    rotated = cos[:, np.newaxis] * pairs
    rotated[0] += (sin * ratios)[:, np.newaxis] * second
    rotated[1] -= loss[:, np.newaxis] * first
    return *_normalize(rotated), cosines


def _normalize(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the vectors, divided by their norms along the last axis, and the logarithms of these norms."""
    norms = np.linalg.norm(vectors, axis=-1)
    return vectors / norms[..., np.newaxis], np.log(norms)
