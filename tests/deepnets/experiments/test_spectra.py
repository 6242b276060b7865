import numpy as np
import pandas as pd
import pytest

from deepnets.experiments.spectra.run import run
from small_runs import table_maker

SPEC = {
    **{"depth": 4, "init": "gaussian", "size": 6, "gain": 1.3, "activation": "tanh", "seed": 5, "realizations": 2},
    **{"input_variances": [0.7, 2.0], "record": ["variance", "mean_log_singular_value", "spectrum"]},
}


def measure(**changes):
    """Return what a run records, by metric, step and index."""
    return table_maker(run, SPEC)(**changes).set_index(["metric", "step", "index"])["value"].sort_index()


def draw_nets(**changes):
    """Return inputs and weight matrices of each net, drawn in the same order as in a run."""
    spec = {**SPEC, **changes}
    random = np.random.default_rng(spec["seed"])
    for _ in range(spec["realizations"]):
        inputs = random.standard_normal((len(spec["input_variances"]), spec["size"]))
        inputs *= np.sqrt(np.array(spec["input_variances"]) / np.mean(inputs**2, axis=1))[:, np.newaxis]
        matrices = [random.standard_normal((spec["size"], spec["size"])) for _ in range(spec["depth"])]
        if spec["init"] == "gaussian":
            matrices = [matrix / np.sqrt(spec["size"]) for matrix in matrices]
        else:
            matrices = [q * np.sign(np.diag(r)) for q, r in map(np.linalg.qr, matrices)]
        yield inputs, [spec["gain"] * matrix for matrix in matrices]


@pytest.mark.parametrize(("init", "activation"), [("gaussian", "tanh"), ("orthogonal", "tanh"), ("gaussian", "linear")])
def test_records_equal_those_of_forward_passes_and_of_the_jacobian_at_the_first_input(init, activation):
    found, nets = measure(init=init, activation=activation), list(draw_nets(init=init))

    def outputs(inputs, matrices):
        for matrix in matrices:
            inputs = (np.tanh(inputs) if activation == "tanh" else inputs) @ matrix
        return inputs

    def jacobian(inputs, matrices):
        """Compute the Jacobian (inputs, outputs) by central differences."""
        steps = 1e-5 * np.eye(len(inputs))
        return (outputs(inputs + steps, matrices) - outputs(inputs - steps, matrices)) / 2e-5

    np.testing.assert_array_equal(found["input_variance", 0], [0.7, 2.0])
    np.testing.assert_allclose(found["variance", 0], [0.7, 2.0] * 2, rtol=1e-14)
    for layer in range(5):
        variances = [np.mean(outputs(x, matrices[:layer]) ** 2, axis=1) for x, matrices in nets]
        np.testing.assert_allclose(found["variance", layer], np.ravel(variances), rtol=1e-12)
        determinants = [np.linalg.slogdet(jacobian(x[0], matrices[:layer]))[1] / 6 for x, matrices in nets]
        np.testing.assert_allclose(found["mean_log_singular_value", layer], determinants, atol=1e-5)
    jacobians = [jacobian(x[0], matrices) for x, matrices in nets]
    values = np.linalg.svd(jacobians, compute_uv=False)
    np.testing.assert_allclose(found["singular_value", 4], values.ravel(), rtol=1e-5)
    np.testing.assert_allclose(found["log_singular_value", 4], np.log(values).ravel(), atol=1e-5)
    # Eigenvalues have no order, so compare their characteristic polynomials.
    eigenvalues = found["eigenvalue_real", 4] + 1j * found["eigenvalue_imag", 4]
    for net, matrix in zip(eigenvalues.to_numpy().reshape(2, 6), jacobians, strict=True):
        np.testing.assert_allclose(np.poly(net), np.poly(matrix), atol=1e-6)


@pytest.mark.parametrize("record", [["variance"], ["mean_log_singular_value"], ["spectrum"]])
def test_only_the_metrics_in_record_are_recorded(record):
    found, everything = measure(record=record), measure()
    spectrum = {"singular_value", "log_singular_value", "eigenvalue_real", "eigenvalue_imag"}
    names = spectrum if record == ["spectrum"] else set(record)
    assert {*found.index.unique("metric")} == {"input_variance", *names}
    pd.testing.assert_series_equal(found, everything[found.index])


def test_small_singular_values_of_long_products_are_exact():
    found = measure(activation="linear", gain=1, depth=100, size=20, record=["spectrum"])
    logs = found["log_singular_value", 100]
    np.testing.assert_allclose(found["singular_value", 100], np.exp(logs), rtol=1e-12)
    # Float64 alone would lose values 16 orders of magnitude (37 in ln) below the largest.
    assert logs.min() < logs.max() - 150
    sums = [
        sum(np.linalg.slogdet(matrix)[1] for matrix in matrices)
        for _, matrices in draw_nets(depth=100, size=20, gain=1)
    ]
    np.testing.assert_allclose(logs.to_numpy().reshape(2, 20).sum(axis=1), sums, rtol=1e-12)
