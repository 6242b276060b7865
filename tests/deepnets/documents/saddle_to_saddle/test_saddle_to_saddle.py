from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import torch

from deepnets.experiments.saddle_to_saddle.run import run
from deepnets.theory import mode_learning
from small_runs import by_step, descend, interpolate_crossing, made_once, values

SPEC = {
    **{"depth": 3, "init": "near_identity", "width": 3, "scale": 0.3, "learning_rate": 0.01, "seed": 0},
    **{"singular_values": [6.0, 2.0, 3.0], "updates": 200, "records": 200},
}
SORTED = np.array([6, 3, 2])


def _run(**changes):
    return pd.DataFrame(run({**SPEC, **changes}).columns())


def _start(layers):
    generator = np.random.default_rng(0)
    return [0.3 * (np.eye(3) + 0.1 * generator.standard_normal((3, 3))) for _ in range(layers)]


def _path():
    """Return the layers after each update, (3, updates + 1, 3, 3)."""

    def loss(layers):
        return torch.sum((layers[0] @ layers[1] @ layers[2] - torch.diag(torch.tensor(SORTED))) ** 2)

    return np.stack(list(descend(_start(3), loss, 0.01, 200)), axis=1)


found, path = made_once(_run), made_once(_path)


def test_a_run_is_gradient_descent_on_the_printed_loss(found, path):
    products = path[0] @ path[1] @ path[2]
    assert by_step(found, "strength") == pytest.approx(products.diagonal(axis1=1, axis2=2))
    assert values(found, "train_loss") == pytest.approx(np.sum((products - np.diag(SORTED)) ** 2, axis=(1, 2)))
    squares = np.linalg.svd(np.diff(path[0], axis=0), compute_uv=False) ** 2
    assert values(found, "stable_rank")[:-1] == pytest.approx(squares.sum(axis=1) / squares[:, 0])


def test_times_and_plateaus_are_those_of_the_curves(found):
    times = {
        share: [interpolate_crossing(*each) for each in zip(by_step(found, "strength").T, share * SORTED, strict=True)]
        for share in (0.1, 0.5, 0.9)
    }
    assert values(found, "half_time") == pytest.approx(times[0.5])
    assert values(found, "rise_time") == pytest.approx(np.subtract(times[0.9], times[0.1]))
    losses, ends = values(found, "train_loss"), [0, *map(int, times[0.5])]
    slopes = np.abs(np.diff(losses))
    slowest = [begin + np.argmin(slopes[begin:end]) for begin, end in pairwise(ends)]
    assert values(found, "plateau") == pytest.approx(losses[slowest] / [49, 13, 4])


def test_ends_are_those_of_the_layers(found, path):
    directions = np.linalg.eigh(path[0, -1] @ path[0, -1].T)[1][:, ::-1]
    assert values(found, "overlap") == pytest.approx(np.abs(directions.diagonal()))
    change = np.linalg.norm(path[:, -1] - path[:, 0]) / np.linalg.norm(path[:, 0])
    assert values(found, "movement") == pytest.approx(change)
    balances = path[:-1].mT @ path[:-1] - path[1:] @ path[1:].mT
    drift = np.linalg.norm(balances[:, -1] - balances[:, 0]) / np.linalg.norm(balances[:, 0])
    assert values(found, "imbalance_drift") == pytest.approx(drift)


@pytest.mark.parametrize("depth", [1, 2])
def test_theory_is_exponential_with_one_layer_and_logistic_with_two(depth):
    rows, product = _run(depth=depth, updates=10), np.linalg.multi_dot([np.eye(3), *_start(depth)])
    spectrum = np.linalg.eigvalsh(product @ product.T)[::-1] ** 0.5
    for name, starts in {"theory": product.diagonal(), "sorted": spectrum}.items():
        times = mode_learning.half_time(SORTED, starts) if depth == 2 else np.log(2 * (1 - starts / SORTED))
        assert values(rows, f"{name}_half_time") == pytest.approx(times / 0.02)


def test_independent_weights_are_gaussian_of_this_scale():
    start = 0.3 * np.random.default_rng(0).standard_normal((3, 3))
    assert values(_run(init="gaussian", depth=1, updates=1), "theory_start") == pytest.approx(np.abs(start.diagonal()))
