import numpy as np
import pytest
from scipy.integrate import solve_ivp

from deepnets.theory.unequal_layers import growth, initial_weights, strength_at


@pytest.mark.parametrize("imbalance", [0, 0.1, 1, 5])
def test_the_closed_form_solves_the_flow_of_the_two_weights(imbalance):
    times = np.linspace(0, 6, 61)

    def flow(_, weights):
        error = 1 - weights[0] * weights[1]
        return weights[1] * error, weights[0] * error

    start = initial_weights(imbalance, 0.01)
    solved = solve_ivp(flow, (0, 6), start, t_eval=times, rtol=1e-11, atol=1e-13)
    assert strength_at(times, imbalance, 0.01) == pytest.approx(solved.y[0] * solved.y[1], abs=1e-8)
    assert start[0] * start[1] == pytest.approx(0.01)
    assert start[1] ** 2 - start[0] ** 2 == pytest.approx(imbalance)


@pytest.mark.parametrize("imbalance", [0, 0.1, 5])
def test_the_closed_form_grows_as_its_equation_says(imbalance):
    times = np.linspace(0.1, 3, 20)
    slope = (strength_at(times + 1e-5, imbalance, 0.01) - strength_at(times - 1e-5, imbalance, 0.01)) / 2e-5
    assert slope == pytest.approx(growth(strength_at(times, imbalance, 0.01), imbalance), abs=1e-8)


def test_a_vanishing_imbalance_gives_the_sigmoid_and_a_large_one_an_exponential():
    times = np.linspace(0, 6, 20)
    assert strength_at(times, 1e-6, 0.01) == pytest.approx(strength_at(times, 0, 0.01), abs=1e-9)
    assert strength_at(times / 1000, 1000, 0.01) == pytest.approx(1 - 0.99 * np.exp(-times), abs=1e-5)
