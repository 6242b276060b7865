import numpy as np
import pytest

from deepnets.theory.nuclear_norm import least_nuclear_norm


@pytest.mark.parametrize(
    ("corner", "across", "down", "missing"),
    # ‖X‖² = a² + b² + c² + x² + 2|ax − bc| is least at x = bc/a, where the rank is 1, if |bc| ≤ a², else at ±a.
    [(2, 1, 1, 0.5), (2, -1, 1, -0.5), (1, 2, 3, 1), (1, -2, 3, -1), (-3, 1, 2, -2 / 3)],
)
def test_the_missing_entry_of_two_rows_and_columns_has_a_closed_form(corner, across, down, missing):
    matrix = np.array([[corner, across], [down, 77.0]])
    found, gap = least_nuclear_norm(matrix, np.array([[1, 1], [1, 0]]), gap=1e-9)
    assert found[1, 1] == pytest.approx(missing, abs=1e-3)
    least = np.linalg.norm([[corner, across], [down, missing]], "nuc")
    assert least * (1 - 1e-12) <= np.linalg.norm(found, "nuc") <= least * (1 + 1e-9)
    assert gap <= 1e-9


def test_the_gap_bounds_the_distance_from_the_least_norm_after_any_iteration():
    draw = np.random.default_rng(0)
    matrix = draw.standard_normal((8, 2)) @ draw.standard_normal((2, 6))
    observed = draw.random((8, 6)) < 0.6
    least, _ = least_nuclear_norm(matrix, observed, gap=1e-10)
    least = np.linalg.norm(least, "nuc")
    for iterations in (1, 3, 10, 30):
        found, gap = least_nuclear_norm(matrix, observed, gap=0, most_iterations=iterations)
        np.testing.assert_array_equal(found[observed], matrix[observed])
        assert least * (1 - 1e-9) <= np.linalg.norm(found, "nuc") <= least / (1 - gap) * (1 + 1e-9)


def test_entries_of_0_are_completed_by_0():
    found, gap = least_nuclear_norm(np.zeros((3, 3)), np.eye(3), gap=0.1)
    assert (found.tolist(), gap) == (np.zeros((3, 3)).tolist(), 0)


def test_an_iteration_lowers_singular_values_by_a_share_of_the_largest():
    draw = np.random.default_rng(2)
    matrix, observed = 10 * draw.standard_normal((8, 6)), draw.random((8, 6)) < 0.6
    left, values, right = np.linalg.svd(np.where(observed, matrix, 0), full_matrices=False)
    lowered = left * np.maximum(values - 0.3 * values[0], 0) @ right
    found, _ = least_nuclear_norm(matrix, observed, gap=0, most_iterations=1)
    np.testing.assert_allclose(found, np.where(observed, matrix, lowered), rtol=1e-12)
