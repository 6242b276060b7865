"""The speed of the singular values of a product of matrices under gradient flow on its factors."""

import numpy as np


def singular_value_rates(singular_values: np.ndarray, slopes: np.ndarray, depth: int) -> np.ndarray:
    """Return dσ_r/dt = −N (σ_r²)^{1 − 1/N} ⟨∇L(W), u_r v_rᵀ⟩ for N balanced factors of W.

    singular_values, slopes (see `slopes_along_modes`): shape (…, modes)
    depth: N

    Balanced factors satisfy W_jᵀ W_j = W_{j+1} W_{j+1}ᵀ. Factors that start balanced stay balanced under gradient flow.
    For N = 1 the power of σ is 1, even at σ = 0. Arora, Cohen, Hu & Luo 2019, Theorem 3.
    """
    return -depth * (singular_values**2) ** (1 - 1 / depth) * slopes


def slopes_along_modes(gradient: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the slope of a loss along each mode of W, ⟨∇L(W), u_r v_rᵀ⟩ = u_rᵀ ∇L v_r; shape (modes,).

    gradient: ∇L(W), shape (rows, columns)
    left: columns u_r, shape (rows, modes), as returned by `numpy.linalg.svd`
    right: rows v_rᵀ, shape (modes, columns), as returned by `numpy.linalg.svd`
    """
    return np.sum((left.T @ gradient) * right, axis=1)
