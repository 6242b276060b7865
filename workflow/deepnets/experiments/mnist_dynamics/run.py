from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from deepnets.data.mnist import CLASSES
from deepnets.networks import linear, shapes
from deepnets.networks.initialization.initializers import initialize, orthogonal, row_normalized
from reproduce import api

_INITIALIZERS = {"row_normalized": row_normalized, "orthogonal": orthogonal}


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict, whitened: api.Dataset) -> api.Measurements:
    """Train one network in float64 by full-batch gradient descent on the mean squared error.

    Metrics at every step:

    - train_loss: mean squared error over images and classes (Part 1, "Optimization objective").
    - test_loss: the same for the test images; not in the document. An infinite one is omitted.
    - relative_update[layer]: norm of the matrix's change in the last update, divided by the matrix's norm before this
      update; from step 1 ("Stepwise update").

    Metrics at the steps `record_product_at`, accuracies also at the first and at the last step:

    - product[classes · component + class]: the end-to-end matrix; not in the document.
    - train_accuracy, 0 … 1: share of images with the largest output at the label ("Solving a task").
    - test_accuracy: the same for the test images; not in the document.

    Metrics at step 0:

    - optimal_loss: loss of the least-squares solution; not in the document.
    - whitening_error: largest absolute entry of XᵀX/P − 1 ("Target function").
    - multiply_adds[images]: number of multiply-adds in one update, for different numbers of images (Part 2).
    - multiply_adds_setup[images]: number of multiply-adds before the first update (Part 2).

    Metric at the step at which the run diverges:

    - diverged: 1.
    """
    measurements = api.Measurements()
    inputs = whitened["inputs"]
    targets = np.eye(CLASSES)[whitened["labels"]]
    covariances, test_covariances = _covariances(whitened, ""), _covariances(whitened, "test_")
    sizes = linear.layer_sizes(inputs.shape[1], spec["hidden"], CLASSES, spec["depth"])
    weights = initialize(_INITIALIZERS[spec["init"]], sizes, np.random.default_rng(spec["seed"]).standard_normal)

    measurements.add(0, "optimal_loss", _covariance_loss(np.linalg.solve(*covariances), *covariances))
    measurements.add(0, "whitening_error", np.abs(covariances[0] - np.eye(sizes[0])).max())
    _add_operations(measurements, sizes, spec["rule"], len(inputs))
    if spec["rule"] == "samples":
        descent = _sample_descent(weights, spec["learning_rate"], inputs, targets)
    else:
        descent = _covariance_descent(weights, spec["learning_rate"], spec["rule"], *covariances)
    for step, (updated, loss) in zip(range(spec["steps"] + 1), descent, strict=False):
        if not np.isfinite(loss):
            measurements.add_divergence(step)
            break
        end_to_end = linear.product(updated)
        measurements.add(step, "train_loss", loss)
        # The test loss may be infinite although the training loss is still finite.
        if np.isfinite(test_loss := _covariance_loss(end_to_end, *test_covariances)):
            measurements.add(step, "test_loss", test_loss)
        if step > 0:
            changes = (
                np.linalg.norm(new - old) / np.linalg.norm(old) for old, new in zip(weights, updated, strict=True)
            )
            measurements.add(step, "relative_update", np.array([*changes]))
        weights = updated
        if step in spec["record_product_at"]:
            measurements.add(step, "product", end_to_end.ravel())
        # On 60,000 images, accuracies cost more than all else of an update.
        if step in (0, *spec["record_product_at"], spec["steps"]):
            measurements.add(step, "train_accuracy", _accuracy(end_to_end, inputs, whitened["labels"]))
            accuracy = _accuracy(end_to_end, whitened["test_inputs"], whitened["test_labels"])
            measurements.add(step, "test_accuracy", accuracy)
    return measurements


def _sample_descent(
    weights: linear.Weights, rate: float, inputs: np.ndarray, targets: np.ndarray
) -> Iterator[tuple[linear.Weights, float]]:
    """Yield the weights and the loss after 0, 1, … updates with gradients from samples, without end."""
    while True:
        layers = linear.activations(inputs, weights)
        errors = layers[-1] - targets
        yield weights, np.mean(errors**2)
        gradients = linear.sample_gradients(layers, weights, errors / len(inputs))
        weights = linear.gradient_step(weights, gradients, rate)


def _covariance_descent(
    weights: linear.Weights, rate: float, rule: str, *covariances: np.ndarray
) -> Iterator[tuple[linear.Weights, float]]:
    """Yield the weights and the loss after 0, 1, … updates with gradients from covariances, without end."""
    while True:
        yield weights, _covariance_loss(linear.product(weights), *covariances)
        if rule == "covariance_in_place":
            weights = linear.gradient_step_in_place(weights, *covariances, rate)
        else:
            weights = linear.gradient_step(weights, linear.covariance_gradients(weights, *covariances), rate)


def _covariance_loss(end_to_end: np.ndarray, input_covariance: np.ndarray, cross_covariance: np.ndarray) -> float:
    """Return the mean squared error of one-hot targets, (1 − 2 tr(WᵀXᵀY/P) + tr(WᵀXᵀXW/P)) / classes."""
    quadratic = np.sum(end_to_end * (input_covariance @ end_to_end))
    return float((1 - 2 * np.sum(end_to_end * cross_covariance) + quadratic) / CLASSES)


def _covariances(whitened: api.Dataset, part: str) -> tuple[np.ndarray, np.ndarray]:
    """Return XᵀX/P and XᵀY/P of the inputs X and the one-hot targets Y. part: "" for training images, or "test_"."""
    inputs, targets = whitened[f"{part}inputs"], np.eye(CLASSES)[whitened[f"{part}labels"]]
    return inputs.T @ inputs / len(inputs), inputs.T @ targets / len(inputs)


def _accuracy(end_to_end: np.ndarray, inputs: np.ndarray, labels: np.ndarray) -> float:
    """Return the share of inputs with the largest output at the label."""
    return float(np.mean((inputs @ end_to_end).argmax(axis=1) == labels))


def _add_operations(measurements: api.Measurements, sizes: Sequence[int], rule: str, images: int) -> None:
    """Record multiply_adds and multiply_adds_setup against the number of images."""
    counts = np.unique(np.geomspace(1, images, 25).astype(int))
    updates, setups = zip(*(_count_operations(count, sizes, rule) for count in counts), strict=True)
    measurements.add(0, "multiply_adds", np.array(updates), index=counts)
    measurements.add(0, "multiply_adds_setup", np.array(setups), index=counts)


def _count_operations(images: int, sizes: Sequence[int], rule: str) -> tuple[int, int]:
    """Return the multiply-adds of one update, and of the setup before the first update."""
    tally, setup = shapes.Tally(), 0
    # Shapes replace arrays, to count operations.
    inputs: Any = tally.shape(images, sizes[0])
    targets: Any = tally.shape(images, sizes[-1])
    weights: list[Any] = [tally.shape(n_in, n_out) for n_in, n_out in pairwise(sizes)]
    if rule == "samples":
        layers = linear.activations(inputs, weights)
        linear.sample_gradients(layers, weights, layers[-1] - targets)
    else:
        covariances = inputs.T @ inputs, inputs.T @ targets
        setup = tally.multiply_adds
        if rule == "covariance_in_place":
            linear.gradient_step_in_place(weights, *covariances, 1)
        else:
            linear.covariance_gradients(weights, *covariances)
    return tally.multiply_adds - setup, setup
