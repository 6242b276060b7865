"""Initialisations from known random numbers. Those of document 004 are tested in test_zero_initializers."""

import numpy as np
import pytest

from deepnets.networks.initialization.initializers import (
    fan_in_uniform,
    fan_sum_normal,
    initialize,
    orthogonal,
    row_normalized,
    xavier_normal,
    zeros,
)

NORMALS = np.random.default_rng(0).standard_normal((2, 3, 5))


def draw_known(shape):
    """Return the first of the fixed normals in this shape, in place of a random generator."""
    return NORMALS.ravel()[: np.prod(shape)].reshape(shape)


def test_normals_are_scaled_by_the_fans():
    # The variance of Glorot & Bengio is 2/(n_in + n_out), that of document 003, eq. 22, is half of it.
    np.testing.assert_allclose(xavier_normal(3, 5, draw_known), NORMALS[0] / 2, rtol=1e-15)
    np.testing.assert_allclose(fan_sum_normal(3, 5, draw_known), NORMALS[0] / np.sqrt(8), rtol=1e-15)
    assert xavier_normal(3, 5, lambda shape: draw_known(shape).astype(np.float32)).dtype == np.float32


def test_weights_into_an_output_have_norm_1():
    # Document 001 divides W (outputs, inputs) by the norms of its rows.
    drawn = draw_known((5, 3))
    expected = drawn / np.sqrt((drawn**2).sum(axis=1))[:, np.newaxis]
    np.testing.assert_allclose(row_normalized(3, 5, draw_known).T, expected, rtol=1e-15)


def test_the_direction_of_two_normals_is_uniform_within_the_bound():
    weights = fan_in_uniform(3, 5, draw_known)
    # The weight is proportional to an angle from −π to π whose tangent is the ratio of the two normals.
    np.testing.assert_allclose(np.tan(np.pi * np.sqrt(3) * weights), NORMALS[0] / NORMALS[1], rtol=1e-9)
    np.testing.assert_array_equal(np.sign(weights), np.sign(NORMALS[0]))
    assert np.abs(weights).max() < 1 / np.sqrt(3)


def test_a_net_is_initialised_layer_by_layer():
    stream = np.random.default_rng(1)
    first, second = initialize(fan_sum_normal, [4, 2, 3], np.random.default_rng(1).standard_normal)
    np.testing.assert_array_equal(first, stream.standard_normal((4, 2)) / np.sqrt(6))
    np.testing.assert_array_equal(second, stream.standard_normal((2, 3)) / np.sqrt(5))


def test_zero_initialisation_draws_no_random_numbers():
    assert zeros(3, 5, pytest.fail).tolist() == [[0] * 5] * 3


def test_orthogonal_columns_or_rows_equal_those_of_gram_and_schmidt():
    wide, tall = orthogonal(3, 5, draw_known), orthogonal(5, 3, draw_known)
    np.testing.assert_allclose(tall.T @ tall, np.eye(3), atol=1e-14)
    np.testing.assert_array_equal(wide, tall.T)
    # Only with the signs of the normals is the law uniform: the first column is the normalised first draw.
    columns = draw_known((5, 3))
    np.testing.assert_allclose(tall[:, 0], columns[:, 0] / np.linalg.norm(columns[:, 0]))
    assert np.all(np.sum(tall * columns, axis=0) > 0)
