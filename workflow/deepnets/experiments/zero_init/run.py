from collections.abc import Iterator

import numpy as np
import torch

from deepnets.data.batch_order import shuffled_epochs
from deepnets.data.mnist import CLASSES, SIDE, refuse_batch
from deepnets.networks.initialization import initializers
from deepnets.networks.rank import rank
from deepnets.networks.relu_mlp import activations, cross_entropy, descend, square_first_layer_sizes
from reproduce import api

_INITIALIZERS = {
    "zero": initializers.zero,
    "partial_identity": initializers.partial_identity,
    "random": initializers.kaiming_normal,
    "one": initializers.one,
    "spray": initializers.spray,
}
# The first of the square layers between the hidden layers: l3 in the document, counted from 0.
_SQUARE_LAYER = 2
_TEST_BATCH = 1000


@torch.inference_mode()
def run(spec: dict, mnist: api.Dataset) -> api.Measurements:
    """Train one network in float32 on minibatches, in the order of the document's data loader.

    `step` counts updates. The document logs the first batch of an epoch and every `record_every`-th batch after that:
    the loss before the batch's update, and accuracy and rank after the update. `bias` is the initial value of all
    biases; if it is 0, the network has no biases. The inputs are means over squares of `pool` × `pool` pixels.

    Metrics at the steps of the document's log and at the last step:

    - train_loss, nats: mean cross entropy of the next batch ("Training Pipeline on MNIST", train).
    - train_accuracy, 0 … 1: share of the images seen so far in this epoch that the network classified correctly before
      their batch's update (same source).
    - rank: rank of W3 − I, also recorded at step 0 ("Measurements", compute_rank).

    Metrics at the last step:

    - test_loss, nats: mean cross entropy of the test set ("Training Pipeline on MNIST", test).
    - test_accuracy, 0 … 1: share of test images classified correctly (same source).

    Metrics at step 0 and at the last step:

    - first_corner_weight[cell], second_corner_weight[cell]: the entries of the first two matrices that the document
      prints, row by row ("Training Pipeline on MNIST", output).

    Metrics at step 0:

    - squared_norm[layer]: squared Frobenius norm of each matrix ("Model").
    - second_singular_value[i]: largest (i = 0) and smallest (i = 1) singular value of the second matrix ("Model").

    Metric at the step at which the run diverges:

    - diverged: 1.

    Raises UserError if the batch is larger than the number of images.
    """
    measurements = api.Measurements()
    inputs, labels = _tensors(mnist, "train", spec["pool"])
    refuse_batch(spec, len(inputs))
    weights, biases = _initial_weights(spec, inputs.shape[1])
    measurements.add(0, "rank", _residual_rank(weights, spec))
    measurements.add(0, "squared_norm", np.array([float(matrix.double().square().sum()) for matrix in weights]))
    singular_values = torch.linalg.svdvals(weights[1].double())
    measurements.add(0, "second_singular_value", singular_values[[0, -1]].numpy())
    _add_corners(measurements, 0, weights)
    seen = correct = 0
    for step, (position, batch, rate) in enumerate(_batches(spec, len(inputs))):
        layers = activations(_to_unit_interval(inputs[batch]), weights, biases)
        loss, gradient = cross_entropy(layers[-1], labels[batch])
        if not np.isfinite(loss):
            measurements.add_divergence(step)
            return measurements
        logged = position % spec["record_every"] == 0
        if logged or step == spec["steps"]:
            measurements.add(step, "train_loss", loss)
        if step == spec["steps"]:
            break
        seen, correct = (seen, correct) if position else (0, 0)
        seen += len(batch)
        correct += _count_correct(layers[-1], labels[batch])
        descend(layers, weights, biases, gradient, rate)
        if logged or step + 1 == spec["steps"]:
            if not all(matrix.isfinite().all() for matrix in weights):
                measurements.add_divergence(step + 1)
                return measurements
            measurements.add(step + 1, "train_accuracy", correct / seen)
            measurements.add(step + 1, "rank", _residual_rank(weights, spec))
    test_loss, test_accuracy = _evaluate(*_tensors(mnist, "test", spec["pool"]), weights, biases)
    if np.isfinite(test_loss):
        measurements.add(spec["steps"], "test_loss", test_loss)
        measurements.add(spec["steps"], "test_accuracy", test_accuracy)
        _add_corners(measurements, spec["steps"], weights)
    else:
        measurements.add_divergence(spec["steps"])
    return measurements


def _tensors(mnist: api.Dataset, part: str, pool: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return uint8 images of shape (n, (28/pool)²), means over squares of pixels, and int64 labels of shape (n,)."""
    images = mnist[f"{part}_images"]
    if pool > 1:
        squares = images.reshape(-1, SIDE // pool, pool, SIDE // pool, pool)
        images = squares.mean(axis=(2, 4)).round().astype(np.uint8).reshape(len(images), -1)
    return torch.from_numpy(images), torch.from_numpy(mnist[f"{part}_labels"]).long()


def _to_unit_interval(images: torch.Tensor) -> torch.Tensor:
    """Convert bytes to float32 in 0 … 1, for one batch: all images in float32 would take four times the memory."""
    return images.float().div_(255)


def _initial_weights(spec: dict, n_in: int) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Return the weights and the biases; without biases, the second list is empty."""
    sizes = square_first_layer_sizes(n_in, spec["width"], CLASSES, spec["depth"])
    draw = np.random.default_rng(spec["seed"]).standard_normal
    matrices = initializers.initialize(_INITIALIZERS[spec["init"]], sizes, draw)
    weights = [torch.from_numpy(matrix.astype(np.float32)) for matrix in matrices]
    biases = [torch.full((size,), _float32(spec["bias"])) for size in sizes[1:]] if spec["bias"] else []
    return weights, biases


def _batches(spec: dict, images: int) -> Iterator[tuple[int, torch.Tensor, float]]:
    """Yield each batch's position in its epoch, the batch's image numbers and the learning rate, without end.

    The last batch of an epoch may be shorter. As in the document's StepLR, the rate is multiplied by `factor` every
    `epochs` epochs.
    """
    decay = spec["decay"]
    for epoch, order in enumerate(shuffled_epochs(spec["seed"], images)):
        rate = _float32(spec["learning_rate"] * decay["factor"] ** (epoch // decay["epochs"]))
        for position, batch in enumerate(order.split(spec["batch"])):
            yield position, batch, rate


def _float32(value: float) -> float:
    """Round to float32. Values beyond float32 become infinite, since torch would accept such rates without rounding."""
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def _residual_rank(weights: list[torch.Tensor], spec: dict) -> int:
    matrix = weights[_SQUARE_LAYER]
    return rank(matrix - torch.eye(len(matrix)), spec["rank_tolerance"])


def _add_corners(measurements: api.Measurements, step: int, weights: list[torch.Tensor]) -> None:
    """Record the entries of the first two matrices that torch prints, with one output per row as in the document."""
    for name, matrix in zip(("first", "second"), weights[:2], strict=True):
        rows, columns = map(_printed_ends, reversed(matrix.shape))
        measurements.add(step, f"{name}_corner_weight", matrix.T[rows][:, columns].flatten().numpy())


def _printed_ends(size: int) -> list[int]:
    """Return the first three and last three of `size` positions; torch prints "..." for the positions between."""
    return sorted({*range(min(3, size)), *range(max(0, size - 3), size)})


def _evaluate(
    inputs: torch.Tensor, labels: torch.Tensor, weights: list[torch.Tensor], biases: list[torch.Tensor]
) -> tuple[float, float]:
    """Return the mean cross entropy and the accuracy on a whole set, computed in batches to save memory."""
    loss = correct = 0.0
    for some, truth in zip(inputs.split(_TEST_BATCH), labels.split(_TEST_BATCH), strict=True):
        scores = activations(_to_unit_interval(some), weights, biases)[-1]
        loss += cross_entropy(scores, truth)[0] * len(truth)
        correct += _count_correct(scores, truth)
    return loss / len(labels), correct / len(labels)


def _count_correct(scores: torch.Tensor, labels: torch.Tensor) -> int:
    """Count the images with the largest score at the label."""
    return int((scores.argmax(dim=1) == labels).sum())
