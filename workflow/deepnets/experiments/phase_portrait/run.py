"""Saxe et al. 2013, Fig. 2: one mode of a linear net with one hidden layer, by gradient descent on two numbers."""

import numpy as np

from workflow.deepnets.networks.half_times import half_times
from workflow.deepnets.records.measurements import Measurements, add_finite
from workflow.deepnets.theory import mode_learning


# What leaves the finite numbers, its squares included, is recorded as such.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> Measurements:
    """Descend (s − ab)²/2 from each of the starts (a, b), in float64.

    Records at step 0 singular_value; every `record_every` steps first_layer[start] (a), second_layer[start] (b) and
    what eqs. 23 to 26 give for them, theory_first_layer[start] and theory_second_layer[start]; at step 0
    half_time[start] and theory_half_time[start] (updates), of the starts below half the singular value that get there.
    """
    measurements = Measurements()
    singular_value, rate = spec["singular_value"], spec["learning_rate"]
    start = first, second = np.array(spec["starts"], dtype=float).T
    measurements.add(0, "singular_value", singular_value)
    strengths = []
    for step in range(spec["steps"] + 1):
        if not np.isfinite(np.sum(first**2 + second**2)):
            measurements.add_divergence(step)
            break
        strengths.append(first * second)
        if step % spec["record_every"] == 0:
            theory_first, theory_second = mode_learning.layers(rate * step, singular_value, *start)
            measurements.add(step, "first_layer", first)
            measurements.add(step, "second_layer", second)
            measurements.add(step, "theory_first_layer", theory_first)
            measurements.add(step, "theory_second_layer", theory_second)
        error = singular_value - first * second
        first, second = first + rate * second * error, second + rate * first * error
    if strengths:
        add_finite(measurements, 0, "half_time", half_times(np.array(strengths), np.full(len(first), singular_value)))
    squares = (start[0] + start[1]) ** 2, (start[0] - start[1]) ** 2
    add_finite(measurements, 0, "theory_half_time", mode_learning.half_time_from(singular_value, *squares) / rate)
    return measurements
