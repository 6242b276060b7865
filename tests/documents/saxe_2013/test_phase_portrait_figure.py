"""The figure after Saxe et al. 2013, Fig. 2, drawn from a table of known numbers."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import evidence
from deepnets.documents.saxe_2013.figures.phase_portrait import phase_portrait

pytestmark = pytest.mark.usefixtures("off_screen")

FIRST = {0: [0.5, -1.0], 100: [1.0, -1.5], 200: [2.0, -2.0]}
SECOND = {0: [0.1, -0.2], 100: [1.5, -0.5], 200: [2.0, -1.9]}


rows = partial(evidence.rows, depth=2, init="given", seed=0)


def table(seed=0):
    parts = [
        rows("singular_value", 4, seed=seed),
        rows("half_time", [100, 50], seed=seed),
        rows("theory_half_time", [98, 50], seed=seed),
    ]
    for step in FIRST:
        parts.append(rows("first_layer", FIRST[step], step=step, seed=seed))
        parts.append(rows("second_layer", SECOND[step], step=step, seed=seed))
        # At the end, theory of the second run differs by (0.03, 0.04).
        off = np.array([0, 1]) * (step == 200)
        parts.append(rows("theory_first_layer", FIRST[step] - 0.03 * off, step=step, seed=seed))
        parts.append(rows("theory_second_layer", SECOND[step] + 0.04 * off, step=step, seed=seed))
    return pd.concat(parts)


def test_arrows_point_down_the_gradient():
    (axis,) = phase_portrait(table()).axes
    (arrows,) = (artist for artist in axis.collections if hasattr(artist, "U"))
    for x, y, u, v in zip(arrows.X, arrows.Y, arrows.U, arrows.V, strict=True):
        slope = np.array([y, x]) * (4 - x * y)
        if np.linalg.norm(slope) > 1e-6:
            np.testing.assert_allclose([u, v], slope / np.linalg.norm(slope), atol=1e-9)
