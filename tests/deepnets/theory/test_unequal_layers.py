import numpy as np
import pytest
from scipy.integrate import solve_ivp

from deepnets.theory.deep_mode import time_integral
from deepnets.theory.unequal_layers import growth, initial_weights, learning_time, strength_at


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


@pytest.mark.parametrize("imbalance", [0, 0.1, 5])
@pytest.mark.parametrize("depth", [2, 3, 5])
def test_the_learning_time_is_that_of_the_flow_of_all_layers(depth, imbalance):
    def flow(_, weights):
        return np.prod(weights) / weights * (2 - np.prod(weights))

    def learned(_, weights):
        return np.prod(weights) - 1.5

    learned.terminal = True
    weights = np.append(np.full(depth - 1, 0.2), np.hypot(0.2, np.sqrt(imbalance)))
    solved = solve_ivp(flow, (0, 1e4), weights, events=learned, rtol=1e-10, atol=1e-13)
    time = learning_time(np.array([2.0]), np.prod(weights), np.array([1.5]), depth, imbalance)
    assert time == pytest.approx(solved.t_events[0], rel=1e-7)


def test_balanced_layers_and_two_layers_learn_as_their_own_formulas_say():
    values = np.array([0.5, 2.0])
    balanced = learning_time(values, 1e-6, values / 2, 7, 0)
    assert balanced == pytest.approx(time_integral(values, 1e-6, values / 2, 7) / 7)
    assert strength_at(learning_time(np.ones(1), 1e-6, np.full(1, 0.9), 2, 0.3), 0.3, 1e-6) == pytest.approx(0.9)
    # One layer has no imbalance.
    assert learning_time(values, 0.1, values / 2, 1, 3) == pytest.approx(time_integral(values, 0.1, values / 2, 1))
