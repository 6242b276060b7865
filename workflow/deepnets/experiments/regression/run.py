import numpy as np

from deepnets.networks.linear import least_squares
from reproduce import api


def run(spec: dict) -> api.Measurements:
    """Estimate the weights from noisy samples ("Coding Exercise 5.3.1").

    Metrics at step 0; `cell` is inputs · output + input, the position in the document's W:

    - inputs: number of inputs (X_train).
    - true_weight[cell]: W_true.
    - estimated_weight[cell]: W_estimate (eq. 33).
    - standard_error[cell]: theoretical standard error of the estimate, noise · √[(XᵀX)⁻¹]_jj for input j; not in the
      document.
    """
    # As in the document: the generator, and the order of draws (weights, inputs, noise), with samples as columns.
    random = np.random.RandomState(spec["seed"])
    shape = spec["outputs"], spec["inputs"]
    weights = random.randint(0, spec["weight_bound"], size=shape).astype(float)
    inputs = random.random_sample((spec["inputs"], spec["samples"])).T
    noise = random.normal(scale=spec["noise"], size=(spec["outputs"], spec["samples"])).T
    estimate = least_squares(inputs, inputs @ weights.T + noise).T
    errors = spec["noise"] * np.sqrt(np.diag(np.linalg.inv(inputs.T @ inputs)))
    measurements = api.Measurements()
    measurements.add(0, "inputs", spec["inputs"])
    measurements.add(0, "true_weight", weights.ravel())
    measurements.add(0, "estimated_weight", estimate.ravel())
    measurements.add(0, "standard_error", np.broadcast_to(errors, shape).ravel())
    return measurements
