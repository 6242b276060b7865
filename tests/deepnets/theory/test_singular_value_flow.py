"""Arora et al. 2019, Theorem 3, compared with the gradient flow of the factors, integrated by SciPy."""

from functools import reduce
from itertools import pairwise
from operator import matmul

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from deepnets.theory.singular_value_flow import singular_value_rates, slopes_along_modes

SIZE = 4
GENERATOR = np.random.default_rng(5)
TARGET, MASK = GENERATOR.standard_normal((SIZE, SIZE)), GENERATOR.random((SIZE, SIZE)) < 0.7
INITIAL = np.array([0.9, 0.5, 0.2, 0.05])


def gradient(product):
    """Return the gradient of a loss without decoupled modes: squared errors of some entries, and a quartic term."""
    return MASK * (product - TARGET) + 0.1 * product**3


def orthogonal():
    return np.linalg.qr(GENERATOR.standard_normal((SIZE, SIZE)))[0]


def draw_balanced_factors(depth):
    bases = [orthogonal() for _ in range(depth + 1)]
    root = np.diag(INITIAL ** (1 / depth))
    return np.array([left @ root @ right.T for left, right in pairwise(bases)])


def differentiate_factors(_, flat):
    factors = flat.reshape(-1, SIZE, SIZE)
    towards = gradient(reduce(matmul, factors))
    identity = np.eye(SIZE)
    velocity = [
        -reduce(matmul, factors[:layer], identity).T @ towards @ reduce(matmul, factors[layer + 1 :], identity).T
        for layer in range(len(factors))
    ]
    return np.concatenate([matrix.ravel() for matrix in velocity])


def integrate_flow(factors, times):
    """Return the product at the given times."""
    found = solve_ivp(
        differentiate_factors, (0, times[-1]), factors.ravel(), t_eval=times, method="DOP853", rtol=1e-12, atol=1e-13
    )
    return [reduce(matmul, flat.reshape(-1, SIZE, SIZE)) for flat in found.y.T]


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_singular_values_move_as_in_the_flow_of_balanced_factors(depth):
    factors, step = draw_balanced_factors(depth), 1e-4
    for centre in (0.1, 0.5, 1.0):
        before, now, after = integrate_flow(factors, [centre - step, centre, centre + step])
        left, values, right = np.linalg.svd(now)
        slopes = slopes_along_modes(gradient(now), left, right)
        np.testing.assert_allclose(slopes, [u @ gradient(now) @ v for u, v in zip(left.T, right, strict=True)])
        rates = singular_value_rates(values, slopes, depth)
        moved = (np.linalg.svd(after)[1] - np.linalg.svd(before)[1]) / (2 * step)
        # The error of central differences is of second order in the step; the rates are of order 1.
        np.testing.assert_allclose(rates, moved, rtol=1e-4, atol=1e-6)


def test_rates_depend_on_depth_as_in_theorem_3():
    values, slopes = np.array([0.0, 0.25, 4.0]), np.array([-1.0, 2.0, -3.0])
    np.testing.assert_allclose(singular_value_rates(values, slopes, 1), [1, -2, 3])
    np.testing.assert_allclose(singular_value_rates(values, slopes, 2), [0, -1, 24])
    np.testing.assert_allclose(singular_value_rates(np.stack([values, values]), slopes, 4)[1], [0, -1, 96])
