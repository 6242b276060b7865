"""Arora et al. 2019, Theorem 3, compared with the gradient flow of balanced factors."""

from functools import reduce
from itertools import pairwise
from operator import matmul

import numpy as np
import pytest

from deepnets.theory.singular_value_flow import singular_value_rates, slopes_along_modes

SIZE, GENERATOR = 4, np.random.default_rng(5)
TARGET, MASK = GENERATOR.standard_normal((SIZE, SIZE)), GENERATOR.random((SIZE, SIZE)) < 0.7


def gradient(product):
    """Return the gradient of a loss without decoupled modes: squared errors of some entries, and a quartic term."""
    return MASK * (product - TARGET) + 0.1 * product**3


def draw_balanced_factors(depth, values):
    bases = [np.linalg.qr(GENERATOR.standard_normal((SIZE, SIZE)))[0] for _ in range(depth + 1)]
    root = np.diag(values ** (1 / depth))
    return [left @ root @ right.T for left, right in pairwise(bases)]


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_singular_values_move_as_in_the_flow_of_balanced_factors(depth):
    for values in np.array([[0.9, 0.5, 0.2, 0.05], [2.0, 1.5, 0.9, 0.4]]):
        factors, step, identity = draw_balanced_factors(depth, values), 1e-5, np.eye(SIZE)
        now = reduce(matmul, factors)
        velocities = [
            -reduce(matmul, factors[:layer], identity).T
            @ gradient(now)
            @ reduce(matmul, factors[layer + 1 :], identity).T
            for layer in range(depth)
        ]
        before, after = (
            reduce(matmul, [factor + sign * step * each for factor, each in zip(factors, velocities, strict=True)])
            for sign in (-1, 1)
        )
        left, values, right = np.linalg.svd(now)
        rates = singular_value_rates(values, slopes_along_modes(gradient(now), left, right), depth)
        moved = (np.linalg.svd(after)[1] - np.linalg.svd(before)[1]) / (2 * step)
        # The error of central differences is of second order in the step; the rates are of order 1.
        np.testing.assert_allclose(rates, moved, rtol=1e-5, atol=1e-7)
