"""Closed forms of one mode of a linear net with one hidden layer, learned in continuous time.

The mode is the number a in the first layer and b in the second. The strength u = a·b ends at the singular value s > 0:
da/dt = b (s − u), db/dt = a (s − u). Times are in units of τ, the inverse of the learning rate for the sum of the loss
over examples. Source: Saxe, McClelland & Ganguli 2013, eqs. 8 to 12 if a = b at the start, otherwise eqs. 23 to 26. The
paper prints eqs. 23 to 26 with s instead of 2s.

Eqs. 23 to 26 also hold for vectors a and b if no other mode interferes: only |a + b|² and |a − b|² matter.
"""

import numpy as np


def time_to_reach(final: np.ndarray, singular_value: np.ndarray, initial: np.ndarray) -> np.ndarray:
    """Return a balanced mode's time from strength u₀ to u_f, ln[u_f (s − u₀) / (u₀ (s − u_f))] / 2s (eq. 11)."""
    return np.log(final * (singular_value - initial) / (initial * (singular_value - final))) / (2 * singular_value)


def half_time(singular_value: np.ndarray, initial: np.ndarray | float) -> np.ndarray:
    """Return the time until a balanced mode reaches half its singular value; NaN if u₀ is at least this half."""
    below = np.where(initial < singular_value / 2, initial, np.nan)
    return time_to_reach(singular_value / 2, singular_value, below)


def strength(times: np.ndarray | float, singular_value: np.ndarray, initial: np.ndarray | float) -> np.ndarray:
    """Return the strength of a balanced mode, s / (1 + (s/u₀ − 1) e^{−2st}) (eq. 12, divided by e^{2st})."""
    return singular_value / (1 + (singular_value / initial - 1) * np.exp(-2 * singular_value * times))


def layers(
    times: np.ndarray, singular_value: np.ndarray, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return a and b at the given times; `first` and `second` are their initial values, of any sign (eqs. 23 to 25)."""
    total, difference = first + second, first - second
    squares = squared_norms(times, singular_value, total**2, difference**2)
    # Neither a + b nor a − b ever changes its sign.
    total, difference = np.sign(total) * np.sqrt(squares[0]), np.sign(difference) * np.sqrt(squares[1])
    return (total + difference) / 2, (total - difference) / 2


def squared_norms(
    times: np.ndarray, singular_value: np.ndarray, total: np.ndarray, difference: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return p = |a + b|² and q = |a − b|², given their initial values `total` and `difference`; u = (p − q)/4.

    The product p q = c² is conserved; for numbers, c = a² − b². Hence dp/dt = 2 s p − (p² − c²)/2, and q obeys the same
    equation with −s. With p = c e^θ, as in the paper, this is dθ/dt = 2 s − c sinh θ.
    """
    conserved = total * difference
    root = np.sqrt(4 * singular_value**2 + conserved)
    end = 2 * singular_value + root
    # This form of c²/end = root − 2s avoids the cancellation.
    return (
        _solution(times, root, total, end, conserved / end),
        _solution(times, root, difference, conserved / end, end),
    )


def half_time_from(singular_value: np.ndarray, total: np.ndarray, difference: np.ndarray) -> np.ndarray:
    """Return the time until a mode reaches half its singular value, given the initial |a + b|² and |a − b|².

    Eq. 26. The time is NaN if the mode starts at or above the half, and infinite on the stable manifold a = −b.
    """
    conserved = total * difference
    root = np.sqrt(4 * singular_value**2 + conserved)
    end = 2 * singular_value + root
    # At this p, the strength u = (p − c²/p) / 4 is s/2.
    half = singular_value + np.sqrt(singular_value**2 + conserved)
    start = np.where(total < half, total, np.nan)
    with np.errstate(divide="ignore"):
        distances = (half + conserved / end) * (end - start) / ((start + conserved / end) * (end - half))
    return np.log(distances) / root


def _solution(
    times: np.ndarray, rate: np.ndarray, start: np.ndarray, end: np.ndarray, negative_root: np.ndarray
) -> np.ndarray:
    """Solve dp/dt = (end − p) (p + negative_root) / 2 from `start`, and return p as a sum of positive terms."""
    left = np.exp(-rate * times)
    rise = start * (end + negative_root * left) + end * negative_root * (1 - left)
    return rise / (start * (1 - left) + end * left + negative_root)
