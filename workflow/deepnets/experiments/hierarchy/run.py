from collections.abc import Iterator

import numpy as np

from deepnets.data import tree
from deepnets.networks import linear
from deepnets.networks.initialization.initializers import fan_in_uniform, fan_sum_normal, initialize
from deepnets.theory import linear_learning, tree_spectrum
from reproduce import api

_INITIALIZERS = {"fan_sum_normal": fan_sum_normal, "fan_in_uniform": fan_in_uniform}


# Divergence is a result: silence NumPy's warnings, `diverged` records it. Theory omits infinite and NaN values.
@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def run(spec: dict) -> api.Measurements:
    """Train one network in float32 by full-batch gradient descent on the mean squared error over items and features.

    The document, too, uses float32 and trains on all features. Rounding in float32 starts the late modes: they are
    learned earlier, by tenths of an update at the scale 1e-12, and by more than ten updates at 1e-15.

    Metrics at every step:

    - train_loss: mean squared error ("Interactive Demo 1").
    - singular_value[i]: singular values of the end-to-end matrix, in falling order ("Section 2").
    - weight_difference: largest absolute entry of the difference between end-to-end matrix and least-squares solution
      ("Demonstration: Linear Regression vs. DLNN").
    - illusory_prediction[item]: if a feature was added, the net's output for this feature and `illusory_item` ("Section
      4").

    Metrics every `record_rsm_every` steps and at the last step:

    - gradient_norm: norm of the gradient with respect to all weights ("Section 5.3", eq. 32).
    - between_modes: largest absolute entry of Uᵀ W V off the diagonal, as a share of the largest singular value of the
      features U S Vᵀ; W is the end-to-end matrix ("Section 2").
    - rsm[items · row + column]: similarity matrix of the items in the first hidden layer, if the depth is 2 or more
      ("Section 3").

    Metrics at step 0:

    - initial_deviation[layer]: root mean square of the initial weights (eq. 22).
    - feature[recorded_features · item + feature]: the values ±1 of the last `recorded_features` features ("Helper
      functions", generate_hsd).
    - least_squares_weight[recorded_features · item + feature]: the analytical solution for these features (eq. 33).
    - data_singular_value[i]: singular values of the features, in falling order ("Section 2").
    - half_time[i], updates: when singular_value[i] first reaches half of data_singular_value[i]; for depths from 2.

    Metric at the last step:

    - weight[recorded_features · item + feature]: columns of the end-to-end matrix for the recorded features ("Linear
      Regression vs. DLNN").

    Metrics of theory (`theory.tree_spectrum`, `theory.linear_learning`), computed from the tree and the size of the
    initial weights, or at depth 1 from the initial loss:

    - theory_singular_value[i], step 0: from the expected similarity of the items.
    - theory_plateau[n], step 0: train_loss after the first n levels are learned.
    - theory_train_loss, every step: depths 1 and 2. For these initial weights, deeper nets have no closed form.
    - theory_mode_strength[i], every step: depth 2.
    - theory_half_time[i], updates, step 0: depth 2.
    - half_time_formula[i], updates, step 0: theory_half_time without saturation, depth 2.
    - predicted_half_time[i], updates, step 0: theory_half_time computed from data_singular_value, depth 2.
    - theory_rsm[items · row + column], at the steps at which rsm is recorded: depth 2.
    - theory_illusory_prediction[item], every step: depth 2.

    Metric at the step at which the run diverges:

    - diverged: 1.
    """
    measurements = api.Measurements()
    features = _features(spec)
    weights = _initial_weights(spec, features)
    # The weights have mean 0, so the root mean square estimates their standard deviation.
    measurements.add(0, "initial_deviation", np.sqrt([np.mean(np.square(matrix, dtype=float)) for matrix in weights]))
    _add_spectrum(measurements, spec, features)
    _add_dynamics(measurements, spec, features, weights)
    labels, targets = np.eye(len(features), dtype=np.float32), features.astype(np.float32)
    optimum, shown = linear.least_squares(labels, targets), -spec["recorded_features"]
    left, own, right = np.linalg.svd(features, full_matrices=False)
    off_diagonal = ~np.eye(len(own), dtype=bool)
    measurements.add(0, "feature", targets[:, shown:].ravel())
    measurements.add(0, "least_squares_weight", optimum[:, shown:].ravel())
    grams = []
    descent = _descent(weights, np.float32(spec["learning_rate"]), labels, targets)
    for step, (layers, loss, gradients) in zip(range(spec["steps"] + 1), descent, strict=False):
        if not np.isfinite(loss):
            measurements.add_divergence(step)
            break
        measurements.add(step, "train_loss", loss)
        # The inputs are the identity matrix, so the outputs are the end-to-end matrix.
        measurements.add(step, "weight_difference", np.max(np.abs(layers[-1] - optimum)))
        _add_items(measurements, spec, step, layers)
        if _records_rsm(spec, step):
            # If weights are tiny, the squares of their gradients underflow in float32.
            squares = sum(np.sum(np.square(gradient, dtype=float)) for gradient in gradients)
            measurements.add(step, "gradient_norm", np.sqrt(squares))
            between = left.T @ (layers[-1] @ right.T) / own[0]
            measurements.add(step, "between_modes", np.max(np.abs(between[off_diagonal]), initial=0))
        grams.append(linear.gram(layers[-1]))
    else:
        measurements.add(step, "weight", layers[-1][:, shown:].ravel())
    singular_values = linear.singular_values_of_gram(np.reshape(grams, (-1, len(features), len(features))))
    for step, values in enumerate(singular_values):
        measurements.add(step, "singular_value", values)
    if spec["depth"] > 1:
        _add_half_times(measurements, "half_time", singular_values, _singular_values(features))
    return measurements


def _descent(
    weights: linear.Weights, rate: np.float32, labels: np.ndarray, targets: np.ndarray
) -> Iterator[tuple[list[np.ndarray], np.float32, list[np.ndarray]]]:
    """Yield the activations of all layers, the loss and its gradients after 0, 1, … updates, without end."""
    mean = np.float32(2 / targets.size)
    while True:
        layers = linear.activations(labels, weights)
        errors = layers[-1] - targets
        loss = np.mean(errors**2)
        errors *= mean
        gradients = linear.sample_gradients(layers, weights, errors)
        yield layers, loss, gradients
        weights = linear.gradient_step(weights, gradients, rate)


def _add_items(measurements: api.Measurements, spec: dict, step: int, layers: list[np.ndarray]) -> None:
    """Record illusory_prediction and rsm at one step."""
    if (item := spec["data"].get("illusory_item")) is not None:
        measurements.add(step, "illusory_prediction", layers[-1][item, -1:], index=[item])
    if spec["depth"] > 1 and _records_rsm(spec, step):
        measurements.add(step, "rsm", (layers[1] @ layers[1].T).ravel())


def _initial_weights(spec: dict, features: np.ndarray) -> list[np.ndarray]:
    sizes = linear.layer_sizes(len(features), spec["hidden"], features.shape[1], spec["depth"])
    draw = np.random.default_rng(spec["seed"]).standard_normal
    matrices = initialize(_INITIALIZERS[spec["init"]], sizes, draw)
    return [(spec["scale"] * matrix).astype(np.float32) for matrix in matrices]


def _features(spec: dict) -> np.ndarray:
    """Return the features ±1, of shape (items, features): those of the tree, then the added feature, if any.

    The document draws several data sets from one stream; the seed 2021 gives the document's data.
    """
    stream = np.random.RandomState(spec["seed"])
    arguments = (spec["levels"], spec["branches"], spec["flip_probability"], spec["features"], stream)
    for _ in range(spec["data"]["draw"]):
        tree.sample_features(*arguments)
    features = tree.sample_features(*arguments)
    if (added := spec["data"].get("added_feature")) is None:
        return features
    return np.hstack([features, np.array(added, dtype=float)[:, np.newaxis]])


def _add_spectrum(measurements: api.Measurements, spec: dict, features: np.ndarray) -> None:
    """Record theory_singular_value, data_singular_value and theory_plateau."""
    eigenvalues = tree_spectrum.eigenvalues(spec["levels"], spec["branches"], spec["flip_probability"])
    degeneracies = tree_spectrum.degeneracies(spec["levels"], spec["branches"])
    learned = np.cumsum(np.append(0, degeneracies * eigenvalues)) / len(features)
    measurements.add(0, "theory_singular_value", np.sqrt(features.shape[1] * np.repeat(eigenvalues, degeneracies)))
    measurements.add(0, "data_singular_value", _singular_values(features))
    measurements.add(0, "theory_plateau", 1 - learned)


def _add_dynamics(measurements: api.Measurements, spec: dict, features: np.ndarray, weights: linear.Weights) -> None:
    """Record what theory predicts for the run."""
    rate, steps = 2 * spec["learning_rate"] / features.size, spec["steps"]
    if spec["depth"] == 1:
        loss = np.mean((weights[0] - features) ** 2) * linear_learning.shallow_contraction(rate, steps) ** 2
        _add_steps(measurements, "theory_train_loss", loss)
    elif spec["depth"] == 2:
        eigenvalues = tree_spectrum.eigenvalues(spec["levels"], spec["branches"], spec["flip_probability"])
        degeneracies = tree_spectrum.degeneracies(spec["levels"], spec["branches"])
        level_values = np.sqrt(features.shape[1] * eigenvalues)
        singular_values, own = np.repeat(level_values, degeneracies), _singular_values(features)
        mean_squares = (np.mean(matrix.astype(float) ** 2) for matrix in weights)
        initial = linear_learning.initial_mode_strength(spec["hidden"], *mean_squares)
        strengths = linear_learning.mode_strengths(singular_values, initial, rate, steps)
        loss = linear_learning.mode_loss(singular_values, strengths, features.size)
        _add_steps(measurements, "theory_mode_strength", strengths)
        _add_steps(measurements, "theory_train_loss", loss)
        _add_half_times(measurements, "theory_half_time", strengths, singular_values)
        own_strengths = linear_learning.mode_strengths(own, initial, rate, steps)
        _add_half_times(measurements, "predicted_half_time", own_strengths, own)
        formula = linear_learning.half_time(singular_values, initial, rate)
        _add_steps(measurements, "half_time_formula", formula[np.newaxis])
        _add_theory_of_items(measurements, spec, features, level_values, strengths[:, np.cumsum(degeneracies) - 1])


def _add_theory_of_items(
    measurements: api.Measurements, spec: dict, features: np.ndarray, values: np.ndarray, strengths: np.ndarray
) -> None:
    """Record theory_illusory_prediction and theory_rsm.

    values: singular values, shape (levels,)
    strengths: shape (steps, levels)
    """
    projectors = tree_spectrum.projectors(spec["levels"], spec["branches"])
    recorded = [step for step in range(len(strengths)) if _records_rsm(spec, step)]
    # V A(t) Vᵀ is the sum of each level's projector times the strength of its modes.
    rsms = np.tensordot(strengths[recorded], projectors, axes=1).reshape(len(recorded), -1)
    _add_steps(measurements, "theory_rsm", rsms, steps=recorded)
    if (item := spec["data"].get("illusory_item")) is not None:
        # A column: the item is the index of the recorded values.
        parts = projectors[:, item] @ features[:, -1:]
        predictions = strengths / values @ parts
        _add_steps(measurements, "theory_illusory_prediction", predictions, index=[item])


def _records_rsm(spec: dict, step: int) -> bool:
    return step == spec["steps"] or step % spec["record_rsm_every"] == 0


def _singular_values(matrix: np.ndarray) -> np.ndarray:
    return linear.singular_values_of_gram(linear.gram(matrix))


def _add_steps(
    measurements: api.Measurements,
    metric: str,
    values: np.ndarray,
    *,
    steps: list[int] | None = None,
    index: list[int] | None = None,
) -> None:
    """Record one row of values per step (0, 1, … by default), and stop before the first row that is not finite."""
    for step, row in zip(range(len(values)) if steps is None else steps, values, strict=True):
        if not np.all(np.isfinite(row)):
            break
        measurements.add(step, metric, row, index=index)


def _add_half_times(
    measurements: api.Measurements, metric: str, strengths: np.ndarray, singular_values: np.ndarray
) -> None:
    """Record at step 0 the update at which each mode first reaches half its singular value, linearly interpolated.

    strengths: shape (steps, modes)

    Modes that start at or above half their singular value, or never reach this half, are omitted.
    """
    # Smaller singular values are rounding errors of Gram matrices, not modes.
    modes = singular_values > 1e-7 * singular_values.max()
    times = linear.half_times(strengths[:, modes], singular_values[modes]) if len(strengths) else np.zeros(0)
    api.add_finite(measurements, 0, metric, times)
