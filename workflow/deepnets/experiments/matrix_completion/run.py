from collections.abc import Iterator
from itertools import accumulate
from operator import matmul
from typing import Any

import numpy as np

from deepnets.data.low_rank import draw_task
from deepnets.networks import linear
from deepnets.theory.singular_value_flow import singular_value_rates, slopes_along_modes
from reproduce import api

# The end-to-end matrix, and the gradient of the loss with respect to it.
State = tuple[np.ndarray, np.ndarray]


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> api.Measurements:
    """Train square factors in float64 by gradient descent on the mean squared error of the observed entries.

    `step` counts updates, and time is updates × learning rate. Figures and theorems are those of Arora, Cohen, Hu & Luo
    2019.

    Metrics at `records` evenly spaced steps, including the first and the last step. W is the end-to-end matrix.

    - train_loss: mean squared error over the observed entries.
    - test_loss: mean squared error over all entries, observed or not; in the paper, the squared reconstruction error
      (Figs. 1, 2).
    - singular_value[i]: the `recorded_values` largest singular values of W, in falling order (Fig. 3).
    - nuclear_norm: sum of the singular values of W (Fig. 2).
    - effective_rank: exponential of the entropy of W's singular values, each divided by the sum of all (Fig. 2).

    Metrics at these steps, except the first and the last:

    - singular_value_rate[i], per unit of time: central difference over the updates before and after the step.
    - theory_singular_value_rate[i], per unit of time: the rate under gradient flow from the run's W (Theorem 3).

    Metrics at step 0, of the true matrix:

    - true_singular_value[i]: the `recorded_values` largest singular values, in falling order; zeros are omitted.
    - true_nuclear_norm: as nuclear_norm.
    - true_effective_rank: as effective_rank.

    Metric at the step at which the run diverges:

    - diverged: 1.
    """
    measurements, modes = api.Measurements(), spec["recorded_values"]
    truth, observed = draw_task(spec["size"], spec["rank"], spec["entries"], spec["seed"])
    _add_spectrum(measurements, 0, np.linalg.svd(truth, compute_uv=False)[: spec["rank"]], "true_", modes)
    recorded = set(np.linspace(0, spec["steps"], spec["records"]).round().astype(int))
    states = _pair_with_neighbours(_descent(_initialize_factors(spec), truth, observed, spec))
    for step, (before, (product, gradient), after) in zip(range(spec["steps"] + 1), states, strict=False):
        # The gradient is 2/entries times the errors of the observed entries. The gradient contains NaN if W is infinite
        # anywhere.
        loss = spec["entries"] * np.vdot(gradient, gradient) / 4
        if not np.isfinite(loss):
            measurements.add_divergence(step)
            break
        if step in recorded:
            measurements.add(step, "train_loss", loss)
            measurements.add(step, "test_loss", np.mean((product - truth) ** 2))
            left, values, right = np.linalg.svd(product)
            _add_spectrum(measurements, step, values, "", modes)
            if 0 < step < spec["steps"] and np.isfinite(after).all():
                slopes = slopes_along_modes(gradient, left, right)
                rates = singular_value_rates(values, slopes, spec["depth"])
                measurements.add(step, "theory_singular_value_rate", rates[:modes])
                later, earlier = (np.linalg.svd(matrix, compute_uv=False) for matrix in (after, before))
                rates = (later - earlier) / (2 * spec["learning_rate"])
                measurements.add(step, "singular_value_rate", rates[:modes])
    return measurements


def _initialize_factors(spec: dict) -> list[np.ndarray]:
    """Return the initial factors. Their product has about the Frobenius norm of scale × identity."""
    size, depth = spec["size"], spec["depth"]
    factor = spec["scale"] ** (1 / depth)
    if spec["init"] == "identity":
        return [factor * np.eye(size) for _ in range(depth)]
    draw = np.random.default_rng([spec["seed"], 2])
    return [factor / np.sqrt(size) * draw.standard_normal((size, size)) for _ in range(depth)]


def _descent(weights: linear.Weights, truth: np.ndarray, observed: np.ndarray, spec: dict) -> Iterator[State]:
    """Yield without end the state after 0, 1, … updates."""
    share = 2 / spec["entries"] * observed
    while True:
        prefixes = list(accumulate(weights, matmul))
        gradient = prefixes[-1] - truth
        gradient *= share
        yield prefixes[-1], gradient
        gradients = linear.product_gradients(prefixes, weights, gradient)
        weights = linear.gradient_step(weights, gradients, spec["learning_rate"])


def _pair_with_neighbours(states: Iterator[State]) -> Iterator[tuple[Any, State, np.ndarray]]:
    """Yield the end-to-end matrix before each step (None at first), the state, and the matrix after the step."""
    before, now = None, next(states)
    for after in states:
        yield before, now, after[0]
        before, now = now[0], after


def _add_spectrum(measurements: api.Measurements, step: int, values: np.ndarray, prefix: str, modes: int) -> None:
    """Record the largest singular values, the sum and their effective rank."""
    measurements.add(step, f"{prefix}singular_value", values[:modes])
    measurements.add(step, f"{prefix}nuclear_norm", values.sum())
    measurements.add(step, f"{prefix}effective_rank", linear.effective_rank(values))
