import numpy as np

from deepnets.networks.half_times import half_times


def test_half_times_are_interpolated_linearly_between_updates():
    # The singular values are 4 and 10, so the halves are 2 and 5.
    strengths = np.array([[[0, 0], [1.9, 5]], [[1, 4], [2, 9]], [[3, 8], [2, 0]], [[1, 9], [9, 9]]], dtype=float)
    # The second mode of the second net starts at its half, so it has none, though it falls and grows again.
    np.testing.assert_allclose(half_times(strengths, np.array([4, 10])), [[1.5, 1.25], [1, np.nan]])
    # A mode that starts above its half, or never reaches it, has no half time.
    strengths = np.array([[3.0, 0.0, 0.0], [1.0, 1.0, 0.0], [3.0, 1.9, 2.0]])
    np.testing.assert_array_equal(half_times(strengths, np.full(3, 4.0)), [np.nan, np.nan, 2])
    # This run recorded only its start.
    assert np.isnan(half_times(strengths[:1], np.full(3, 4.0))).all()
