"""Estimates from values: least-squares lines and power laws; evenly spaced places, where there is room for a few."""

import numpy as np
from numpy.typing import ArrayLike

from reproduce.tables.rows import NotRecordedError


def fit_line(positions: ArrayLike, values: ArrayLike) -> np.ndarray:
    """Fit a line to values by least squares.

    positions: of shape (points,).
    values: of shape (points,), or (points, columns) for one line per column.
    returns: slope and offset, of shape (2,) or (2, columns).
    raises: NotRecordedError if all points have the same position.
    """
    places = np.asarray(positions, dtype=float)
    if len(np.unique(places)) < 2:
        raise NotRecordedError("a slope needs runs at two positions or more; these runs have only one")
    return np.polyfit(places, np.asarray(values, dtype=float), 1)


def fit_power_law(positions: ArrayLike, values: ArrayLike) -> np.ndarray:
    """Fit C·positions^τ to values by least squares of the logarithms.

    positions, values: positive, with shapes as in `fit_line`.
    returns: τ and ln C, of shape (2,) or (2, columns).
    """
    return fit_line(np.log(np.asarray(positions, dtype=float)), np.log(np.asarray(values, dtype=float)))


def evenly_spaced(count: int, most: int) -> np.ndarray:
    """Return at most `most` of the places 0 … count − 1, in order: first, last, and evenly spaced places in between.

    With most=1, return only the first place.
    """
    return np.linspace(0, count - 1, min(most, count)).round().astype(int)


def thin_steps(steps: np.ndarray, most: int) -> np.ndarray:
    """Return at most `most` of the distinct steps, in order, as `evenly_spaced` chooses them."""
    steps = np.unique(steps)
    return steps[evenly_spaced(len(steps), most)]
