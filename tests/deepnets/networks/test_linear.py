from functools import reduce
from itertools import accumulate, pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deepnets.networks import linear
from printed_code import step_from_covariances

SIZES = st.lists(st.integers(1, 6), min_size=2, max_size=6)


def draw_network(sizes, seed, samples=7):
    generator = np.random.default_rng(seed)
    weights = [generator.standard_normal(shape) for shape in pairwise(sizes)]
    return generator.standard_normal((samples, sizes[0])), generator.standard_normal((samples, sizes[-1])), weights


@given(sizes=SIZES, seed=st.integers(0, 2**32 - 1))
def test_gradients_from_samples_covariances_and_products_equal_those_of_autograd(sizes, seed):
    inputs, targets, weights = draw_network(sizes, seed)
    parameters = [torch.tensor(matrix, requires_grad=True) for matrix in weights]
    outputs = reduce(torch.matmul, parameters, torch.tensor(inputs))
    (((outputs - torch.tensor(targets)) ** 2).mean(dim=0).sum() / 2).backward()
    layers, prefixes = linear.activations(inputs, weights), list(accumulate(weights, np.matmul))
    covariances = inputs.T @ inputs / len(inputs), inputs.T @ targets / len(inputs)
    for gradients in (
        linear.sample_gradients(layers, weights, (layers[-1] - targets) / len(inputs)),
        linear.covariance_gradients(weights, *covariances),
        linear.product_gradients(prefixes, weights, covariances[0] @ prefixes[-1] - covariances[1]),
    ):
        for gradient, parameter in zip(gradients, parameters, strict=True):
            expected = parameter.grad.numpy()
            # Products of six normal 6 × 6 matrices reach 1e4, and float64 rounds relative to that.
            np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-9 * max(1, np.abs(expected).max()))


@given(sizes=SIZES.filter(lambda sizes: len(sizes) > 2), seed=st.integers(0, 2**32 - 1))
def test_updates_in_place_equal_the_document_s_code(sizes, seed):
    inputs, targets, weights = draw_network(sizes, seed)
    before = [matrix.copy() for matrix in weights]
    # The document's matrices act from the left.
    expected = [matrix.T.copy() for matrix in weights]
    covariances = inputs.T @ inputs / len(inputs), inputs.T @ targets / len(inputs)
    step_from_covariances(expected, covariances[0], covariances[1].T, 0.05)
    found = linear.gradient_step_in_place(weights, *covariances, 0.05)
    for matrix, reference in zip(found, expected, strict=True):
        np.testing.assert_allclose(matrix, reference.T, rtol=1e-9, atol=1e-9 * max(1, np.abs(reference).max()))
    # The document updates in place, but our function copies, because a run keeps the weights of its last step.
    for matrix, old in zip(weights, before, strict=True):
        np.testing.assert_array_equal(matrix, old)


@given(rows=st.integers(1, 6), columns=st.integers(6, 40), exponent=st.integers(-20, 5), seed=st.integers(0, 2**32 - 1))
def test_singular_values_from_the_gram_matrix_equal_those_of_the_matrix(rows, columns, exponent, seed):
    generator = np.random.default_rng(seed)
    # When modes are learned one by one, singular values span many orders of magnitude.
    matrix = np.diag(10.0 ** -generator.uniform(0, 12, rows)) @ generator.standard_normal((rows, columns))
    matrix = (10.0**exponent * matrix).astype(np.float32)
    expected = np.linalg.svd(matrix.astype(np.float64), compute_uv=False)
    found = linear.singular_values_of_gram(linear.gram(matrix))
    # Eigenvalues are exact to a few eps of the largest, singular values to the square root of that.
    np.testing.assert_allclose(found**2, expected**2, rtol=1e-12, atol=1e-14 * expected[0] ** 2)


@given(sizes=st.tuples(st.integers(1, 5), st.integers(1, 5)), seed=st.integers(0, 2**32 - 1))
def test_least_squares_leaves_residuals_orthogonal_to_the_inputs(sizes, seed):
    generator = np.random.default_rng(seed)
    inputs, targets = generator.standard_normal((12, sizes[0])), generator.standard_normal((12, sizes[1]))
    residuals = targets - inputs @ linear.least_squares(inputs, targets)
    np.testing.assert_allclose(inputs.T @ residuals, 0, atol=1e-11)


def test_the_effective_rank_of_equal_values_is_their_number_without_zeros():
    assert linear.effective_rank(np.array([3.0, 3, 3, 0])) == pytest.approx(3)
    assert linear.effective_rank(np.array([2.0, 1, 1])) == pytest.approx(np.exp(0.5 * np.log(2) + 0.5 * np.log(4)))
    assert np.isnan(linear.effective_rank(np.zeros(2)))
