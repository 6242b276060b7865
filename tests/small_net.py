"""A small random net of document 002, the numbers that it draws, and its inputs: signal and noise."""

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
