"""Closed forms of one mode of a linear net with one hidden layer, learned in continuous time.

The two layers hold a mode as a and b, its strength is u = a·b, and its end is the singular value s > 0:
da/dt = b (s − u), db/dt = a (s − u). Times are in units of τ, the inverse of the step on the sum over examples. Saxe,
McClelland & Ganguli 2013, eqs. 8 to 12 for a = b, and 23 to 26 for all other starts, whose printed form has s for 2s.

The latter hold for vectors a and b too, as long as no other mode interferes: only |a + b|² and |a − b|² matter.
"""

import numpy as np


def time_to_reach(final: np.ndarray, singular_value: np.ndarray, initial: np.ndarray) -> np.ndarray:
    """Return the time from strength u₀ to u_f of a balanced mode, ln[u_f (s − u₀) / (u₀ (s − u_f))] / 2s (eq. 11)."""
    return np.log(final * (singular_value - initial) / (initial * (singular_value - final))) / (2 * singular_value)


def half_time(singular_value: np.ndarray, initial: np.ndarray | float) -> np.ndarray:
    """Return the time in which a balanced mode reaches half its singular value; NaN for one that begins beyond."""
    below = np.where(initial < singular_value / 2, initial, np.nan)
    return time_to_reach(singular_value / 2, singular_value, below)


def strength(times: np.ndarray | float, singular_value: np.ndarray, initial: np.ndarray | float) -> np.ndarray:
    """Return the strength of a balanced mode, s / (1 + (s/u₀ − 1) e^{−2st}) (eq. 12, divided by e^{2st})."""
    return singular_value / (1 + (singular_value / initial - 1) * np.exp(-2 * singular_value * times))


def layers(
    times: np.ndarray, singular_value: np.ndarray, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return a and b of a mode that starts from the numbers `first` and `second`, of any sign (eqs. 23 to 25)."""
    total, difference = first + second, first - second
    squares = squared_norms(times, singular_value, total**2, difference**2)
    # Neither ever changes its sign.
    total, difference = np.sign(total) * np.sqrt(squares[0]), np.sign(difference) * np.sqrt(squares[1])
    return (total + difference) / 2, (total - difference) / 2


def squared_norms(
    times: np.ndarray, singular_value: np.ndarray, total: np.ndarray, difference: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return |a + b|² and |a − b|² of a mode that starts from `total` and `difference`; u is a quarter of p − q.

    Their product c² stays: a² − b² = c for numbers. With it the first of them, p = c e^θ in the paper's words, obeys
    dp/dt = 2 s p − (p² − c²)/2, which is dθ/dt = 2 s − c sinh θ, and the second the same for −s.
    """
    conserved = total * difference
    root = np.sqrt(4 * singular_value**2 + conserved)
    end = 2 * singular_value + root
    # c²/end is root − 2s without its cancellation.
    return (
        _solution(times, root, total, end, conserved / end),
        _solution(times, root, difference, conserved / end, end),
    )


def half_time_from(singular_value: np.ndarray, total: np.ndarray, difference: np.ndarray) -> np.ndarray:
    """Return the time in which a mode that starts from |a + b|² and |a − b|² reaches half its singular value.

    Eq. 26; NaN for a mode that begins beyond, infinite on the stable manifold a = −b.
    """
    conserved = total * difference
    root = np.sqrt(4 * singular_value**2 + conserved)
    end = 2 * singular_value + root
    # Where (p − c²/p) / 4 = s/2.
    half = singular_value + np.sqrt(singular_value**2 + conserved)
    start = np.where(total < half, total, np.nan)
    with np.errstate(divide="ignore"):
        distances = (half + conserved / end) * (end - start) / ((start + conserved / end) * (end - half))
    return np.log(distances) / root


def _solution(
    times: np.ndarray, rate: np.ndarray, start: np.ndarray, end: np.ndarray, negative_root: np.ndarray
) -> np.ndarray:
    """Return the p that goes from `start` to `end` by dp/dt = (end − p) (p + negative_root) / 2, as positive terms."""
    left = np.exp(-rate * times)
    rise = start * (end + negative_root * left) + end * negative_root * (1 - left)
    return rise / (start * (1 - left) + end * left + negative_root)
