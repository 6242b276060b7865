import numpy as np

from deepnets.networks import linear
from deepnets.theory import mode_learning
from reproduce import api


# Divergence, also of squares, is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore")
def run(spec: dict) -> api.Measurements:
    """Minimise (s − ab)²/2 by gradient descent in float64, from each of the initial values (a, b).

    Figures and equations are those of Saxe, McClelland & Ganguli 2013. Metrics every `record_every` steps:

    - first_layer[start], second_layer[start]: a and b (Fig. 2).
    - theory_first_layer[start], theory_second_layer[start]: the same in continuous time (eqs. 23 to 25).

    Metrics at step 0:

    - singular_value: s (Fig. 2).
    - half_time[start], updates: when a·b first reaches s/2; only for starts below s/2 that reach s/2.
    - theory_half_time[start], updates: the same in continuous time (eq. 26).

    Metric at the step at which a start diverges:

    - diverged: 1.
    """
    measurements = api.Measurements()
    # A float of Python would raise an error where its square overflows.
    singular_value, rate = np.array(spec["singular_value"], dtype=float), spec["learning_rate"]
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
        times = linear.half_times(np.array(strengths), np.full(len(first), singular_value))
        api.add_finite(measurements, 0, "half_time", times)
    squares = (start[0] + start[1]) ** 2, (start[0] - start[1]) ** 2
    api.add_finite(measurements, 0, "theory_half_time", mode_learning.half_time_from(singular_value, *squares) / rate)
    return measurements
