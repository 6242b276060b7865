"""Initialisations from known draws; test_zero_initializers tests those of document 004."""

import numpy as np
import pytest

from workflow.deepnets.networks.initialization.initializers import (
    fan_in_uniform,
    fan_sum_normal,
    initialize,
    orthogonal,
    row_normalized,
    xavier_normal,
    zeros,
)

NORMALS = np.random.default_rng(0).standard_normal((2, 3, 5))


def known(shape):
    """Return the draws for every initialisation of 3 inputs and 5 outputs."""
    return NORMALS.ravel()[: np.prod(shape)].reshape(shape)


def test_normals_are_scaled_by_the_fans():
    # Glorot & Bengio have variance 2/(n_in + n_out); document 003, eq. 22, has half of it.
    np.testing.assert_allclose(xavier_normal(3, 5, known), NORMALS[0] / 2, rtol=1e-15)
    np.testing.assert_allclose(fan_sum_normal(3, 5, known), NORMALS[0] / np.sqrt(8), rtol=1e-15)
    assert xavier_normal(3, 5, lambda shape: known(shape).astype(np.float32)).dtype == np.float32


def test_rows_of_norm_1_are_weights_into_an_output():
    # Document 001 divides W (outputs, inputs) by the norms of its rows.
    drawn = known((5, 3))
    expected = drawn / np.sqrt((drawn**2).sum(axis=1))[:, np.newaxis]
    np.testing.assert_allclose(row_normalized(3, 5, known).T, expected, rtol=1e-15)


def test_the_direction_of_two_normals_is_uniform_within_the_bound():
    weights = fan_in_uniform(3, 5, known)
    # The weight is an angle from −π to π as a share of π; its tangent is the ratio of the two normals.
    np.testing.assert_allclose(np.tan(np.pi * np.sqrt(3) * weights), NORMALS[0] / NORMALS[1], rtol=1e-9)
    np.testing.assert_array_equal(np.sign(weights), np.sign(NORMALS[0]))
    assert np.abs(weights).max() < 1 / np.sqrt(3)


def test_a_net_is_initialised_layer_by_layer():
    stream = np.random.default_rng(1)
    first, second = initialize(fan_sum_normal, [4, 2, 3], np.random.default_rng(1).standard_normal)
    np.testing.assert_array_equal(first, stream.standard_normal((4, 2)) / np.sqrt(6))
    np.testing.assert_array_equal(second, stream.standard_normal((2, 3)) / np.sqrt(5))


def test_zeros_draw_nothing():
    assert zeros(3, 5, pytest.fail).tolist() == [[0] * 5] * 3


def test_orthogonal_columns_or_rows_are_those_of_gram_and_schmidt():
    wide, tall = orthogonal(3, 5, known), orthogonal(5, 3, known)
    np.testing.assert_allclose(tall.T @ tall, np.eye(3), atol=1e-14)
    np.testing.assert_array_equal(wide, tall.T)
    # A uniform law keeps the signs of the draws: the first column is the normalised first draw.
    columns = known((5, 3))
    np.testing.assert_allclose(tall[:, 0], columns[:, 0] / np.linalg.norm(columns[:, 0]))
    assert np.all(np.sum(tall * columns, axis=0) > 0)
