"""The task of document 000: the slice of the plane that contains an input."""

import numpy as np


def slice_labels(inputs: np.ndarray, classes: int) -> np.ndarray:
    """Return the angular slice, 0 … classes − 1, that contains the first two coordinates of each input.

    inputs: (samples, d), d ≥ 2

    Document 000, "Code to generate data": the angle of (x₀, x₁) from the x₁ axis.
    """
    dtype = inputs.dtype.type
    turns = (np.arctan2(inputs[:, 0], inputs[:, 1]) / dtype(np.pi) + 1) / 2
    # Without the minimum, the angle π would be a slice of its own.
    return np.minimum((turns * classes).astype(np.int64), classes - 1)
