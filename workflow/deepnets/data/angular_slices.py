"""The task of document 000: in which slice of the plane an input lies."""

import numpy as np


def slice_labels(inputs: np.ndarray, classes: int) -> np.ndarray:
    """Return the angular slice, 0 … classes − 1, in which the first two coordinates of each input lie.

    inputs: (samples, d), d ≥ 2. Document 000, "Code to generate data": the angle of (x₀, x₁) from the x₁ axis.
    """
    dtype = inputs.dtype.type
    turns = (np.arctan2(inputs[:, 0], inputs[:, 1]) / dtype(np.pi) + 1) / 2
    # The angle π itself would be a slice of its own.
    return np.minimum((turns * classes).astype(np.int64), classes - 1)
