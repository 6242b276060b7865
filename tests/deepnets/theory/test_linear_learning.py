import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepnets.networks import linear
from deepnets.theory import deep_mode, linear_learning

SINGULAR_VALUES = st.lists(st.floats(10, 200), min_size=1, max_size=4)
INITIAL = st.floats(-30, -3).map(lambda exponent: 10**exponent)


def test_modes_descend_as_separate_layers_of_any_depth():
    singular_values, rates = np.array([0.3, 0.2]), np.array([0.1, 1.0])
    two_layers = linear_learning.mode_strengths(singular_values, 0.05, 1.0, 30)
    for depth in (2, 4):
        layers = np.full((depth, 2, 2), 0.05 ** (1 / depth))
        for step, strengths in zip(range(31), deep_mode.descent(singular_values, 0.05, depth, rates), strict=False):
            product = np.prod(layers, axis=0)
            np.testing.assert_allclose(strengths, product, rtol=1e-12)
            if depth == 2:
                np.testing.assert_allclose(two_layers[step], product[1], rtol=1e-12)
            layers = layers + rates[:, np.newaxis] * (singular_values - product) * product / layers
    np.testing.assert_allclose(linear_learning.mode_strengths(singular_values, 0.05, 1.0, 300)[-1], singular_values)
    with np.errstate(over="ignore", invalid="ignore"):
        assert not np.isfinite(linear_learning.mode_strengths(np.array([100.0]), 1.0, 1.0, 100)[-1]).any()


def test_the_loss_of_modes_is_the_mean_squared_error_of_the_product():
    draw = np.random.default_rng(0).standard_normal
    left, right = (np.linalg.qr(draw((size, 3)))[0] for size in (5, 8))
    values, strengths = np.array([3.0, 2.0, 1.0]), draw((4, 3))
    errors = [np.mean((left @ np.diag(values - each) @ right.T) ** 2) for each in strengths]
    np.testing.assert_allclose(linear_learning.mode_loss(values, strengths, 40), errors, rtol=1e-12)


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
