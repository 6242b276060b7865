import numpy as np
import pytest

from deepnets.theory import deep_mode, linear_learning


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


def test_the_initial_strength_is_the_mean_square_of_half_the_sum():
    generator = np.random.default_rng(0)
    deep_in, deep_out = 0.3 * generator.standard_normal((4000, 30)), 0.7 * generator.standard_normal((4000, 30))
    squares = np.sum(((deep_in + deep_out) / 2) ** 2, axis=1)
    expected = linear_learning.initial_mode_strength(30, 0.3**2, 0.7**2)
    assert np.mean(squares) == pytest.approx(expected, abs=4 * np.std(squares) / np.sqrt(len(squares)))
