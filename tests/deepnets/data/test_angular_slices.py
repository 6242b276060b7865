import numpy as np
import pytest

from deepnets.data.angular_slices import harmonic_frame, slice_labels


def test_a_label_counts_slices_from_the_negative_x1_axis_over_x0():
    # Document 000 takes the angle of (x₀, x₁) from the x₁ axis and four slices of a quarter turn. Two more features
    # have no effect.
    inputs = np.array([[-1, -2], [-2, 1], [1, 2], [2, -1], [-1, 1], [0.1, -9]]) * 3.0
    confused = np.hstack([inputs, [[5, -5]] * 6])
    assert slice_labels(confused, 4).tolist() == [0, 1, 2, 3, 1, 3]
    assert slice_labels(confused.astype(np.float32), 2).tolist() == [0, 0, 1, 1, 0, 1]


def test_the_angle_pi_belongs_to_the_last_slice():
    assert slice_labels(np.array([[0.0, -1.0], [-0.0, -1.0]]), 10).tolist() == [9, 0]


def test_the_printed_code_has_a_class_beyond_the_last_near_the_angle_pi():
    # An erratum of document 000: for this point, its line, in float32, gives 10 instead of 9.
    x, y = np.array([2e-8, -1], np.float32)
    assert int((np.arctan2(x, y) / np.float32(np.pi) + 1) / 2 * 10) == 10
    assert slice_labels(np.array([[x, y]]), 10) == [9]


@pytest.mark.parametrize("classes", [10, 7])
def test_a_harmonic_frame_has_orthonormal_rows_and_equal_columns_and_begins_with_the_slices(classes):
    inputs = np.random.default_rng(0).standard_normal((1000, classes))
    slices = (inputs[:, :2] @ harmonic_frame(classes, 2)).argmax(axis=1)
    assert np.array_equal(slices, slice_labels(inputs, classes))
    for rank in [*range(2, classes, 2), classes]:
        frame = harmonic_frame(classes, rank)
        assert np.allclose(frame @ frame.T, np.eye(rank))
        assert np.allclose(np.linalg.norm(frame, axis=0) ** 2, rank / classes)
