from itertools import islice

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from deepnets.theory import deep_mode

DEPTHS = [2, 3, 4, 9, 99]


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(("start", "end"), [(1e-3, 0.29), (1e-10, 0.3 * (1 - 1e-10)), (0.1, 0.02), (0.1, 0.1)])
def test_time_is_the_integral_of_the_inverse_speed(depth, start, end):
    # Integrate over the logarithm of u at small u, over that of s − u near s.
    cut = np.clip(0.15, *sorted((start, end)))
    below, above = (
        quad(integrand, *np.log(limits), epsabs=0, epsrel=1e-9, limit=200)[0]
        for integrand, limits in (
            (lambda x: np.exp(x) ** (2 / depth - 1) / (0.3 - np.exp(x)), (start, cut)),
            (lambda x: (0.3 - np.exp(x)) ** (2 / depth - 2), (0.3 - end, 0.3 - cut)),
        )
    )
    assert deep_mode.time_integral(0.3, start, end, depth) == pytest.approx(below + above, rel=2e-8)


@pytest.mark.parametrize("depth", DEPTHS)
def test_speed_and_time_equal_those_of_a_balanced_net_of_scalar_layers(depth):
    # Each of the m scalar layers of eq. 13 descends separately: τ da_l/dt = (s − Π a) Π_{k ≠ l} a_k.
    def layers(_, strengths):
        return (0.3 - np.prod(strengths)) * np.prod(strengths) / strengths

    time = deep_mode.time_integral(0.3, 0.01, 0.25, depth) / depth
    solution = solve_ivp(layers, (0, time), np.full(depth, 0.01 ** (1 / depth)), rtol=1e-10, atol=1e-14)
    assert np.prod(solution.y[:, -1]) == pytest.approx(0.25, rel=1e-6)
    start = np.full(depth, 0.2 ** (1 / depth))
    # The speed of u follows from d ln u = Σ d ln a.
    assert deep_mode.speed(0.2, 0.3, depth) == pytest.approx(0.2 * np.sum(layers(0, start) / start), rel=1e-12)


def test_infinite_depth_is_equation_17_and_the_limit_of_deep_nets():
    s, u0, uf = np.array([0.3, 2.0]), 1e-3, np.array([0.15, 1.999])
    limit = deep_mode.infinite_depth_integral(s, u0, uf)
    np.testing.assert_allclose(deep_mode.time_integral(s, u0, uf, np.inf), limit, rtol=1e-12)
    np.testing.assert_allclose(deep_mode.time_integral(s, u0, uf, 1e7), limit, rtol=1e-5)
    expected = [
        quad(lambda u, s=s: 1 / (u**2 * (s - u)), 1e-3, end, limit=200)[0] for s, end in zip(s, uf, strict=True)
    ]
    np.testing.assert_allclose(limit, expected, rtol=1e-7)


@pytest.mark.parametrize("depth", [2, 5, np.inf])
def test_strength_after_is_the_inverse_of_time(depth):
    s, ends = np.array([0.2, 0.3]), np.array([[0.002, 0.003], [0.199, 0.15]])
    integrals = deep_mode.time_integral(s, 0.001, ends, depth)
    np.testing.assert_allclose(deep_mode.strength_after(integrals, s, 0.001, depth), ends, rtol=1e-10)


@pytest.mark.parametrize("depth", [2, 9])
def test_the_learning_integral_ends_at_the_given_share_of_the_error(depth):
    s = np.array([0.3, 0.25, 0.15])
    integral = deep_mode.learning_integral(s, 1e-3, depth, 0.2)

    def modes(_, u):
        return deep_mode.speed(u, s, depth)

    end = solve_ivp(modes, (0, integral / depth), np.full(3, 1e-3), rtol=1e-10, atol=1e-14).y[:, -1]
    assert np.sum((s - end) ** 2) == pytest.approx(0.2 * np.sum(s**2), rel=1e-6)
    assert deep_mode.learning_integral(s[:1], 1e-3, depth, 0.25) == pytest.approx(
        deep_mode.time_integral(0.3, 1e-3, 0.15, depth), rel=1e-9
    )


@pytest.mark.parametrize("depth", [2, 3, 6])
def test_sharpness_is_the_largest_eigenvalue_of_the_hessian_at_the_optimum(depth):
    optimum = np.full(depth, 0.3 ** (1 / depth))

    def gradient(layers):
        return -(0.3 - np.prod(layers)) * np.prod(layers) / layers

    hessian = [(gradient(optimum + step) - gradient(optimum - step)) / 2e-6 for step in 1e-6 * np.eye(depth)]
    assert deep_mode.sharpness(0.3, depth) == pytest.approx(np.linalg.eigvalsh(hessian)[-1], rel=1e-6)
    assert deep_mode.optimal_rate(0.3, depth) * deep_mode.sharpness(0.3, depth) == pytest.approx(1.9)


def test_descent_equals_that_of_separate_layers():
    singular_values, rates = np.array([0.3, 0.2]), np.array([0.1, 1.0])
    layers = np.full((4, 2, 2), 0.05**0.25)
    for strengths in islice(deep_mode.descent(singular_values, 0.05, 4, rates), 30):
        product = np.prod(layers, axis=0)
        np.testing.assert_allclose(strengths, product, rtol=1e-12)
        layers = layers + rates[:, np.newaxis] * (singular_values - product) * product / layers
