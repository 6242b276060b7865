"""The task of document 000: find the slice of the plane that contains an input."""

import numpy as np


def slice_labels(inputs: np.ndarray, classes: int) -> np.ndarray:
    """Return the number, 0 … classes − 1, of the angular slice that contains each input's first two coordinates.

    inputs: shape (samples, d), d ≥ 2

    The angle of (x₀, x₁) is measured from the x₁ axis (document 000, "Code to generate data").
    """
    dtype = inputs.dtype.type
    turns = (np.arctan2(inputs[:, 0], inputs[:, 1]) / dtype(np.pi) + 1) / 2
    # Without the minimum, the angle π would get the number `classes`.
    return np.minimum((turns * classes).astype(np.int64), classes - 1)
