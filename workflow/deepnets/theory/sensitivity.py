"""Closed forms for signal and noise in random deep nets (document 002; Labatie 2019, arXiv 1811.03087)."""

import math

import numpy as np

# Bounds of the increment δχ of one ReLU layer ("Vanilla Nets", "Batch-Normalized Feedforward Nets").
INCREMENT_BOUNDS = (1.0, math.sqrt(2))
# For normal inputs, ReLU multiplies the sensitivity by this δχ. Half of the noise's variance passes, and the share 1/2
# − 1/(2π) of the signal's variance; hence δχ² = π/(π − 1).
NORMAL_INCREMENT = math.sqrt(math.pi / (math.pi - 1))


def log_diffusion(layers: float | np.ndarray, width: int) -> tuple[float | np.ndarray, float | np.ndarray]:
    """Return mean and variance of ln(ν₂ after some layers / ν₂ before) in a vanilla ReLU net at He's gain.

    This holds for one input, for many inputs on a half-line, and for one noise vector. A layer multiplies |x|² by the
    mean, over channels, of 2 max(g, 0)² with g ~ N(0, 1). This factor has mean 1 and variance 5/width. After l layers,
    the sum of the logarithms is N(−5l/(2·width), 5l/width).
    """
    return -2.5 * np.asarray(layers) / width, 5 * np.asarray(layers) / width


def power_law_exponent(increments: np.ndarray, layers_of_unit: int = 2) -> np.ndarray:
    """Return the exponent τ = (δ^{2H} − 1)/2 of χ ~ l^τ in a normalised residual net.

    increments: δχ of one layer of the residual branch; the branch has H = `layers_of_unit` layers

    The branch multiplies the sensitivity of its input by δ^H, and contributes the share 1/(l + 1) of the signal's
    variance: χ_l² = χ_{l−1}² (l + δ^{2H})/(l + 1), or δχ_l = (1 + 2τ/(l + 1))^{1/2}.
    """
    return (np.asarray(increments) ** (2 * layers_of_unit) - 1) / 2


def power_law_factor(layers: np.ndarray, sensitivity: np.ndarray, exponent: float) -> float:
    """Return the factor C of the least-squares fit χ ≈ C·l^τ: ⟨χ l^τ⟩/⟨l^{2τ}⟩, with means over layers."""
    powers = np.asarray(layers, dtype=float) ** exponent
    return float(np.mean(sensitivity * powers) / np.mean(powers**2))


def residual_increment(layers: np.ndarray, exponent: float) -> np.ndarray:
    """Return δχ of a residual unit, (1 + 2τ/(l + 1))^{1/2}."""
    return np.sqrt(1 + 2 * exponent / (np.asarray(layers) + 1))


def first_norm_increment(eigenvalues: np.ndarray) -> float:
    """Return δχ of a batch normalisation after a linear layer of many random channels, for white noise on its inputs.

    eigenvalues: of the covariance C of these inputs (for a convolution, of patches), n, three or more of them positive

    A channel w has noise |w|² and signal wᵀCw. The normalisation divides both by wᵀCw; hence, with means over normal w,
    δχ² = ⟨|w|²/wᵀCw⟩⟨wᵀCw⟩/⟨|w|²⟩. With 1/q = ∫ exp(−tq) dt, the first mean is ∫ Π(1 + 2tλ)^{-1/2} Σ 1/(1 + 2tλ) dt.
    """
    scale = eigenvalues.max()
    log_times = np.linspace(-30, 60, 3001)
    # 1/(1 + 2tλ), at times in units of 1/scale; dt = t d(log t)
    decays = 1 / (1 + 2 * np.exp(log_times)[:, np.newaxis] * eigenvalues.clip(0) / scale)
    mean = np.trapezoid(np.prod(np.sqrt(decays), axis=1) * decays.sum(axis=1) * np.exp(log_times), log_times) / scale
    return float(np.sqrt(mean * eigenvalues.mean()))
