import numpy as np
import pandas as pd
import pytest
from scipy.integrate import solve_ivp
from scipy.special import exprel

from deepnets.experiments.one_neuron.run import run
from deepnets.theory import one_neuron

SPEC = {
    **{"step_size": 0.01, "steps": 400, "records": 30, "data": "whitened", "imbalance": -1},
    **{"whitened_inputs": [[1, 0], [0, 1]], "whitened_labels": [0, 1], "whitened_starts": [[0.6, -0.8], [-1, 0]]},
    **{"one_sample_inputs": [[0.5, 1]], "one_sample_labels": [1.1], "one_sample_starts": [[0.4, 0.05]]},
}
# Layers (a, w) at the start: the output weight of the second is 0, those of the third and the fourth change their sign.
STARTS = np.array(
    [(1, 0.6, -0.8), (0, 0.6, 1), (0.3, -1, 0.1), (-0.3, 1, 0.1), (1.5, -0.4, 0.3), (2, 1, 0), (0.5, 0.3, -0.4)]
)
# The kernel's distance after learning, and the first coefficient after learning one sample, by other code.
ENDS = {-4: (0.8947, 1.551), -2: (0.7133, 1.364), -1: (0.4864, 1.188), 0: (0.2, 0.943), 1: (0.0501, 0.803)}


def _found(**changes):
    return pd.DataFrame(run({**SPEC, **changes}).columns()).set_index(["metric", "index", "step"])["value"].sort_index()


def test_exprel_is_that_of_scipy():
    values = np.array([0, -0.0, -1e-300, -1e-9, -0.3, -2, -800, 0.7])
    np.testing.assert_allclose(one_neuron._exprel(values), exprel(values), rtol=4e-16)


@pytest.mark.parametrize("start", STARTS, ids=str)
def test_the_closed_form_is_the_solution_of_the_flow_for_every_imbalance(start):
    target, times = np.array([0.3, 0.4]), [0, 0.3, 1, 4, 30]

    def slope(_, layers):
        error = target - layers[0] * layers[1:]
        return np.array([layers[1:] @ error, *(layers[0] * error)])

    flow = solve_ivp(slope, (0, 30), start, t_eval=times, rtol=1e-11, atol=1e-12)
    found = [one_neuron.layers_at(time, start[:, np.newaxis], target)[:, 0] for time in times]
    assert np.transpose(found) == pytest.approx(flow.y, abs=1e-7)


@pytest.mark.parametrize("data", ["whitened", "one_sample"])
def test_a_run_is_gradient_flow_and_its_metrics_are_those_of_the_layers(data):
    inputs, labels, starts = (np.array(SPEC[f"{data}_{part}"]) for part in ("inputs", "labels", "starts"))

    def slope(_, layers):
        errors = labels - inputs @ (layers[0] * layers[1:])
        return np.array([errors @ inputs @ layers[1:], *(layers[0] * errors @ inputs)])

    def kernel(layers):
        return layers[0] ** 2 * np.eye(2) + np.outer(layers[1:], layers[1:])

    def imbalance(layers):
        return layers[0] ** 2 - layers[1:] @ layers[1:]

    found, start = _found(data=data), one_neuron.initial_layers(-1, starts.T)[:, 0]
    assert (imbalance(start), *(start[0] * start[1:])) == pytest.approx((-1, *starts[0]))
    end = solve_ivp(slope, (0, 4), start, rtol=1e-11, atol=1e-12).y[:, -1]
    product, drifts = end[0] * end[1:], []
    kernels = np.array([kernel(layers).ravel() for layers in (start, end)])
    expected = {
        **{"training_time": 4, "loss": np.sum((inputs @ product - labels) ** 2) / 2, "output_weight": end[0]},
        **{"first_coefficient": product[0], "second_coefficient": product[1]},
        "kernel_distance": 1 - kernels[0] @ kernels[1] / np.prod(np.linalg.norm(kernels, axis=1)),
    }
    assert {metric: found[metric, 0, 400] for metric in expected} == pytest.approx(expected, abs=1e-7)
    for rate in (0.01, 0.02, 0.04):
        layers = start
        for _ in range(round(4 / rate)):
            layers = layers + rate * slope(0, layers)
        drifts.append(imbalance(layers) + 1)
    assert found["descent_drift"].to_numpy() == pytest.approx(drifts)
    assert found["largest_drift"].item() < 1e-8


@pytest.mark.parametrize("imbalance", ENDS)
def test_ends_are_those_of_the_closed_forms_and_of_other_code(imbalance):
    distance, coefficient = ENDS[imbalance]
    assert one_neuron.kernel_distance_at_end(imbalance) == pytest.approx(distance, abs=6e-5)
    # The formula of the authors' notebook, Figure 4b.
    start, target, across = np.array([0.4, 0.05]), np.array([0.44, 0.88]), np.array([-2, 1]) / 5**0.5
    size, length = np.linalg.norm(start), np.linalg.norm(target)
    k = np.sqrt(np.hypot(size, imbalance / 2) - imbalance / 2) * (start @ across) / size
    kappa = (k**2 + imbalance) / 2
    expected = target + k * np.sqrt(kappa + np.hypot(kappa, length)) * across
    assert expected[0] == pytest.approx(coefficient, abs=6e-4)
    assert one_neuron.end_of_one_sample(imbalance, start[:, np.newaxis], target)[:, 0] == pytest.approx(expected)
    found = _found(data="one_sample", imbalance=imbalance, steps=2000)
    ray, nearest = start * length**2 / (start @ target), target + across * (start @ across)
    distances = {
        name: np.linalg.norm(expected - end) / length for name, end in {"ray": ray, "nearest": nearest}.items()
    }
    assert {name: found[f"distance_to_{name}"].item() for name in distances} == pytest.approx(distances, abs=1e-6)
    assert found["end_error"].item() < 1e-6


@pytest.mark.parametrize("imbalance", [-4, -2, -1, -0.5, 0, 0.5, 1, 2, 4])
def test_closed_forms_hold_from_starts_of_both_signs(imbalance):
    starts = np.random.default_rng(0).uniform(-1.5, 1.5, (61, 2)).tolist()
    whitened = _found(imbalance=imbalance, whitened_starts=starts, records=5)
    assert whitened["error"].max() < 1e-6
    sample = _found(imbalance=imbalance, data="one_sample", one_sample_starts=starts, steps=4000, records=2)
    assert sample["end_error"].max() < 1e-6
    assert {*np.sign(sample["output_weight"].xs(4000, level="step"))} == ({-1, 1} if imbalance < 0 else {1})
