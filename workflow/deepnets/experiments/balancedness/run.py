from itertools import pairwise

import numpy as np

from reproduce import api


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> api.Measurements:
    """Train a net of `depth` matrices on a random linear map, by gradient descent for a fixed training time.

    The balance matrix of a hidden layer is D = A^T A − B B^T. A contains the layer's incoming weights, B its outgoing
    weights. D has a row for each neuron. A drift is the norm of the change of all balance matrices since the start,
    divided by the norm of the initial ones (Frobenius norms).

    Metrics at evenly spaced training times:

    - training_time: the learning rate times the number of updates done.
    - train_loss: half of the squared error per sample.
    - matrix_drift: drift of the balance matrices.
    - neuron_drift: drift of the diagonals, which are |incoming weights|² − |outgoing weights|² of each neuron.
    - layer_drift: drift of the traces, which are the differences between the squared norms of adjacent layers; divided
      by the norm of the initial balance matrices.
    """
    measurements = api.Measurements()
    generator = np.random.default_rng(spec["seed"])
    weights, inputs, targets = _draw_task(spec, generator)
    is_relu = spec["activation"] == "relu"
    rate = spec["learning_rate"]
    updates = round(spec["duration"] / rate)
    recorded = {round(updates * share / spec["records"]) for share in range(spec["records"] + 1)}
    start = balance_matrices(weights)
    norm = np.sqrt(sum(np.sum(matrix**2) for matrix in start))
    for step in range(updates + 1):
        loss, gradients = loss_and_gradients(weights, inputs, targets, is_relu)
        if not np.isfinite(loss):
            measurements.add_divergence(step)
            return measurements
        if step in recorded:
            changes = [now - first for now, first in zip(balance_matrices(weights), start, strict=True)]
            measurements.add(step, "training_time", rate * step)
            measurements.add(step, "train_loss", loss)
            measurements.add(step, "matrix_drift", np.sqrt(sum(np.sum(change**2) for change in changes)) / norm)
            measurements.add(
                step, "neuron_drift", np.sqrt(sum(np.sum(np.diag(change) ** 2) for change in changes)) / norm
            )
            measurements.add(step, "layer_drift", np.sqrt(sum(np.trace(change) ** 2 for change in changes)) / norm)
        weights = [weight - rate * gradient for weight, gradient in zip(weights, gradients, strict=True)]
    return measurements


def balance_matrices(weights: list[np.ndarray]) -> list[np.ndarray]:
    """Return A^T A − B B^T for each pair of adjacent matrices A, B. The matrices multiply inputs from the right."""
    return [incoming.T @ incoming - outgoing @ outgoing.T for incoming, outgoing in pairwise(weights)]


def loss_and_gradients(
    weights: list[np.ndarray], inputs: np.ndarray, targets: np.ndarray, is_relu: bool
) -> tuple[float, list[np.ndarray]]:
    """Return half of the squared error per sample, and the gradient for each matrix. The last layer is linear."""
    layers = [inputs]
    for weight in weights[:-1]:
        sums = layers[-1] @ weight
        layers.append(np.maximum(sums, 0) if is_relu else sums)
    errors = layers[-1] @ weights[-1] - targets
    loss = float(np.sum(errors**2) / 2 / len(inputs))
    signal = errors / len(inputs)
    gradients = [layers[-1].T @ signal]
    for layer in range(len(weights) - 1, 0, -1):
        signal = signal @ weights[layer].T
        if is_relu:
            signal = signal * (layers[layer] > 0)
        gradients.insert(0, layers[layer - 1].T @ signal)
    return loss, gradients


def _draw_task(spec: dict, generator: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Return Gaussian weights of variance 1 / (the layer's inputs), Gaussian inputs, and targets of a random map."""
    sizes = [spec["inputs"], *[spec["width"]] * (spec["depth"] - 1), spec["outputs"]]
    weights = [generator.standard_normal((rows, columns)) / np.sqrt(rows) for rows, columns in pairwise(sizes)]
    inputs = generator.standard_normal((spec["samples"], spec["inputs"]))
    targets = inputs @ generator.standard_normal((spec["inputs"], spec["outputs"])) / np.sqrt(spec["inputs"])
    return weights, inputs, targets
