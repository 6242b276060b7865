"""Closed forms for signal and noise in random deep nets (document 002; Labatie 2019, arXiv 1811.03087)."""

import math

import numpy as np

# Bounds of a layer's increment of the sensitivity with ReLU, "Vanilla Nets" and "Batch-Normalized Feedforward Nets".
INCREMENT_BOUNDS = (1.0, math.sqrt(2))
# What one ReLU does to the sensitivity on normal inputs: half of the noise's variance passes, and of the signal's
# variance 1/2 − 1/(2π), so that δχ² = π/(π − 1).
NORMAL_INCREMENT = math.sqrt(math.pi / (math.pi - 1))


def log_diffusion(layers: float | np.ndarray, width: int) -> tuple[float | np.ndarray, float | np.ndarray]:
    """Return mean and variance of ln(ν₂ after some layers / ν₂ before) in a vanilla ReLU net at He's gain.

    For one input, or many on a semi-line: a layer multiplies |x|² by the mean over channels of 2 max(g, 0)² with
    g ~ N(0, 1), which has mean 1 and variance 5/width. The logarithms add up to N(−5l/(2·width), 5l/width). The same
    holds for one vector of noise.
    """
    return -2.5 * np.asarray(layers) / width, 5 * np.asarray(layers) / width


def power_law_exponent(increments: np.ndarray, layers_of_unit: int = 2) -> np.ndarray:
    """Return the exponent τ = (δ^{2H} − 1)/2 of χ ~ l^τ in a normalised residual net.

    increments: δχ of one layer of the residual branch, of which a unit has H. A branch whose sensitivity is δ^H times
    its input's adds a share 1/(l + 1) to the signal's variance: χ_l² = χ_{l−1}² (l + δ^{2H})/(l + 1), or
    δχ_l = (1 + 2τ/(l + 1))^{1/2}.
    """
    return (np.asarray(increments) ** (2 * layers_of_unit) - 1) / 2


def power_law_factor(layers: np.ndarray, sensitivity: np.ndarray, exponent: float) -> float:
    """Return the least-squares factor C of C·l^τ: ⟨χ l^τ⟩/⟨l^{2τ}⟩, means over layers."""
    powers = np.asarray(layers, dtype=float) ** exponent
    return float(np.mean(sensitivity * powers) / np.mean(powers**2))


def residual_increment(layers: np.ndarray, exponent: float) -> np.ndarray:
    """Return δχ of a residual unit, (1 + 2τ/(l + 1))^{1/2}."""
    return np.sqrt(1 + 2 * exponent / (np.asarray(layers) + 1))
