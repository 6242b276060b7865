"""Gradient flow of one mode of a linear net whose layers start unequal.

In closed form for two layers; there the target of the strength is 1.

With weights w1, w2, the strength is s = w1 w2, and the loss is (1 − s)² / 2. Gradient flow conserves the imbalance
λ = w2² − w1². Hence (w1² + w2²)² = λ² + 4 s² and

    ds/dt = √(λ² + 4 s²) (1 − s).

For λ > 0, let 2 s = λ sinh θ; then dθ/dt = 2 − λ sinh θ. With 2 = λ sinh θ* and R = √(λ² + 4), the solution is

    R t = ln[q(θ(t)) / q(θ(0))],  q(θ) = (e^θ + e^−θ*) / (e^θ* − e^θ).

For λ = 0 the solution is a sigmoid, 2 t = ln[s (1 − s0) / (s0 (1 − s))] (Saxe et al. 2013, Section 1.3). The
substitution is from Appendix A of Saxe et al.

With N layers and the singular value σ, gradient flow conserves each difference of two squared weights. If the last
layer has w² + λ and each other one w², the strength is u = w^{N−1} √(w² + λ), and

    du/dt = u² [(N − 1) / w² + 1 / (w² + λ)] (σ − u).
"""

import numpy as np

_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(128)
# Newton's method doubles the digits at each step, and starts with at least one.
_NEWTON_STEPS = 4


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


def learning_time(
    singular_value: np.ndarray, start: float, end: np.ndarray, depth: int, imbalance: float
) -> np.ndarray:
    """Return the training time in which a mode of `depth` layers grows from `start` to `end`, below its singular value.

    Arguments are broadcast. The integral is over ln[u / (σ − u)], as in deep_mode.time_integral, which it equals times
    `depth` if the imbalance is 0. One layer has no imbalance.
    """
    imbalance = imbalance if depth > 1 else 0
    first, last = (np.log(strength / (singular_value - strength)) for strength in (start, end))
    middle, half = ((last + sign * first)[..., np.newaxis] / 2 for sign in (1, -1))
    strengths = singular_value[..., np.newaxis] / (1 + np.exp(-middle - half * _NODES))
    squares = _small_squares(strengths, depth, imbalance)
    rates = strengths * ((depth - 1) / squares + 1 / (squares + imbalance))
    return half[..., 0] * (_NODE_WEIGHTS / rates).sum(axis=-1) / singular_value


def _small_squares(strengths: np.ndarray, depth: int, imbalance: float) -> np.ndarray:
    """Return w² of all layers but the last: the root of (N − 1) ln w² + ln(w² + λ) = 2 ln u, by Newton's method."""
    logs = 2 * np.log(strengths) / depth
    for _ in range(_NEWTON_STEPS):
        squares = np.exp(logs)
        error = (depth - 1) * logs + np.log(squares + imbalance) - 2 * np.log(strengths)
        logs = logs - error / (depth - 1 + squares / (squares + imbalance))
    return np.exp(logs)
