from itertools import pairwise

import numpy as np

from deepnets.data import tree
from deepnets.networks import linear
from deepnets.networks.initialization.initializers import orthogonal
from deepnets.theory import mode_learning
from reproduce import api

# Singular values below this share of the largest are rounding errors, not modes.
_ROUNDING = 1e-7


# Divergence, also of squares, is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> api.Measurements:
    """Train `simulations` nets side by side on one sample of the tree, by full-batch gradient descent in float64.

    Inputs are one-hot; the loss is half the squared error, summed over items and features. Hidden layers are linear or
    tanh; the output layer is linear. Outputs are rotated to the data's modes; in all other directions, outputs are
    always 0. A mode's strength is the mode's diagonal entry of Uᵀ Σ₃₁ V, where Σ₃₁ is computed from the net's outputs.
    Modes count from 0, the strongest mode. Sections, figures and equations are those of Saxe, McClelland & Ganguli
    2013.

    Metrics at step 0:

    - data_singular_value[mode]: singular values of the data, in falling order (section 1).
    - half_time[modes · simulation + mode], updates: only for modes that start below half their singular value and reach
      this half (Fig. 3, right).
    - theory_half_time[mode], updates: half time in a linear net, depth 2 (eq. 11).

    Metrics every `record_every` steps, for the modes `recorded_modes`:

    - mode_strength[mode]: strength in the first simulation (Fig. 3, left).
    - theory_mode_strength[mode]: strength in a linear net, depth 2 (eq. 12).

    Metric at the step at which a simulation diverges:

    - diverged: 1.
    """
    measurements = api.Measurements()
    items, singular_values = _modes(spec)
    count = len(singular_values)
    shown = np.array([mode - 1 for mode in spec["recorded_modes"] if mode <= count], dtype=int)
    measurements.add(0, "data_singular_value", singular_values)
    if spec["depth"] == 2:
        _add_theory(measurements, spec, singular_values, shown)
    nets = (
        _initial_weights(spec, items, np.random.default_rng([spec["seed"], simulation]))
        for simulation in range(spec["simulations"])
    )
    weights = [np.stack(matrices) for matrices in zip(*nets, strict=True)]
    strengths = []
    for step in range(spec["steps"] + 1):
        layers = _activations(weights, spec["activation"])
        now = np.einsum("im,sim->sm", items, layers[-1])
        if not np.isfinite(np.sum(now**2)):
            measurements.add_divergence(step)
            break
        strengths.append(now)
        if step % spec["record_every"] == 0:
            measurements.add(step, "mode_strength", now[0, shown], index=shown)
        gradients = _gradients(weights, layers, layers[-1] - items * singular_values, spec["activation"])
        weights = linear.gradient_step(weights, gradients, spec["learning_rate"])
    if strengths:
        api.add_finite(measurements, 0, "half_time", linear.half_times(np.array(strengths), singular_values).ravel())
    return measurements


def _modes(spec: dict) -> tuple[np.ndarray, np.ndarray]:
    """Return the items' singular vectors, shape (items, modes), and the data's singular values, in falling order."""
    stream = np.random.RandomState(spec["data_seed"])
    features = tree.sample_features(
        spec["levels"], spec["branches"], spec["flip_probability"], spec["features"], stream
    )
    items, singular_values, _ = np.linalg.svd(features, full_matrices=False)
    modes = singular_values > _ROUNDING * singular_values[0]
    return items[:, modes], singular_values[modes]


def _initial_weights(spec: dict, items: np.ndarray, random: np.random.Generator) -> list[np.ndarray]:
    """Return the weights of one net, of shapes (items, hidden), (hidden, hidden), …, (hidden, modes).

    Each of the `depth` matrices contributes an equal factor to the strength u₀. Init normal: at depth 2, a mode starts
    as two vectors a and b of normals, one per layer; the mean of |a + b|²/4, the part that grows, is u₀. Init
    decoupled: each mode has its own direction in the hidden layers, and stays in this direction.
    """
    hidden, modes = spec["hidden"], items.shape[1]
    share = spec["initial_strength"] ** (1 / spec["depth"])
    sizes = linear.layer_sizes(len(items), hidden, modes, spec["depth"])
    if spec["init"] == "normal":
        return [share * np.sqrt(2 / hidden) * random.standard_normal(shape) for shape in pairwise(sizes)]
    ends = [items, *[orthogonal(hidden, modes, random.standard_normal)] * (spec["depth"] - 1), np.eye(modes)]
    return [share * left @ right.T for left, right in pairwise(ends)]


def _activations(weights: linear.Weights, activation: str) -> list[np.ndarray]:
    """Return the states of all layers for one-hot inputs; the outputs come last. Shape: (simulations, items, width)."""
    layers = [weights[0]]
    for matrix in weights[1:]:
        if activation == "tanh":
            layers[-1] = np.tanh(layers[-1])
        layers.append(layers[-1] @ matrix)
    return layers


def _gradients(
    weights: linear.Weights, layers: list[np.ndarray], errors: np.ndarray, activation: str
) -> list[np.ndarray]:
    """Return the gradient of half the summed squared error for each weight matrix, each of shape (simulations, …)."""
    gradients = []
    for matrix, layer in zip(reversed(weights[1:]), reversed(layers[:-1]), strict=True):
        gradients.append(layer.mT @ errors)
        errors = errors @ matrix.mT
        if activation == "tanh":
            errors = errors * (1 - layer**2)
    return [errors, *reversed(gradients)]


def _add_theory(measurements: api.Measurements, spec: dict, singular_values: np.ndarray, shown: np.ndarray) -> None:
    """Record theory_half_time (only if u₀ is below half the singular value) and theory_mode_strength."""
    initial, rate = spec["initial_strength"], spec["learning_rate"]
    api.add_finite(measurements, 0, "theory_half_time", mode_learning.half_time(singular_values, initial) / rate)
    for step in range(0, spec["steps"] + 1, spec["record_every"]):
        strengths = mode_learning.strength(rate * step, singular_values[shown], initial)
        measurements.add(step, "theory_mode_strength", strengths, index=shown)
