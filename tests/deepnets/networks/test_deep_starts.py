from itertools import islice

import numpy as np
import pytest

from deepnets.networks.initialization.decoupled import decoupled
from deepnets.networks.initialization.greedy_pretraining import pretrain_greedily
from deepnets.networks.initialization.initializers import orthogonal
from deepnets.networks.linear import covariance_gradients, product
from deepnets.theory import deep_mode


def draw_task(generator, singular_values, n_in, n_out):
    inputs, outputs = (orthogonal(size, len(singular_values), generator.standard_normal) for size in (n_in, n_out))
    return inputs * singular_values @ outputs.T


@pytest.mark.parametrize("depth", [2, 3, 9])
def test_a_decoupled_net_follows_the_map_of_its_modes_to_round_off(depth):
    generator, singular_values = np.random.default_rng(0), np.linspace(0.3, 0.15, 9)
    task = draw_task(generator, singular_values, 100, 10)
    weights = decoupled(task, [100] * depth + [10], 0.01, generator.standard_normal)
    rate = deep_mode.optimal_rate(0.3, depth)
    inputs, _, outputs = np.linalg.svd(task, full_matrices=False)
    for strengths in islice(deep_mode.descent(singular_values, 0.01, depth, [rate]), 40):
        modes = inputs.T @ product(weights) @ outputs.T
        np.testing.assert_allclose(np.diag(modes)[:9], strengths[0], atol=1e-14)
        np.testing.assert_allclose(modes - np.diag(np.diag(modes)), 0, atol=1e-14)
        gradients = covariance_gradients(weights, np.eye(100), task)
        weights = [matrix - rate * gradient for matrix, gradient in zip(weights, gradients, strict=True)]
    assert np.abs(strengths[0] - singular_values).max() < 0.15


def test_decoupled_modes_start_equal_and_are_as_many_as_those_of_the_task():
    generator = np.random.default_rng(0)
    task = draw_task(generator, [3.0, 2.0], 8, 5)
    weights = decoupled(task, [8, 7, 6, 5], 1e-3, generator.standard_normal)
    values = np.linalg.svd(product(weights), compute_uv=False)
    np.testing.assert_allclose(values, [1e-3, 1e-3, 0, 0, 0], atol=1e-16)
    for matrix in weights:
        np.testing.assert_allclose(np.linalg.svd(matrix, compute_uv=False)[:3], [0.1, 0.1, 0], atol=1e-15)


@pytest.mark.parametrize("sizes", [[8, 8, 8, 3], [8, 5, 5, 3], [8, 12, 12, 10], [6, 9, 4, 7]])
def test_pretraining_equals_gradient_descent_of_autoencoders_on_samples(sizes):
    # The inputs are white, encoder and decoder have separate gradients, and layers are trained one after the other.
    generator = np.random.default_rng(3)
    inputs = np.sqrt(40) * orthogonal(40, sizes[0], generator.standard_normal)
    weights, updates = pretrain_greedily(sizes, 0.05, 0.4, 500, np.random.default_rng(5).standard_normal)
    assert len(weights) == len(updates) == len(sizes) - 1
    draw, reached, layer = np.random.default_rng(5).standard_normal, np.eye(sizes[0]), inputs
    for matrix, size, count in zip(weights, sizes[1:], updates, strict=True):
        encoder = reached @ (0.05 * draw((reached.shape[1], size)))
        decoder = encoder.T.copy()
        for _ in range(count):
            errors = layer - layer @ encoder @ decoder
            step = layer.T @ errors @ decoder.T / 40, encoder.T @ layer.T @ errors / 40
            encoder, decoder = encoder + 0.4 * step[0], decoder + 0.4 * step[1]
        np.testing.assert_allclose(matrix, encoder, atol=1e-9)
        layer = layer @ encoder
        # These are the directions of the next layer's inputs.
        reached = (reached.T @ encoder).T if size > reached.shape[1] else np.eye(size)
    assert all(count > 10 for count in updates)


def test_pretraining_ends_in_random_orthogonal_layers():
    weights, updates = pretrain_greedily([20, 20, 20, 4], 0.01, 0.5, 500, np.random.default_rng(0).standard_normal)
    for matrix in weights:
        np.testing.assert_allclose(matrix.T @ matrix, np.eye(matrix.shape[1]), atol=1e-12)
    # A weak direction grows by half per update: it needs at least ln(1 / 0.001) / ln 1.5 updates.
    assert all(10 < count < 60 for count in updates)
