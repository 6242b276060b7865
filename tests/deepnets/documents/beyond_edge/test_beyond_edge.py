"""Gradient descent beyond the edge of stability against theory."""

import numpy as np
import pandas as pd
import pytest

from deepnets.experiments.beyond_edge.run import gaps_of, product_and_gradients, run

SPEC = {
    **{"depth": 2, "strength": 3, "ratio": 0.9, "departure": 0, "scale": 0.7, "spread": 0.3},
    **{"updates": 800, "largest_rate": 120, "seed": 0},
}
TARGET = np.diag(0.9 ** np.arange(3))


def test_gradients_are_the_differences_of_the_loss_and_an_update_multiplies_gaps_by_the_factor():
    weights = [np.random.default_rng(layer).uniform(0.5, 1.5, (1, 3, 3)) for layer in range(4)]
    gradient = product_and_gradients(weights, TARGET)[1][2]
    for place in np.ndindex(1, 3, 3):
        losses = []
        for shift in (1e-6, -1e-6):
            moved = [weight.copy() for weight in weights]
            moved[2][place] += shift
            losses.append(np.sum((product_and_gradients(moved, TARGET)[0] - TARGET) ** 2) / 2)
        assert (losses[0] - losses[1]) / 2e-6 == pytest.approx(gradient[place], rel=1e-5)
    diagonal = [weight * np.eye(3) for weight in weights]
    product, gradients = product_and_gradients(diagonal, TARGET)
    after = [weight - 0.1 * gradient for weight, gradient in zip(diagonal, gradients, strict=True)]
    entries = np.array(diagonal).diagonal(axis1=2, axis2=3)[:, 0]
    for layer in range(3):
        others = np.delete(entries, [layer, layer + 1], axis=0).prod(axis=0)
        factor = 1 - (0.1 * np.diag(product[0] - TARGET) * others) ** 2
        pair = slice(layer, layer + 2)
        assert gaps_of(after[pair])[0] == pytest.approx(factor * np.abs(np.diff(entries[pair] ** 2, axis=0)[0]))


def test_two_layers_repeat_after_two_updates_at_the_places_that_theory_gives():
    found = pd.DataFrame(run(SPEC).columns()).set_index(["metric", "step"])["value"]
    rate = 1.1
    # The map p → p (1 + rate (1 − p))² has an orbit of two, with the sum 1 + 1 / rate and the product 1 / rate².
    ends = np.roots([1, -1 - 1 / rate, rate**-2])
    assert np.unique(found["orbit", 110].round(9)) == pytest.approx(np.sort(ends))
    assert found["oscillation", 110].iloc[0] == pytest.approx(np.ptp(ends))
    assert found["period", 110] == 2
    assert found["oscillating", 110] == 1


def test_a_run_follows_the_two_weights_of_a_mode():
    generator = np.random.default_rng(0)
    weights = np.zeros(2)
    for layer in range(2):
        weights[layer] = 3**0.5 * 0.7 * (1 + 0.3 * generator.uniform(-1, 1, 3)[0])
        generator.standard_normal((3, 3))
    gaps = [abs(np.diff(weights**2)[0])]
    for _ in range(800):
        weights = weights - 0.9 / 3 * (weights.prod() - 3) * weights[::-1]
        gaps.append(abs(np.diff(weights**2)[0]))
    found = pd.DataFrame(run(SPEC).columns()).set_index(["metric", "step"])["value"]
    assert found["gap_left", 90].to_numpy() == pytest.approx(np.array(gaps)[[8, 80, 800]] / gaps[0])


def test_edges_of_modes_and_of_rotations_are_those_of_the_hessian():
    layers = [np.cbrt(TARGET)[np.newaxis]] * 3
    columns = []
    for entry in range(27):
        sides = []
        for shift in (1e-5, -1e-5):
            moved = np.array(layers)
            moved.flat[entry] += shift
            sides.append(np.ravel(product_and_gradients(list(moved), TARGET)[1]))
        columns.append((sides[0] - sides[1]) / 2e-5)
    values = np.linalg.eigvalsh(columns)
    rotation = sum(0.9 ** (2 * layer / 3) for layer in range(3))
    for expected in (3, 3 * 0.9 ** (4 / 3), 3 * 0.81 ** (4 / 3), rotation):
        assert np.abs(values - expected).min() < 1e-6
    assert values.max() == pytest.approx(3)
    assert 300 / rotation == pytest.approx(107, abs=0.5)
