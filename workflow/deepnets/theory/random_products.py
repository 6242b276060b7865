"""Distributions for the product of M independent N × N matrices of normals with standard deviation 1/√N.

Saxe, McClelland & Ganguli 2013, section 3 ("random Gaussian initial conditions") and Fig. 6B, C. All results hold for
large N, unless stated otherwise. If the standard deviation is g/√N, singular values and moduli of eigenvalues are
multiplied by g^M.
"""

import numpy as np

# Number of halvings in a bisection: they reduce an interval of length π to the spacing of floating-point numbers.
_HALVINGS = 60
_EULER_GAMMA = 0.5772156649015329


def singular_value_edge(factors: int) -> float:
    """Return the largest singular value, √((M + 1)^{M+1}/M^M): 2 for one factor, about √(e·M) for many."""
    return float(np.exp(((factors + 1) * np.log(factors + 1) - factors * np.log(factors)) / 2))


def log_singular_value_density(log_values: np.ndarray, factors: int) -> np.ndarray:
    """Return the density of ln σ at the given values of ln σ; divided by σ, it is the density of σ.

    The distribution of σ² is Fuss–Catalan, with moments C(Mk + k, k)/(Mk + 1). For one factor, σ has the quarter-circle
    density √(4 − σ²)/π. In general, σ² = sin^{M+1}((M+1)φ)/(sin φ sin^M(Mφ)) defines φ. The density of ln σ is 2
    Im(w)/π with w = e^{iφ} sin((M+1)φ)/sin(Mφ). This w is σ² times the resolvent, and solves σ² = w^{M+1}/(w − 1)
    (Haagerup & Möller 2013; Penson & Życzkowski 2011).
    """
    return 2 / np.pi * _resolvents(np.asarray(log_values, dtype=float), factors).imag


def log_singular_value_shares(log_values: np.ndarray, factors: int) -> np.ndarray:
    """Return the share of singular values whose logarithm is at most a value: 1 + (M Im w − arg(w − 1))/π.

    This is the integral of `log_singular_value_density`, by w d ln σ² = M dw − d ln(w − 1).
    """
    resolvents = _resolvents(np.asarray(log_values, dtype=float), factors)
    return 1 + (factors * resolvents.imag - np.angle(resolvents - 1)) / np.pi


def eigenvalue_shares(radii: np.ndarray, factors: int) -> np.ndarray:
    """Return the share of eigenvalues in a disc around the origin: r^{2/M} up to r = 1 (Burda, Janik & Waclaw 2010)."""
    return np.minimum(radii, 1) ** (2 / factors)


def eigenvalue_share_in_square(half_side: float, factors: int) -> float:
    """Return the share of eigenvalues whose real and imaginary parts are at most `half_side` in size.

    The distribution is isotropic, so the share is the mean, over all directions, of `eigenvalue_shares` at the distance
    to the square's edge. By symmetry, an eighth of the circle is enough; Gauss's quadrature computes the mean.
    """
    nodes, weights = np.polynomial.legendre.leggauss(100)
    angles = np.pi / 8 * (nodes + 1)
    return float(np.sum(weights / 2 * eigenvalue_shares(half_side / np.cos(angles), factors)))


def mean_log_singular_value(size: int, factors: int | np.ndarray) -> float | np.ndarray:
    """Return the mean of ln σ over all singular values and products, exact for any N: M·½·⟨ln(2/N) + ψ(k/2)⟩_k.

    The mean is over k = 1 … N. The determinant of a product is the product of determinants. The determinant of a matrix
    of normals is, in absolute value, a product of independent χ_k, with ⟨ln χ_k²⟩ = ln 2 + ψ(k/2). For large N the
    result tends to −M/2.
    """
    return factors * (np.log(2 / size) + np.mean(_digamma_of_halves(size))) / 2


def _digamma_of_halves(count: int) -> np.ndarray:
    """Return ψ(k/2) for k = 1 … count, from ψ(½) = −γ − 2 ln 2, ψ(1) = −γ and ψ(x + 1) = ψ(x) + 1/x."""
    digamma = np.empty(count)
    for first, start in ((0, -_EULER_GAMMA - 2 * np.log(2)), (1, -_EULER_GAMMA)):
        halves = np.arange(first + 1, count + 1, 2) / 2
        digamma[first::2] = start + np.cumsum(np.append(0, 1 / halves[:-1]))[: len(halves)]
    return digamma


def _resolvents(log_values: np.ndarray, factors: int) -> np.ndarray:
    """Return w at the given ln σ; above the edge, where the density is 0, return the value of w at the edge."""
    edge = np.log(singular_value_edge(factors))
    # Exactly at the edge, φ would be 0.
    log_squares = 2 * np.minimum(log_values, edge - 1e-12)
    # In terms of θ = π − (M + 1)φ, sin((M + 1)φ) = sin θ is exact where σ is small.
    low, high = np.zeros_like(log_values), np.full_like(log_values, np.pi)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = _log_squares(middle, factors) < log_squares
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    theta = (low + high) / 2
    phi = (np.pi - theta) / (factors + 1)
    resolvents = np.exp(1j * phi) * np.sin(theta) / np.sin(factors * phi)
    return np.where(log_values < edge, resolvents, 1 + 1 / factors)


def _log_squares(theta: np.ndarray, factors: int) -> np.ndarray:
    phi = (np.pi - theta) / (factors + 1)
    return (factors + 1) * np.log(np.sin(theta)) - np.log(np.sin(phi)) - factors * np.log(np.sin(factors * phi))
