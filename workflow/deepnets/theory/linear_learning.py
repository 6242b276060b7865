"""Closed forms of learning in linear networks, with the numbers of the equations in their sources.

The rate λ is the factor on the end-to-end matrix's error in one update. For one-hot inputs and the mean squared error
of P × F entries, λ is 2/(P·F) times the learning rate.
"""

import numpy as np


def initial_mode_strength(hidden: int, mean_square_in: float, mean_square_out: float) -> float:
    """Return the initial strength u₀ of a mode in a net with one hidden layer: hidden·(σ₁² + σ₂²)/4.

    In the two layers, the mode has the vectors a and b, each with `hidden` independent entries, of mean squares σ₁² and
    σ₂². The component (a + b)/2 grows, and (a − b)/2 decays; u₀ is the mean squared norm of (a + b)/2. Saxe, McClelland
    & Ganguli 2013, eqs. 8–10, with vectors instead of scalars.
    """
    return hidden * (mean_square_in + mean_square_out) / 4


def mode_strengths(singular_values: np.ndarray, initial: float, rate: float, steps: int) -> np.ndarray:
    """Return the strengths u = a² of decoupled, balanced modes after 0 … steps updates; shape (steps + 1, modes).

    In each update, a ← a + λ (s − a²) a. This is eq. 10 of Saxe, McClelland & Ganguli 2013 for finite steps. If the
    rate is too high, strengths become infinite or NaN.
    """
    strengths = np.empty((steps + 1, len(singular_values)))
    root = np.full(len(singular_values), np.sqrt(initial))
    for step in range(steps + 1):
        strengths[step] = root**2
        root = root + rate * (singular_values - root**2) * root
    return strengths


def half_time(singular_values: np.ndarray, initial: float, rate: float) -> np.ndarray:
    """Return the number of updates until each mode reaches half its singular value: ln(s / 2u₀) / (2 ln(1 + λ s)).

    A small strength grows by the factor (1 + λ s)² per update. The formula ignores that growth slows down before the
    half: `mode_strengths` takes longer, by less than ln 2 / (2 ln(1 + λ s)). Derived from Saxe, McClelland & Ganguli
    2013, eq. 11.
    """
    return np.log(singular_values / (2 * initial)) / (2 * np.log1p(rate * singular_values))


def mode_loss(singular_values: np.ndarray, strengths: np.ndarray, entries: float) -> np.ndarray:
    """Return the mean squared error for strengths of shape (…, modes): Σ (s − u)² / (number of target entries)."""
    return np.sum((singular_values - strengths) ** 2, axis=-1) / entries


def shallow_contraction(rate: float, steps: int) -> np.ndarray:
    """Return (1 − λ)^t for t = 0 … steps: W(t) = Y + (1 − λ)^t (W(0) − Y) for a net without a hidden layer.

    This is exact for one-hot inputs: the "shallow" dynamics of Saxe, McClelland & Ganguli 2019, for finite steps.
    """
    return (1 - rate) ** np.arange(steps + 1.0)
