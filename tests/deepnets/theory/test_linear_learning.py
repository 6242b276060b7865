import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepnets.networks import linear
from deepnets.theory import linear_learning

SINGULAR_VALUES = st.lists(st.floats(10, 200), min_size=1, max_size=4)
INITIAL = st.floats(-30, -3).map(lambda exponent: 10**exponent)


def orthonormal(generator, rows, columns):
    return np.linalg.qr(generator.standard_normal((rows, columns)))[0]


def draw_decoupled_net(generator, initial):
    """Return targets with known modes, and two balanced weight matrices with these modes at equal strength."""
    singular_values = np.array([9.0, 7.0, 4.0, 3.9, 2.0])
    items, features = orthonormal(generator, 5, 5), orthonormal(generator, 40, 5)
    hidden = orthonormal(generator, 12, 5)
    targets = items @ np.diag(singular_values) @ features.T
    return singular_values, targets, [np.sqrt(initial) * items @ hidden.T, np.sqrt(initial) * hidden @ features.T]


def test_gradient_descent_on_decoupled_modes_equals_the_map():
    singular_values, targets, weights = draw_decoupled_net(np.random.default_rng(0), 1e-4)
    rate, steps = 0.05, 100
    strengths = linear_learning.mode_strengths(singular_values, 1e-4, rate, steps)
    losses = linear_learning.mode_loss(singular_values, strengths, targets.size)
    for step in range(steps + 1):
        layers = linear.activations(np.eye(5), weights)
        np.testing.assert_allclose(
            np.linalg.svd(layers[-1], compute_uv=False), np.sort(strengths[step])[::-1], rtol=1e-9
        )
        assert np.mean((layers[-1] - targets) ** 2) == pytest.approx(losses[step], rel=1e-9, abs=1e-20)
        gradients = linear.sample_gradients(layers, weights, layers[-1] - targets)
        weights = [matrix - rate * gradient for matrix, gradient in zip(weights, gradients, strict=True)]
    np.testing.assert_allclose(strengths[-1], singular_values, rtol=1e-3)


@given(singular_values=SINGULAR_VALUES, initial=INITIAL, rate=st.floats(1e-4, 4e-3))
def test_the_half_time_formula_is_that_of_growth_without_saturation(singular_values, initial, rate):
    values = np.array(singular_values)
    times = linear_learning.half_time(values, initial, rate)
    np.testing.assert_allclose(initial * (1 + rate * values) ** (2 * times), values / 2, rtol=1e-9)


def test_the_initial_strength_is_the_mean_square_of_half_the_sum():
    generator = np.random.default_rng(0)
    deep_in, deep_out = 0.3 * generator.standard_normal((4000, 30)), 0.7 * generator.standard_normal((4000, 30))
    squares = np.sum(((deep_in + deep_out) / 2) ** 2, axis=1)
    expected = linear_learning.initial_mode_strength(30, 0.3**2, 0.7**2)
    assert np.mean(squares) == pytest.approx(expected, abs=4 * np.std(squares) / np.sqrt(len(squares)))


def test_too_high_a_rate_gives_strengths_that_are_not_finite():
    with np.errstate(over="ignore", invalid="ignore"):
        assert not np.isfinite(linear_learning.mode_strengths(np.array([100.0]), 1.0, 1.0, 100)[-1]).any()


def test_a_shallow_net_reduces_its_distance_by_a_constant_factor():
    generator = np.random.default_rng(0)
    targets, weights = generator.standard_normal((6, 9)), generator.standard_normal((6, 9))
    learning_rate, start = 5.0, weights
    factors = linear_learning.shallow_contraction(2 * learning_rate / targets.size, 50)
    assert len(factors) == 51
    for factor in factors:
        np.testing.assert_allclose(weights, targets + factor * (start - targets), rtol=1e-10, atol=1e-12)
        layers = linear.activations(np.eye(6), [weights])
        (gradient,) = linear.sample_gradients(layers, [weights], 2 * (layers[-1] - targets) / targets.size)
        weights = weights - learning_rate * gradient
