"""Learning of a wide linear net with one hidden layer, from Gaussian weights.

With w hidden units whose weights start with variance σ², W2 W2ᵀ and W1ᵀW1 start near c I, with the threshold c = σ²w.
While A = W2 W1 learns its target, they stay near √(A Aᵀ + c² I) and √(AᵀA + c² I). If they equal these matrices at the
start, gradient flow keeps them equal, so that eq. 1 of Tu, Aranguri & Jacot 2024, as in their code, is exact.
"""

import numpy as np


def velocity(product: np.ndarray, error: np.ndarray, threshold: float) -> np.ndarray:
    """Return −dA/dt = √(A Aᵀ + c² I) E + E √(AᵀA + c² I) for the error E = A − target; square matrices (eq. 1)."""
    left, singular_values, right = np.linalg.svd(product)
    roots = np.hypot(singular_values, threshold)
    return (left * roots) @ (left.T @ error) + (error @ right.T * roots) @ right


def mode_rate(strength: np.ndarray, threshold: float) -> np.ndarray:
    """Return the rate 2 √(s² + c²) at which a mode of strength s approaches its target (eq. 1, one mode).

    Below the threshold c it is 2c, that of lazy training; above, 2s, that of balanced layers. Two layers of one weight
    each with the imbalance 2c learn in this way (theory.unequal_layers).
    """
    return 2 * np.hypot(strength, threshold)
