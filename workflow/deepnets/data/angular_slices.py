"""The task of document 000: find the slice of the plane that contains an input, and tasks that need more features."""

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


def harmonic_frame(classes: int, rank: int) -> np.ndarray:
    """Return a matrix (rank, classes) with orthonormal rows, whose largest output is a class.

    rank: 2 … classes

    Rows are harmonics at the middles of the document's slices. At rank 2, classes are these slices; at full rank, the
    matrix is orthogonal. If the rank is even or full, all columns have the same norm, so that each class occurs.
    """
    angles = 2 * np.pi * (np.arange(classes) + 0.5) / classes - np.pi
    waves = [wave(order * angles) for order in range(1, classes // 2 + 1) for wave in (np.sin, np.cos)]
    harmonics = np.stack([*waves[: classes - 1], np.ones(classes)])[:rank]
    return harmonics / np.linalg.norm(harmonics, axis=1, keepdims=True)
