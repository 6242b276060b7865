"""Half times: the update at which a net has learned half of a mode."""

import numpy as np


def half_times(strengths: np.ndarray, singular_values: np.ndarray) -> np.ndarray:
    """Return the update at which each mode first reaches half its singular value, interpolated linearly.

    strengths: mode strengths after 0, 1, … updates, shape (updates + 1, …, modes)
    returns: half times, shape (…, modes); NaN for a mode that starts at or above the half, or never reaches the half
    """
    halves = singular_values / 2
    # The index is also 0 if the mode never reaches the half.
    after = np.argmax(strengths >= halves, axis=0)
    before = np.maximum(after - 1, 0)
    low, high = (np.take_along_axis(strengths, at[np.newaxis], axis=0)[0] for at in (before, after))
    share = np.divide(halves - low, high - low, out=np.full(low.shape, np.nan), where=after > 0)
    return before + share
