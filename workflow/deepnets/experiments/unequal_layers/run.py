import numpy as np

from deepnets.theory.unequal_layers import initial_weights, strength_at
from reproduce import api


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> api.Measurements:
    """Fit the product of two weights to 1, by gradient descent on half the squared error for a fixed training time.

    The imbalance is the square of the second weight minus that of the first.

    Metrics at evenly spaced training times:

    - training_time: the learning rate times the number of updates done.
    - strength: the product of the weights, as a share of its target.
    - closed_form: the strength under gradient flow, from `theory.unequal_layers.strength_at`.
    - error: strength − closed_form.
    - growth: the strength's increase in the next update, divided by the learning rate.
    - imbalance_drift: the change of the imbalance since the start.

    Metrics at the end of training:

    - largest_error: the largest |error| over all updates.
    - error_decay: ln(r(0) / r) / training time at the first update with a strength of at least 0.9; r is 1 −
      strength.
    """
    measurements = api.Measurements()
    imbalance, rate, initial = spec["imbalance"], spec["learning_rate"], spec["initial_strength"]
    updates = round(spec["duration"] / rate)
    recorded = {round(updates * share / spec["records"]) for share in range(spec["records"] + 1)}
    predicted = strength_at(rate * np.arange(updates + 1), imbalance, initial)
    first, second = initial_weights(imbalance, initial)
    largest_error, learned = 0.0, False
    for step in range(updates + 1):
        strength, rest = first * second, 1 - first * second
        if not np.isfinite(strength):
            measurements.add_divergence(step)
            return measurements
        largest_error = max(largest_error, abs(strength - predicted[step]))
        new_first, new_second = first + rate * second * rest, second + rate * first * rest
        if step in recorded:
            measurements.add(step, "training_time", rate * step)
            measurements.add(step, "strength", strength)
            measurements.add(step, "closed_form", predicted[step])
            measurements.add(step, "error", strength - predicted[step])
            measurements.add(step, "growth", (new_first * new_second - strength) / rate)
            measurements.add(step, "imbalance_drift", second**2 - first**2 - imbalance)
        if strength >= 0.9 and not learned:
            # A step beyond the target leaves no rest whose decay has a logarithm.
            if rest > 0:
                measurements.add(step, "error_decay", np.log((1 - initial) / rest) / (rate * step))
            learned = True
        first, second = new_first, new_second
    measurements.add(updates, "largest_error", largest_error)
    return measurements
