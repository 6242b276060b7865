import math

import numpy as np
import pytest
from scipy import integrate, special

from deepnets.theory import random_products

FACTORS = [1, 2, 5, 20, 100]


def integrate_law(function, factors, end=np.inf):
    """Integrate a function of ln σ, weighted by the law's density, up to `end`."""
    edge = np.log(random_products.singular_value_edge(factors))
    # The substitution ln σ = edge − t² removes the square root of the density at its edge.
    roots = np.linspace(np.sqrt(max(edge - end, 0)), np.sqrt(40 * factors + 40), 20_001)
    logs = edge - roots**2
    return integrate.simpson(
        function(logs) * random_products.log_singular_value_density(logs, factors) * 2 * roots, x=roots
    )


@pytest.mark.parametrize("factors", FACTORS)
@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_moments_of_the_square_are_fuss_catalan_numbers(factors, order):
    expected = math.comb(factors * order + order, order) / (factors * order + 1)
    assert integrate_law(lambda logs: np.exp(2 * order * logs), factors) == pytest.approx(expected, rel=1e-7)
    # The mean logarithm is −½ for each factor.
    assert integrate_law(lambda logs: logs, factors) == pytest.approx(-factors / 2, rel=1e-7)


@pytest.mark.parametrize("factors", FACTORS)
def test_shares_equal_the_integral_of_the_density(factors):
    logs = np.array([-factors, -2.0, 0.0, 0.4])
    expected = [integrate_law(np.ones_like, factors, end) for end in logs]
    np.testing.assert_allclose(random_products.log_singular_value_shares(logs, factors), expected, atol=1e-8)


@pytest.mark.parametrize("factors", FACTORS)
def test_all_values_lie_between_zero_and_the_edge(factors):
    edge = np.log(random_products.singular_value_edge(factors))
    # The square of the edge is the growth rate of the moments, (M + 1)^{M+1}/M^M.
    assert np.exp(2 * edge) == pytest.approx((factors + 1) * (1 + 1 / factors) ** factors)
    around = edge + np.array([-1e-3, 1e-9, 1.0])
    density = random_products.log_singular_value_density(around, factors)
    assert density[0] > 0.01 / factors
    np.testing.assert_array_equal(density[1:], 0)
    shares = random_products.log_singular_value_shares(around, factors)
    assert 0.99 < shares[0] < 1
    np.testing.assert_array_equal(shares[1:], 1)
    far_below = np.array([-800.0 * factors, -np.inf])
    np.testing.assert_allclose(random_products.log_singular_value_shares(far_below, factors), 0, atol=1e-15)


@pytest.mark.parametrize("factors", [1, 5, 100])
def test_the_share_in_a_square_equals_the_integral_of_the_density(factors):
    # The density in the plane is r^{2/M − 2}/(πM). SciPy integrates the part of the square outside its inner disc.
    half, power = 0.05, 2 / factors
    corner = integrate.dblquad(
        lambda y, x: (x * x + y * y) ** (power / 2 - 1) / (np.pi * factors),
        0,
        half,
        lambda x: np.sqrt(half**2 - x**2),
        half,
        epsabs=1e-12,
    )[0]
    expected = half**power + 4 * corner
    assert random_products.eigenvalue_share_in_square(half, factors) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("size", [1, 2, 3, 10, 501])
def test_the_mean_logarithm_of_finite_products_equals_that_of_scipy(size):
    digamma = special.digamma(np.arange(1, size + 1) / 2)
    expected = (np.log(2 / size) + digamma.mean()) / 2
    means = random_products.mean_log_singular_value(size, np.array([0, 1, 7]))
    np.testing.assert_allclose(means, [0, expected, 7 * expected], rtol=1e-12)
