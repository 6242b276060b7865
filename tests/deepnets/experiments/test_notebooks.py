"""The loops of the notebook `forty_lines` give the numbers of the experiments, and sentences of the others hold."""

import ast
import re

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT
from deepnets.experiments.classifier import run as classifier
from deepnets.experiments.hierarchy import run as hierarchy
from deepnets.experiments.mnist_dynamics import run as mnist_dynamics
from deepnets.experiments.propagation import run as propagation
from deepnets.experiments.zero_init import run as zero_init
from small_runs import by_step, noisy_images, small_cifar10, specs_of, values, whitened_digits

NOTEBOOK = ast.parse((ROOT / "notebooks/forty_lines.py").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def loops():
    """The functions of the notebook by name, without what its cells compute."""
    kept = [node for node in NOTEBOOK.body if isinstance(node, ast.Import | ast.FunctionDef)]
    loops = {}
    exec(compile(ast.Module(kept, []), "forty_lines", "exec"), loops)
    return loops


def rows_of(experiment, spec, *datasets):
    return pd.DataFrame(experiment.run(spec, *datasets).columns())


def test_a_loop_has_forty_lines_at_most_and_imports_nothing_of_the_library():
    lines = [node.end_lineno - node.lineno + 1 for node in NOTEBOOK.body if isinstance(node, ast.FunctionDef)]
    assert len(lines) == 5 and max(lines) <= 40
    assert not {"deepnets", "reproduce"} & {*re.findall(r"\w+", ast.unparse(NOTEBOOK))}


@pytest.mark.parametrize(
    ("block", "arguments"),
    [("two_layers", {}), ("rank_2", {"hidden": 2}), ("near_zero", {"scale": 1e-4, "rate": 100, "depth": 3})],
)
def test_document_000(loops, default_plan, block, arguments):
    specs = specs_of(default_plan, "classifier", block=block)[:2]
    found = loops["classify"](**{"depth": 2, "rate": 1, "repetitions": 2, **arguments})
    for spec, (updates, accuracy, singular_values) in zip(specs, found, strict=True):
        rows = rows_of(classifier, spec)
        # Different orders of summation: the last update may differ by two, and a test point of a hundred in its class.
        assert updates == pytest.approx(rows["step"].max(), abs=2)
        assert accuracy == pytest.approx(values(rows, "test_accuracy")[-1], abs=0.011)
        # The other singular values of a product of rank 2 are rounding errors.
        np.testing.assert_allclose(singular_values, by_step(rows, "singular_value")[-1], rtol=0.02, atol=1e-6)


def test_document_001(loops, default_plan):
    (spec,) = specs_of(default_plan, "mnist_dynamics", rule="covariance", depth=2, init="row_normalized", seed=1)
    digits = whitened_digits(60)
    rows = rows_of(mnist_dynamics, spec, digits)
    inputs, targets = digits["inputs"], np.eye(10)[digits["labels"]]
    products = loops["learn_digits"](inputs.T @ inputs / len(inputs), targets.T @ inputs / len(inputs), seed=1)
    losses = [np.mean((targets - inputs @ product.T) ** 2) for product in products]
    np.testing.assert_allclose(losses, values(rows, "train_loss"), rtol=1e-10)


@pytest.mark.parametrize("norm", ["none", "batch"])
def test_document_002(loops, default_plan, norm):
    axes = {"block": "fully_connected", "arch": "feedforward", "norm": norm, "seed": 1}
    (spec,) = specs_of(default_plan, "propagation", **axes)
    size = {"batch": 32, "width": 64, "depth": 15}
    images = small_cifar10()
    rows = rows_of(propagation, {**spec, **size, "simulations": 1, "record_first": 15}, images)
    chi = loops["propagate"](images["images"], norm == "batch", seed=1, **size)
    np.testing.assert_allclose(chi, values(rows, "chi"), rtol=1e-4)


def test_document_003(loops, default_plan):
    (spec,) = specs_of(default_plan, "hierarchy", block="main", seed=2022)
    rows = rows_of(hierarchy, {**spec, "features": 300, "learning_rate": 3})
    losses, strengths = loops["learn_tree"](rate=3, features=300, seed=2022)
    np.testing.assert_allclose(losses, values(rows, "train_loss"), rtol=1e-4)
    np.testing.assert_allclose(strengths, by_step(rows, "singular_value"), rtol=1e-4, atol=1e-4 * strengths.max())


def test_document_004(loops, default_plan):
    (spec,) = specs_of(default_plan, "zero_init", block="widths", width=256, seed=2)
    images = noisy_images(12)
    spec |= {"width": 32, "batch": 16, "steps": 13, "record_every": 5}
    rows = rows_of(zero_init, spec, images)
    arguments = {"width": 32, "batch": 16, "every": 5, "seed": 2}
    losses, ranks = loops["train_identity"](images["train_images"], images["train_labels"], **arguments)
    np.testing.assert_allclose(losses, values(rows, "train_loss")[:-1], rtol=1e-5)
    # The run also records the rank at the start and at the end.
    assert ranks == [*values(rows, "rank")[1:-1]]
    assert len(set(ranks)) > 1


def test_three_layers_need_larger_weights_and_a_lower_rate(default_plan):
    (main,) = specs_of(default_plan, "hierarchy", block="main", seed=2022)
    losses = values(rows_of(hierarchy, {**main, "depth": 3}), "train_loss")
    np.testing.assert_allclose(losses, losses[0], rtol=1e-6)
    larger = {**main, "depth": 3, "scale": 0.3}
    assert "diverged" in set(rows_of(hierarchy, larger)["metric"])
    two, three = (
        [values(rows_of(hierarchy, {**spec, "seed": seed}), "half_time")[:5] for seed in range(5)]
        for spec in (main, {**larger, "learning_rate": 30})
    )
    assert (np.std(three, axis=0) > np.std(two, axis=0)).all()


def test_larger_weights_at_the_start_make_steps_earlier_and_closer(default_plan):
    (spec,) = specs_of(default_plan, "hierarchy", block="sliders", learning_rate=20, scale=0.001)
    starts = [
        values(rows_of(hierarchy, {**spec, "scale": scale, "steps": 700}), "half_time")[:5]
        for scale in (1e-9, 1e-6, 1e-3, 0.1)
    ]
    assert (np.diff(starts, axis=0) < 0).all()
    assert (np.diff(np.ptp(starts, axis=1)) < 0).all()
