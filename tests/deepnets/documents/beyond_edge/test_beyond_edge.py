import numpy as np
import pandas as pd
import pytest
import torch

from deepnets.experiments.beyond_edge.run import gaps_of, product_and_gradients, run

SPEC = {
    **{"depth": 2, "strength": 3, "ratio": 0.9, "departure": 0, "scale": 0.7, "spread": 0.3},
    **{"updates": 800, "largest_rate": 120, "seed": 0},
}
TARGET = 0.9 ** np.arange(3)


def _loss(*weights):
    return torch.sum((torch.linalg.multi_dot(weights[::-1]) - torch.diag(torch.tensor(TARGET))) ** 2) / 2


def test_gradients_are_those_of_the_loss_and_an_update_multiplies_gaps_by_the_factor():
    weights = [np.random.default_rng(layer).uniform(0.5, 1.5, (3, 3)) for layer in range(4)]
    tensors = [torch.tensor(weight, requires_grad=True) for weight in weights]
    expected = torch.autograd.grad(_loss(*tensors), tensors)
    _, gradients = product_and_gradients([weight[np.newaxis] for weight in weights], np.diag(TARGET))
    assert np.concatenate(gradients) == pytest.approx(np.stack(expected))
    diagonal = [weight[np.newaxis] * np.eye(3) for weight in weights]
    product, gradients = product_and_gradients(diagonal, np.diag(TARGET))
    after = [weight - 0.1 * gradient for weight, gradient in zip(diagonal, gradients, strict=True)]
    entries = np.array(diagonal).diagonal(axis1=2, axis2=3)[:, 0]
    for layer in range(3):
        others = np.delete(entries, [layer, layer + 1], axis=0).prod(axis=0)
        factor = 1 - (0.1 * (np.diag(product[0]) - TARGET) * others) ** 2
        pair = slice(layer, layer + 2)
        assert gaps_of(after[pair])[0] == pytest.approx(factor * np.abs(np.diff(entries[pair] ** 2, axis=0)[0]))


def test_a_run_follows_two_weights_and_ends_in_the_orbit_that_theory_gives():
    generator, weights = np.random.default_rng(0), np.zeros(2)
    for layer in range(2):
        weights[layer] = 3**0.5 * 0.7 * (1 + 0.3 * generator.uniform(-1, 1, 3)[0])
        generator.standard_normal((3, 3))
    gaps, rate = [], 1.1
    for _ in range(801):
        gaps.append(abs(np.diff(weights**2)[0]))
        weights = weights - rate / 3 * (weights.prod() - 3) * weights[::-1]
    found = pd.DataFrame(run(SPEC).columns()).set_index(["metric", "step"])["value"]
    assert found["gap_left", 110].to_numpy() == pytest.approx(np.array(gaps)[[8, 80, 800]] / gaps[0], abs=1e-12)
    # The map p → p (1 + rate (1 − p))² has an orbit of two, with the sum 1 + 1 / rate and the product 1 / rate².
    ends = np.roots([1, -1 - 1 / rate, rate**-2])
    assert np.unique(found["orbit", 110].round(9)) == pytest.approx(np.sort(ends))
    assert found["oscillation", 110].iloc[0] == pytest.approx(np.ptp(ends))
    assert (found["period", 110], found["period", 90], found["oscillating", 110]) == (2, 1, 1)


def test_edges_of_modes_and_of_rotations_are_those_of_the_hessian():
    layers = torch.diag(torch.tensor(np.cbrt(TARGET))).expand(3, 3, 3)
    hessian = torch.autograd.functional.hessian(lambda weights: _loss(*weights), layers.clone())
    values = np.linalg.eigvalsh(hessian.reshape(27, 27))
    rotations = [sum(ratio ** (2 * layer / 3) for layer in range(3)) for ratio in (0.9, 0.5)]
    for expected in (*3 * TARGET ** (4 / 3), rotations[0]):
        assert np.abs(values - expected).min() < 1e-9
    assert values.max() == pytest.approx(3)
    assert [round(300 / value) for value in rotations] == [107, 148]
