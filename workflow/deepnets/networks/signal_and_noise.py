"""A signal and a small noise on it, pushed together through the sub-layers of a net (document 002, "Propagation").

The signal goes through the sub-layer, the noise through its derivative at the signal. Both are stacked in one float32
tensor, so that a linear operator is applied once. All functions run on the device of their tensors.
"""

import math
from dataclasses import dataclass

import torch
from torch.nn.functional import conv2d

# The constant of batch normalisation in the authors' runs.
EPSILON = 1e-3


@dataclass(frozen=True)
class SignalAndNoise:
    """Signal x and noise dx after some layer, each up to a scale whose logarithm is stored separately.

    stacked: float32 (2, inputs, height, width, channels), x first; fully connected nets have one position
    log_scales: float64 (2,); the true tensors are stacked · exp(log_scales)
    """

    stacked: torch.Tensor
    log_scales: torch.Tensor

    def with_stacked(self, stacked: torch.Tensor) -> "SignalAndNoise":
        """Return other tensors at the same scales."""
        return SignalAndNoise(stacked, self.log_scales)


def stack_inputs(signal: torch.Tensor, noise: torch.Tensor) -> SignalAndNoise:
    """Return inputs and noise, both (inputs, height, width, channels), at scale 1."""
    return SignalAndNoise(torch.stack([signal, noise]), torch.zeros(2, dtype=torch.float64, device=signal.device))


def rescale(state: SignalAndNoise, *, signal: bool) -> SignalAndNoise:
    """Bring the noise, and the signal if asked, to a root mean square within a factor √2 of 1, in place.

    The factors are powers of two and round nothing. Rescale a signal only if all later layers are positively
    homogeneous.
    """
    log_scales = state.log_scales.clone()
    parts = slice(0 if signal else 1, 2)
    flat = state.stacked[parts].view(-1, state.stacked[0].numel())
    # A vector's product with itself needs no tensor of squares.
    mean_squares = torch.stack([part @ part for part in flat]) / flat.shape[1]
    exponents = torch.log2(mean_squares.clamp_min_(torch.finfo(torch.float32).tiny)).div_(2).round_()
    flat *= torch.exp2(-exponents).unsqueeze(1)
    # Float64, because so many factors add up that the rounding of ln 2 in float32 would show.
    log_scales[parts] += exponents.double() * math.log(2)
    return SignalAndNoise(state.stacked, log_scales)


def apply_linear(state: SignalAndNoise, weights: torch.Tensor, *, padding: str, stride: int = 1) -> SignalAndNoise:
    """Apply a fully connected layer or a convolution to signal and noise at once.

    weights: (channels out, kernel, kernel, channels in); kernel 1 is fully connected at every position
    padding: how the image continues beyond its border: periodic, symmetric (mirrored at the border) or zero
    """
    kernel = weights.shape[1]
    if kernel == 1:
        return state.with_stacked(state.stacked @ weights[:, 0, 0].T)
    images = state.stacked.flatten(0, 1)
    margin = kernel // 2
    if padding != "zero":
        images = _pad(images, margin, padding)
        margin = 0
    # Channels stay innermost in memory: torch calls the permuted views channels_last.
    outputs = conv2d(images.permute(0, 3, 1, 2), weights.permute(0, 3, 1, 2), stride=stride, padding=margin)
    return state.with_stacked(outputs.permute(0, 2, 3, 1).contiguous().unflatten(0, (2, -1)))


def add_biases(state: SignalAndNoise, biases: torch.Tensor) -> SignalAndNoise:
    """Add a bias per channel, on the scale of the signal; it moves only the signal."""
    signal, noise = state.stacked
    return state.with_stacked(torch.stack([signal + biases * torch.exp(-state.log_scales[0]).float(), noise]))


def batch_normalize(state: SignalAndNoise) -> SignalAndNoise:
    """Normalise each channel by mean and variance of the signal over inputs and positions.

    The statistics are those of a population, so the noise of an input does not change them.
    """
    rows = state.stacked.flatten(1, 3)
    normalized = torch.empty_like(rows)
    centred = torch.sub(rows[0], rows[0].mean(0), out=normalized[0])
    inverse = torch.rsqrt(centred.square().mean(0) + EPSILON)
    centred *= inverse
    torch.mul(rows[1], inverse, out=normalized[1])
    return state.with_stacked(normalized.view_as(state.stacked))


def group_normalize(state: SignalAndNoise, groups: int) -> SignalAndNoise:
    """Normalise each input by itself, over its positions and the channels of each group.

    One group is layer normalisation, one group per channel is instance normalisation. Here the noise changes the
    statistics, so its derivative has their terms: dz = (dy − mean(dy) − z · mean(z dy)) / √(var + ε).
    """

    def means(values: torch.Tensor) -> torch.Tensor:
        """Return each channel's group mean (inputs, 1, 1, channels), expanded to long rows: short ones are slow."""
        grouped = values.unflatten(-1, (groups, -1))
        return grouped.mean((1, 2, 4), keepdim=True).expand(-1, -1, -1, -1, grouped.shape[-1]).flatten(-2)

    (signal, noise), changed = state.stacked, torch.empty_like(state.stacked)
    normalized = torch.sub(signal, means(signal), out=changed[0])
    inverse = torch.rsqrt(means(normalized.square()) + EPSILON)
    normalized *= inverse
    derived = torch.sub(noise, means(noise), out=changed[1])
    derived -= normalized * means(normalized * noise)
    derived *= inverse
    return state.with_stacked(changed)


def scale_and_shift(state: SignalAndNoise, scales: torch.Tensor, shifts: torch.Tensor) -> SignalAndNoise:
    """Multiply both by a scale per channel and add a shift to the signal: the parameters after a normalisation."""
    signal, noise = state.stacked * scales
    return state.with_stacked(torch.stack([signal + shifts, noise]))


def apply_relu(state: SignalAndNoise) -> SignalAndNoise:
    """Apply ReLU: the noise passes where the signal is positive."""
    activated = torch.empty_like(state.stacked)
    torch.clamp_min(state.stacked[0], 0, out=activated[0])
    # This derivative takes one pass; a product with a mask takes twice the time.
    torch.ops.aten.threshold_backward(state.stacked[1], state.stacked[0], 0, grad_input=activated[1])
    return state.with_stacked(activated)


def apply_tanh(state: SignalAndNoise) -> SignalAndNoise:
    """Apply tanh: the noise is multiplied by 1 − tanh²."""
    activated = torch.empty_like(state.stacked)
    torch.tanh(state.stacked[0], out=activated[0])
    torch.ops.aten.tanh_backward(state.stacked[1], activated[0], grad_input=activated[1])
    return state.with_stacked(activated)


def add_branch(state: SignalAndNoise, branch: SignalAndNoise) -> SignalAndNoise:
    """Add a residual branch that started from the same scales."""
    return state.with_stacked(state.stacked + branch.stacked)


def subtract_skip(start: SignalAndNoise, end: SignalAndNoise) -> SignalAndNoise:
    """Return what a residual branch added between the start and the end of its unit, on the scales of the end."""
    factors = torch.exp(start.log_scales - end.log_scales).float().view(2, 1, 1, 1, 1)
    return end.with_stacked(end.stacked - start.stacked * factors)


def _pad(images: torch.Tensor, margin: int, padding: str) -> torch.Tensor:
    """Continue images (images, height, width, channels) beyond their border."""
    count, height, width, channels = images.shape
    extended = images.new_empty((count, height + 2 * margin, width + 2 * margin, channels))
    inner = slice(margin, -margin)
    extended[:, inner, inner] = images
    # Whole columns after the rows fill the corners; slices copy faster than gathered indices.
    for lines in (extended[:, :, inner], extended.transpose(1, 2)):
        size = lines.shape[1] - 2 * margin
        for step in range(margin):
            if padding == "periodic":
                before, after = size + step, margin + step
            else:
                before, after = 2 * margin - 1 - step, size + margin - 1 - step
            lines[:, step] = lines[:, before]
            lines[:, size + margin + step] = lines[:, after]
    return extended
