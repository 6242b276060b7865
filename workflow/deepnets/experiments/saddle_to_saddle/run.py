from itertools import pairwise

import numpy as np

from deepnets.networks import linear
from deepnets.theory.deep_mode import time_integral
from reproduce import api

# Shares of the identity and of Gaussian noise in a layer; `scale` multiplies their sum.
_SHARES = {"gaussian": (0, 1), "near_identity": (1, 0.1)}


# Divergence is a result: silence NumPy's warnings, `diverged` records it. Theory omits infinite and NaN values.
@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def run(spec: dict) -> api.Measurements:
    """Train `depth` linear layers by gradient descent on ‖target − product‖², with the target diag(`singular_values`).

    This is the squared error for white inputs, without the factor 1/2. Hidden layers have `width` units. Each layer
    starts as `scale` times Gaussian noise, or (init near_identity) times the identity plus a tenth of such noise. Modes
    count from 0, the strongest; a mode's strength is its diagonal entry of the product of all layers. Theory is eq. 11
    of the tutorial with the factor 2 of the loss's gradient.

    Metrics at evenly spaced updates:

    - train_loss: the squared error.
    - strength[mode]: the mode's strength.
    - stable_rank: ‖G‖² / (largest singular value)², Frobenius norm, for the gradient G of the first layer (folklore 3).

    Metrics at step 0:

    - singular_value[mode]: `singular_values`, in falling order.
    - theory_start[mode]: size of the mode's initial strength.
    - sorted_start[mode]: initial singular values of the product, in falling order; the widget's theory starts there.
    - theory_half_time[mode], sorted_half_time[mode], updates: half times in theory from these starts.

    Metrics at the last step; times are missing for modes that start above these strengths or never reach them:

    - half_time[mode], updates: when the mode first reaches half its singular value.
    - rise_time[mode], updates: from when it first reaches a tenth of its singular value to nine tenths.
    - plateau[mode]: loss at the slowest update between the half times of the previous mode and of this one, divided by
      the sum of the squared singular values of this and all weaker modes.
    - overlap[mode]: |cosine| between the mode's input direction in the target and in the first layer (section 3).
    - movement: norm of the change of all weights since the start, divided by their norm at the start.
    - imbalance_drift: norm of the change of W2ᵀW2 − W1W1ᵀ of adjacent layers W1, W2 since the start, divided by its
      norm at the start; from two layers (section 1).
    """
    measurements, depth, rate, updates = api.Measurements(), spec["depth"], spec["learning_rate"], spec["updates"]
    singular_values, generator = np.sort(spec["singular_values"])[::-1], np.random.default_rng(spec["seed"])
    target, size = np.diag(singular_values), len(singular_values)
    identity, noise = _SHARES[spec["init"]]
    first = [
        spec["scale"] * (identity * np.eye(*shape) + noise * generator.standard_normal(shape))
        for shape in pairwise(linear.layer_sizes(size, spec["width"], size, depth))
    ]
    recorded = {round(updates * share / spec["records"]) for share in range(spec["records"] + 1)}
    weights, losses, strengths = first, np.zeros(updates + 1), np.zeros((updates + 1, size))
    for step in range(updates + 1):
        product = linear.product(weights)
        losses[step], strengths[step] = np.sum((product - target) ** 2), product.diagonal()
        if not np.isfinite(losses[step]):
            measurements.add_divergence(step)
            return measurements
        gradients = linear.covariance_gradients(weights, np.eye(size), target)
        if step in recorded:
            measurements.add(step, "train_loss", losses[step])
            measurements.add(step, "strength", strengths[step])
            spectrum = np.linalg.svd(gradients[0], compute_uv=False)
            api.add_finite(measurements, step, "stable_rank", np.sum(spectrum**2, keepdims=True) / spectrum[0] ** 2)
        last, weights = weights, linear.gradient_step(weights, gradients, 2 * rate)
    measurements.add(0, "singular_value", singular_values)
    spectrum = np.linalg.svd(linear.product(first), compute_uv=False)
    for name, starts in {"theory": np.abs(strengths[0]), "sorted": spectrum}.items():
        measurements.add(0, f"{name}_start", starts)
        integral = time_integral(singular_values, starts, singular_values / 2, depth)
        api.add_finite(measurements, 0, f"{name}_half_time", integral / (2 * depth * rate))
    halves, tenths, rest = (linear.half_times(strengths, 2 * share * singular_values) for share in (0.5, 0.1, 0.9))
    api.add_finite(measurements, updates, "half_time", halves)
    api.add_finite(measurements, updates, "rise_time", rest - tenths)
    api.add_finite(measurements, updates, "plateau", _plateaus(losses, halves, singular_values))
    measurements.add(updates, "overlap", np.abs(np.linalg.svd(last[0])[0].diagonal()))
    api.add_finite(measurements, updates, "movement", _change(first, last))
    if depth > 1:
        balances = ([into.T @ into - out @ out.T for into, out in pairwise(layers)] for layers in (first, last))
        api.add_finite(measurements, updates, "imbalance_drift", _change(*balances))
    return measurements


def _change(first: linear.Weights, last: linear.Weights) -> np.ndarray:
    """Return the norm of the change of some matrices, divided by their norm at first; shape (1,)."""
    before, after = (np.concatenate([matrix.ravel() for matrix in matrices]) for matrices in (first, last))
    return np.array([np.linalg.norm(after - before) / np.linalg.norm(before)])


def _plateaus(losses: np.ndarray, halves: np.ndarray, singular_values: np.ndarray) -> np.ndarray:
    """Return the loss at the slowest update before each half time, as shares; NaN if the previous one is not earlier."""
    shares = np.full(len(halves), np.nan)
    for mode, (begin, end) in enumerate(pairwise([0, *halves])):
        if end - begin > 1:
            steps = slice(int(begin), int(end) + 1)
            slowest = np.argmin(np.abs(np.diff(losses[steps])))
            shares[mode] = losses[steps][slowest] / np.sum(singular_values[mode:] ** 2)
    return shares
