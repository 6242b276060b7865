"""Singular values of products of many matrices, which may lie hundreds of orders of magnitude apart.

The decomposition of a product in float64 loses all that is smaller than the rounding of the largest singular value,
1e-16 of it. Here scales are kept apart from directions, as logarithms.
"""

import numpy as np

# Steps of the QR algorithm before Jacobi's method: they separate what differs in scale, and halve its sweeps.
_QR_STEPS = 10
# Cosines between rows that count as none: what they change in a singular value is of the size of their square.
_ORTHOGONAL = 1e-8
# Ratios of scales below it, whose products underflow, are taken for 0.
_NO_RATIO = 1e-150


class LongProduct:
    """A product F1 @ F2 @ … of square matrices of one size, to which factors are added at the right.

    Its transpose is kept as orthogonal @ diag(exp(log_scales)) @ directions, the last unit upper triangular and well
    conditioned where factors are random (as for Lyapunov exponents; Benettin et al. 1980).
    """

    def __init__(self, size: int) -> None:
        self._orthogonal = np.eye(size)
        self._log_scales = np.zeros(size)
        self._directions = np.eye(size)

    def multiply(self, factor: np.ndarray) -> None:
        """Add a factor (size, size) at the right; a singular one leaves nothing that is finite."""
        orthogonal, triangular = np.linalg.qr(factor.T @ self._orthogonal)
        signs, log_scales, unit = _scaled_rows(triangular)
        self._orthogonal = orthogonal * signs
        self._directions = _graded(unit, self._log_scales) @ self._directions
        self._log_scales = self._log_scales + log_scales

    def mean_log_singular_value(self) -> float:
        """Return the mean natural logarithm of the singular values, from the determinant."""
        return float(np.mean(self._log_scales))

    def log_singular_values(self) -> np.ndarray:
        """Return the natural logarithms of the singular values (size,), falling.

        Right to about 1e-16 times the condition number of the worst factor, be they large or small. By one-sided
        Jacobi rotations, which respect the scales of rows (Demmel & Veselić 1992).
        """
        directions, log_scales = self._directions, self._log_scales
        for _ in range(_QR_STEPS):
            triangular = np.linalg.qr(directions.T, mode="r")
            _, more, unit = _scaled_rows(np.asarray(triangular))
            # The transpose of diag(scales) @ directions is triangular @ diag(scales) up to a rotation.
            directions = _graded(unit, log_scales)
            log_scales = log_scales + more
        return _log_norms_of_orthogonalized(directions, log_scales)


def _scaled_rows(triangular: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the signs of the diagonal, the logarithms of its sizes, and the rows divided by it."""
    diagonal = np.diag(triangular)
    return np.sign(diagonal), np.log(np.abs(diagonal)), triangular / diagonal[:, np.newaxis]


def _graded(unit: np.ndarray, log_scales: np.ndarray) -> np.ndarray:
    """Return diag(1/scales) @ unit @ diag(scales)."""
    return unit * np.exp(np.triu(log_scales - log_scales[:, np.newaxis]))


def _log_norms_of_orthogonalized(rows: np.ndarray, log_scales: np.ndarray) -> np.ndarray:
    """Rotate pairs of rows, each times its scale, until all are orthogonal; return the logarithms of their norms."""
    size = len(rows)
    if size % 2:
        # One row more, orthogonal to all, so that every row has a partner.
        rows, log_scales = np.pad(rows, (0, 1)), np.append(log_scales, 0)
        rows[-1, -1] = 1
    rows, log_norms = _normalized(rows)
    log_norms += log_scales
    places, half = np.arange(len(rows)), len(rows) // 2
    largest = 1.0
    while largest > _ORTHOGONAL:
        largest = 0.0
        # A sweep, in which every row meets every other once, half of them at a time.
        for _ in range(len(rows) - 1):
            places = np.append(places[0], np.roll(places[1:], 1))
            pairs = np.stack([places[:half], places[: half - 1 : -1]])
            pairs = np.where(log_norms[pairs[0]] >= log_norms[pairs[1]], pairs, pairs[::-1])
            rows[pairs], growth, cosines = _rotated(rows[pairs], np.exp(log_norms[pairs[1]] - log_norms[pairs[0]]))
            log_norms[pairs] += growth
            largest = max(largest, np.abs(cosines).max())
    return np.sort(log_norms[:size])[::-1]


def _rotated(pairs: np.ndarray, ratios: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make pairs of unit vectors orthogonal by rotations in the planes of their scaled selves.

    pairs: (2, pairs, size); ratios: scale of the second over that of the first, at most 1. Returns the unit vectors
    afterwards, the logarithms by which their scales grew (2, pairs), and the cosines between them before.
    """
    first, second = pairs
    cosines = np.einsum("ij,ij->i", first, second)
    angles = np.arctan2(2 * ratios * cosines, 1 - ratios**2) / 2
    cos, sin = np.cos(angles), np.sin(angles)
    # In units of its own scale, the second loses sin/ratio of the first, which has a limit.
    loss = np.where(ratios > _NO_RATIO, sin / np.maximum(ratios, _NO_RATIO), cosines)
    rotated = cos[:, np.newaxis] * pairs
    rotated[0] += (sin * ratios)[:, np.newaxis] * second
    rotated[1] -= loss[:, np.newaxis] * first
    return *_normalized(rotated), cosines


def _normalized(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return unit vectors along the last axis, and the logarithms of their norms."""
    norms = np.linalg.norm(vectors, axis=-1)
    return vectors / norms[..., np.newaxis], np.log(norms)
