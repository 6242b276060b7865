import numpy as np

from deepnets.data.mnist import CLASSES
from deepnets.networks import linear
from deepnets.networks.initialization.initializers import initialize, orthogonal, row_normalized
from deepnets.theory import linear_learning, mode_learning
from reproduce import api

_INITIALIZERS = {"row_normalized": row_normalized, "orthogonal": orthogonal}
# Singular values below this share of the largest are rounding errors, not modes: inputs are centred, so the rank for 10
# classes is 9.
_ROUNDING = 1e-7


# Divergence, also of squares, is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict, whitened: api.Dataset) -> api.Measurements:
    """Train one linear net in float64 by gradient descent on covariances (document 001, Part 2).

    W is the end-to-end matrix; U and V contain the singular vectors of the covariance of inputs and classes. A mode's
    strength is the mode's diagonal entry of Uᵀ W V. The half time is when the strength first reaches half the singular
    value. Equations, sections and figures are those of Saxe, McClelland & Ganguli 2013.

    Metrics at step 0:

    - data_singular_value[mode]: singular values of the covariance, in falling order (section 1).
    - half_time[mode], updates: only for modes that start below half their singular value and reach this half (Fig. 3).
    - theory_half_time[mode], updates: half time if all modes start balanced and with equal strength, depth 2 (eq. 11).
    - predicted_half_time[mode], updates: half time computed from the mode's initial vectors in this net, depth 2 (eq.
      26).

    Metrics every `record_every` steps:

    - mode_strength[mode]: strength of a mode (Fig. 3).
    - theory_mode_strength[mode]: strength if all modes start balanced and with equal strength, depth 2 (eq. 12).
    - predicted_mode_strength[mode]: strength computed from the mode's initial vectors in this net, depth 2 (eqs. 23 to
      25).

    Metric at the step at which the run diverges:

    - diverged: 1.
    """
    measurements = api.Measurements()
    inputs, targets = whitened["inputs"], np.eye(CLASSES)[whitened["labels"]]
    covariances = [inputs.T @ right / len(inputs) for right in (inputs, targets)]
    left, singular_values, right = np.linalg.svd(covariances[1], full_matrices=False)
    modes = singular_values > _ROUNDING * singular_values[0]
    left, singular_values, right = left[:, modes].T, singular_values[modes], right[modes].T
    sizes = linear.layer_sizes(inputs.shape[1], spec["hidden"], CLASSES, spec["depth"])
    draw = np.random.default_rng(spec["seed"]).standard_normal
    weights = [spec["scale"] * matrix for matrix in initialize(_INITIALIZERS[spec["init"]], sizes, draw)]
    measurements.add(0, "data_singular_value", singular_values)
    if spec["depth"] == 2:
        _add_theory(measurements, spec, singular_values, weights, left @ weights[0], (weights[1] @ right).T)
    strengths = []
    for step in range(spec["steps"] + 1):
        now = np.sum((left @ linear.product(weights)) * right.T, axis=1)
        if not np.isfinite(np.sum(now**2)):
            measurements.add_divergence(step)
            break
        strengths.append(now)
        if step % spec["record_every"] == 0:
            measurements.add(step, "mode_strength", now)
        gradients = linear.covariance_gradients(weights, *covariances)
        weights = linear.gradient_step(weights, gradients, spec["learning_rate"])
    if strengths:
        api.add_finite(measurements, 0, "half_time", linear.half_times(np.array(strengths), singular_values))
    return measurements


def _add_theory(
    measurements: api.Measurements,
    spec: dict,
    singular_values: np.ndarray,
    weights: linear.Weights,
    first: np.ndarray,
    second: np.ndarray,
) -> None:
    """Record the theory of all modes. `first` and `second`, of shape (modes, hidden): initial vectors per layer."""
    rate = spec["learning_rate"]
    initial = linear_learning.initial_mode_strength(spec["hidden"], *(np.mean(matrix**2) for matrix in weights))
    own = np.sum((first + second) ** 2, axis=1), np.sum((first - second) ** 2, axis=1)
    api.add_finite(measurements, 0, "theory_half_time", mode_learning.half_time(singular_values, initial) / rate)
    predicted = mode_learning.half_time_from(singular_values, *own) / rate
    api.add_finite(measurements, 0, "predicted_half_time", predicted)
    for step in range(0, spec["steps"] + 1, spec["record_every"]):
        total, difference = mode_learning.squared_norms(rate * step, singular_values, *own)
        strengths = mode_learning.strength(rate * step, singular_values, initial)
        measurements.add(step, "theory_mode_strength", strengths)
        measurements.add(step, "predicted_mode_strength", (total - difference) / 4)
