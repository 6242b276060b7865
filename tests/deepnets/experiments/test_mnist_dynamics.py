from functools import partial

import numpy as np
import pytest

from deepnets.data.mnist.make import split_subset
from deepnets.data.whitened.make import make as whiten
from deepnets.experiments.mnist_dynamics.run import run
from printed_code import backward_from_samples, evaluate, forward, step_from_covariances
from reproduce.records.datasets import Dataset
from small_mnist import SUBSET_FILE
from small_runs import made_once, metric_of, whitened_digits

SPEC = {
    **{"experiment": "mnist_dynamics", "depth": 2, "init": "row_normalized", "seed": 0, "hidden": 16, "steps": 20},
    **{"learning_rate": 0.1, "record_product_at": [0, 5, 20]},
}


dataset = made_once(whitened_digits, 15)
metric = partial(metric_of, run)


def draw_start(dataset, hidden=16):
    """Return inputs, one-hot targets, and the document's two matrices, which act from the left."""
    generator = np.random.default_rng(0)
    inputs = dataset["inputs"]
    rows = [generator.standard_normal(shape) for shape in ((hidden, inputs.shape[1]), (10, hidden))]
    weights = [matrix / np.linalg.norm(matrix, axis=1, keepdims=True) for matrix in rows]
    return inputs, np.eye(10)[dataset["labels"]], weights


@pytest.mark.parametrize("rule", ["samples", "covariance"])
def test_a_run_equals_part_1_of_the_document(dataset, rule):
    inputs, targets, weights = draw_start(dataset)
    rate, trained, tested, changes = 0.1 / (2 * len(inputs)), [], [], []
    for _ in range(21):
        trained.append(evaluate(inputs, targets, weights))
        tested.append(evaluate(dataset["test_inputs"], np.eye(10)[dataset["test_labels"]], weights))
        gradients = backward_from_samples(targets, forward(inputs, weights), weights)
        pairs = list(zip(gradients, weights, strict=True))
        changes += [rate * np.linalg.norm(gradient) / np.linalg.norm(matrix) for gradient, matrix in pairs]
        weights = [matrix - rate * gradient for gradient, matrix in pairs]
    spec = {**SPEC, "rule": rule}
    for part, evaluated in (("train", trained), ("test", tested)):
        losses, accuracies = map(np.array, zip(*evaluated, strict=True))
        np.testing.assert_allclose(metric(spec, dataset, f"{part}_loss")[2], losses, rtol=1e-10)
        # Accuracies are recorded with the end-to-end matrix.
        steps, _, found = metric(spec, dataset, f"{part}_accuracy")
        np.testing.assert_array_equal(steps, [0, 5, 20])
        np.testing.assert_allclose(found, accuracies[steps], rtol=1e-12)
    assert trained[-1][1] > trained[0][1] + 0.1
    residual = targets - inputs @ np.linalg.lstsq(inputs, targets)[0]
    assert metric(spec, dataset, "optimal_loss")[2] == pytest.approx([np.mean(residual**2)], rel=1e-12)
    steps, layers, values = metric(spec, dataset, "relative_update")
    assert list(zip(steps, layers, strict=True)) == [(step, layer) for step in range(1, 21) for layer in (0, 1)]
    np.testing.assert_allclose(values, changes[:-2], rtol=1e-8)


def test_the_numbers_of_the_document_s_text_learn_nothing_at_its_rate():
    # The erratum number_of_images: 1000 images and 100 hidden units, at the rate 1e-6 for a sum over images.
    subset = split_subset(np.load(SUBSET_FILE)["images"])
    white = whiten({"images": 1000, "components": 100}, Dataset(subset))
    spec = {**SPEC, "rule": "covariance", "hidden": 100, "steps": 100, "record_product_at": [100]}
    few, many = (
        metric({**spec, "learning_rate": 2 * count * 1e-6}, white, "train_accuracy")[2][-1] for count in (1000, 50_000)
    )
    assert few < 0.25 < 0.8 < many


def test_the_rule_in_place_equals_part_2_of_the_document_as_printed(dataset):
    # The second gradient uses the first matrix after its update.
    inputs, targets, weights = draw_start(dataset)
    losses = [evaluate(inputs, targets, weights)[0]]
    for _ in range(20):
        step_from_covariances(weights, inputs.T @ inputs / 600, targets.T @ inputs / 600, 0.1)
        losses.append(evaluate(inputs, targets, weights)[0])
    spec = {**SPEC, "rule": "covariance_in_place"}
    np.testing.assert_allclose(metric(spec, dataset, "train_loss")[2], losses, rtol=1e-10)
    product = metric(spec, dataset, "product")[2][-200:]
    np.testing.assert_allclose(product.reshape(20, 10), (weights[1] @ weights[0]).T, rtol=1e-9, atol=1e-12)
    covariance = metric({**SPEC, "rule": "covariance"}, dataset, "train_loss")[2]
    assert abs(losses[1] / covariance[1] - 1) > 1e-3


def test_the_whitening_error_is_zero_only_for_white_inputs(dataset):
    stretched = Dataset({**dataset.arrays, "inputs": dataset["inputs"] * np.array([2, *[1] * 19])})
    spec = {**SPEC, "steps": 0, "rule": "covariance"}
    assert metric(spec, dataset, "whitening_error")[2] < 1e-12
    # Twice the deviation is four times the variance, an error of 3.
    assert metric(spec, stretched, "whitening_error")[2] == pytest.approx(3)


def test_multiply_adds_are_counted(dataset):
    # For 20 → 16 → 10, the products are forward, both gradients, and the error through the second layer.
    update, setup = {}, {}
    for rule in ("samples", "covariance", "covariance_in_place"):
        _, images, update[rule] = metric({**SPEC, "steps": 0, "rule": rule}, dataset, "multiply_adds")
        _, _, setup[rule] = metric({**SPEC, "steps": 0, "rule": rule}, dataset, "multiply_adds_setup")
    assert (images.min(), images.max()) == (1, 600)
    np.testing.assert_array_equal(update["samples"], images * (2 * 20 * 16 + 3 * 16 * 10))
    np.testing.assert_array_equal(setup["samples"], 0)
    np.testing.assert_array_equal(setup["covariance"], images * (20 * 20 + 20 * 10))
    # The products are the end-to-end matrix, its product with C_XX, and one per gradient. Images do not matter.
    np.testing.assert_array_equal(update["covariance"], 20 * 16 * 10 + 20 * 20 * 10 + 2 * 20 * 16 * 10)
    for counts in (update, setup):
        np.testing.assert_array_equal(counts["covariance_in_place"], counts["covariance"])
