"""The learning rate at which one update changes the last hidden layer by 1 (mean square), for several depths."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest

import numpy as np
from scipy.optimize import brentq

from deepnets.data.mnist import SIDE, refuse_batch
from reproduce import api

# The change of each weight matrix, as a product of two matrices: its rank is at most the number of images.
Changes = Sequence[tuple[np.ndarray, np.ndarray]]
# Logarithms: how far a search for a rate goes at once and altogether, and a change much above 1.
_STEP, _FAR, _MUCH = np.log(2), 20.0, 50.0


def run(spec: dict, mnist: api.Dataset) -> api.Measurements:
    """Measure how far one update at initialisation moves random nets with 2, 4, 8, … hidden layers, up to `depth`.

    A net has the output f(x) = v·h(L) with v of deviation 1/width (mean field) and h(l) = φ(z(l)), z(l) = W(l) h(l−1),
    h(0) = x. Weights have variance 2/inputs with ReLU and 1/inputs in linear nets, or W(2), …, W(L) are orthogonal
    matrices times √2 (ReLU) or 1 (linear). Inputs are random training images, each scaled to squared length 784. Each
    input has a random label y = ±1; the loss is the mean of (f − y)²/2 over the batch. One update changes W(1), …, W(L)
    with the same rate, except that the rate of W(1) is multiplied by width/784. The source is Jelassi et al. 2023, and
    Saxe et al. 2013 for `stable_rate`. For all metrics, the step is the number L of hidden layers. Nets are
    `simulations` random nets.

    Metrics at each depth:

    - change: squared change of z(L), to first order in the rate, divided by the squared rate; mean over units, images
      and nets.
    - largest_rate: the rate at which the squared change is 1, to first order in the rate; geometric mean over nets,
      since a few nets decide the mean: in narrow deep nets, the logarithm of the change has deviations of 2.
    - full_change: squared change of z(L) after one real update; mean over units, images and nets. The rate is the one
      for which the squared change of this net is 1 to first order.
    - real_rate: as largest_rate, but for a real update; NaN if no rate changes any of the nets by 1.
    - eigenvalue: largest eigenvalue of the Hessian with respect to W(1), …, W(L), for the labels y = f(x); mean over
      nets.
    - stable_rate: 2/eigenvalue.

    Metric at each depth, if the batch is one image:

    - theory_rate: `largest_rate` at infinite width.

    Metrics at the largest depth:

    - largest_rate_exponent, real_rate_exponent, stable_rate_exponent: slope of the logarithm of the rate against that of L.
    - mean_largest_rate: geometric mean of `largest_rate` over all depths.
    - theory_exponent: slope of the logarithm of theory_rate against that of L, if the batch is one image.

    If no unit of any net reacts to an update, which happens to narrow ReLU nets, no rate is finite: the run ends there.
    """
    generator = np.random.default_rng(spec["seed"])
    images = mnist["train_images"].reshape(-1, SIDE**2)
    refuse_batch(spec, len(images))
    depths = [2**power for power in range(1, spec["depth"].bit_length())]
    measurements = api.Measurements()
    rates: dict[str, list[float]] = {"largest_rate": [], "real_rate": [], "stable_rate": []}
    expected = []
    for depth in depths:
        found = np.array([_simulate(generator, images, depth, spec) for _ in range(spec["simulations"])])
        means = found.mean(axis=0)
        if not means[0]:
            measurements.add_divergence(depth)
            return measurements
        for metric, column in (("largest_rate", 0), ("real_rate", 3)):
            # A net that does not react, or never by 1, has no rate.
            squares = found[found[:, column] > 0, column]
            rates[metric].append(np.exp(-np.mean(np.log(squares)) / 2) if len(squares) else np.nan)
        rates["stable_rate"].append(2 / means[2])
        for metric, value in zip(("change", "full_change", "eigenvalue"), means[:3], strict=True):
            measurements.add(depth, metric, value)
        for metric, values in rates.items():
            measurements.add(depth, metric, values[-1])
        if spec["batch"] == 1:
            expected.append(theory_change(depth, spec["activation"], spec["init"]) ** -0.5)
            measurements.add(depth, "theory_rate", expected[-1])
    for metric, values in rates.items():
        measurements.add(depths[-1], f"{metric}_exponent", _exponent(depths, values))
    measurements.add(depths[-1], "mean_largest_rate", np.exp(np.mean(np.log(rates["largest_rate"]))))
    if expected:
        measurements.add(depths[-1], "theory_exponent", _exponent(depths, expected))
    return measurements


@dataclass(frozen=True)
class Net:
    """The matrices W(1), …, W(L), the readout v, and whether units are ReLU."""

    weights: list[np.ndarray]
    readout: np.ndarray
    relu: bool


def draw_net(generator: np.random.Generator, shape: tuple[int, int, int], activation: str, init: str) -> Net:
    """Draw a net of shape (inputs, width, hidden layers), in single precision."""
    inputs, width, depth = shape
    gain = 2**0.5 if activation == "relu" else 1.0
    weights = [gain / inputs**0.5 * generator.standard_normal((width, inputs), np.float32)]
    for _ in range(depth - 1):
        matrix = generator.standard_normal((width, width), np.float32) / width**0.5
        if init == "orthogonal":
            matrix, triangle = np.linalg.qr(matrix)
            # With these signs, all orthogonal matrices are equally likely.
            matrix = matrix * np.sign(np.diag(triangle))
        weights.append(gain * matrix)
    return Net(weights, generator.standard_normal(width, np.float32) / width, activation == "relu")


def pre_activations(net: Net, inputs: np.ndarray, changes: Changes = (), rate: float = 0) -> list[np.ndarray]:
    """Return z(1), …, z(L), each of shape (units, images), after changes of the weights at a rate."""
    signals, hidden = inputs, []
    for weight, change in zip_longest(net.weights, changes):
        hidden.append(weight @ signals)
        if change:
            hidden[-1] += np.float32(rate) * (change[0] @ (change[1] @ signals))
        signals = np.maximum(hidden[-1], 0) if net.relu else hidden[-1]
    return hidden


def one_update(net: Net, inputs: np.ndarray, labels: np.ndarray) -> tuple[Changes, np.ndarray, float]:
    """Return the changes in one update, to first order in the rate and divided by it, and the sharpness.

    Returns the changes of W(1), …, W(L), as pairs of factors; the change of z(L), of shape (units, images); and the
    sharpness, which is the largest eigenvalue of the Hessian with respect to these weights at zero loss. In all three, the rate of W(1) is
    multiplied by width/inputs.
    """
    hidden = pre_activations(net, inputs)
    slopes = [(one > 0).astype(one.dtype) if net.relu else np.ones_like(one) for one in hidden]
    signals = [inputs, *(one * slope for one, slope in zip(hidden, slopes, strict=True))]
    residuals = (net.readout @ signals[-1] - labels) / len(labels)
    factors = [len(net.readout) / len(inputs)] + [1.0] * (len(net.weights) - 1)
    backward = net.readout[:, None] * slopes[-1]
    kernel, changes = np.zeros((len(labels), len(labels))), []
    for layer in reversed(range(len(net.weights))):
        kernel += factors[layer] * (backward.T @ backward) * (signals[layer].T @ signals[layer])
        changes.insert(0, (-factors[layer] * (backward * residuals), signals[layer].T))
        if layer:
            backward = (net.weights[layer].T @ backward) * slopes[layer - 1]
    change, moved = np.zeros_like(hidden[0]), np.zeros_like(inputs)
    for layer, weight in enumerate(net.weights):
        change = weight @ moved + changes[layer][0] @ (changes[layer][1] @ signals[layer])
        moved = change * slopes[layer]
    return changes, change, float(np.linalg.eigvalsh(kernel / len(labels))[-1])


def theory_change(depth: int, activation: str, init: str) -> float:
    """Return the mean squared change of z(L), divided by the squared rate, for one image and infinite width.

    With J(l) = ∂z(L)/∂z(l), the change is ± Σ J(l) J(l)ᵀ ∂f/∂z(L) times the width. The mean of |J(l) J(l)ᵀ u|²/|u|² is
    1 + c·(L − l). Gaussian weights add 1 to c, and ReLU adds 1 (Pennington, Schoenholz & Ganguli 2017). The squared
    length of the sum is |∂f/∂z(L)|² times the double sum of 1 + c·min(L − l, L − m) over l and m, which is L² + c·(L −
    1)·L·(2L − 1)/6.
    """
    growth = (activation == "relu") + (init == "gaussian")
    share = 0.5 if activation == "relu" else 1.0
    return share * (depth**2 + growth * (depth - 1) * depth * (2 * depth - 1) / 6)


def real_rate(net: Net, inputs: np.ndarray, changes: Changes, rate: float) -> tuple[float, float]:
    """Return the squared change of z(L) after a real update at a rate, and the rate at which it is 1.

    The latter is infinite if the change stays below 1: in narrow nets, an update may silence all units.
    """
    before = pre_activations(net, inputs)[-1]

    # The search asks for the change at its first rates several times.
    @cache
    def log_change(log_rate: float) -> float:
        after = pre_activations(net, inputs, changes, np.exp(log_rate))[-1]
        # Far beyond the rate at which the change is 1, it may be infinite.
        return min(float(np.log(np.mean((after - before) ** 2))), _MUCH)

    low = high = np.log(rate)
    change = log_change(low)
    while log_change(low) > 0:
        low -= _STEP
    while log_change(high) < 0:
        high += _STEP
        if high > low + _FAR:
            return float(np.exp(change)), np.inf
    return float(np.exp(change)), float(np.exp(brentq(log_change, low, high, xtol=1e-4) if low < high else low))


def _simulate(
    generator: np.random.Generator, images: np.ndarray, depth: int, spec: dict
) -> tuple[float, float, float, float]:
    shape = (images.shape[1], spec["width"], depth)
    net = draw_net(generator, shape, spec["activation"], spec["init"])
    inputs = images[generator.choice(len(images), spec["batch"], replace=False)].T.astype(np.float32)
    inputs *= len(inputs) ** 0.5 / np.linalg.norm(inputs, axis=0)
    labels = generator.choice(np.array([-1, 1], np.float32), spec["batch"])
    changes, change, eigenvalue = one_update(net, inputs, labels)
    if not change.any():
        return 0.0, 0.0, eigenvalue, 0.0
    squared = float(np.mean(change**2))
    full_change, rate = real_rate(net, inputs, changes, squared**-0.5)
    return squared, full_change, eigenvalue, rate**-2


def _exponent(depths: list[int], values: list[float]) -> float:
    return float(np.polyfit(np.log(depths), np.log(values), 1)[0]) if np.isfinite(values).all() else np.nan
