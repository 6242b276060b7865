import numpy as np

from workflow.deepnets.networks.half_times import half_times


def test_half_times_lie_on_a_straight_line_between_updates():
    # With singular values 4 and 10 the halves are 2 and 5.
    strengths = np.array([[[0, 0], [1.9, 5]], [[1, 4], [2, 9]], [[3, 8], [2, 0]], [[1, 9], [9, 9]]], dtype=float)
    # The second mode of the second net starts at its half; a mode that falls below and returns counts once.
    np.testing.assert_allclose(half_times(strengths, np.array([4, 10])), [[1.5, 1.25], [1, np.nan]])


def test_modes_that_begin_beyond_or_never_get_there_have_none():
    strengths = np.array([[3.0, 0.0, 0.0], [1.0, 1.0, 0.0], [3.0, 1.9, 2.0]])
    np.testing.assert_array_equal(half_times(strengths, np.full(3, 4.0)), [np.nan, np.nan, 2])
    # This run stopped at once.
    assert np.isnan(half_times(strengths[:1], np.full(3, 4.0))).all()
