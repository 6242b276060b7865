"""A small random net of document 002, the numbers that it draws, and its inputs: signal and noise."""

import numpy as np
import torch

from deepnets.networks import signal_and_noise as sn
from deepnets.networks.random_nets import Architecture, Draws, end_of_layer, first_layer

NET = Architecture(
    arch="feedforward",
    norm="none",
    activation="relu",
    init="normal",
    gain=2.0,
    bias=0.0,
    width=12,
    kernel=1,
    padding="periodic",
    groups=3,
)


def draws(seed=0, dtype=torch.float64, device="cpu"):
    """Return generators of random numbers that are the same on every device and in every precision."""
    generator = torch.Generator().manual_seed(seed)

    def normals(shape):
        return torch.randn(shape, generator=generator).to(device, dtype)

    def uniforms(shape):
        return torch.rand(shape, generator=generator).to(device, dtype)

    return Draws(normals, uniforms)


def inputs(*shape, seed=5, dtype=torch.float64, device="cpu"):
    generator = torch.Generator().manual_seed(seed)
    return sn.stack_inputs(*(torch.randn(shape, generator=generator).to(device, dtype) for _ in range(2)))


def push(net, state, layers, **options):
    source = draws(**options)
    state = first_layer(net, state, source)
    for _ in range(layers):
        state = end_of_layer(net, state, source)
    return state


def true_tensors(state):
    return state.stacked * torch.exp(state.log_scales).view(2, 1, 1, 1, 1).to(state.stacked.dtype)


def variance(x):
    """Return the mean over channels of the variance over points, as all numbers below for x of (points, channels)."""
    return x.var(axis=0).mean()


def sensitivity(x, dx):
    return np.sqrt(variance(dx) / variance(x))


def effective_rank(x):
    eigenvalues = np.linalg.eigvalsh(np.cov(x.T, ddof=0))
    return eigenvalues.sum() / eigenvalues[-1]


def plain_layer(arch, norm, signal_and_noise, draw_weights):
    """Yield signal and noise (points, channels) after each stage of a ReLU layer or residual unit in plain NumPy.

    draw_weights: returns the next matrix (inputs, outputs) of a layer
    """

    def normalized(x, dx):
        deviation = np.sqrt(x.var(axis=0) + 1e-3)
        return ((x - x.mean(axis=0)) / deviation, dx / deviation) if norm == "batch" else (x, dx)

    def rectified(x, dx):
        return x * (x > 0), dx * (x > 0)

    def linear(x, dx):
        weights = draw_weights()
        return x @ weights, dx @ weights

    state = signal_and_noise
    for stage in (linear, normalized, rectified) if arch == "feedforward" else (normalized, rectified, linear) * 2:
        state = stage(*state)
        yield state
    if arch == "residual":
        yield tuple(skipped + added for skipped, added in zip(signal_and_noise, state, strict=True))
