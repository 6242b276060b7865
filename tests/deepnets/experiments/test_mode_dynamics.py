from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import torch

from deepnets.data import tree
from deepnets.experiments.mode_dynamics.run import run
from deepnets.theory import linear_learning, mode_learning
from small_runs import by_step, descend, interpolate_crossing, table_maker, values

SPEC = {
    **{"experiment": "mode_dynamics", "block": "small_random", "depth": 2, "init": "normal", "activation": "linear"},
    **{"seed": 3, "levels": 3, "branches": 2, "flip_probability": 0.1, "features": 40, "data_seed": 7, "hidden": 9},
    **{"learning_rate": 0.01, "initial_strength": 1e-3, "steps": 160, "record_every": 8, "recorded_modes": [1, 2, 5]},
    **{"simulations": 2},
}


table = table_maker(run, SPEC)


def half_times(rows):
    return rows[rows["metric"] == "half_time"].set_index("index")["value"]


def sample_features(spec):
    stream = np.random.RandomState(spec["data_seed"])
    return tree.sample_features(spec["levels"], spec["branches"], spec["flip_probability"], spec["features"], stream)


def train_with_torch(spec, simulation):
    """Train by torch with all features as outputs; return mode strengths after each update and singular values."""
    targets = sample_features(spec)
    left, singular_values, right = np.linalg.svd(targets, full_matrices=False)
    random = np.random.default_rng([spec["seed"], simulation])
    sizes = [len(targets), *[spec["hidden"]] * (spec["depth"] - 1), len(singular_values)]
    deviation = spec["initial_strength"] ** (1 / spec["depth"]) * np.sqrt(2 / spec["hidden"])
    weights = [deviation * random.standard_normal(shape) for shape in pairwise(sizes)]
    weights[-1] = weights[-1] @ right

    def outputs(weights):
        # Inputs are one-hot.
        layer = weights[0]
        for matrix in weights[1:]:
            layer = (torch.tanh(layer) if spec["activation"] == "tanh" else layer) @ matrix
        return layer

    def loss(weights):
        return torch.sum((outputs(weights) - torch.tensor(targets)) ** 2) / 2

    nets = descend(weights, loss, spec["learning_rate"], spec["steps"])
    # Σ₃₁ in Uᵀ Σ₃₁ V is the transposed matrix of outputs.
    strengths = [np.diag(right @ outputs(list(map(torch.tensor, net))).numpy().T @ left) for net in nets]
    return np.array(strengths), singular_values


@pytest.mark.parametrize(
    ("depth", "activation", "initial"), [(2, "linear", 1e-3), (2, "tanh", 1e-3), (3, "tanh", 0.05)]
)
def test_training_equals_that_of_torch_with_all_features(depth, activation, initial):
    spec = {**SPEC, "depth": depth, "activation": activation, "initial_strength": initial}
    rows = pd.DataFrame(run(spec).columns())
    both = [train_with_torch(spec, simulation) for simulation in (0, 1)]
    singular_values = both[0][1]
    np.testing.assert_allclose(values(rows, "data_singular_value"), singular_values, rtol=1e-12)
    recorded = rows[rows["metric"] == "mode_strength"]
    assert recorded["step"].tolist() == [step for step in range(0, 161, 8) for _ in range(3)]
    assert recorded["index"].tolist() == [0, 1, 4] * 21
    np.testing.assert_allclose(by_step(rows, "mode_strength"), both[0][0][::8][:, [0, 1, 4]], rtol=1e-8, atol=1e-12)
    halves = half_times(rows)
    expected = {
        8 * simulation + mode: time
        for simulation, (strengths, _) in enumerate(both)
        for mode in range(8)
        if (time := interpolate_crossing(strengths[:, mode], singular_values[mode] / 2)) is not None
    }
    assert len(expected) > 8
    assert halves.index.tolist() == sorted(expected)
    np.testing.assert_allclose(halves, [expected[index] for index in halves.index], rtol=1e-8)


def test_decoupled_modes_follow_the_scalar_map_to_round_off():
    rows = table(init="decoupled", simulations=1, initial_strength=1e-6, recorded_modes=list(range(1, 9)), steps=400)
    singular_values = np.linalg.svd(sample_features(SPEC), compute_uv=False)
    expected = linear_learning.mode_strengths(singular_values, 1e-6, 0.01, 400)
    np.testing.assert_allclose(by_step(rows, "mode_strength"), expected[::8], rtol=1e-9)


def test_theory_is_eqs_11_and_12_with_the_singular_values_of_the_data():
    rows = table(steps=20, record_every=10)
    singular_values = np.linalg.svd(sample_features(SPEC), compute_uv=False)
    times = mode_learning.half_time(singular_values, 1e-3) / SPEC["learning_rate"]
    np.testing.assert_allclose(values(rows, "theory_half_time"), times)
    for step in (0, 10, 20):
        expected = mode_learning.strength(0.01 * step, singular_values[[0, 1, 4]], 1e-3)
        np.testing.assert_allclose(values(rows, "theory_mode_strength", step), expected)
    # A mode that starts above its half has no half time.
    strong = table(initial_strength=float(0.51 * singular_values[3]), steps=1)
    expected = [mode for mode in range(8) if singular_values[mode] > 1.02 * singular_values[3]]
    assert 0 < len(expected) < 4
    assert strong.loc[strong["metric"] == "theory_half_time", "index"].tolist() == expected
