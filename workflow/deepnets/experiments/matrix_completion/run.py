"""Arora et al. 2019: a matrix of low rank is completed from some of its entries by gradient descent on its factors."""

from collections.abc import Iterator
from itertools import accumulate
from operator import matmul
from typing import Any

import numpy as np

from workflow.deepnets.networks import linear
from workflow.deepnets.records.measurements import Measurements
from workflow.deepnets.theory.nuclear_norm import least_nuclear_norm
from workflow.deepnets.theory.singular_value_flow import singular_value_rates, slopes_along_modes

# The end-to-end matrix, and the gradient of the loss by it.
State = tuple[np.ndarray, np.ndarray]


# What leaves the finite numbers is recorded as such.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> Measurements:
    """Descend in float64 on the mean squared error of the observed entries; all factors are square.

    Records at steps evenly spaced train_loss, test_loss (mean squared error over all entries, observed or not),
    singular_value[i] of the end-to-end matrix (the largest ones, falling), its nuclear_norm and effective_rank (the
    exponential of the entropy of its singular values over their sum); between the first and the last of them
    singular_value_rate[i], the central difference over the updates before and after the step per unit of time
    (updates × learning rate), and theory_singular_value_rate[i], of gradient flow. At step 0 true_singular_value[i],
    true_nuclear_norm and true_effective_rank, of the matrix that is sought; and least_test_loss, least_nuclear_norm and
    least_effective_rank, of the matrix of least nuclear norm that has the observed entries, with least_gap: its
    nuclear norm minus a proven bound, as a share of it.
    """
    measurements = Measurements()
    truth, observed = _task(spec)
    _add_spectrum(measurements, 0, np.linalg.svd(truth, compute_uv=False)[: spec["rank"]], "true_", spec)
    _add_least_norm(measurements, truth, observed, spec)
    recorded = set(np.linspace(0, spec["steps"], spec["records"]).round().astype(int))
    states = _with_neighbours(_descent(_initialized(spec), truth, observed, spec))
    for step, (before, (product, gradient), after) in zip(range(spec["steps"] + 1), states, strict=False):
        # The gradient holds 2/entries of each observed error. It is nan where any entry is infinite.
        loss = spec["entries"] * np.vdot(gradient, gradient) / 4
        if not np.isfinite(loss):
            measurements.add_divergence(step)
            break
        if step in recorded:
            measurements.add(step, "train_loss", loss)
            measurements.add(step, "test_loss", np.mean((product - truth) ** 2))
            left, values, right = np.linalg.svd(product)
            _add_spectrum(measurements, step, values, "", spec)
            if 0 < step < spec["steps"] and np.isfinite(after).all():
                slopes = slopes_along_modes(gradient, left, right)
                _add_modes(
                    measurements,
                    step,
                    "theory_singular_value_rate",
                    singular_value_rates(values, slopes, spec["depth"]),
                    spec,
                )
                later, earlier = (np.linalg.svd(matrix, compute_uv=False) for matrix in (after, before))
                _add_modes(
                    measurements, step, "singular_value_rate", (later - earlier) / (2 * spec["learning_rate"]), spec
                )
    return measurements


def _task(spec: dict) -> tuple[np.ndarray, np.ndarray]:
    """Draw a matrix of the rank, (size, size), whose entries have root mean square 1, and a mask of the observed ones.

    Runs of one seed share the matrix, and more entries contain those of fewer.
    """
    size = spec["size"]
    draw = np.random.default_rng([spec["seed"], 0])
    truth = draw.standard_normal((size, spec["rank"])) @ draw.standard_normal((spec["rank"], size))
    observed = np.zeros(size**2)
    observed[np.random.default_rng([spec["seed"], 1]).permutation(size**2)[: spec["entries"]]] = 1
    return truth * (size / np.linalg.norm(truth)), observed.reshape(size, size)


def _initialized(spec: dict) -> list[np.ndarray]:
    """Return factors whose product has about the Frobenius norm of scale × identity."""
    size, depth = spec["size"], spec["depth"]
    factor = spec["scale"] ** (1 / depth)
    if spec["init"] == "identity":
        return [factor * np.eye(size) for _ in range(depth)]
    draw = np.random.default_rng([spec["seed"], 2])
    return [factor / np.sqrt(size) * draw.standard_normal((size, size)) for _ in range(depth)]


def _descent(weights: linear.Weights, truth: np.ndarray, observed: np.ndarray, spec: dict) -> Iterator[State]:
    """Yield the state after 0, 1, … updates, without end."""
    share = 2 / spec["entries"] * observed
    while True:
        prefixes = list(accumulate(weights, matmul))
        gradient = share * (prefixes[-1] - truth)
        yield prefixes[-1], gradient
        weights = linear.gradient_step(
            weights, linear.product_gradients(prefixes, weights, gradient), spec["learning_rate"]
        )


def _with_neighbours(states: Iterator[State]) -> Iterator[tuple[Any, State, np.ndarray]]:
    """Yield each state between the end-to-end matrices of the step before, None at first, and of the step after."""
    before, now = None, next(states)
    for after in states:
        yield before, now, after[0]
        before, now = now[0], after


def _add_spectrum(measurements: Measurements, step: int, values: np.ndarray, prefix: str, spec: dict) -> None:
    """Record singular values, their sum and their effective rank."""
    _add_modes(measurements, step, f"{prefix}singular_value", values, spec)
    measurements.add(step, f"{prefix}nuclear_norm", values.sum())
    measurements.add(step, f"{prefix}effective_rank", _effective_rank(values))


def _add_least_norm(measurements: Measurements, truth: np.ndarray, observed: np.ndarray, spec: dict) -> None:
    """Record what the matrix of least nuclear norm that has the observed entries makes of the others."""
    completed, gap = least_nuclear_norm(truth, observed, gap=spec["duality_gap"])
    values = np.linalg.svd(completed, compute_uv=False)
    measurements.add(0, "least_test_loss", np.mean((completed - truth) ** 2))
    measurements.add(0, "least_nuclear_norm", values.sum())
    measurements.add(0, "least_effective_rank", _effective_rank(values))
    measurements.add(0, "least_gap", gap)


def _add_modes(measurements: Measurements, step: int, metric: str, values: np.ndarray, spec: dict) -> None:
    measurements.add(step, metric, values[: spec["recorded_values"]])


def _effective_rank(values: np.ndarray) -> float:
    """Return exp(−Σ p ln p) of the shares p of singular values in their sum (Roy & Vetterli 2007)."""
    shares = values[values > 0] / values.sum()
    return float(np.exp(-np.sum(shares * np.log(shares))))
