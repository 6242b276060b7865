"""Random deep nets at their initialisation: vanilla, normalised feedforward and residual (document 002)."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from workflow.deepnets.networks import signal_and_noise
from workflow.deepnets.networks.signal_and_noise import SignalAndNoise

# Layers in the residual branch of a unit.
LAYERS_OF_UNIT = 2
# Scale and shift after a normalisation, drawn uniformly from a disc of this radius: the scale's mean square is 1.
_SCALE_RADIUS = 2.0


@dataclass(frozen=True)
class Draws:
    """A source of random tensors, float32 on one device: normals(shape) of variance 1, uniforms(shape) on [0, 1)."""

    normals: Callable[[tuple[int, ...]], torch.Tensor]
    uniforms: Callable[[tuple[int, ...]], torch.Tensor]


@dataclass(frozen=True)
class Architecture:
    """What one layer of a random net is made of.

    arch: feedforward (linear → norm → activation) or residual (units of two layers norm → activation → linear);
    norm: none, batch, layer, group, instance; activation: relu, tanh; init: normal, hyperball.
    gain: fan-in times the variance of a weight, 2 for He et al. 2015; bias: root mean square of the biases.
    """

    arch: str
    norm: str
    activation: str
    init: str
    gain: float
    bias: float
    width: int
    kernel: int
    padding: str
    groups: int

    @property
    def homogeneous(self) -> bool:
        """Whether a positive factor on the input (and on the biases) is one on every layer."""
        return self.norm == "none" and self.activation == "relu"


def first_layer(net: Architecture, inputs: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    """Bring inputs to the net's width by a linear layer of gain 1 (LeCun); a convolution halves the image."""
    weights = _normal_weights((net.width, net.kernel, net.kernel, inputs.stacked.shape[-1]), 1.0, draws)
    stride = 1 if net.kernel == 1 else 2
    return signal_and_noise.linear(inputs, weights, padding=net.padding, stride=stride)


def next_layer(net: Architecture, state: SignalAndNoise, draws: Draws) -> Iterator[tuple[str, SignalAndNoise]]:
    """Push signal and noise through one more layer or residual unit, with weights drawn afresh.

    Yields (sub-layer, state after it): linear, norm and activation of a feedforward layer, or of the first layer of
    a unit; then "end" with the state that the next layer starts from.
    """
    norm = () if net.norm == "none" else (("norm", _normalized),)
    if net.arch == "feedforward":
        for name, sub_layer in (("linear", _linear), *norm, ("activation", _activated)):
            state = sub_layer(net, state, draws)
            yield name, state
    else:
        branch = state
        for layer in range(LAYERS_OF_UNIT):
            for name, sub_layer in (*norm, ("activation", _activated), ("linear", _linear)):
                branch = sub_layer(net, branch, draws)
                if layer == 0:
                    yield name, branch
        state = signal_and_noise.summed(state, branch)
    yield "end", signal_and_noise.rescaled(state, signal=net.homogeneous)


def end_of_layer(net: Architecture, state: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    """Return signal and noise after one more layer or residual unit, with weights drawn afresh."""
    for _, reached in next_layer(net, state, draws):
        end = reached
    return end


def _linear(net: Architecture, state: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    shape = (net.width, net.kernel, net.kernel, net.width)
    if net.init == "normal":
        state = signal_and_noise.linear(state, _normal_weights(shape, net.gain, draws), padding=net.padding)
        return signal_and_noise.shifted(state, net.bias * draws.normals((net.width,))) if net.bias else state
    state = signal_and_noise.linear(state, _ball_weights(shape, net.gain, draws), padding=net.padding)
    # Uniform on an interval, the ball of one dimension.
    biases = math.sqrt(3) * net.bias * (2 * draws.uniforms((net.width,)) - 1)
    return signal_and_noise.shifted(state, biases) if net.bias else state


def _normalized(net: Architecture, state: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    if net.norm == "batch":
        state = signal_and_noise.batch_normalized(state)
    else:
        groups = {"layer": 1, "group": net.groups, "instance": net.width}[net.norm]
        state = signal_and_noise.group_normalized(state, groups)
    if net.init == "hyperball":
        state = signal_and_noise.scaled_and_shifted(state, *_disc(net.width, draws))
    return state


def _activated(net: Architecture, state: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    return signal_and_noise.rectified(state) if net.activation == "relu" else signal_and_noise.squashed(state)


def _normal_weights(shape: tuple[int, ...], gain: float, draws: Draws) -> torch.Tensor:
    return draws.normals(shape).mul_(math.sqrt(gain / math.prod(shape[1:])))


def _ball_weights(shape: tuple[int, ...], gain: float, draws: Draws) -> torch.Tensor:
    """Return weights whose vector into each channel is uniform in a ball; the variance is that of normals."""
    dimension = math.prod(shape[1:])
    directions = draws.normals((shape[0], dimension))
    directions /= torch.linalg.vector_norm(directions, dim=1, keepdim=True)
    # The radius that holds a share u of the ball's volume; a uniform vector in radius R has mean square R²n/(n + 2).
    radii = draws.uniforms((shape[0], 1)) ** (1 / dimension) * math.sqrt(gain * (dimension + 2) / dimension)
    return (directions * radii).view(shape)


def _disc(width: int, draws: Draws) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a scale and a shift per channel, together uniform in a disc."""
    radii = _SCALE_RADIUS * draws.uniforms((width,)).sqrt()
    angles = 2 * math.pi * draws.uniforms((width,))
    return radii * torch.cos(angles), radii * torch.sin(angles)
