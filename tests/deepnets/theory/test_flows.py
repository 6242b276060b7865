"""One law for all closed forms of gradient flow: start, derivative, two halves, inverse and limit."""

from dataclasses import dataclass

import numpy as np
import pytest

from deepnets.theory import deep_mode, mode_learning, unequal_layers

S = 1.3
# Initial layers (a, b) of a mode. The seventh is on the stable manifold a = −b, the last above its end.
STARTS = [(0.1, 0.1), (2, 0.1), (0.1, 2), (-0.3, 1.4), (1.7, -1.6), (-1.6, -1.7), (1.5, -1.5), (0, 0.5), (3, 3)]


class Flow:
    """A closed form: `after` a time from a start there is a state, which changes with `slope` and tends to `end`.

    scale: a time at which the state has almost reached its end
    """

    end, scale = S, 2.0

    def time(self, start, state):
        """Return the time from one state to another, if there is a formula."""


@dataclass(frozen=True)
class Balanced(Flow):
    start: float

    def after(self, time, start):
        return mode_learning.strength(time, S, start)

    def slope(self, strength):
        return 2 * strength * (S - strength)

    def time(self, start, state):
        return mode_learning.time_to_reach(state, S, start)


@dataclass(frozen=True)
class Layers(Flow):
    start: tuple

    def after(self, time, start):
        return np.array(mode_learning.layers(time, S, *start))

    def slope(self, layers):
        return layers[::-1] * (S - np.prod(layers))

    @property
    def end(self):
        """The point on the hyperbola a² − b² = c where a b = s; 0 on the stable manifold a = −b."""
        first, second = self.start
        difference = first**2 - second**2
        squares = (np.hypot(difference, 2 * S) + np.array([difference, -difference])) / 2
        return np.sign(first + second) * np.sqrt(squares)


def norms(layers):
    return np.array([(layers[0] + layers[1]) ** 2, (layers[0] - layers[1]) ** 2])


@dataclass(frozen=True)
class SquaredNorms(Flow):
    layers: tuple

    start = property(lambda self: norms(self.layers))
    end = property(lambda self: norms(Layers(self.layers).end))

    def after(self, time, start):
        return np.array(mode_learning.squared_norms(time, S, *start))

    def slope(self, squares):
        # Eq. 8 for vectors: a + b grows at the rate s − a·b, and a − b decays at this rate.
        return 2 * squares * np.array([1, -1]) * (S - (squares[0] - squares[1]) / 4)


@dataclass(frozen=True)
class Deep(Flow):
    start: float
    depth: float

    scale = property(lambda self: self.time(self.start, 0.95 * S))

    def after(self, time, start):
        return deep_mode.strength_after(time, S, start, self.depth)

    def slope(self, strength):
        # Eq. 13: each layer a = u^{1/m} grows at the rate (s − u) u/a, and d ln u = Σ d ln a; time is in units of 1/m.
        return strength * (S - strength) * strength / strength ** (2 / self.depth)

    def time(self, start, state):
        return deep_mode.time_integral(S, start, state, self.depth)


@dataclass(frozen=True)
class Unequal(Flow):
    imbalance: float

    start, end = 0.01, 1.0
    scale = property(lambda self: 4 / (1 + self.imbalance))

    def after(self, time, start):
        return unequal_layers.strength_at(time, self.imbalance, start)

    def slope(self, strength):
        first, second = unequal_layers.initial_weights(self.imbalance, strength)
        assert (first * second, second**2 - first**2) == pytest.approx((strength, self.imbalance), rel=1e-9, abs=1e-9)
        return (first**2 + second**2) * (1 - strength)

    def time(self, start, state):
        return unequal_layers.learning_time(np.ones(1), start, np.atleast_1d(state), 2, self.imbalance)[0]


FLOWS = [*map(Balanced, (1e-6, 0.01, 6.25)), *map(Layers, STARTS), *map(SquaredNorms, STARTS[:5])]
FLOWS += [*map(Unequal, (0, 1e-6, 0.1, 1, 5, 1000))]
FLOWS += [Deep(start, depth) for depth in (1, 2, 3, 9, 99, np.inf) for start in (1e-3, 0.05)]


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
def test_a_closed_form_has_the_start_the_slope_and_the_end_of_its_flow(flow):
    assert flow.after(0.0, flow.start) == pytest.approx(np.array(flow.start), rel=1e-9, abs=1e-12)
    for time in flow.scale * np.array([0.03, 0.3, 0.9, 1]):
        state, step = flow.after(time, flow.start), 1e-5 * time
        above, below = (flow.after(time + sign * step, flow.start) for sign in (1, -1))
        assert (above - below) / (2 * step) == pytest.approx(flow.slope(state), rel=1e-4, abs=1e-8 / flow.scale)
        # The flow does not depend on the time itself.
        middle = flow.after(time / 2, flow.start)
        assert flow.after(time / 2, middle) == pytest.approx(state, rel=1e-7, abs=1e-10)
        if flow.time(flow.start, state) is not None:
            assert flow.time(flow.start, state) == pytest.approx(time, rel=1e-6)
            assert flow.time(flow.start, middle) == pytest.approx(time / 2, rel=1e-6)
    assert flow.after(20 * flow.scale, flow.start) == pytest.approx(flow.end, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("depth", [2, 3, 99, np.inf])
@pytest.mark.parametrize(("start", "end"), [(1e-10, 0.3 * (1 - 1e-10)), (0.1, 0.02), (0.1, 0.1)])
def test_the_quadrature_of_times_is_exact_up_to_rounding_in_both_directions(depth, start, end):
    places = 0.3 / (1 + (0.3 / start - 1) ** np.linspace(1, 0, 9) * (0.3 / end - 1) ** np.linspace(0, 1, 9))
    parts = deep_mode.time_integral(0.3, places[:-1], places[1:], depth)
    assert deep_mode.time_integral(0.3, start, end, depth) == pytest.approx(np.sum(parts), rel=2e-8)
    assert np.sign(np.sum(parts)) == np.sign(end - start)


@pytest.mark.parametrize("imbalance", [0, 0.1, 5])
@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_the_learning_time_is_that_of_the_flow_of_all_layers(depth, imbalance):
    # The last layer has w² + λ, all others have w²; one layer has no imbalance.
    def strength(weight):
        return weight ** (depth - 1) * np.sqrt(weight**2 + imbalance * (depth > 1))

    def time(weight, start=0.2):
        return unequal_layers.learning_time(np.array([2.0]), strength(start), strength(weight), depth, imbalance)[0]

    for weight in (0.3, 0.6, 0.8):
        u = strength(np.array([weight]))[0]
        slope = (2 - u) * u / weight if depth > 1 else 2 - u
        steps = [time(np.array([weight + sign * 1e-5])) for sign in (1, -1)]
        assert (steps[0] - steps[1]) / 2e-5 * slope == pytest.approx(1, rel=1e-6)
        halves = time(np.array([0.25])), time(np.array([weight]), start=0.25)
        assert sum(halves) == pytest.approx(time(np.array([weight])), rel=1e-9)
    values = np.array([0.5, 2.0])
    balanced = deep_mode.time_integral(values, 0.01, values / 2, depth) / depth
    assert unequal_layers.learning_time(values, 0.01, values / 2, depth, 0) == pytest.approx(balanced, rel=1e-9)


@pytest.mark.parametrize(("first", "second"), STARTS)
def test_the_half_time_is_that_at_which_the_strength_is_half_of_its_end(first, second):
    total, difference = norms((first, second))
    time = mode_learning.half_time_from(S, total, difference)
    if first + second == 0:
        assert time == np.inf
    elif first * second < S / 2:
        assert np.prod(mode_learning.layers(time, S, first, second)) == pytest.approx(S / 2, rel=1e-9)
    else:
        assert np.isnan(time)


def test_a_balanced_mode_has_a_half_time_if_it_starts_below_its_half():
    with np.errstate(all="raise"):
        times = mode_learning.half_time(np.array([1.0, 1.0, 1.0, 4.0]), np.array([0.5, 0.6, 3.0, 0.6]))
    assert np.isnan(times).tolist() == [True, True, True, False]
    assert mode_learning.strength(times[3], 4.0, 0.6) == pytest.approx(2)


@pytest.mark.parametrize("depth", [2, 9])
def test_the_learning_integral_ends_at_the_given_share_of_the_error(depth):
    values = np.array([0.3, 0.25, 0.15])
    end = deep_mode.strength_after(deep_mode.learning_integral(values, 1e-3, depth, 0.2), values, 1e-3, depth)
    assert np.sum((values - end) ** 2) == pytest.approx(0.2 * np.sum(values**2), rel=1e-6)
    one = deep_mode.learning_integral(values[:1], 1e-3, depth, 0.25)
    assert one == pytest.approx(deep_mode.time_integral(0.3, 1e-3, 0.15, depth), rel=1e-9)


@pytest.mark.parametrize("depth", [2, 3, 6])
def test_the_best_rate_is_0_95_of_the_largest_at_which_the_optimum_is_stable(depth):
    optimum = np.full(depth, 0.3 ** (1 / depth))

    def gradient(layers):
        return -(0.3 - np.prod(layers)) * np.prod(layers) / layers

    hessian = [(gradient(optimum + step) - gradient(optimum - step)) / 2e-6 for step in 1e-6 * np.eye(depth)]
    assert deep_mode.optimal_rate(0.3, depth) * np.linalg.eigvalsh(hessian)[-1] == pytest.approx(1.9, rel=1e-6)
