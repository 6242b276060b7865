"""The speed of the singular values of a product of matrices under gradient flow on its factors."""

import numpy as np


def singular_value_rates(singular_values: np.ndarray, slopes: np.ndarray, depth: int) -> np.ndarray:
    """Return dσ_r/dt = −N (σ_r²)^{1 − 1/N} ⟨∇L(W), u_r v_rᵀ⟩ for N balanced factors of W.

    singular_values, slopes (see `slopes_along_modes`): (…, modes)
    depth: N

    Balanced factors satisfy W_jᵀ W_j = W_{j+1} W_{j+1}ᵀ, which gradient flow conserves. For N = 1 the power of σ is 1,
    even at σ = 0. Arora, Cohen, Hu & Luo 2019, Theorem 3.
    """
    return -depth * (singular_values**2) ** (1 - 1 / depth) * slopes


def slopes_along_modes(gradient: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return ⟨∇L(W), u_r v_rᵀ⟩ = u_rᵀ ∇L v_r, the slope of a loss along each mode of W, (modes,).

    gradient: ∇L(W), (rows, columns)
    left: columns u_r, (rows, modes), as `numpy.linalg.svd` returns them
    right: rows v_rᵀ, (modes, columns), likewise
    """
    return np.sum((left.T @ gradient) * right, axis=1)
