"""Random deep nets at initialisation: vanilla, normalised feedforward and residual (document 002)."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from deepnets.networks import signal_and_noise
from deepnets.networks.signal_and_noise import SignalAndNoise

# Number of layers in the residual branch of a unit.
LAYERS_OF_UNIT = 2
# After a normalisation, scale and shift are drawn uniformly from a disc of this radius; the scale's mean square is 1.
_SCALE_RADIUS = 2.0


@dataclass(frozen=True)
class Draws:
    """Sources of random float32 tensors on one device: normals(shape) with variance 1, uniforms(shape) in [0, 1)."""

    normals: Callable[[tuple[int, ...]], torch.Tensor]
    uniforms: Callable[[tuple[int, ...]], torch.Tensor]


@dataclass(frozen=True)
class Architecture:
    """The parts of one layer of a random net.

    arch: feedforward (linear → norm → activation) or residual (units of two layers norm → activation → linear)
    norm: none, batch, layer, group, instance
    activation: relu, tanh
    init: normal, hyperball
    gain: number of inputs of a unit times the variance of a weight; 2 in He et al. 2015
    bias: root mean square of the biases
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
        """Whether a positive factor on the input (and on the biases) multiplies every layer by the same factor."""
        return self.norm == "none" and self.activation == "relu"


def first_layer(net: Architecture, inputs: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    """Apply the first linear layer, of gain 1 (LeCun); a convolution halves both sides of the image."""
    weights = _draw_normal_weights((net.width, net.kernel, net.kernel, inputs.stacked.shape[-1]), 1.0, draws)
    stride = 1 if net.kernel == 1 else 2
    return signal_and_noise.apply_linear(inputs, weights, padding=net.padding, stride=stride)


def next_layer(net: Architecture, state: SignalAndNoise, draws: Draws) -> Iterator[tuple[str, SignalAndNoise]]:
    """Push signal and noise through one more layer or residual unit, with newly drawn weights.

    Yields pairs of a sub-layer's name and the state after it: linear, norm and activation of a feedforward layer, or of
    a unit's first layer. The last pair is "end" and the state from which the next layer starts.
    """
    norm = () if net.norm == "none" else (("norm", _apply_norm),)
    if net.arch == "feedforward":
        for name, sub_layer in (("linear", _apply_linear), *norm, ("activation", _apply_activation)):
            state = sub_layer(net, state, draws)
            yield name, state
    else:
        branch = state
        for layer in range(LAYERS_OF_UNIT):
            for name, sub_layer in (*norm, ("activation", _apply_activation), ("linear", _apply_linear)):
                branch = sub_layer(net, branch, draws)
                if layer == 0:
                    yield name, branch
        state = signal_and_noise.add_branch(state, branch)
    yield "end", signal_and_noise.rescale(state, signal=net.homogeneous)


def end_of_layer(net: Architecture, state: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    """Return signal and noise after one more layer or residual unit, with newly drawn weights."""
    for _, reached in next_layer(net, state, draws):
        end = reached
    return end


def _apply_linear(net: Architecture, state: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    shape = (net.width, net.kernel, net.kernel, net.width)
    if net.init == "normal":
        state = signal_and_noise.apply_linear(state, _draw_normal_weights(shape, net.gain, draws), padding=net.padding)
        return signal_and_noise.add_biases(state, net.bias * draws.normals((net.width,))) if net.bias else state
    state = signal_and_noise.apply_linear(state, _draw_ball_weights(shape, net.gain, draws), padding=net.padding)
    # The biases of init hyperball: in one dimension, a ball is an interval.
    biases = math.sqrt(3) * net.bias * (2 * draws.uniforms((net.width,)) - 1)
    return signal_and_noise.add_biases(state, biases) if net.bias else state


def _apply_norm(net: Architecture, state: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    if net.norm == "batch":
        state = signal_and_noise.batch_normalize(state)
    else:
        groups = {"layer": 1, "group": net.groups, "instance": net.width}[net.norm]
        state = signal_and_noise.group_normalize(state, groups)
    if net.init == "hyperball":
        radii = _SCALE_RADIUS * draws.uniforms((net.width,)).sqrt()
        angles = 2 * math.pi * draws.uniforms((net.width,))
        state = signal_and_noise.scale_and_shift(state, radii * torch.cos(angles), radii * torch.sin(angles))
    return state


def _apply_activation(net: Architecture, state: SignalAndNoise, draws: Draws) -> SignalAndNoise:
    return signal_and_noise.apply_relu(state) if net.activation == "relu" else signal_and_noise.apply_tanh(state)


def _draw_normal_weights(shape: tuple[int, ...], gain: float, draws: Draws) -> torch.Tensor:
    return draws.normals(shape).mul_(math.sqrt(gain / math.prod(shape[1:])))


def _draw_ball_weights(shape: tuple[int, ...], gain: float, draws: Draws) -> torch.Tensor:
    """Draw each channel's weights uniformly from a ball; the variance is the same as for normal weights."""
    dimension = math.prod(shape[1:])
    directions = draws.normals((shape[0], dimension))
    directions /= torch.linalg.vector_norm(directions, dim=1, keepdim=True)
    # The share u of the ball's volume lies within these radii. A uniform vector in a ball of radius R has mean square
    # R²n/(n + 2).
    radii = draws.uniforms((shape[0], 1)) ** (1 / dimension) * math.sqrt(gain * (dimension + 2) / dimension)
    return (directions * radii).view(shape)
