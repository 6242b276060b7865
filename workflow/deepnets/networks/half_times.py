"""When the modes of a net are learned."""

import numpy as np


def half_times(strengths: np.ndarray, singular_values: np.ndarray) -> np.ndarray:
    """Return when each mode first reaches half its singular value (updates), between updates by a straight line.

    strengths: after 0, 1, … updates, (updates + 1, …, modes); returns (…, modes). NaN for a mode that starts beyond the
    half, and for one that does not get there.
    """
    halves = singular_values / 2
    # The first update that is there; 0 as well where there is none.
    after = np.argmax(strengths >= halves, axis=0)
    before = np.maximum(after - 1, 0)
    low, high = (np.take_along_axis(strengths, at[np.newaxis], axis=0)[0] for at in (before, after))
    share = np.divide(halves - low, high - low, out=np.full(low.shape, np.nan), where=after > 0)
    return before + share
