from collections.abc import Iterator
from typing import Any

import numpy as np

from deepnets.networks.initialization.initializers import orthogonal, xavier_normal
from deepnets.networks.long_products import LongProduct
from reproduce import api

# For square N × N matrices, Glorot's normals have standard deviation 1/√N, as in the paper.
_INITIALIZERS = {"gaussian": xavier_normal, "orthogonal": orthogonal}


# Divergence is a result: silence NumPy's warnings, `diverged` records it.
@np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore")
def run(spec: dict) -> api.Measurements:
    """Draw random nets x ← φ(x) @ W with square W and no biases, and push normal inputs through each net.

    `depth` counts the weight matrices, N_l − 1 in the paper. Steps are layers; step 0 is the inputs. `record` selects
    the metrics. Singular values and eigenvalues are those of the last layer's Jacobian at the first input; in a linear
    net, the Jacobian is the product of the matrices. Eigenvalues below 1e-16 times the largest singular value are
    rounding errors.

    - input_variance[input], step 0, for every `record`: the given mean square (Fig. 8).
    - variance[inputs · net + input], every layer, for "variance": mean square over units (Fig. 8).
    - mean_log_singular_value[net], every layer, for "mean_log_singular_value": mean natural logarithm of the singular
      values of the Jacobian up to this layer (Figs. 6B, 7).
    - singular_value[size · net + i], last layer, for "spectrum": in falling order for each net (Figs. 6B, 7).
    - log_singular_value[size · net + i], last layer, for "spectrum": natural logarithm of singular_value (Figs. 6B, 7).
    - eigenvalue_real[size · net + i], eigenvalue_imag[size · net + i], last layer, for "spectrum": real and
      imaginary parts (Fig. 6C).
    - diverged, at the layer at which a net diverges: 1. After this, the run draws no more nets.
    """
    measurements = api.Measurements()
    random = np.random.default_rng(spec["seed"])
    measurements.add(0, "input_variance", spec["input_variances"])
    for net in range(spec["realizations"]):
        if not _add_net(measurements, spec, net, random):
            break
    return measurements


def _add_net(measurements: api.Measurements, spec: dict, net: int, random: np.random.Generator) -> bool:
    """Record one net; return whether it stayed finite."""
    size, depth, inputs = spec["size"], spec["depth"], len(spec["input_variances"])
    jacobian, product = np.eye(size), LongProduct(size)
    for layer, (states, factor) in enumerate(_layers(spec, random)):
        if layer > 0 and spec["record"] != ["variance"]:
            jacobian = jacobian @ factor
            product.multiply(factor)
        variances, mean_log = np.mean(states**2, axis=1), product.mean_log_singular_value()
        if not (np.all(np.isfinite(variances)) and np.all(np.isfinite(jacobian)) and np.isfinite(mean_log)):
            measurements.add_divergence(layer)
            return False
        if "variance" in spec["record"]:
            measurements.add(layer, "variance", variances, index=net * inputs + np.arange(inputs))
        if "mean_log_singular_value" in spec["record"]:
            measurements.add(layer, "mean_log_singular_value", mean_log, index=[net])
    if "spectrum" in spec["record"]:
        logs, eigenvalues = product.log_singular_values(), np.linalg.eigvals(jacobian)
        if not np.all(np.isfinite(np.exp(logs))):
            measurements.add_divergence(depth)
            return False
        spectrum = {
            "singular_value": np.exp(logs),
            "log_singular_value": logs,
            "eigenvalue_real": eigenvalues.real,
            "eigenvalue_imag": eigenvalues.imag,
        }
        for metric, values in spectrum.items():
            measurements.add(depth, metric, values, index=net * size + np.arange(size))
    return True


def _layers(spec: dict, random: np.random.Generator) -> Iterator[tuple[np.ndarray, Any]]:
    """Yield one net's states (inputs, size) after layers 0, 1, …, depth, and each layer's Jacobian at the first input.

    Each input is a normal vector, scaled to exactly the given mean square. For layer 0, the Jacobian is None.
    """
    size, initializer = spec["size"], _INITIALIZERS[spec["init"]]
    directions = random.standard_normal((len(spec["input_variances"]), size))
    norms = np.sqrt(np.mean(directions**2, axis=1) / spec["input_variances"])
    states = directions / norms[:, np.newaxis]
    yield states, None
    for _ in range(spec["depth"]):
        weights = spec["gain"] * initializer(size, size, random.standard_normal)
        if spec["activation"] == "tanh":
            slopes = 1 / np.cosh(states[0]) ** 2
            states = np.tanh(states) @ weights
        else:
            slopes = np.ones(size)
            states = states @ weights
        yield states, slopes[:, np.newaxis] * weights
