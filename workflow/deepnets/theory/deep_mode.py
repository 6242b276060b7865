"""One balanced mode of a linear net of any depth: learning time, best learning rate, and gradient descent.

Saxe, McClelland & Ganguli 2013. `depth` m counts weight matrices (N_l − 1 in the paper) and may be infinite. Each layer
has the strength a in this mode, so the net has the strength u = a^m. Inputs are white, and u ends at the singular value
s. The functions give times as integrals; a time integral divided by (rate · m) is a number of updates, with rate = 1/τ.
"""

from collections.abc import Iterator

import numpy as np

# The best rate in simulations, divided by the largest stable rate, 2 / (largest eigenvalue of the Hessian).
_SHARE_OF_EDGE = 0.95
# The quadrature's error is below 1e-12 for strengths from 1e-10 s to (1 − 1e-10) s.
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(128)
# Number of halvings in a bisection: they reduce an interval to 1e-13 of its length.
_HALVINGS = 43


def time_integral(
    singular_value: np.ndarray | float, start: np.ndarray | float, end: np.ndarray | float, depth: float
) -> np.ndarray:
    """Return ∫ du / [u^{2 − 2/m} (s − u)] from u = start to u = end, the solution of τ du/dt = m u^{2 − 2/m} (s − u).

    start, end: strengths between 0 and s; arguments are broadcast. Eqs. 14–15; the integral is eq. 11 for m = 2, and
    eq. 17 for infinite m. With w = ln(u / (s − u)) the integral becomes ∫ u^{2/m − 1} dw / s. This integrand is smooth,
    as Gauss's quadrature requires.
    """
    first, last = (np.log(strength / (singular_value - strength)) for strength in (start, end))
    middle, half = np.asarray(last + first) / 2, np.asarray(last - first) / 2
    strengths = np.asarray(singular_value)[..., np.newaxis] / (
        1 + np.exp(-middle[..., np.newaxis] - half[..., np.newaxis] * _NODES)
    )
    return half * (strengths ** (2 / depth - 1) @ _NODE_WEIGHTS) / singular_value


def strength_after(
    integral: np.ndarray | float, singular_value: np.ndarray | float, start: np.ndarray | float, depth: float
) -> np.ndarray:
    """Return the strength u that a mode reaches after a time: the inverse of `time_integral`, by bisection."""
    integral, singular_value, start = np.broadcast_arrays(integral, singular_value, start)
    first = np.log(start / (singular_value - start))
    low, high = first, np.full_like(first, 36.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        strength = singular_value / (1 + np.exp(-middle))
        late = time_integral(singular_value, start, strength, depth) > integral
        low, high = np.where(late, low, middle), np.where(late, middle, high)
    return singular_value / (1 + np.exp(-low))


def learning_integral(singular_values: np.ndarray, start: float, depth: float, share: float) -> float:
    """Return the time integral after which a given share of the modes' error is left.

    singular_values: s of each mode, shape (modes,). The error is Σ (s − u)²; its share is relative to Σ s². All modes
    start with the same strength, which must be below every s.
    """
    target = share * np.sum(singular_values**2)
    # Upper bound: the time after which no mode has more than an equal part of this error left.
    ends = np.maximum(singular_values - np.sqrt(target / len(singular_values)), start)
    low, high = 0.0, float(np.max(time_integral(singular_values, start, ends, depth)))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        left = np.sum((singular_values - strength_after(middle, singular_values, start, depth)) ** 2)
        low, high = (middle, high) if left > target else (low, middle)
    return high


def optimal_rate(singular_value: float, depth: int) -> float:
    """Return 1.9 / (m s^{2 − 2/m}); gradient descent becomes unstable at 2 / (m s^{2 − 2/m}).

    The denominator is τ times the largest eigenvalue of the Hessian at the optimum, eqs. 34–41. Source: eq. 42,
    O(1/(N_l s²)); the paper gives no factor.
    """
    return optimal_pace(singular_value, depth) / depth


def optimal_pace(singular_value: float, depth: float) -> float:
    """Return depth × `optimal_rate`, also for infinite depth; a time integral divided by this counts updates."""
    return 2 * _SHARE_OF_EDGE / singular_value ** (2 - 2 / depth)


def descent(singular_values: np.ndarray, start: float, depth: int, rates: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the strengths u = a^m after 0, 1, … updates, of shape (rates, modes), without end.

    The update of gradient descent is a ← a + rate (s − a^m) a^{m−1}. If a rate is too high, the strengths at this rate
    become infinite or NaN.
    """
    layer = np.full((len(rates), len(singular_values)), start ** (1 / depth))
    steps = np.asarray(rates)[:, np.newaxis]
    while True:
        yield layer**depth
        layer = layer + steps * (singular_values - layer**depth) * layer ** (depth - 1)
