from functools import reduce
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import torch

from deepnets.data import tree
from deepnets.experiments.hierarchy.run import run
from small_runs import by_step, descend, interpolate_crossing, table_maker, values

SPEC = {
    **{"experiment": "hierarchy", "dataset": "plain", "depth": 2, "init": "fan_sum_normal", "scale": 1e-12},
    **{"learning_rate": 100, "seed": 2021, "levels": 3, "branches": 2, "flip_probability": 0.15, "features": 10_000},
    **{"hidden": 30, "steps": 250, "recorded_features": 10, "data": {"draw": 0}, "record_rsm_every": 50},
}
SHARK = {"dataset": "shark", "data": {"draw": 1, "added_feature": [-1, 1, 1, 1, -1, -1, -1, -1], "illusory_item": 0}}
# These sizes are quick; λ = 2·lr/(items·features) times the largest singular value is 0.39, as in the document.
SMALL = {"features": 400, "learning_rate": 20, "steps": 120}


table = table_maker(run, SPEC)


@pytest.mark.parametrize(("depth", "scale", "rate"), [(1, 1.0, 20), (2, 1e-3, 20), (3, 0.5, 5)])
def test_training_equals_that_of_torch(depth, scale, rate):
    spec = {**SPEC, **SMALL, "depth": depth, "scale": scale, "learning_rate": rate}
    rows = pd.DataFrame(run(spec).columns())
    targets = tree.sample_features(3, 2, 0.15, 400, np.random.RandomState(2021)).astype(np.float32)
    draw, sizes = np.random.default_rng(2021).standard_normal, [8, *[30] * (depth - 1), 400]
    start = [(scale * draw(shape) / np.sqrt(sum(shape))).astype(np.float32) for shape in pairwise(sizes)]
    spreads = [np.sqrt(np.mean(matrix**2)) for matrix in start]

    def loss(weights):
        return torch.mean((reduce(torch.matmul, weights) - torch.tensor(targets)) ** 2)

    nets = list(descend(start, loss, rate, 121))
    losses = [loss(list(map(torch.tensor, net))).item() for net in nets[:-1]]
    products = np.array([reduce(np.matmul, net) for net in nets[:-1]])
    modes = np.linalg.svd(products, compute_uv=False)
    norms = [
        np.sqrt(sum(np.sum((now - then) ** 2) for now, then in zip(*both, strict=True))) / rate
        for both in pairwise(nets)
    ]
    # A different order of summation changes the seventh digit of the loss and of the largest singular value, 31, which
    # sets the absolute error of all singular values.
    np.testing.assert_allclose(values(rows, "train_loss"), losses, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(by_step(rows, "singular_value"), modes, rtol=0, atol=3e-6 * 31)
    # Inputs are one-hot, so that least squares reproduce the features.
    differences = np.abs(products - targets).max(axis=(1, 2))
    np.testing.assert_allclose(values(rows, "weight_difference"), differences, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(values(rows, "initial_deviation"), spreads, rtol=1e-5)
    assert rows.loc[rows["metric"] == "gradient_norm", "step"].tolist() == [0, 50, 100, 120]
    # At the end the gradients are small differences of larger numbers.
    found, expected = values(rows, "gradient_norm"), np.array(norms)[[0, 50, 100, 120]]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6 * max(norms))
    left, own, right = np.linalg.svd(targets, full_matrices=False)
    between = [np.abs(left.T @ products[step] @ right.T)[~np.eye(8, dtype=bool)].max() for step in (0, 50, 100, 120)]
    np.testing.assert_allclose(values(rows, "between_modes"), np.array(between) / own[0], rtol=1e-3, atol=1e-7)


def test_gradients_of_tiny_weights_do_not_underflow():
    # Gradients are about 1e-30, and float32 cannot represent their squares.
    first, second = (values(table(**{**SMALL, "steps": 1, "scale": scale}), "gradient_norm") for scale in (1e-3, 1e-30))
    np.testing.assert_allclose(second, 1e-27 * first, rtol=1e-2)


def test_all_metrics_of_theory_equal_plain_numpy():
    # The tree is small enough for plain NumPy: two levels, four leaves, 300 features and an added one.
    added = {"draw": 1, "added_feature": [-1, 1, 1, 1], "illusory_item": 0}
    changes = {"levels": 2, "features": 300, "hidden": 10, "scale": 1e-2, "learning_rate": 10, "steps": 60}
    rows = table(**changes, data=added, record_rsm_every=25)
    stream = np.random.RandomState(2021)
    _, features = (tree.sample_features(2, 2, 0.15, 300, stream) for _ in range(2))
    features = np.hstack([features, np.array(added["added_feature"])[:, np.newaxis]])
    rate, own = 2 * 10 / (4 * 301), np.linalg.svd(features, compute_uv=False)
    # The similarity of two leaves is q = 0.7² if they share a parent, else q².
    eigenvalues = np.array([1 + 0.49 + 2 * 0.49**2, 1 + 0.49 - 2 * 0.49**2, 1 - 0.49])
    modes = np.sqrt(301 * eigenvalues)[[0, 1, 2, 2]]
    draw = np.random.default_rng(2021).standard_normal
    first, second = (1e-2 * draw(shape) / np.sqrt(sum(shape)) for shape in ((4, 10), (10, 301)))
    start = 10 * (np.mean(first**2) + np.mean(second**2)) / 4

    def strengths(singular_values):
        roots = [np.full(4, np.sqrt(start))]
        for _ in range(60):
            roots.append(roots[-1] + rate * (singular_values - roots[-1] ** 2) * roots[-1])
        return np.array(roots) ** 2

    of_tree, of_data = strengths(modes), strengths(own)
    vectors = np.array([[1, 1, 1, 1], [1, 1, -1, -1], [2**0.5, -(2**0.5), 0, 0], [0, 0, 2**0.5, -(2**0.5)]]) / 2
    similarity = [vectors.T @ np.diag(of_tree[step]) @ vectors for step in (0, 25, 50, 60)]
    prediction = [(vectors.T @ np.diag(now / modes) @ vectors @ features[:, -1])[0] for now in of_tree]
    expected = {
        "data_singular_value": own,
        "theory_singular_value": modes,
        "theory_plateau": 1 - np.cumsum([0, eigenvalues[0], eigenvalues[1], 2 * eigenvalues[2]]) / 4,
        "theory_mode_strength": of_tree.ravel(),
        "theory_train_loss": np.sum((modes - of_tree) ** 2, axis=1) / (4 * 301),
        "theory_half_time": [interpolate_crossing(of_tree[:, mode], modes[mode] / 2) for mode in range(4)],
        "predicted_half_time": [interpolate_crossing(of_data[:, mode], own[mode] / 2) for mode in range(4)],
        "half_time_formula": np.log(modes / (2 * start)) / (2 * np.log(1 + rate * modes)),
        "half_time": [
            interpolate_crossing(by_step(rows, "singular_value")[:, mode], own[mode] / 2) for mode in range(4)
        ],
        "theory_rsm": np.ravel(similarity),
        "theory_illusory_prediction": prediction,
    }
    for metric, numbers in expected.items():
        # Float32 rounds the weights.
        np.testing.assert_allclose(values(rows, metric), numbers, rtol=1e-5, atol=1e-7, err_msg=metric)
    assert sorted(set(rows.loc[rows["metric"] == "rsm", "step"])) == [0, 25, 50, 60]
    assert rows.loc[rows["metric"] == "theory_rsm", "step"].tolist() == sorted([0, 25, 50, 60] * 16)
    assert rows.loc[rows["metric"] == "theory_illusory_prediction", "step"].tolist() == list(range(61))


@pytest.mark.parametrize(("depth", "rate", "metrics"), [(1, 20, {"theory_train_loss"}), (3, 5, set())])
def test_other_depths_record_only_theory_that_exists(depth, rate, metrics):
    # At these rates every mode exceeds its half.
    rows = table(**{**SMALL, "depth": depth, "scale": 0.5, "learning_rate": rate})
    assert np.all(by_step(rows, "singular_value")[-1] > values(rows, "data_singular_value") / 2)
    found = {metric for metric in rows["metric"] if metric.startswith("theory") or "half_time" in metric}
    spectrum = {"theory_singular_value", "theory_plateau"}
    assert found - {"half_time"} == metrics | spectrum
    # A net without a hidden layer has neither half times nor a hidden representation.
    assert ("half_time" in found) == ("rsm" in set(rows["metric"])) == (depth > 1)


def test_the_similarity_matrix_is_that_of_the_hidden_layer():
    rows = table(**{**SMALL, "steps": 0, "scale": 1})
    first = np.random.default_rng(2021).standard_normal((8, 30)) / np.sqrt(38)
    np.testing.assert_allclose(values(rows, "rsm").reshape(8, 8), first @ first.T, rtol=1e-5, atol=1e-6)


def test_the_illusory_prediction_is_that_of_the_item_and_the_added_feature():
    added = {"draw": 1, "added_feature": [-1, 1, 1, 1, -1, -1, -1, -1], "illusory_item": 2}
    rows = table(**{**SMALL, "scale": 1e-2, "data": added, "recorded_features": 1})
    for metric in ("illusory_prediction", "theory_illusory_prediction"):
        assert set(rows.loc[rows["metric"] == metric, "index"]) == {2}
    # The metric `weight` has the final weights from items to the last feature. Theory ends at the feature's value.
    assert values(rows, "illusory_prediction", 120) == values(rows, "weight")[2]
    assert values(rows, "theory_illusory_prediction", 120) == pytest.approx(1, abs=1e-3)


def test_data_sets_are_drawn_one_after_the_other():
    stream = np.random.RandomState(2021)
    first, second = (tree.sample_features(3, 2, 0.15, 400, stream)[:, -10:] for _ in range(2))
    plain, shark = (table(**{**SMALL, "steps": 1, **changes}) for changes in ({}, SHARK))
    np.testing.assert_array_equal(values(plain, "feature").reshape(8, 10), first)
    np.testing.assert_allclose(values(plain, "least_squares_weight").reshape(8, 10), first, atol=1e-6)
    drawn = values(shark, "feature").reshape(8, 10)
    np.testing.assert_array_equal(drawn[:, :-1], second[:, 1:])
    assert drawn[:, -1].tolist() == SHARK["data"]["added_feature"]


def test_the_loss_without_hidden_layers_equals_the_closed_form():
    rows = table(depth=1, init="fan_in_uniform", scale=1, features=500, learning_rate=50)
    # The last errors, about 1e-3, are differences of numbers near 1, with rounding errors of 6e-8.
    np.testing.assert_allclose(values(rows, "train_loss"), values(rows, "theory_train_loss"), rtol=1e-4, atol=1e-12)
