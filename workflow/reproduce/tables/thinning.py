"""Evenly spaced places and steps, for charts and panels with room for a few."""

import numpy as np


def evenly_spaced(count: int, most: int) -> np.ndarray:
    """Return at most `most` of the places 0 … count − 1, in order: first, last, and evenly spaced places in between.

    With most=1, return only the first place.
    """
    return np.linspace(0, count - 1, min(most, count)).round().astype(int)


def thin_steps(steps: np.ndarray, most: int) -> np.ndarray:
    """Return at most `most` of the distinct steps, in order, as `evenly_spaced` chooses them."""
    steps = np.unique(steps)
    return steps[evenly_spaced(len(steps), most)]
