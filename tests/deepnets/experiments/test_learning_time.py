from itertools import islice

import numpy as np
import pandas as pd
import pytest

from deepnets.experiments.learning_time.run import run
from deepnets.networks.linear import covariance_gradients, product
from deepnets.theory import deep_mode
from small_runs import deep_start, made_once, whitened_digits

SPEC = {
    **{"experiment": "learning_time", "block": "depths", "depth": 3, "init": "orthogonal", "width": 12, "seed": 0},
    **{"threshold": 0.05, "hold": 5, "max_steps": 400, "initial_strength": 0.001, "deviation": 0.01},
    **{"pretraining": {"learning_rate": 0.5, "max_steps": 200}},
    **{"rates": {"lowest": 0.1, "highest": 1, "count": 4, "lag": None}},
}
INITS = ["decoupled", "orthogonal", "gaussian", "small_gaussian", "pretrained"]
dataset = made_once(whitened_digits, 60)


def metrics(spec, dataset):
    """Return what a run recorded: metric → values and steps, in the order of the records."""
    rows = pd.DataFrame(run(spec, dataset).columns()).groupby("metric")
    return {name: (own["value"].to_numpy(), own["step"].to_numpy()) for name, own in rows}


@np.errstate(over="ignore", invalid="ignore")
def plain_losses(weights, dataset, rate, updates):
    """Return the losses of gradient descent, layer by layer in plain NumPy, with gradients from covariances."""
    inputs, targets = dataset["inputs"], np.eye(10)[dataset["labels"]]
    losses = []
    for _ in range(updates):
        losses.append(np.mean((inputs @ product(weights) - targets) ** 2))
        gradients = covariance_gradients(weights, inputs.T @ inputs / 600, inputs.T @ targets / 600)
        weights = [matrix - rate * gradient for matrix, gradient in zip(weights, gradients, strict=True)]
    return np.array(losses)


def task_of(dataset):
    return dataset["inputs"].T @ np.eye(10)[dataset["labels"]] / 600


def draw_start(init, dataset):
    sizes = [20, *[SPEC["width"]] * (SPEC["depth"] - 1), 10]
    return deep_start(init, sizes, task_of(dataset), np.random.default_rng(SPEC["seed"]).standard_normal)


@pytest.mark.parametrize("init", INITS)
def test_a_run_equals_plain_gradient_descent_at_its_best_rate(dataset, init):
    recorded = metrics({**SPEC, "init": init}, dataset)
    losses, (rate,) = recorded["train_loss"][0], recorded["best_learning_rate"][0]
    expected = plain_losses(draw_start(init, dataset), dataset, rate, len(losses))
    # Gaussian nets are float32.
    np.testing.assert_allclose(losses, expected, rtol=1e-4 if "gaussian" in init else 1e-11)
    (time,), (target,) = recorded["learning_time"][0], recorded["target_loss"][0]
    assert np.flatnonzero(expected > target)[-1] == time - 1 and len(losses) == time + 6
    assert recorded["learning_time"][1] == recorded["best_learning_rate"][1] == time


def test_rates_are_multiples_of_the_theory_and_the_target_is_a_share_of_the_learnable_loss(dataset):
    recorded = metrics({**SPEC, "rates": {"lowest": 0.25, "highest": 4, "count": 5, "lag": None}}, dataset)
    values = np.linalg.svd(task_of(dataset), compute_uv=False)
    best = 1.9 / (3 * values[0] ** (4 / 3))
    np.testing.assert_allclose(recorded["theory_best_learning_rate"][0], best)
    np.testing.assert_allclose(recorded["swept_learning_rate"][0], best * np.array([0.25, 0.5, 1, 2, 4]))
    inputs, targets = dataset["inputs"], np.eye(10)[dataset["labels"]]
    optimum = np.mean((targets - inputs @ np.linalg.lstsq(inputs, targets)[0]) ** 2)
    np.testing.assert_allclose(recorded["optimal_loss"][0], optimum)
    np.testing.assert_allclose(recorded["target_loss"][0], optimum + 0.05 * (0.1 - optimum))


@pytest.mark.parametrize("depth", [2, 5, 20])
def test_a_decoupled_run_equals_the_map_of_its_modes_to_round_off(dataset, depth):
    recorded = metrics({**SPEC, "init": "decoupled", "depth": depth}, dataset)
    assert recorded["map_learning_time"][0] == recorded["learning_time"][0]
    assert recorded["map_best_learning_rate"][0] == recorded["best_learning_rate"][0]
    assert recorded["map_difference"][0] < 1e-13
    difference = np.abs(recorded["map_train_loss"][0] - recorded["train_loss"][0]).max()
    np.testing.assert_allclose(difference, recorded["map_difference"][0], atol=1e-16)
    values = np.linalg.svd(task_of(dataset), compute_uv=False)[:9]
    modes = islice(deep_mode.descent(values, 0.001, depth, recorded["map_best_learning_rate"][0]), 20)
    expected = [(1 - np.sum(values**2) + np.sum((values - u) ** 2)) / 10 for u in modes]
    np.testing.assert_allclose(recorded["map_train_loss"][0][:20], expected[: len(recorded["train_loss"][0])])


def test_the_theoretical_time_is_that_of_slow_descent_scaled_to_the_best_rate(dataset):
    spec = {**SPEC, "init": "decoupled", "depth": 6, "hold": 0, "max_steps": 20000}
    recorded = metrics({**spec, "rates": {"lowest": 0.01, "highest": 0.011, "count": 2, "lag": None}}, dataset)
    # The run has a hundredth of the best rate (here 0.011), so it takes a hundred times as long.
    assert recorded["theory_learning_time"][0] == pytest.approx(recorded["learning_time"][0] * 0.011, rel=0.01)
    # With a thousand layers, the time is close to the limit of infinite depth.
    deep = metrics({**spec, "depth": 1000, "max_steps": 1}, dataset)
    np.testing.assert_allclose(deep["theory_learning_time"][0], recorded["limit_learning_time"][0], rtol=0.02)
    assert recorded["theory_learning_time"][0] < deep["theory_learning_time"][0] < deep["limit_learning_time"][0]


def test_a_run_that_does_not_learn_in_time_records_the_rate_with_the_least_error(dataset):
    recorded = metrics({**SPEC, "max_steps": 3}, dataset)
    assert "learning_time" not in recorded and "diverged" not in recorded
    assert len(recorded["train_loss"][0]) == 4 and recorded["best_learning_rate"][1] == 3
    rates = recorded["swept_learning_rate"][0]
    ends = [plain_losses(draw_start("orthogonal", dataset), dataset, rate, 4)[-1] for rate in rates]
    assert recorded["best_learning_rate"][0] == rates[np.argmin(ends)]


def test_rates_that_diverge_or_are_too_slow_are_recorded_and_the_others_learn(dataset):
    rates = {"lowest": 0.01, "highest": 100, "count": 9, "lag": 1.5}
    recorded = metrics({**SPEC, "init": "gaussian", "depth": 5, "max_steps": 4000, "rates": rates}, dataset)
    swept = recorded["swept_learning_rate"][0]
    assert "learning_time" in recorded and "diverged" not in recorded
    ended = [*recorded["diverged_rate"][0], *recorded["given_up_rate"][0]]
    assert set(ended) < set(swept) and recorded["best_learning_rate"][0] not in ended
    assert recorded["diverged_rate"][0].min() > recorded["best_learning_rate"][0] > recorded["given_up_rate"][0].max()
    assert recorded["best_at_edge"][0] == 0


@pytest.mark.parametrize(("lowest", "highest", "edge"), [(0.3, 0.4, 1), (0.3, 30, 0)])
def test_a_best_rate_at_the_edge_of_the_sweep_is_recorded(dataset, lowest, highest, edge):
    rates = {"lowest": lowest, "highest": highest, "count": 12, "lag": None}
    assert metrics({**SPEC, "rates": rates}, dataset)["best_at_edge"][0] == edge
