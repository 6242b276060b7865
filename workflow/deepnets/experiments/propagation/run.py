import dataclasses
import math
from itertools import pairwise

import numpy as np
import torch

from deepnets.networks.moments import (
    Moments,
    effective_ranks,
    error_of_linear_noise,
    gates,
    moments,
    principal_coordinates,
    tails,
)
from deepnets.networks.random_nets import Architecture, Draws, end_of_layer, first_layer, next_layer
from deepnets.networks.signal_and_noise import SignalAndNoise, apply_linear, stack_inputs, subtract_skip
from deepnets.theory.sensitivity import first_norm_increment
from reproduce import api

# The metric for each sub-layer's factor of the sensitivity. As in the document, BN means any normalisation.
_FACTORS = {"linear": "delta_chi_linear", "norm": "delta_chi_bn", "activation": "delta_chi_activation"}
# A finite noise on the inputs, as a share of the noise that is propagated linearly.
_FINITE_NOISE = 1e-3
# Number of points in a picture of the signal.
_CLOUD = 200


@torch.inference_mode()
def run(spec: dict, cifar10: api.Dataset) -> api.Measurements:
    """Push `simulations` batches of images, with noise of variance 1, through random nets, one net per batch.

    One seed determines all simulations. `step` is the layer (residual: the unit); step 0 is the first linear layer. The
    recorded layers are step 0 and those of `record_first`, `record_evenly` and `cloud_depths`.

    Metrics at all recorded layers:

    - chi[simulation]: normalised sensitivity χ ("Data Randomness (II)").
    - effective_rank_signal[simulation], effective_rank_noise[simulation]: effective ranks ("Data Randomness (II)").
    - log_nu2_signal[simulation], log_mu2_signal[simulation], log_mu2_noise[simulation]: natural logarithms of moments
      ("Further Notation and Assumption (II)", pictures).

    Metrics at recorded layers from layer 1:

    - delta_chi[simulation]: increment δχ of the layer or unit ("Further Notation and Assumption (I)").
    - delta_chi_linear[simulation], delta_chi_bn[simulation], delta_chi_activation[simulation]: the factors of δχ from
      the linear layer, the normalisation (of any kind) and the activation; in residual nets, those of the unit's first
      layer ("Batch-Normalized Feedforward Nets").
    - mu4_signal[simulation], nu1_abs_signal[simulation]: moments of the signal before the activation, in units of the
      signal's second moments ("Batch-Normalized Feedforward Nets", pictures).
    - active_share[simulation], 0 … 1: share of active units, only with ReLU ("Expressivity").
    - linear_residual[simulation]: distance of ReLU from a linear map, only with ReLU; see `gates` ("Vanilla Nets").

    Metrics of residual nets at recorded layers from layer 1 ("Batch-Normalized ResNets"):

    - delta_chi_layer[simulation]: product of the three factors of the unit's first layer.
    - effective_rank_signal_branch[simulation], effective_rank_noise_branch[simulation]: effective ranks after the
      activation of the unit's first layer.
    - variance_share_branch[simulation]: variance that the unit's branch adds, divided by the signal's variance at the
      unit's end.

    Other metrics:

    - delta_chi_bn_in_theory[simulation], layer 1, convolutions with batch normalisation before the unit's first layer:
      the closed form of delta_chi_bn for many channels, from the covariance of the batch's patches.
    - cloud_signal_1[point], cloud_signal_2[point], cloud_noise_1[point], cloud_noise_2[point], at `cloud_depths`:
      coordinates in the first simulation, see `principal_coordinates` ("Data Randomness (III)").
    - finite_noise_error[simulation], at `cloud_depths` from layer 1 to `record_first`, only in the first simulation:
      difference between a small finite noise and the linearly propagated noise, divided by the linearly propagated
      noise ("Propagation").
    - diverged[simulation], at the layer at which the simulation's signal or noise vanishes or overflows: its share of
      all simulations.

    Raises UserError if the device is missing.
    """
    device, images = _device(spec["device"]), cifar10["images" if spec["dataset"] == "cifar10" else "digits"]
    net = Architecture(**{field.name: spec[field.name] for field in dataclasses.fields(Architecture)})
    measurements = api.Measurements()
    for simulation in range(spec["simulations"]):
        rng = np.random.default_rng([spec["seed"], simulation])
        batch = images[rng.choice(len(images), size=spec["batch"], replace=False)]
        signal = torch.from_numpy(standardize(batch, connected=net.kernel == 1)).to(device)
        seed = int(rng.integers(2**62))
        draws = _draws(seed, device)
        inputs = stack_inputs(signal, draws.normals(tuple(signal.shape)))
        recorder = _Recorder(measurements, simulation)
        states = _propagate(spec, net, inputs, draws, recorder)
        if simulation == 0:
            _propagate_finite_noise(net, inputs, _draws(seed, device), states, recorder)
    return measurements


class _Recorder:
    """Records the measurements of one simulation; the index is the simulation's number."""

    def __init__(self, measurements: api.Measurements, simulation: int) -> None:
        self._measurements, self._simulation = measurements, simulation

    def add(self, layer: int, **values: float) -> None:
        for metric, value in values.items():
            self._measurements.add(layer, metric, np.array([value]), index=np.array([self._simulation]))

    def add_cloud(self, layer: int, state: SignalAndNoise) -> None:
        if self._simulation > 0:
            return
        for name, points in zip(("signal", "noise"), principal_coordinates(state, _CLOUD), strict=True):
            for axis, values in enumerate(points.T.cpu().numpy(), start=1):
                self._measurements.add(layer, f"cloud_{name}_{axis}", values)


def _propagate(
    spec: dict, net: Architecture, inputs: SignalAndNoise, draws: Draws, recorder: _Recorder
) -> dict[int, SignalAndNoise]:
    """Push inputs through all layers, record the metrics, and return the states at `cloud_depths`.

    Only states of layers up to `record_first` are returned: in deeper layers, a small noise is no longer linear.
    """
    states: dict[int, SignalAndNoise] = {}
    recorded = _recorded_layers(spec)
    at_input = moments(inputs)
    state = first_layer(net, inputs, draws)
    measured = moments(state)
    # With one fully connected input, the signal's variance is zero.
    if not (at_input.finite and measured.finite):
        recorder.add(0, diverged=1 / spec["simulations"])
        return states
    _record_state(recorder, 0, state, measured, at_input)
    if (net.arch, net.norm) == ("residual", "batch") and net.kernel > 1:
        recorder.add(1, delta_chi_bn_in_theory=first_norm_increment(_eigenvalues_of_patches(net, inputs)))
    if 0 in spec["cloud_depths"]:
        recorder.add_cloud(0, state)
    for layer in range(1, spec["depth"] + 1):
        if layer not in recorded:
            state = end_of_layer(net, state, draws)
            continue
        state, measured = _measure_layer(net, state, draws, layer, recorder)
        if not measured.finite:
            recorder.add(layer, diverged=1 / spec["simulations"])
            return states
        _record_state(recorder, layer, state, measured, at_input)
        if layer in spec["cloud_depths"]:
            recorder.add_cloud(layer, state)
            if layer <= spec["record_first"]:
                states[layer] = state
    return states


def _eigenvalues_of_patches(net: Architecture, inputs: SignalAndNoise) -> np.ndarray:
    """Return the eigenvalues of the covariance of the patches that the first layer reads."""
    size = net.kernel**2 * inputs.stacked.shape[-1]
    # Each channel of this layer copies a pixel of the patch.
    identity = torch.eye(size, device=inputs.stacked.device).view(size, net.kernel, net.kernel, -1)
    patches = apply_linear(inputs, identity, padding=net.padding, stride=2).stacked[0]
    return np.linalg.eigvalsh(np.cov(patches.flatten(0, 2).cpu().numpy().T))


def _propagate_finite_noise(
    net: Architecture, inputs: SignalAndNoise, draws: Draws, states: dict[int, SignalAndNoise], recorder: _Recorder
) -> None:
    """Push x + ε dx through the net given by `draws`, and record the distance between its outputs and y + ε dy.

    states: layer → y and dy
    """
    signal, noise = inputs.stacked
    # The first draws are the noise: skip them, to draw the same net again.
    draws.normals(tuple(noise.shape))
    state = first_layer(net, stack_inputs(signal + _FINITE_NOISE * noise, noise), draws)
    for layer in range(1, max(states, default=0) + 1):
        state = end_of_layer(net, state, draws)
        if layer in states:
            recorder.add(layer, finite_noise_error=error_of_linear_noise(states[layer], state, _FINITE_NOISE))


def _measure_layer(
    net: Architecture, state: SignalAndNoise, draws: Draws, layer: int, recorder: _Recorder
) -> tuple[SignalAndNoise, Moments]:
    """Push signal and noise through a layer, record increments, and return the state and moments at its end.

    If the signal or noise vanishes or overflows after a sub-layer, no further sub-layer is computed.
    """
    residual, start = net.arch == "residual", state
    passed = {"start": moments(state)}
    for name, reached in next_layer(net, state, draws):
        # A feedforward layer ends with the rescaled activation; rescaling does not change the moments.
        same = name == "end" and not residual
        passed[name] = passed["activation"] if same else moments(reached)
        if not passed[name].finite:
            return reached, passed[name]
        if name == "activation":
            mu4, nu1 = tails(state.stacked[0])
            recorder.add(layer, mu4_signal=mu4, nu1_abs_signal=nu1)
            if net.activation == "relu":
                active, residual_of_map = gates(state.stacked[0])
                recorder.add(layer, active_share=active, linear_residual=residual_of_map)
            if residual:
                signal_rank, noise_rank = effective_ranks(reached.stacked)
                recorder.add(layer, effective_rank_signal_branch=signal_rank, effective_rank_noise_branch=noise_rank)
        state = reached
    recorder.add(layer, **_increments(passed, residual=residual))
    if residual:
        share = moments(subtract_skip(start, state)).log_mu2_signal - passed["end"].log_mu2_signal
        recorder.add(layer, variance_share_branch=math.exp(share))
    return state, passed["end"]


def _increments(passed: dict[str, Moments], *, residual: bool) -> dict[str, float]:
    """Return a layer's delta_chi and the factors of it, from the moments at the start and after each sub-layer."""
    *sub_layers, (_, end) = passed.items()
    increments = {_FACTORS[name]: after.sensitivity_over(before) for (_, before), (name, after) in pairwise(sub_layers)}
    if residual:
        increments["delta_chi_layer"] = passed["linear"].sensitivity_over(passed["start"])
    return {**increments, "delta_chi": end.sensitivity_over(passed["start"])}


def _record_state(recorder: _Recorder, layer: int, state: SignalAndNoise, measured: Moments, at_input: Moments) -> None:
    signal_rank, noise_rank = effective_ranks(state.stacked)
    recorder.add(
        layer,
        chi=measured.sensitivity_over(at_input),
        log_nu2_signal=measured.log_nu2_signal,
        log_mu2_signal=measured.log_mu2_signal,
        log_mu2_noise=measured.log_mu2_noise,
        effective_rank_signal=signal_rank,
        effective_rank_noise=noise_rank,
    )


def _recorded_layers(spec: dict) -> set[int]:
    """Return the layers to record: the first layers, for logarithmic axes; evenly spaced layers; and `cloud_depths`."""
    evenly = {round(spec["depth"] * count / spec["record_evenly"]) for count in range(1, spec["record_evenly"] + 1)}
    return {*range(1, spec["record_first"] + 1), *evenly, *spec["cloud_depths"]} - {0}


# A pixel that is equal in all images of a batch gives 0/0, and `diverged`.
@np.errstate(invalid="ignore")
def standardize(images: np.ndarray, *, connected: bool) -> np.ndarray:
    """Return a batch of images (count, colours, side, side) as inputs of a net, float32 of shape (count, …, channels).

    Each channel has mean 0 and variance 1, as in the authors' code. In fully connected nets, each pixel of each colour
    is a channel. Images of one colour have one scale: rarely lit pixels of digits would be outliers of tens of standard
    deviations, and black ones 0/0.
    """
    colours = images.shape[1]
    inputs = images.reshape(len(images), 1, 1, -1) if connected else images.transpose(0, 2, 3, 1)
    axes = (0, 1, 2) if colours > 1 else None
    return ((inputs - inputs.mean(axes)) / inputs.std(axes)).astype(np.float32)


def _draws(seed: int, device: torch.device) -> Draws:
    generator = torch.Generator(device).manual_seed(seed)

    def normals(shape: tuple[int, ...]) -> torch.Tensor:
        return torch.randn(shape, generator=generator, device=device)

    def uniforms(shape: tuple[int, ...]) -> torch.Tensor:
        return torch.rand(shape, generator=generator, device=device)

    return Draws(normals, uniforms)


def _device(name: str) -> torch.device:
    """Return the device, and let its matrix products use full float32 precision."""
    if name == "cuda" and not torch.cuda.is_available():
        raise api.UserError("device: cuda, but torch finds no GPU here; set experiments.propagation.device to cpu")
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.deterministic = True
    return torch.device(name)
