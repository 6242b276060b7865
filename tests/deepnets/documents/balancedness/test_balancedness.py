from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import torch

from deepnets.experiments.balancedness.run import run as train_net
from deepnets.experiments.unequal_layers.run import run as train_mode
from small_runs import descend, values

NET = {
    **{"depth": 3, "activation": "linear", "inputs": 4, "width": 5, "outputs": 3, "samples": 20, "duration": 1},
    **{"records": 4, "learning_rate": 0.01, "seed": 0},
}
MODE = {"imbalance": 1, "initial_strength": 0.01, "duration": 3, "records": 10, "learning_rate": 0.002}


def _values(measurements, metric: str) -> np.ndarray:
    return values(pd.DataFrame(measurements.columns()), metric)


@pytest.mark.parametrize("activation", ["linear", "relu"])
def test_a_run_is_gradient_descent_and_drifts_are_changes_over_the_norm_of_the_start(activation):
    generator = np.random.default_rng(0)
    start = [generator.standard_normal(shape) / shape[0] ** 0.5 for shape in ((4, 5), (5, 5), (5, 3))]
    inputs = generator.standard_normal((20, 4))
    targets = inputs @ generator.standard_normal((4, 3)) / 2

    def loss(weights):
        layer = torch.tensor(inputs)
        for matrix in weights[:-1]:
            layer = torch.relu(layer @ matrix) if activation == "relu" else layer @ matrix
        return torch.sum((layer @ weights[-1] - torch.tensor(targets)) ** 2) / 2 / len(inputs)

    nets = list(descend(start, loss, 0.01, 3))
    balances = np.array([[before.T @ before - after @ after.T for before, after in pairwise(net)] for net in nets])
    found, changes = (
        train_net({**NET, "activation": activation, "duration": 0.03, "records": 3}),
        balances - balances[0],
    )
    assert _values(found, "train_loss") == pytest.approx([loss(list(map(torch.tensor, net))).item() for net in nets])
    drifts = {"matrix": changes, "neuron": np.diagonal(changes, 0, 2, 3), "layer": np.trace(changes, 0, 2, 3)}
    for name, parts in drifts.items():
        expected = np.linalg.norm(parts.reshape(4, -1), axis=1) / np.linalg.norm(balances[0])
        assert _values(found, f"{name}_drift") == pytest.approx(expected)


def test_training_lasts_as_long_at_each_rate():
    for rate in (0.01, 0.0125):
        assert _values(train_net({**NET, "learning_rate": rate}), "training_time") == pytest.approx(np.arange(5) / 4)


def test_the_recorded_error_is_of_first_order_in_the_rate():
    slow, fast = (train_mode({**MODE, "learning_rate": rate}) for rate in (0.001, 0.002))
    assert _values(fast, "largest_error") / _values(slow, "largest_error") == pytest.approx(2, rel=0.01)
    assert _values(slow, "strength") == pytest.approx(_values(slow, "closed_form"), abs=1e-3)
    assert np.abs(_values(slow, "error")).max() <= _values(slow, "largest_error")
    strength = _values(slow, "strength")
    assert _values(slow, "growth") == pytest.approx(np.hypot(1, 2 * strength) * (1 - strength), abs=2e-3)
    assert _values(slow, "imbalance_drift") == pytest.approx(0, abs=1e-3)
    every = train_mode({**MODE, "records": 1500})
    at = int(np.argmax(_values(every, "strength") >= 0.9))
    rest = 1 - _values(every, "strength")
    assert _values(every, "error_decay") == pytest.approx(np.log(rest[0] / rest[at]) / (0.002 * at))
