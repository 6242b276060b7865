from itertools import pairwise

import numpy as np
import pytest
import torch
from torch.nn import functional

from deepnets.data.mnist.make import split_subset
from deepnets.experiments.zero_init import run as zero_init
from deepnets.networks.relu_mlp import activations, descend
from reproduce.records.datasets import Dataset
from small_mnist import SUBSET_FILE
from small_runs import made_once, noisy_images, table_maker, values

SPEC = {
    **{"experiment": "zero_init", "depth": 4, "init": "partial_identity", "width": 32, "bias": 0.01, "seed": 1},
    **{"steps": 40, "batch": 16, "learning_rate": 0.1, "decay": {"epochs": 12, "factor": 0.7}, "record_every": 5},
    **{"rank_tolerance": 1e-4, "pool": 1},
}
PIXELS = 12


# An epoch has 13 batches, the last of 8.
synthetic = made_once(noisy_images, PIXELS)
subset = made_once(lambda: Dataset(split_subset(np.load(SUBSET_FILE)["images"])))


table = table_maker(zero_init.run, SPEC)


def measure(dataset, **changes):
    """Return the metrics of a run as {name: {step: value}}."""
    rows = table(dataset, **changes).groupby("metric")
    return {name: dict(zip(own["step"], own["value"], strict=True)) for name, own in rows}


def train_as_in_the_document(dataset, spec):
    """Train as in the document, with its modules, autograd, loaders, StepLR, and tests after each epoch.

    Returns for each update the loss before it, and after it the running accuracy and, if it is logged, the rank; then
    the loss of the next batch, the test loss and the test accuracy after all updates.
    """
    images, labels, test_images, test_labels = (
        torch.from_numpy(dataset[name].astype(np.float32 if "images" in name else np.int64))
        for name in ("train_images", "train_labels", "test_images", "test_labels")
    )
    pixels, width, has_bias = images.shape[1], spec["width"], spec["bias"] > 0
    sizes = [pixels, pixels, *[width] * (spec["depth"] - 2), 10]
    layers = [torch.nn.Linear(n_in, n_out, has_bias) for n_in, n_out in pairwise(sizes)]
    for layer in layers:
        torch.nn.init.eye_(layer.weight)
        if has_bias:
            torch.nn.init.constant_(layer.bias, spec["bias"])
    optimizer = torch.optim.SGD([parameter for layer in layers for parameter in layer.parameters()], lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(
        optimizer, step_size=spec["decay"]["epochs"], gamma=spec["decay"]["factor"]
    )
    torch.manual_seed(1)
    data = torch.utils.data.TensorDataset(images / 255, labels)
    loader = torch.utils.data.DataLoader(data, spec["batch"], shuffle=True)
    test_loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(test_images), 1000, shuffle=True)

    def log_probabilities(inputs):
        for layer in layers:
            inputs = layer(inputs if layer is layers[0] else functional.relu(inputs))
        return functional.log_softmax(inputs, dim=1)

    updates = []
    while True:
        record_weights = correct = 0
        for position, (inputs, targets) in enumerate(loader):
            outputs = log_probabilities(inputs)
            loss = functional.nll_loss(outputs, targets)
            if len(updates) == spec["steps"]:
                tested = log_probabilities(test_images / 255)
                test_loss = functional.nll_loss(tested, test_labels).item()
                return updates, loss.item(), test_loss, (tested.argmax(dim=1) == test_labels).float().mean().item()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            record_weights += len(targets)
            correct += (outputs.argmax(dim=1) == targets).sum().item()
            logged = position % spec["record_every"] == 0
            change = layers[2].weight.detach() - torch.eye(width)
            rank = np.linalg.matrix_rank(change.numpy(), tol=1e-4) if logged else None
            updates.append((loss.item(), correct / record_weights, rank))
        list(test_loader)
        scheduler.step()


@pytest.mark.parametrize("changes", [{}, {"depth": 6, "bias": 0}, {"decay": {"epochs": 1, "factor": 0.5}}])
def test_a_run_equals_the_documents_code(synthetic, monkeypatch, changes):
    # With unequal batches, a wrong mean over batches changes the loss.
    monkeypatch.setattr(zero_init, "_TEST_BATCH", 16)
    changes = {"record_every": 1, **changes}
    found = measure(synthetic, **changes)
    updates, last_loss, test_loss, test_accuracy = train_as_in_the_document(synthetic, {**SPEC, **changes})
    losses, accuracies, ranks = zip(*updates, strict=True)
    # Float32 differences of 1e-7 grow during forty updates.
    np.testing.assert_allclose(list(found["train_loss"].values()), [*losses, last_loss], rtol=1e-4)
    np.testing.assert_allclose(list(found["train_accuracy"].values()), accuracies, rtol=1e-12)
    assert list(found["rank"].values()) == [0, *ranks]
    assert found["test_loss"][40] == pytest.approx(test_loss, rel=1e-4)
    assert found["test_accuracy"][40] == pytest.approx(test_accuracy, abs=1e-6)
    # At 0.5, one minus the accuracy would pass as well.
    assert test_accuracy > 0.55


def test_steps_count_updates_and_each_epoch_restarts_the_logging(synthetic):
    metrics = measure(synthetic, steps=30)
    # The first, sixth and eleventh of the thirteen batches of an epoch are logged.
    before = [0, 5, 10, 13, 18, 23, 26]
    assert list(metrics["train_loss"]) == [*before, 30]
    assert list(metrics["rank"]) == [0, *metrics["train_accuracy"]] == [0, *(step + 1 for step in before), 30]
    assert list(metrics["test_loss"]) == list(metrics["test_accuracy"]) == [30]
    # A last step that is logged anyway is recorded once.
    assert list(measure(synthetic, steps=6)["rank"]) == [0, 1, 6]
    assert measure(synthetic, steps=5)["train_loss"].keys() == {0, 5}


@pytest.mark.parametrize("bias", [0, 0.01])
def test_corner_weights_are_the_cells_that_the_document_prints(synthetic, monkeypatch, bias):
    evaluate = zero_init._evaluate
    trained = []

    def record_weights(inputs, labels, weights, biases):
        trained.extend(matrix.numpy().copy() for matrix in weights)
        return evaluate(inputs, labels, weights, biases)

    monkeypatch.setattr(zero_init, "_evaluate", record_weights)
    rows = table(synthetic, bias=bias, init="one")
    end = values(rows, "second_corner_weight", 40).reshape(6, 6)
    # The document's matrices act from the left, so they have shape (out, in) = (32, 12).
    printed = trained[1].T
    assert np.array_equal(end[:3, :3], printed[:3, :3])
    assert np.array_equal(end[:3, 3:], printed[:3, -3:])
    assert np.array_equal(end[3:, 3:], printed[-3:, -3:])
    assert not np.array_equal(end, end.T)
    first = values(rows, "first_corner_weight", 40).reshape(6, 6)
    assert np.array_equal(first[3:, :3], trained[0].T[-3:, :3])
    start = values(rows, "first_corner_weight", 0)
    assert np.array_equal(start.reshape(6, 6), np.eye(6))


@pytest.mark.parametrize("width", [2, 5])
def test_all_rows_of_a_small_matrix_are_printed(synthetic, width):
    expected = np.eye(width, PIXELS)[:, [0, 1, 2, -3, -2, -1]].flatten()
    assert np.array_equal(values(table(synthetic, width=width), "second_corner_weight", 0), expected)


def test_norms_and_singular_values_equal_those_of_the_initial_weights(synthetic):
    draw = np.random.default_rng(1).standard_normal
    matrices = [
        (draw(shape) * np.sqrt(2 / shape[0])).astype(np.float32).astype(float)
        for shape in [(PIXELS, PIXELS), (PIXELS, 32), (32, 32), (32, 10)]
    ]
    rows = table(synthetic, init="random")
    norms = values(rows, "squared_norm", 0)
    np.testing.assert_allclose(norms, [np.linalg.norm(matrix) ** 2 for matrix in matrices], rtol=1e-12)
    expected = np.linalg.svd(matrices[1], compute_uv=False)
    extremes = values(rows, "second_singular_value", 0)
    np.testing.assert_allclose(extremes, [expected.max(), expected.min()], rtol=1e-12)


def test_pooled_inputs_are_means_over_squares_of_pixels(subset):
    arrays = {name: subset[name] for name in ("train_labels", "test_labels")}
    for name in ("train_images", "test_images"):
        rows = subset[name].reshape(-1, 28, 28).astype(float)
        means = (rows[:, ::2, ::2] + rows[:, ::2, 1::2] + rows[:, 1::2, ::2] + rows[:, 1::2, 1::2]) / 4
        arrays[name] = np.rint(means).astype(np.uint8).reshape(-1, 196)
    assert measure(subset, pool=2, steps=6) == measure(Dataset(arrays), steps=6)


def test_the_slope_of_relu_at_zero_is_zero():
    # As in torch, a unit with neither input nor bias does not change.
    weights = [torch.eye(2), torch.tensor([[1.0, 0.0], [0.0, 0.0]]), torch.ones(2, 2)]
    descend(activations(torch.ones(1, 2), weights, []), weights, [], torch.ones(1, 2), 0.1)
    assert torch.equal(weights[1][:, 1], torch.zeros(2))
