from itertools import accumulate, repeat

import numpy as np

from deepnets.theory import one_neuron
from reproduce import api


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def run(spec: dict) -> api.Measurements:
    """Train a linear neuron a w·x on half of the squared error, from several starts of the product a w.

    All starts have the imbalance δ = a² − ‖w‖². Gradient flow is integrated by the Runge–Kutta method of fourth order. The
    data are `whitened`, with second moments that are the identity, or `one_sample`. Metrics at up to `records` steps, evenly
    spaced on a logarithmic axis:

    - training_time: number of steps times `step_size`.
    - loss[start]: half of the squared error minus its minimum.
    - output_weight[start]: a.
    - first_coefficient[start], second_coefficient[start]: a w.
    - kernel_distance[start]: 1 − cos(K(0), K) of the kernels K = a²I + wwᵀ of whitened inputs.
    - error[start], for whitened data: largest error of a weight, compared with `theory.one_neuron.layers_at`.

    Metrics once:

    - target[input], at the start: the shortest product that solves the task.
    - largest_drift, at the end: largest change of δ.
    - descent_drift[rate], at the end: change of δ from the first start in the same time under gradient descent, at learning
      rates of one, two and four times `step_size`.
    - end_error[start], distance_to_nearest[start], distance_to_ray[start], at the end, for one sample: distances of a w, as
      shares of the target, from `theory.one_neuron.end_of_one_sample`, from the solution nearest to its start, and from a
      multiple of its start.
    """
    measurements, size, steps = api.Measurements(), spec["step_size"], spec["steps"]
    inputs, labels, starts = (
        np.array(spec[f"{spec['data']}_{part}"], dtype=float) for part in ("inputs", "labels", "starts")
    )
    target, whitened = np.linalg.pinv(inputs) @ labels, spec["data"] == "whitened"

    def slope(layers: np.ndarray) -> np.ndarray:
        error = inputs.T @ (labels[:, np.newaxis] - inputs @ (layers[0] * layers[1:]))
        return np.vstack([np.sum(layers[1:] * error, axis=0), layers[0] * error])

    def flow(layers: np.ndarray, step: float) -> np.ndarray:
        first = slope(layers)
        second = slope(layers + step / 2 * first)
        third = slope(layers + step / 2 * second)
        return layers + step / 6 * (first + 2 * second + 2 * third + slope(layers + step * third))

    measurements.add(0, "target", target)
    start = one_neuron.initial_layers(spec["imbalance"], starts.T)
    path = list(accumulate(repeat(size, steps), flow, initial=start))
    ended = next((step for step, layers in enumerate(path) if not np.isfinite(layers).all()), steps + 1)
    for step in np.unique([0, *np.geomspace(1, steps, spec["records"]).round().astype(int)]):
        if step < ended:
            layers = path[step]
            product = layers[0] * layers[1:]
            measurements.add(step, "training_time", size * step)
            measurements.add(step, "loss", np.sum((inputs @ (product - target[:, np.newaxis])) ** 2, axis=0) / 2)
            measurements.add(step, "output_weight", layers[0])
            measurements.add(step, "first_coefficient", product[0])
            measurements.add(step, "second_coefficient", product[1])
            measurements.add(step, "kernel_distance", 1 - _cosine(_kernels(start), _kernels(layers)))
            if whitened:
                predicted = one_neuron.layers_at(size * step, start, target)
                measurements.add(step, "error", np.abs(layers - predicted).max(axis=0))
    if ended <= steps:
        measurements.add_divergence(ended)
        return measurements
    measurements.add(steps, "largest_drift", np.abs(one_neuron.imbalance_of(np.array(path)) - spec["imbalance"]).max())
    drifts = []
    for many in (1, 2, 4):
        layers = start[:, :1]
        for _ in range(steps // many):
            layers = layers + many * size * slope(layers)
        drifts.append(one_neuron.imbalance_of(layers)[0] - spec["imbalance"])
    api.add_finite(measurements, steps, "descent_drift", np.array(drifts))
    if not whitened:
        length, along = np.linalg.norm(target), starts @ target
        ends = {
            "end_error": one_neuron.end_of_one_sample(spec["imbalance"], starts.T, target),
            "distance_to_nearest": starts.T + np.outer(target, 1 - along / length**2),
            "distance_to_ray": starts.T * length**2 / along,
        }
        for metric, end in ends.items():
            distances = np.linalg.norm(path[-1][0] * path[-1][1:] - end, axis=0) / length
            api.add_finite(measurements, steps, metric, distances)
    return measurements


def _kernels(layers: np.ndarray) -> np.ndarray:
    return layers[0] ** 2 * np.eye(len(layers) - 1)[:, :, np.newaxis] + layers[1:, np.newaxis] * layers[1:]


def _cosine(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    dots = [np.sum(left * right, axis=(0, 1)) for left, right in ((one, other), (one, one), (other, other))]
    return dots[0] / np.sqrt(dots[1] * dots[2])
