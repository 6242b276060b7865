import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import hadamard

from deepnets.networks.initialization.initializers import (
    fan_in_uniform,
    fan_sum_normal,
    kaiming_normal,
    one,
    orthogonal,
    partial_identity,
    spray,
    xavier_normal,
    zero,
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
    np.testing.assert_allclose(kaiming_normal(3, 5, draw_known), NORMALS[0] * np.sqrt(2 / 3), rtol=1e-15)
    assert xavier_normal(3, 5, lambda shape: draw_known(shape).astype(np.float32)).dtype == np.float32


def test_the_direction_of_two_normals_is_uniform_within_the_bound():
    weights = fan_in_uniform(3, 5, draw_known)
    # The weight is proportional to an angle from −π to π whose tangent is the ratio of the two normals.
    np.testing.assert_allclose(np.tan(np.pi * np.sqrt(3) * weights), NORMALS[0] / NORMALS[1], rtol=1e-9)
    np.testing.assert_array_equal(np.sign(weights), np.sign(NORMALS[0]))
    assert np.abs(weights).max() < 1 / np.sqrt(3)


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


# Document 004

SIZES = st.integers(2, 40)


def draw(seed=0):
    return np.random.default_rng(seed).standard_normal


@given(m=SIZES, n=SIZES)
def test_zero_equals_the_documents_algorithm(m, n):
    # The document's matrix is (outputs, inputs).
    expected = np.eye(m, n)
    if m > n:
        exponent = (m - 1).bit_length()
        p = 2**exponent
        expected = np.eye(m, p) @ (hadamard(p) / 2 ** (exponent / 2)) @ np.eye(p, n)
    np.testing.assert_array_equal(zero(n, m, draw()).T, expected)


@given(n_in=SIZES, n_out=SIZES)
def test_partial_identity_copies_as_many_inputs_as_fit(n_in, n_out):
    inputs = np.arange(1.0, n_in + 1)
    outputs = inputs @ partial_identity(n_in, n_out, draw())
    np.testing.assert_array_equal(outputs, np.pad(inputs, (0, max(n_out - n_in, 0)))[:n_out])


@given(n_in=SIZES, n_out=SIZES, seed=st.integers(0, 100))
def test_one_gives_each_padded_output_one_input(n_in, n_out, seed):
    matrix = one(n_in, n_out, draw(seed))
    np.testing.assert_array_equal(matrix[:, :n_in], np.eye(n_in, n_out)[:, :n_in])
    assert set(np.unique(matrix)) <= {0, 1}
    np.testing.assert_array_equal(matrix[:, n_in:].sum(axis=0), 1)


def test_one_copies_every_input_equally_often():
    copies = one(4, 4 + 40_000, draw())[:, 4:].sum(axis=1)
    # The copies are binomial with standard deviation 87.
    np.testing.assert_allclose(copies, 10_000, atol=5 * 87)


@given(n_in=SIZES, n_out=SIZES)
def test_spray_inverts_one(n_in, n_out):
    np.testing.assert_allclose(spray(n_in, n_out, draw()) * (n_in - 1) + one(n_in, n_out, draw()), 1, rtol=1e-15)
