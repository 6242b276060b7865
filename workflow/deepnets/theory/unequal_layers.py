"""Gradient flow of one mode of a two-layer linear net, in closed form. The target of the strength is 1.

With weights w1, w2, the strength is s = w1 w2, and the loss is (1 − s)² / 2. Gradient flow conserves the imbalance
λ = w2² − w1². Hence (w1² + w2²)² = λ² + 4 s² and

    ds/dt = √(λ² + 4 s²) (1 − s).

For λ > 0, let 2 s = λ sinh θ; then dθ/dt = 2 − λ sinh θ. With 2 = λ sinh θ* and R = √(λ² + 4), the solution is

    R t = ln[q(θ(t)) / q(θ(0))],  q(θ) = (e^θ + e^−θ*) / (e^θ* − e^θ).

For λ = 0 the solution is a sigmoid, 2 t = ln[s (1 − s0) / (s0 (1 − s))] (Saxe et al. 2013, Section 1.3). The
substitution is from Appendix A of Saxe et al.
"""

import numpy as np


def growth(strength: np.ndarray, imbalance: float) -> np.ndarray:
    """Return the growth ds/dt of the strength per unit of training time."""
    return np.hypot(imbalance, 2 * strength) * (1 - strength)


def initial_weights(imbalance: float, strength: float) -> tuple[float, float]:
    """Return the weights w1 ≤ w2 with this imbalance (0 or more) and this strength."""
    squares = np.hypot(imbalance, 2 * strength)
    second = np.sqrt((squares + imbalance) / 2)
    return strength / second, second


def strength_at(time: np.ndarray, imbalance: float, initial: float) -> np.ndarray:
    """Return the strength at these training times, for an imbalance of 0 or more and an initial strength above 0."""
    if imbalance == 0:
        return initial / (initial + (1 - initial) * np.exp(-2 * time))
    start, end = np.exp(np.arcsinh(2 * initial / imbalance)), np.exp(np.arcsinh(2 / imbalance))
    # 1 / q(θ) falls to 0, so it cannot overflow.
    inverse = (end - start) / (start + 1 / end) * np.exp(-np.hypot(imbalance, 2) * time)
    exponential = (end - inverse / end) / (1 + inverse)
    return imbalance / 4 * (exponential - 1 / exponential)
