import numpy as np
import pandas as pd
import pytest
import torch

from deepnets.experiments.beyond_edge.run import run
from small_runs import descend

SPEC = {
    **{"depth": 3, "strength": 3, "ratio": 0.9, "departure": 0, "basis": "diagonal", "scale": 0.7, "spread": 0.3},
    **{"updates": 800, "largest_rate": 110, "seed": 0},
}
TARGETS = 3 * 0.9 ** np.arange(3)


def _found(**changes):
    return pd.DataFrame(run({**SPEC, **changes}).columns()).set_index(["metric", "step"])["value"]


def _start(departure):
    generator = np.random.default_rng(0)
    for _ in range(3):
        entries = np.cbrt(TARGETS) * 0.7 * (1 + 0.3 * generator.uniform(-1, 1, 3))
        yield np.diag(entries) + departure * generator.standard_normal((3, 3))


def _loss(weights):
    return torch.sum((weights[2] @ weights[1] @ weights[0] - torch.diag(torch.tensor(TARGETS))) ** 2) / 2


def test_a_run_is_gradient_descent_and_gaps_are_those_of_the_balance_matrices():
    found, rate = _found(departure=0.1, updates=100), 1.05 * 2 / 3 / 3 ** (4 / 3)
    weights = np.array(list(descend(list(_start(0.1)), _loss, rate, 100)))
    balance = weights[:, 1:].mT @ weights[:, 1:] - weights[:, :-1] @ weights[:, :-1].mT
    gaps = np.abs(balance.diagonal(axis1=2, axis2=3)).max(axis=1)
    assert found["gap_left", 105].to_numpy() == pytest.approx(gaps[[1, 10, 100], 0] / gaps[0, 0])
    assert found["largest_rise", 105] == pytest.approx((np.diff(gaps, axis=0) / gaps[0]).max())
    modes = (weights[:-1, 2] @ weights[:-1, 1] @ weights[:-1, 0]).diagonal(axis1=1, axis2=2) / TARGETS
    assert found["orbit", 105].to_numpy() == pytest.approx(modes[-16:, 0])
    assert found["oscillation", 105].to_numpy() == pytest.approx(np.ptp(modes[-64:], axis=0))


def test_an_update_multiplies_the_gap_of_two_layers_by_the_factor_of_theory():
    entries, rate = np.array([np.diag(each) for each in _start(0)])[:, 0], 2 / 3 / 3 ** (4 / 3)
    gaps = np.abs(np.diff(entries**2))
    after = gaps * (1 - (rate * (entries.prod() - 3) * entries[[2, 0]]) ** 2)
    assert _found(updates=1)["gap_left", 100] == pytest.approx(after.max() / gaps.max())


def test_two_layers_end_in_the_orbit_that_theory_gives():
    # The map p → p (1 + rate (1 − p))² has an orbit of two, with the sum 1 + 1 / rate and the product 1 / rate².
    found, ends = _found(depth=2), np.roots([1, -1 - 1 / 1.1, 1.1**-2])
    assert np.unique(found["orbit", 110].round(9)) == pytest.approx(np.sort(ends))
    assert [found["period", 90], found["period", 110], found["oscillating", 110]] == [1, 2, 1]


def test_edges_of_modes_and_of_rotations_are_those_of_the_hessian():
    layers = torch.diag(torch.tensor(np.cbrt(TARGETS))).expand(3, 3, 3).clone()
    values = np.linalg.eigvalsh(torch.autograd.functional.hessian(_loss, layers).reshape(27, 27)) / 3 ** (4 / 3)
    rotations = [sum(ratio ** (2 * layer / 3) for layer in range(3)) for ratio in (0.9, 0.5)]
    for expected in (*3 * (TARGETS / 3) ** (4 / 3), rotations[0]):
        assert np.abs(values - expected).min() < 1e-9
    assert (values.max(), *(300 / value for value in rotations)) == pytest.approx((3, 107.1, 148), abs=0.1)


def test_another_basis_changes_rounding_errors_only():
    spec = {"departure": 0.1, "updates": 100, "depth": 3}
    one, other = (_found(**spec, basis=basis) for basis in ("diagonal", "rotated"))
    for metric in ("gap_left", "oscillation", "orbit"):
        assert other[metric, 90].to_numpy() == pytest.approx(one[metric, 90].to_numpy(), rel=1e-8, abs=1e-12)


def test_the_gap_may_rise_from_a_start_beyond_the_minimum():
    assert _found(depth=2, strength=0.24, scale=2.3, updates=20)["largest_rise"].max() > 0.1
