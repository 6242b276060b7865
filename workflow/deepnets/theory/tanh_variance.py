"""Wide random tanh nets x ← g tanh(x) @ W: the activities' variance in each layer, and the slopes in the Jacobian.

W is random orthogonal, or of normals with standard deviation 1/√N. Activities are then normal, and their variance q is
a function of the previous layer's variance (Saxe, McClelland & Ganguli 2013, section 4 and Figs. 7, 8). Means over z ~
N(0, 1) are computed as sums over evenly spaced z. For these smooth integrands, such sums converge faster than
Gauss–Hermite quadrature.
"""

import numpy as np

# The probability beyond 9 standard deviations is 1e-19. The error is about exp(−π²/(0.05 √q)), at most 1e-16 up to q =
# 25.
_Z = np.linspace(-9, 9, 361)
_WEIGHTS = np.exp(-(_Z**2) / 2) / np.sum(np.exp(-(_Z**2) / 2))
_HALVINGS = 60


def next_variance(variance: np.ndarray, gain: float | np.ndarray) -> np.ndarray:
    """Return the variance after one more layer, q' = g² ∫Dz tanh(√q z)²; arguments are broadcast."""
    return np.square(gain) * _mean(np.tanh(_activities(variance)) ** 2)


def variances(variance: np.ndarray, gain: float, layers: int) -> np.ndarray:
    """Return the variance after 0 … `layers` layers; shape (layers + 1, …)."""
    found = [np.asarray(variance, dtype=float)]
    for _ in range(layers):
        found.append(next_variance(found[-1], gain))
    return np.stack(found)


def fixed_point(gain: float | np.ndarray) -> np.ndarray:
    """Return the variance q∞(g) that a layer does not change: 0 up to gain 1, else the positive root of q' = q.

    The ratio q'/q falls with q: it is g² at q = 0, and below 1 at q = g². Bisection finds the q with ratio 1.
    """
    gains = np.asarray(gain, dtype=float)
    low, high = np.zeros_like(gains), np.maximum(gains**2, 1)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        growing = next_variance(middle, gains) > middle
        low, high = np.where(growing, middle, low), np.where(growing, high, middle)
    return np.where(gains > 1, (low + high) / 2, 0.0)


def fixed_point_near_one(gain: float | np.ndarray) -> np.ndarray:
    """Return q∞ ≈ (g − 1) + 4/3 (g − 1)² for gains just above 1, from ∫Dz tanh(√q z)² = q − 2q² + 17/3 q³ − …."""
    excess = np.maximum(np.asarray(gain) - 1.0, 0)
    return excess + 4 / 3 * excess**2


def mean_log_slope(variance: np.ndarray) -> np.ndarray:
    """Return ∫Dz ln tanh'(√q z), the contribution of tanh in one layer to the Jacobian's mean log singular value.

    The only approximation is that activities are normal: the logarithm of a determinant is exactly a sum over layers.
    """
    # This form of ln cosh does not overflow.
    sizes = np.abs(_activities(variance))
    return _mean(-2 * (sizes + np.log1p(np.exp(-2 * sizes)) - np.log(2)))


def mean_square_slope(variance: np.ndarray) -> np.ndarray:
    """Return ∫Dz tanh'(√q z)²; times g², this is χ, the growth per layer of the Jacobian's mean σ²."""
    return _mean((1 - np.tanh(_activities(variance)) ** 2) ** 2)


def _activities(variance: np.ndarray) -> np.ndarray:
    return np.sqrt(np.asarray(variance, dtype=float))[..., np.newaxis] * _Z


def _mean(values: np.ndarray) -> np.ndarray:
    return values @ _WEIGHTS
