from functools import partial

import numpy as np
import pytest
from scipy.stats import norm

from deepnets.theory import tanh_variance

VARIANCES = [0.0, 1e-4, 0.3, 1.0, 4.0, 25.0]


# The mean of a function of a standard normal.
mean = partial(norm.expect, lb=-40, ub=40, points=[-1, 0, 1], limit=500, epsabs=1e-13)


@pytest.mark.parametrize("variance", VARIANCES)
def test_the_map_equals_the_integral(variance):
    expected = 1.3**2 * mean(lambda z: np.tanh(np.sqrt(variance) * z) ** 2)
    assert tanh_variance.next_variance(variance, 1.3) == pytest.approx(expected, rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("variance", VARIANCES)
def test_mean_slopes_equal_their_integrals(variance):
    def slope(z):
        return 1 / np.cosh(np.sqrt(variance) * z) ** 2

    logs, squares = mean(lambda z: np.log(slope(z))), mean(lambda z: slope(z) ** 2)
    assert tanh_variance.mean_log_slope(variance) == pytest.approx(logs, rel=1e-8, abs=1e-14)
    assert tanh_variance.mean_square_slope(variance) == pytest.approx(squares, rel=1e-8)


def test_the_map_is_iterated_for_each_variance_and_each_gain():
    found = tanh_variance.variances(np.array([[2.0] * 3, [0.1] * 3]), np.array([0.9, 1.5, 1.7]), 3)
    assert found.shape == (4, 2, 3)
    expected = 0.1
    for layer in range(4):
        assert found[layer, 1, 1] == pytest.approx(expected, rel=1e-14)
        expected = float(tanh_variance.next_variance(expected, 1.5))


def test_the_fixed_point_is_zero_up_to_a_gain_of_one_and_the_positive_root_above():
    gains = np.array([1.01, 1.3, 2.0, 6.0])
    found = tanh_variance.fixed_point(gains)
    np.testing.assert_allclose(tanh_variance.next_variance(found, gains), found, rtol=1e-12)
    assert np.all(found > (gains - 1) / 2)
    np.testing.assert_array_equal(tanh_variance.fixed_point(np.array([0.1, 0.99, 1.0])), 0)
    np.testing.assert_array_equal(tanh_variance.fixed_point_near_one(np.array([0.1, 1.0])), 0)


def test_the_expansion_has_an_error_of_third_order():
    excess = np.array([0.02, 0.01, 0.005])
    missed = tanh_variance.fixed_point(1 + excess) - tanh_variance.fixed_point_near_one(1 + excess)
    # Half of g − 1 gives an eighth of the error.
    np.testing.assert_allclose(missed[:-1] / missed[1:], 8, rtol=0.05)
