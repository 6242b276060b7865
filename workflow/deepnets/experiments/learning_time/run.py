from itertools import islice, pairwise

import numpy as np

from deepnets.data.mnist import CLASSES
from deepnets.networks.initialization import initializers
from deepnets.networks.linear import Weights, layer_sizes
from deepnets.networks.rate_sweep import RateSweep, first_to_hold, sweep_rates
from deepnets.networks.reduction import reduce_net
from deepnets.theory import deep_mode
from reproduce import api

_INITIALIZERS = {"orthogonal": initializers.orthogonal, "gaussian": initializers.xavier_normal}
# Nets with normal weights cannot be reduced, and take nearly all of the time. They use float32: this left all learning
# times of the default config unchanged.
_IRREDUCIBLE = ("gaussian", "small_gaussian")
# Singular values below this share of the largest are rounding.
_ROUNDING = 1e-9


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict, whitened: api.Dataset) -> api.Measurements:
    """Train one net at many learning rates by gradient descent on covariances, until the net has learned at one rate.

    The learnable error is the loss minus optimal_loss. A net has learned when the learnable error is at most
    `threshold` times its value for zero outputs, and stays so for `hold` updates. Losses are means over images and
    classes. Sources are sections and figures of Saxe, McClelland & Ganguli 2013.

    Metrics at step 0:

    - optimal_loss: loss of the least-squares solution.
    - target_loss: the loss at which a net has learned (appendix C).
    - theory_best_learning_rate: the best rate in theory; the sweep's rates are multiples of this rate (eq. 42).
    - swept_learning_rate[rate]: the rates of the sweep (Fig. 4).
    - pretraining_updates[layer], updates: only if the init is pretrained (section 3).

    Metrics at the step at which training at a rate ends:

    - diverged_rate[rate]: a learning rate that diverged.
    - given_up_rate[rate]: a learning rate at which learning was slower than `lag` allows.

    Metrics of the fastest rate. If no net has learned after `max_steps` updates, the rate with the smallest error at
    the last step counts:

    - train_loss, every step: mean squared error (Fig. 5, right).
    - learning_time, updates: recorded at the step of the same number, only if a net has learned (Figs. 4, 6A).
    - best_learning_rate, at the same step: this rate (Fig. 4).
    - best_at_edge, at the same step: 1 if this rate is the lowest or highest of the sweep, else 0.

    Metrics of decoupled nets in theory: exact updates of each mode, at the same rates and with the same criterion; only
    if these modes learn:

    - map_learning_time, updates, step 0: as learning_time.
    - map_best_learning_rate, step 0: as best_learning_rate.
    - map_train_loss, every step: at map_best_learning_rate.
    - map_difference, step 0: largest difference between map_train_loss and the run's loss at the same rate.

    Metrics of continuous time, from a decoupled start below all singular values, at theory_best_learning_rate and
    without `hold`:

    - theory_learning_time, updates, step 0: as learning_time (eqs. 14–15).
    - limit_learning_time, updates, step 0: the limit of theory_learning_time for infinite depth (eqs. 16–17).

    Metric at the step at which the last rate diverges, or 0 if the initial weights are not finite:

    - diverged: 1.
    """
    measurements = api.Measurements()
    task = whitened["inputs"].T @ np.eye(CLASSES)[whitened["labels"]] / len(whitened["inputs"])
    singular_values = np.linalg.svd(task, compute_uv=False)
    singular_values = singular_values[singular_values > _ROUNDING * singular_values[0]]
    theory_rate = deep_mode.optimal_rate(singular_values[0], spec["depth"])
    rates = theory_rate * np.geomspace(spec["rates"]["lowest"], spec["rates"]["highest"], spec["rates"]["count"])
    learnable = np.sum(singular_values**2)
    target = spec["threshold"] * learnable
    measurements.add(0, "optimal_loss", (1 - learnable) / CLASSES)
    measurements.add(0, "target_loss", (1 - learnable + target) / CLASSES)
    measurements.add(0, "theory_best_learning_rate", theory_rate)
    measurements.add(0, "swept_learning_rate", rates)

    weights = _initial_weights(spec, task, measurements)
    if not all(np.isfinite(matrix).all() for matrix in weights):
        measurements.add_divergence(0)
        return measurements
    if spec["init"] in _IRREDUCIBLE:
        weights = [matrix.astype(np.float32) for matrix in weights]
    else:
        weights, task = reduce_net(weights, task)
    options = {"hold": spec["hold"], "lag": spec["rates"]["lag"], "most_updates": spec["max_steps"]}
    swept = sweep_rates(weights, task, rates, target=target, **options)
    _add_sweep(measurements, swept, rates, learnable)
    if spec["init"] == "decoupled":
        _add_theory(measurements, spec, swept, rates, singular_values)
    return measurements


def _initial_weights(spec: dict, task: np.ndarray, measurements: api.Measurements) -> Weights:
    """Return the initial weights, and record pretraining_updates."""
    sizes = layer_sizes(len(task), spec["width"], CLASSES, spec["depth"])
    draw = np.random.default_rng(spec["seed"]).standard_normal
    if spec["init"] == "decoupled":
        return initializers.decoupled(task, sizes, spec["initial_strength"], draw)
    if spec["init"] == "small_gaussian":
        return [spec["deviation"] * draw(shape) for shape in pairwise(sizes)]
    if spec["init"] == "pretrained":
        pretraining = spec["pretraining"]
        options = spec["deviation"], pretraining["learning_rate"], pretraining["max_steps"]
        weights, updates = initializers.pretrain_greedily(sizes, *options, draw)
        measurements.add(0, "pretraining_updates", np.array(updates))
        return weights
    return initializers.initialize(_INITIALIZERS[spec["init"]], sizes, draw)


def _add_sweep(measurements: api.Measurements, swept: RateSweep, rates: np.ndarray, learnable: float) -> None:
    for metric, ends in (("diverged_rate", swept.diverged), ("given_up_rate", swept.given_up)):
        for rate, update in ends.items():
            measurements.add(update, metric, [rates[rate]], index=[rate])
    last = len(swept.errors) - 1
    if np.isnan(swept.errors[last]).all():
        measurements.add_divergence(last)
        return
    step, best = swept.learned or (last, int(np.nanargmin(swept.errors[last])))
    for update, loss in enumerate(_loss(swept.errors[:, best], learnable)):
        measurements.add(update, "train_loss", loss)
    if swept.learned:
        measurements.add(step, "learning_time", step)
    measurements.add(step, "best_learning_rate", rates[best])
    measurements.add(step, "best_at_edge", best in (0, len(rates) - 1))


def _add_theory(
    measurements: api.Measurements, spec: dict, swept: RateSweep, rates: np.ndarray, singular_values: np.ndarray
) -> None:
    """Record the metrics of theory for decoupled modes that all start with the same strength."""
    learnable, depth, start = np.sum(singular_values**2), spec["depth"], spec["initial_strength"]
    modes = islice(deep_mode.descent(singular_values, start, depth, rates), len(swept.errors))
    errors = np.array([np.sum((singular_values - strengths) ** 2, axis=1) for strengths in modes])
    learned = first_to_hold(errors, spec["threshold"] * learnable, spec["hold"])
    if learned:
        update, best = learned
        losses, difference = _loss(errors[:, best], learnable), np.abs(errors - swept.errors)[:, best]
        measurements.add(0, "map_learning_time", update)
        measurements.add(0, "map_best_learning_rate", rates[best])
        measurements.add(0, "map_difference", np.nanmax(difference) / CLASSES)
        for step, loss in enumerate(losses):
            measurements.add(step, "map_train_loss", loss)
    if start < singular_values[-1]:
        for metric, layers in (("theory_learning_time", depth), ("limit_learning_time", np.inf)):
            integral = deep_mode.learning_integral(singular_values, start, layers, spec["threshold"])
            measurements.add(0, metric, integral / deep_mode.optimal_pace(singular_values[0], layers))


def _loss(errors: np.ndarray, learnable: float) -> np.ndarray:
    """Return the mean squared error of one-hot targets for white inputs; errors: ‖W − C‖², learnable: ‖C‖²."""
    return (1 - learnable + errors) / CLASSES
