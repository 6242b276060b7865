import hashlib
import json
from collections.abc import Iterator
from itertools import count

import numpy as np

from deepnets.data.angular_slices import harmonic_frame, slice_labels
from deepnets.networks import linear
from deepnets.networks.initialization.initializers import initialize, xavier_normal, zeros
from deepnets.networks.initialization.torch_normals import TorchStream
from reproduce import api

_INITIALIZERS = {"zeros": zeros, "xavier_normal": xavier_normal}


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> api.Measurements:
    """Train one factorised classifier in float32 until the loss is at most the target ("Code to train model").

    Metrics at step 0, every `record_every` updates, and at the end:

    - train_loss, nats: mean cross entropy of the training points ("Code to train model").
    - train_accuracy, test_accuracy, 0 … 1: share of points classified correctly; not recorded if the run diverges
      ("Code to train model").
    - singular_value[i]: singular values of `scale` times the product of the matrices, in falling order ("The
      explanation").

    Metrics at step 0 if `record_data`:

    - input[dimension · point + coordinate]: the points; the training points come first ("Code to generate data").
    - label[point]: the class, 0 … classes − 1 ("Code to generate data").

    Metric at the step at which the run diverges:

    - diverged: 1.
    """
    measurements = api.Measurements()
    inputs, initial = _replay_draws(spec)
    classes, rank = spec["classes"], spec["class_rank"]
    if rank == 2:
        # The document's own arithmetic rounds differently near the borders of slices.
        labels = slice_labels(inputs, classes)
    else:
        labels = (inputs[:, :rank] @ harmonic_frame(classes, rank)).argmax(axis=1)
    train, test = slice(spec["samples"]), slice(spec["samples"], None)
    if spec["record_data"]:
        measurements.add(0, "input", inputs.ravel())
        measurements.add(0, "label", labels)

    products, accuracies = {}, {}
    for step, weights, loss, last in _descent(spec, inputs[train], labels[train], initial):
        if np.isfinite(loss) and (last or step % spec["record_every"] == 0):
            measurements.add(step, "train_loss", loss)
            accuracies[step] = [_accuracy(inputs[part], labels[part], weights) for part in (train, test)]
            products[step] = linear.product([matrix.astype(np.float64) for matrix in weights]) * spec["scale"]
    if products:
        singular_values = np.linalg.svd(np.stack(list(products.values())), compute_uv=False)
        for recorded, values in zip(products, singular_values, strict=True):
            measurements.add(recorded, "singular_value", values)
    if np.isfinite(loss):
        for recorded, (training, testing) in accuracies.items():
            measurements.add(recorded, "train_accuracy", training)
            measurements.add(recorded, "test_accuracy", testing)
    else:
        measurements.add_divergence(step)
    return measurements


def _replay_draws(spec: dict) -> tuple[np.ndarray, list[np.ndarray]]:
    """Draw inputs (2·samples, dimension) and the run's initial weights from the document's random stream.

    The document draws the inputs after `manual_seed(0)`. Then it draws the inits in a loop over depths and repetitions.
    A run sets `manual_seed(data_seed)` and replays this loop up to its own init. Depths and seeds outside the loop have
    their own stream: the numbers of the runs in the loop do not change.
    """
    stream = TorchStream(spec["data_seed"])
    inputs = stream.normal((2 * spec["samples"], spec["dimension"]))
    loop = spec["replay"]
    if spec["depth"] in loop["depths"] and spec["seed"] < loop["repetitions"]:
        for depth in loop["depths"]:
            for seed in range(loop["repetitions"]):
                weights = _initial_weights(spec, depth, stream)
                if (depth, seed) == (spec["depth"], spec["seed"]):
                    return inputs, weights
    own = json.dumps([spec[axis] for axis in ("block", "data_seed", "depth", "rank", "scale", "seed")]).encode()
    return inputs, _initial_weights(spec, spec["depth"], TorchStream(int(hashlib.sha256(own).hexdigest()[:8], 16)))


def _initial_weights(spec: dict, depth: int, stream: TorchStream) -> list[np.ndarray]:
    sizes = linear.layer_sizes(spec["dimension"], spec["rank"] or spec["classes"], spec["classes"], depth)
    matrices = initialize(_INITIALIZERS[spec["init"]], sizes, stream.normal)
    return [matrix.astype(np.float32) for matrix in matrices]


def _descent(
    spec: dict, inputs: np.ndarray, labels: np.ndarray, weights: linear.Weights
) -> Iterator[tuple[int, linear.Weights, float, bool]]:
    """Yield the number of updates 0, 1, …, the weights, the loss, and whether training ends now."""
    scale, rate = np.float32(spec["scale"]), np.float32(spec["learning_rate"])
    targets = np.eye(spec["classes"], dtype=np.float32)[labels]
    reached = False
    for step in count():
        layers = linear.activations(inputs, weights)
        loss, output_gradient = _cross_entropy(layers[-1] * scale, targets)
        # The document does one more update after the loss first reaches the target.
        last = reached or not np.isfinite(loss) or step == spec["max_steps"]
        yield step, weights, loss, last
        if last:
            return
        reached = loss <= spec["target_loss"]
        gradients = linear.sample_gradients(layers, weights, output_gradient * scale)
        weights = linear.gradient_step(weights, gradients, rate)


def _accuracy(inputs: np.ndarray, labels: np.ndarray, weights: linear.Weights) -> float:
    """Return the share of inputs with the largest score at the label; the scale of scores does not matter."""
    return float(np.mean(linear.activations(inputs, weights)[-1].argmax(axis=1) == labels))


def _cross_entropy(scores: np.ndarray, targets: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the mean cross entropy of scores (n, k) against one-hot targets, and the gradient."""
    # In NumPy, the maximum of each column is three times as fast as the maximum of each row.
    scores = scores - np.ascontiguousarray(scores.T).max(axis=0)[:, np.newaxis]
    exponentials = np.exp(scores)
    sums = exponentials.sum(axis=1, keepdims=True)
    loss = (np.log(sums).sum() - (scores * targets).sum()) / len(scores)
    return float(loss), (exponentials / sums - targets) / np.float32(len(scores))
