import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepnets.networks.initialization.initializers import kaiming_normal, one, partial_identity, spray, zero

SIZES = st.integers(2, 40)


def draw(seed=0):
    return np.random.default_rng(seed).standard_normal


def hadamard(size):
    matrix = np.ones((1, 1))
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


@given(m=SIZES, n=SIZES)
def test_zero_equals_the_documents_algorithm(m, n):
    # The document's matrix is (outputs, inputs).
    expected = np.eye(m, n)
    if m > n:
        exponent = math.ceil(math.log2(m))
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


def test_kaiming_has_variance_2_over_inputs():
    values = kaiming_normal(500, 300, draw())
    # The variance of 150,000 normals has a relative standard error of 0.4 %.
    assert values.var() == pytest.approx(2 / 500, rel=0.02)
