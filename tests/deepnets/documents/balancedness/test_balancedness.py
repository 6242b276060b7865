import numpy as np
import pandas as pd
import pytest

from deepnets.experiments.balancedness.run import balance_matrices, loss_and_gradients
from deepnets.experiments.balancedness.run import run as train_net
from deepnets.experiments.unequal_layers.run import run as train_mode
from small_runs import values

NET = {
    **{"depth": 3, "activation": "linear", "inputs": 4, "width": 5, "outputs": 3, "samples": 20, "duration": 1},
    **{"records": 4, "learning_rate": 0.01, "seed": 0},
}
MODE = {"imbalance": 1, "initial_strength": 0.01, "duration": 3, "records": 10, "learning_rate": 0.002}


def _values(measurements, metric: str) -> np.ndarray:
    return values(pd.DataFrame(measurements.columns()), metric)


def _small_net():
    generator = np.random.default_rng(1)
    weights = [generator.standard_normal(shape) for shape in ((4, 5), (5, 6), (6, 3))]
    return weights, generator.standard_normal((20, 4)), generator.standard_normal((20, 3))


@pytest.mark.parametrize("is_relu", [False, True])
def test_gradients_are_the_differences_of_the_loss(is_relu):
    weights, inputs, targets = _small_net()
    _, gradients = loss_and_gradients(weights, inputs, targets, is_relu)
    for layer, gradient in enumerate(gradients):
        for entry in np.ndindex(gradient.shape):
            losses = []
            for shift in (1e-6, -1e-6):
                moved = [weight.copy() for weight in weights]
                moved[layer][entry] += shift
                losses.append(loss_and_gradients(moved, inputs, targets, is_relu)[0])
            assert (losses[0] - losses[1]) / 2e-6 == pytest.approx(gradient[entry], rel=1e-5, abs=1e-7)


def test_the_balance_matrix_has_a_row_for_each_hidden_neuron():
    (matrix,) = balance_matrices([np.array([[1.0, 2.0]]), np.array([[3.0], [1.0]])])
    assert matrix == pytest.approx(np.array([[1 - 9, 2 - 3], [2 - 3, 4 - 1]]))


def test_drifts_are_norms_of_changes_divided_by_the_norm_of_the_start():
    generator = np.random.default_rng(0)
    weights = [generator.standard_normal(shape) / shape[0] ** 0.5 for shape in ((4, 5), (5, 5), (5, 3))]
    inputs = generator.standard_normal((20, 4))
    targets = inputs @ generator.standard_normal((4, 3)) / 2
    start = np.array(balance_matrices(weights))
    for _ in range(3):
        _, gradients = loss_and_gradients(weights, inputs, targets, True)
        weights = [weight - 0.01 * gradient for weight, gradient in zip(weights, gradients, strict=True)]
    change = np.array(balance_matrices(weights)) - start
    found = train_net({**NET, "activation": "relu", "duration": 0.03, "records": 1})
    drifts = {"matrix": change, "neuron": np.diagonal(change, 0, 1, 2), "layer": np.trace(change, 0, 1, 2)}
    for name, part in drifts.items():
        expected = np.linalg.norm(part.ravel()) / np.linalg.norm(start.ravel())
        assert _values(found, f"{name}_drift") == pytest.approx([0, expected])


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
