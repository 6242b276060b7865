import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import FEW
from deepnets.networks import linear
from deepnets.theory import linear_learning
from small_runs import interpolate_crossing

SINGULAR_VALUES = st.lists(st.floats(10, 200), min_size=1, max_size=4)
INITIAL = st.floats(-30, -3).map(lambda exponent: 10**exponent)
# With these rates λ s is below 1 for the largest singular value, so the map is stable.
RATES = st.floats(1e-4, 4e-3)


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


@given(singular_values=SINGULAR_VALUES, initial=INITIAL, rate=RATES)
def test_the_half_time_formula_is_that_of_growth_without_saturation(singular_values, initial, rate):
    values = np.array(singular_values)
    times = linear_learning.half_time(values, initial, rate)
    np.testing.assert_allclose(initial * (1 + rate * values) ** (2 * times), values / 2, rtol=1e-9)


@given(singular_value=st.floats(10, 200), initial=INITIAL, rate=RATES)
@settings(max_examples=FEW)
def test_the_half_time_of_the_map_exceeds_the_formula_by_less_than_one_doubling(singular_value, initial, rate):
    values = np.array([singular_value])
    (formula,) = linear_learning.half_time(values, initial, rate)
    slower = np.log(2) / (2 * np.log1p(rate * singular_value))
    strengths = linear_learning.mode_strengths(values, initial, rate, int(formula + slower) + 3)[:, 0]
    # The growth is convex, so linear interpolation is early, by less than one update.
    assert formula - 1 < interpolate_crossing(strengths, singular_value / 2) < formula + slower + 1


def test_the_half_time_of_small_steps_equals_that_of_saxe_et_al():
    # For λ s → 0, eq. 11 gives t = ln((s − u₀)/u₀) / (2 s λ).
    singular_value, initial, rate = 5.0, 1e-6, 1e-5
    steps = int(1.1 * np.log(singular_value / initial) / (2 * singular_value * rate))
    strengths = linear_learning.mode_strengths(np.array([singular_value]), initial, rate, steps)[:, 0]
    expected = np.log((singular_value - initial) / initial) / (2 * singular_value * rate)
    # The relative size of the first correction is λ s / 2 = 2.5e-5.
    assert interpolate_crossing(strengths, singular_value / 2) == pytest.approx(expected, rel=5e-5)


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
