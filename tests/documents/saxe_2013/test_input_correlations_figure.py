"""The figure of correlations of inputs, drawn from matrices of known numbers."""

import numpy as np
import pandas as pd
import pytest

import evidence
from deepnets.documents.saxe_2013.figures.input_correlations import consistency_of_inputs

pytestmark = pytest.mark.usefixtures("off_screen")


def test_matrices_are_divided_by_their_diagonal_and_their_size_off_it_is_printed():
    axes = {"depth": 1, "init": "none", "seed": 0}
    pixels = np.array([[4.0, 0.0], [0.0, 1.0]])
    modes = np.array([[4.0, 0.4, -0.8], [0.4, 1.0, 0.0], [-0.8, 0.0, 1.0]])
    table = pd.concat(
        [
            evidence.rows("pixel_correlation", pixels.ravel(), **axes),
            evidence.rows("mode_correlation", modes.ravel(), **axes),
        ]
    )
    left, right, _ = consistency_of_inputs(table).axes
    np.testing.assert_allclose(left.images[0].get_array(), np.eye(2))
    np.testing.assert_allclose(right.images[0].get_array(), [[1, 0.2, -0.4], [0.2, 1, 0], [-0.4, 0, 1]])
    # The root mean square is √((0.2² + 0.4²)/3); the mean size would be 0.2.
    assert right.get_xlabel() == "mode\nrms 0.26, max 0.40"
