"""Runs that a test makes: their specs, their rows, and the verdicts on claims."""

import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
import torch

from deepnets.data.whitened.make import fit_whitening
from deepnets.networks.initialization import initializers
from reproduce.config.grids import Point
from reproduce.config.plan import Plan
from reproduce.records.datasets import Dataset


def points_of(plan: Plan, experiment: str, **axes: object) -> list[Point]:
    chosen = {"experiment": experiment, **axes}
    return [point for point in plan.points.values() if chosen.items() <= point.axes.items()]


def specs_of(plan: Plan, experiment: str, **axes: object) -> list[dict]:
    return [json.loads(point.spec) for point in points_of(plan, experiment, **axes)]


def whitened_digits(contrast: int) -> Dataset:
    """Return 600 images and 150 test images of 30 pixels as 20 white components.

    contrast: what is added to three pixels per class.
    """
    generator, arrays, whitening = np.random.default_rng(0), {}, None
    for part, count in (("", 600), ("test_", 150)):
        labels = np.arange(count) % 10
        images = generator.integers(0, 80, (count, 30)) + contrast * (labels[:, np.newaxis] == np.arange(30) % 10)
        whitening = whitening or fit_whitening(images, 20)
        arrays |= {f"{part}inputs": whitening.whiten(images), f"{part}labels": labels.astype(np.uint8)}
    return Dataset(arrays)


def noisy_images(pixels: int, black: Iterable[int] = ()) -> Dataset:
    """Return 200 images and 50 test images, each class around its own centre; some pixels are black in all of them."""
    generator, arrays = np.random.default_rng(0), {}
    centres = generator.integers(0, 200, (10, pixels))
    for part, count in (("train", 200), ("test", 50)):
        labels = generator.integers(0, 10, count).astype(np.uint8)
        images = (centres[labels] + generator.integers(0, 56, (count, pixels))).astype(np.uint8)
        images[:, list(black)] = 0
        arrays |= {f"{part}_images": images, f"{part}_labels": labels}
    return Dataset(arrays)


def small_cifar10() -> Dataset:
    """Return 200 images of correlated pixels in three colours, and 200 digits with black pixels at the border."""
    normals = np.random.default_rng(0).standard_normal((200, 3, 35, 35)).cumsum(2).cumsum(3)
    smooth = normals[..., 3:, 3:] - normals[..., :-3, 3:] - normals[..., 3:, :-3] + normals[..., :-3, :-3]
    digits = noisy_images(784, range(28))["train_images"].reshape(-1, 1, 28, 28)
    return Dataset({"images": (128 + 20 * smooth).clip(0, 255).astype(np.uint8), "digits": digits})


def made_once(make: Callable, *arguments: object, **named: object) -> Callable:
    """Return a fixture that calls a function once for all tests of a module."""
    return pytest.fixture(scope="module")(lambda: make(*arguments, **named))


def table_maker(run: Callable, spec: dict) -> Callable[..., pd.DataFrame]:
    """Return a function that runs a spec with changes, perhaps on data sets, and returns the rows."""
    return lambda *datasets, **changes: pd.DataFrame(run({**spec, **changes}, *datasets).columns())


def metric_of(run: Callable, spec: dict, dataset: Dataset, metric: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return steps, indices and values of a metric of a run, in the order of the records."""
    columns = run(spec, dataset).columns()
    chosen = np.array(columns["metric"]) == metric
    return columns["step"][chosen], columns["index"][chosen], columns["value"][chosen]


def deep_start(init: str, sizes: list[int], task: np.ndarray, draw: Callable) -> list[np.ndarray]:
    """Return the initial weights of an init of the experiment `learning_time`."""
    if init == "decoupled":
        return initializers.decoupled(task, sizes, 0.001, draw)
    if init == "pretrained":
        return initializers.pretrain_greedily(sizes, 0.01, 0.5, 200, draw)[0]
    if init == "small_gaussian":
        return [0.01 * draw(shape) for shape in pairwise(sizes)]
    return initializers.initialize(
        {"orthogonal": initializers.orthogonal, "gaussian": initializers.xavier_normal}[init], sizes, draw
    )


def descend(weights: list[np.ndarray], loss: Callable, rate: float, updates: int) -> Iterator[list[np.ndarray]]:
    """Yield the weights before and after each update of gradient descent, with gradients by torch.

    loss: takes the weights as tensors, and returns a number.
    """
    for _ in range(updates + 1):
        yield weights
        tensors = [torch.tensor(matrix, requires_grad=True) for matrix in weights]
        gradients = torch.autograd.grad(loss(tensors), tensors)
        weights = [
            matrix - matrix.dtype.type(rate) * gradient.numpy()
            for matrix, gradient in zip(weights, gradients, strict=True)
        ]


def interpolate_crossing(values: np.ndarray, half: float) -> float | None:
    """Return the update at which a growing curve reaches a half, interpolated linearly; None if it begins there."""
    after = int(np.argmax(values >= half))
    return after - 1 + (half - values[after - 1]) / (values[after] - values[after - 1]) if after else None


def values(rows: pd.DataFrame, metric: str, step: int | None = None) -> np.ndarray:
    """Return the values of a metric at one step or at all, in the order of the table."""
    chosen = rows[(rows["metric"] == metric) & ((rows["step"] == step) if step is not None else True)]
    return chosen["value"].to_numpy()


def by_step(rows: pd.DataFrame, metric: str) -> np.ndarray:
    """Return the values of a metric, (steps, indices)."""
    return rows[rows["metric"] == metric].pivot(index="step", columns="index", values="value").to_numpy()


def table_of(experiment: ModuleType, points: list[Point], *datasets: Dataset) -> pd.DataFrame:
    rows = [
        pd.DataFrame(experiment.run(json.loads(point.spec), *datasets).columns()).assign(**point.axes)
        for point in points
    ]
    return pd.concat(rows, ignore_index=True)


_SMALL = {"mnist": cache(lambda: noisy_images(784)), "whitened": cache(lambda: whitened_digits(60))}
_SMALL["cifar10"] = cache(small_cifar10)


def small_data(name):
    """Return a data set of 200 images in place of MNIST."""
    return _SMALL[name]()


def data_for(run):
    """Return the data sets that a run function takes after the spec."""
    return [small_data(name) for name in list(inspect.signature(run).parameters)[1:]]
