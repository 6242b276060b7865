"""Half times: when a net has learned half of each mode."""

import numpy as np


def half_times(strengths: np.ndarray, singular_values: np.ndarray) -> np.ndarray:
    """Return the update at which each mode first reaches half its singular value, interpolated linearly.

    strengths: after 0, 1, … updates, (updates + 1, …, modes)
    returns: (…, modes), NaN for a mode that starts at the half or above, or never reaches it
    """
    halves = singular_values / 2
    # Index 0 also means that no update reaches the half.
    after = np.argmax(strengths >= halves, axis=0)
    before = np.maximum(after - 1, 0)
    low, high = (np.take_along_axis(strengths, at[np.newaxis], axis=0)[0] for at in (before, after))
    share = np.divide(halves - low, high - low, out=np.full(low.shape, np.nan), where=after > 0)
    return before + share
