import numpy as np
import pytest
import torch

from deepnets.experiments.mnist_modes.run import run
from deepnets.theory import mode_learning
from small_runs import by_step, descend, interpolate_crossing, made_once, table_maker, values, whitened_digits

SPEC = {
    **{"experiment": "mnist_modes", "block": "small", "depth": 2, "init": "orthogonal", "scale": 1e-2, "seed": 4},
    **{"hidden": 12, "learning_rate": 0.3, "steps": 400, "record_every": 20},
}


dataset = made_once(whitened_digits, 15)
table = table_maker(run, SPEC)


def spectrum(dataset):
    inputs, targets = dataset["inputs"], np.eye(10)[dataset["labels"]]
    left, singular_values, right = np.linalg.svd(inputs.T @ targets / len(inputs), full_matrices=False)
    return left[:, :9], singular_values[:9], right[:9]


def draw_start(init, scale, seed=4):
    """Return initial weights of shapes (20, 12) and (12, 10), as the settings describe them."""
    draw = np.random.default_rng(seed).standard_normal
    weights = []
    for n_in, n_out in ((20, 12), (12, 10)):
        if init == "orthogonal":
            factor, triangle = np.linalg.qr(draw((n_in, n_out)))
            weights.append(scale * factor * np.sign(np.diag(triangle)))
        else:
            rows = draw((n_out, n_in))
            weights.append(scale * (rows / np.linalg.norm(rows, axis=1, keepdims=True)).T)
    return weights


@pytest.mark.parametrize(("init", "scale"), [("orthogonal", 1e-2), ("row_normalized", 1)])
def test_training_equals_gradient_descent_on_samples(dataset, init, scale):
    rows = table(dataset, init=init, scale=scale)
    inputs, targets = dataset["inputs"], np.eye(10)[dataset["labels"]]
    left, singular_values, right = spectrum(dataset)

    def loss(weights):
        return (
            torch.sum((torch.tensor(inputs) @ weights[0] @ weights[1] - torch.tensor(targets)) ** 2) / 2 / len(inputs)
        )

    nets = descend(draw_start(init, scale), loss, 0.3, 400)
    strengths = np.array([np.diag(left.T @ first @ second @ right.T) for first, second in nets])
    np.testing.assert_allclose(values(rows, "data_singular_value"), singular_values, rtol=1e-10)
    np.testing.assert_allclose(by_step(rows, "mode_strength"), strengths[::20], rtol=1e-6, atol=1e-12)
    times = [interpolate_crossing(*each) for each in zip(strengths.T, singular_values / 2, strict=True)]
    halves = rows[rows["metric"] == "half_time"]
    assert halves["index"].tolist() == [mode for mode, time in enumerate(times) if time is not None]
    np.testing.assert_allclose(halves["value"], [time for time in times if time is not None], rtol=1e-6)


def test_theory_starts_from_the_mean_strength_or_from_each_mode_s_vectors(dataset):
    rows = table(dataset, steps=40)
    left, singular_values, right = spectrum(dataset)
    weights = draw_start("orthogonal", 1e-2)
    initial = 12 * (np.mean(weights[0] ** 2) + np.mean(weights[1] ** 2)) / 4
    half_times = mode_learning.half_time(singular_values, initial) / 0.3
    np.testing.assert_allclose(values(rows, "theory_half_time"), half_times)
    for step in (0, 40):
        expected = mode_learning.strength(0.3 * step, singular_values, initial)
        np.testing.assert_allclose(values(rows, "theory_mode_strength", step), expected)
    # The reference is a net with only this mode, in small steps.
    for mode in (0, 8):
        a, b = left[:, mode] @ weights[0], weights[1] @ right[mode]
        assert values(rows, "predicted_mode_strength", 0)[mode] == pytest.approx(a @ b, abs=1e-15)
        for _ in range(40 * 100):
            error = singular_values[mode] - a @ b
            a, b = a + 0.003 * error * b, b + 0.003 * error * a
        assert values(rows, "predicted_mode_strength", 40)[mode] == pytest.approx(a @ b, rel=5e-3)
