import numpy as np
import pytest
from scipy.integrate import solve_ivp

from deepnets.theory import mode_learning

TIMES = np.linspace(0, 3, 31)
STARTS = [(0.1, 0.1), (2, 0.1), (0.1, 2), (-0.3, 1.4), (1.7, -1.6), (-1.6, -1.7), (0, 0.5), (1.5, -1.5), (3, 3)]


def integrate_equations(first, second, singular_value, *, events=None):
    """Integrate eq. 8 for numbers or vectors by a Runge–Kutta method; return SciPy's solution at TIMES."""
    first, second = np.atleast_1d(first).astype(float), np.atleast_1d(second).astype(float)

    def slope(_, state):
        a, b = np.split(state, 2)
        error = singular_value - a @ b
        return np.concatenate([b * error, a * error])

    start = np.concatenate([first, second])
    return solve_ivp(slope, (0, 30), start, t_eval=TIMES, events=events, method="DOP853", rtol=1e-12, atol=1e-14)


def event_at(strength):
    def event(_, state):
        a, b = np.split(state, 2)
        return a @ b - strength

    event.direction = 1
    return event


@pytest.mark.parametrize("start", [(0.1, 0.1), (2.5, 2.5), (1e-3, 1e-3)])
def test_a_balanced_mode_grows_as_in_the_numerical_solution(start):
    expected = np.prod(integrate_equations(*start, 1.7).y, axis=0)
    np.testing.assert_allclose(mode_learning.strength(TIMES, 1.7, start[0] ** 2), expected, rtol=1e-9)


def test_time_to_reach_a_strength_equals_that_of_the_numerical_solution():
    singular_values = np.array([1.7, 0.8])
    times = mode_learning.time_to_reach(np.array([1.2, 0.1]), singular_values, 1e-3)
    for time, final, singular_value in zip(times, (1.2, 0.1), singular_values, strict=True):
        solution = integrate_equations(1e-3**0.5, 1e-3**0.5, singular_value, events=event_at(final))
        assert time == pytest.approx(solution.t_events[0][0], rel=1e-9)
    halves = mode_learning.half_time(singular_values, 1e-3)
    np.testing.assert_allclose(halves, np.log((singular_values - 1e-3) / 1e-3) / (2 * singular_values), rtol=1e-12)


@pytest.mark.parametrize("start", STARTS)
def test_any_start_moves_along_its_hyperbola_as_in_the_numerical_solution(start):
    found = np.array(mode_learning.layers(TIMES, 1.3, *start))
    np.testing.assert_allclose(found, integrate_equations(*start, 1.3).y, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(found[0] ** 2 - found[1] ** 2, start[0] ** 2 - start[1] ** 2, atol=1e-10)


@pytest.mark.parametrize("start", [start for start in STARTS if start[0] + start[1] != 0])
def test_half_time_from_any_start_equals_that_of_the_numerical_solution(start):
    first, second = start
    time = mode_learning.half_time_from(1.3, (first + second) ** 2, (first - second) ** 2)
    solution = integrate_equations(first, second, 1.3, events=event_at(0.65))
    if first * second < 0.65:
        assert time == pytest.approx(solution.t_events[0][0], rel=1e-8)
    else:
        assert np.isnan(time)
        assert not len(solution.t_events[0])


def test_vectors_depend_only_on_their_sums_and_differences():
    first, second = np.random.default_rng(0).standard_normal((2, 6)) * 0.3
    start = np.sum((first + second) ** 2), np.sum((first - second) ** 2)
    solution = integrate_equations(first, second, 1.3, events=event_at(0.65))
    a, b = np.split(solution.y, 2)
    total, difference = mode_learning.squared_norms(TIMES, 1.3, *start)
    np.testing.assert_allclose(total, np.sum((a + b) ** 2, axis=0), rtol=1e-8)
    np.testing.assert_allclose(difference, np.sum((a - b) ** 2, axis=0), rtol=1e-8)
    np.testing.assert_allclose((total - difference) / 4, np.sum(a * b, axis=0), rtol=1e-8, atol=1e-10)
    assert mode_learning.half_time_from(1.3, *start) == pytest.approx(solution.t_events[0][0], rel=1e-8)


def test_the_hyperbolic_angle_obeys_the_corrected_equation():
    # For a = √c cosh(θ/2), b = √c sinh(θ/2) we find dθ/dt = 2s − c sinh θ, not s − c sinh θ as printed.
    first, second, singular_value = 1.2, -0.7, 0.9
    conserved = first**2 - second**2
    solution = solve_ivp(
        lambda _, angle: 2 * singular_value - conserved * np.sinh(angle),
        (0, 3),
        [2 * np.arctanh(second / first)],
        t_eval=TIMES,
        rtol=1e-12,
        atol=1e-14,
    )
    half = solution.y[0] / 2
    expected = np.sqrt(conserved) * np.array([np.cosh(half), np.sinh(half)])
    np.testing.assert_allclose(mode_learning.layers(TIMES, singular_value, first, second), expected, rtol=1e-8)


def test_a_mode_that_starts_above_its_half_has_no_half_time():
    with np.errstate(all="raise"):
        times = mode_learning.half_time(np.array([1.0, 1.0, 1.0, 4.0]), np.array([0.5, 0.6, 3.0, 0.6]))
    assert np.isnan(times).tolist() == [True, True, True, False]
