"""Closed forms of learning in linear networks, each with its equation.

The rate λ of a mode multiplies the error of the end-to-end matrix in one update: 2·lr/(P·F) for the mean squared error
over P × F entries and whitened, one-hot inputs.
"""

import numpy as np


def initial_mode_strength(hidden: int, mean_square_in: float, mean_square_out: float) -> float:
    """Return the strength u₀ from which a mode of a net with one hidden layer grows: hidden·(σ₁² + σ₂²)/4.

    The mode's vectors a, b in the two layers have `hidden` independent entries with mean squares σ₁², σ₂². They grow
    along (a + b)/2 and decay along (a − b)/2; u₀ is the mean square norm of (a + b)/2. Saxe, McClelland & Ganguli 2013,
    eqs. 8–10, with vectors for scalars.
    """
    return hidden * (mean_square_in + mean_square_out) / 4


def mode_strengths(singular_values: np.ndarray, initial: float, rate: float, steps: int) -> np.ndarray:
    """Return the strengths u = a² of decoupled, balanced modes after 0 … steps updates; shape (steps + 1, modes).

    Each mode follows the map a ← a + λ (s − a²) a: Saxe, McClelland & Ganguli 2013, eq. 10, without the limit of small
    steps. If the rate is too high, strengths become infinite or NaN.
    """
    strengths = np.empty((steps + 1, len(singular_values)))
    root = np.full(len(singular_values), np.sqrt(initial))
    for step in range(steps + 1):
        strengths[step] = root**2
        root = root + rate * (singular_values - root**2) * root
    return strengths


def half_time(singular_values: np.ndarray, initial: float, rate: float) -> np.ndarray:
    """Return the updates until modes reach half their singular values: ln(s / 2u₀) / (2 ln(1 + λ s)).

    A small mode grows by (1 + λ s)² per update. The formula neglects that growth slows down before the half, so the map
    of `mode_strengths` takes longer, by less than ln 2 / (2 ln(1 + λ s)). After Saxe, McClelland & Ganguli 2013, eq.
    11.
    """
    return np.log(singular_values / (2 * initial)) / (2 * np.log1p(rate * singular_values))


def mode_loss(singular_values: np.ndarray, strengths: np.ndarray, entries: float) -> np.ndarray:
    """Return the mean squared error of modes (…, modes) over the entries of the targets: Σ (s − u)² / entries."""
    return np.sum((singular_values - strengths) ** 2, axis=-1) / entries


def shallow_contraction(rate: float, steps: int) -> np.ndarray:
    """Return (1 − λ)^t for t = 0 … steps: W(t) = Y + (1 − λ)^t (W(0) − Y) for a net without a hidden layer.

    This is exact for one-hot inputs. Saxe, McClelland & Ganguli 2019, "shallow" dynamics, without the limit of small
    steps.
    """
    return (1 - rate) ** np.arange(steps + 1.0)
