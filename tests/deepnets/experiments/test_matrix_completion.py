from functools import reduce

import numpy as np
import pytest
import torch

from deepnets.experiments.least_nuclear_norm.run import run as complete_with_least_norm
from deepnets.experiments.matrix_completion.run import run
from deepnets.theory.nuclear_norm import least_nuclear_norm
from small_runs import descend

SPEC = {
    **{"block": "dynamics", "depth": 3, "init": "identity", "scale": 0.1, "entries": 40, "seed": 3, "size": 9},
    **{"rank": 2, "largest_gap": 1e-6, "recorded_values": 4, "learning_rate": 0.1, "steps": 40, "records": 5},
}


def metric(spec, name, run=run):
    columns = run(spec).columns()
    steps = columns["step"][np.array(columns["metric"]) == name]
    return {step: columns["value"][(np.array(columns["metric"]) == name) & (columns["step"] == step)] for step in steps}


def draw_task(spec):
    """Return the authors' task: a product of normal factors with Frobenius norm `size`, and the observed places."""
    size, draw = spec["size"], np.random.default_rng([spec["seed"], 0])
    truth = draw.standard_normal((size, spec["rank"])) @ draw.standard_normal((spec["rank"], size))
    places = np.random.default_rng([spec["seed"], 1]).permutation(size**2)[: spec["entries"]]
    return truth / np.linalg.norm(truth) * size, places


def train_with_torch(spec):
    """Return the end-to-end matrices after 0, 1, … updates, by autograd on the mean over the observed entries."""
    truth, places = draw_task(spec)
    size, depth = spec["size"], spec["depth"]
    draw = np.random.default_rng([spec["seed"], 2])
    factors = [
        spec["scale"] ** (1 / depth)
        * (np.eye(size) if spec["init"] == "identity" else draw.standard_normal((size, size)) / size**0.5)
        for _ in range(depth)
    ]

    def loss(factors):
        return ((reduce(torch.matmul, factors) - torch.tensor(truth)).ravel()[places] ** 2).mean()

    return [reduce(np.matmul, net) for net in descend(factors, loss, spec["learning_rate"], spec["steps"])]


@pytest.mark.parametrize("init", ["identity", "gaussian"])
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_run_equals_descent_by_torch_on_the_observed_entries(depth, init):
    spec = {**SPEC, "depth": depth, "init": init, "learning_rate": 0.5}
    products, (truth, places) = train_with_torch(spec), draw_task(spec)
    assert list(metric(spec, "train_loss")) == [0, 10, 20, 30, 40]
    expected = {
        "train_loss": lambda product: np.mean((product - truth).ravel()[places] ** 2),
        "test_loss": lambda product: np.mean((product - truth) ** 2),
        "singular_value": lambda product: np.linalg.svd(product)[1][:4],
        "nuclear_norm": lambda product: np.linalg.norm(product, "nuc"),
    }
    for name, value in expected.items():
        for step, found in metric(spec, name).items():
            np.testing.assert_allclose(found, value(products[step]), rtol=1e-9)
    # Rates are derivatives by time (updates × rate), recorded between the first and the last step.
    rates = metric(spec, "singular_value_rate")
    assert list(rates) == [10, 20, 30]
    for step, found in rates.items():
        after, before = (np.linalg.svd(products[place])[1][:4] for place in (step + 1, step - 1))
        np.testing.assert_allclose(found, (after - before) / (2 * 0.5), rtol=1e-6, atol=1e-9)


def test_the_true_matrix_has_the_rank_and_entries_of_root_mean_square_1():
    (values,) = metric(SPEC, "true_singular_value").values()
    assert len(values) == SPEC["rank"]
    assert np.sum(values**2) == pytest.approx(81)
    (norm,), (rank,) = (metric(SPEC, f"true_{name}")[0] for name in ("nuclear_norm", "effective_rank"))
    assert norm == pytest.approx(values.sum())
    shares = values / values.sum()
    assert rank == pytest.approx(np.exp(-shares @ np.log(shares)))
    # The start is a multiple of the identity: all singular values are equal, so the effective rank is their number.
    assert metric(SPEC, "effective_rank")[0] == pytest.approx(9)


def test_the_matrix_of_least_nuclear_norm_completes_the_observed_entries():
    (norm,), (loss,), (rank,), (gap,) = (
        metric(SPEC, name, complete_with_least_norm)[0]
        for name in ("nuclear_norm", "test_loss", "effective_rank", "duality_gap")
    )
    truth, places = draw_task(SPEC)
    observed = np.zeros(81)
    observed[places] = 1
    # Of the true matrix, only the observed entries may count.
    found, expected = least_nuclear_norm(
        truth * observed.reshape(9, 9), observed.reshape(9, 9), gap=SPEC["largest_gap"]
    )
    values = np.linalg.svd(found, compute_uv=False)
    shares = values / values.sum()
    assert (norm, loss, gap) == pytest.approx((values.sum(), np.mean((found - truth) ** 2), expected))
    assert rank == pytest.approx(np.exp(-shares @ np.log(shares)))
    assert 0 < gap <= 1e-6
    # The true matrix has the same observed entries, so its norm cannot be less.
    assert norm < np.linalg.norm(truth, "nuc")


def test_the_last_step_is_recorded_and_never_more_steps_or_values_than_exist():
    spec = {**SPEC, "steps": 7, "records": 4, "recorded_values": 20}
    assert list(metric(spec, "train_loss")) == [0, 2, 5, 7]
    assert {len(values) for values in metric(spec, "singular_value").values()} == {9}
    assert list(metric({**spec, "records": 100}, "train_loss")) == list(range(8))
