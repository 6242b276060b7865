from itertools import islice, pairwise

import numpy as np
import pandas as pd
import pytest
import torch
from torch.autograd import functional

from deepnets.experiments.sharpness.run import derivatives, run
from deepnets.theory import deep_mode
from small_runs import by_step, interpolate_crossing, values

SPEC = {"init": "aligned", "strength": 4, "ratio": 0.5, "scale": 0.01, "edge_share": 0.5, "covariance": "white"}
SPEC |= {"inputs": 5, "outputs": 4, "modes": 3, "updates": 600, "records": 600, "seed": 0}
TARGETS, ENDS = np.array([4, 2, 1]), {2: 8, 3: 19.05, 4: 32}


@pytest.mark.parametrize("hidden", [[3], [3, 4], [4, 2, 3]], ids=str)
def test_derivatives_are_those_of_torch(hidden):
    draw, variances = np.random.default_rng(0).standard_normal, np.array([0.5, 0.75, 1, 1.25, 1.5])
    weights, target = [draw(shape) for shape in pairwise([5, *hidden, 4])], draw((5, 4))

    def errors(flat):
        layers = [part.view(each.shape) for part, each in zip(flat.split(sizes), weights, strict=True)]
        return torch.tensor(variances[:, np.newaxis] ** 0.5) * (torch.linalg.multi_dot(layers) - torch.tensor(target))

    sizes, flat = [each.size for each in weights], torch.tensor(np.hstack([*map(np.ravel, weights)]))
    jacobian, rest = derivatives(weights, np.diag(variances), target)
    assert jacobian == pytest.approx(functional.jacobian(errors, flat).reshape(20, -1).numpy())
    hessian = functional.hessian(lambda flat: torch.sum(errors(flat) ** 2) / 2, flat).numpy()
    assert jacobian.T @ jacobian + rest == pytest.approx(hessian)


@pytest.mark.parametrize("depth", ENDS)
def test_modes_learn_one_by_one_and_eigenvalues_are_those_of_the_printed_formula(depth):
    rows, rate = pd.DataFrame(run({**SPEC, "depth": depth}).columns()), 1 / (depth * 4 ** (2 - 2 / depth))
    a = np.vstack([*islice(deep_mode.descent(TARGETS, TARGETS / 100, depth, [rate]), 601)])
    assert values(rows, "train_loss") == pytest.approx(np.sum((TARGETS - a) ** 2, axis=1) / 2, abs=1e-12)
    first, last = a[:, [0, 0, 1, 1, 2, 2]], a[:, [1, 2, 0, 2, 0, 1]]
    pairs = (first**2 - last**2) / (first ** (2 / depth) - last ** (2 / depth))
    rest = a ** (2 - 2 / depth)
    expected = np.hstack([depth * rest, pairs, np.tile(rest, 3), np.zeros((601, 2))])
    for metric in ("gauss_newton", "theory"):
        assert by_step(rows, metric) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    sharpness = by_step(rows, "hessian")[:, 0]
    assert sharpness[-1] == pytest.approx(ENDS[depth], abs=0.002)
    times = [interpolate_crossing(*each) for each in zip(a.T, TARGETS / 2, strict=True)]
    assert values(rows, "half_time") == pytest.approx(times)
    assert values(rows, "kind_count") == pytest.approx([3, 6, 9])
    if depth == 2:
        assert values(rows, "residual_part") == pytest.approx(np.abs(TARGETS - a).max(axis=1), abs=1e-9)
        # A mode has 3a − s and s − a; a pair of modes, of which one may be 0, this larger eigenvalue of its block.
        (i, k), a, s = np.triu_indices(4, 1), np.pad(a, [(0, 0), (0, 1)]), np.append(TARGETS, 0)
        pairs = (s[i] + s[k]) / 2 + np.hypot(a[:, i] - a[:, k] - (s[i] - s[k]) / 2, np.sqrt(a[:, i] * a[:, k]))
        assert sharpness == pytest.approx(np.hstack([3 * a - s, s - a, pairs]).max(axis=1))


def test_gaussian_starts_and_unequal_inputs_have_this_loss_at_the_start():
    draw = np.random.default_rng(0).standard_normal
    first, _, last = (np.linalg.qr(draw((size, size)))[0][:, :3] for size in (5, 4, 4))
    product = 0.04 * draw((5, 4)) @ draw((4, 4)) / 20**0.5
    errors = product - first @ np.diag(TARGETS) @ last.T
    rows = pd.DataFrame(run({**SPEC, "depth": 2, "init": "gaussian", "covariance": "unequal", "updates": 1}).columns())
    loss = np.sum(np.array([0.5, 0.75, 1, 1.25, 1.5]) @ errors**2) / 2
    assert values(rows, "train_loss", 0) == pytest.approx(loss)


def test_a_rate_beyond_the_edge_of_stability_is_recorded_as_divergence():
    rows = pd.DataFrame(run({**SPEC, "depth": 3, "edge_share": 9}).columns())
    assert rows["metric"].iloc[-1] == "diverged"
