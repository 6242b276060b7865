"""A signal and its small noise pass together through the sub-layers of a net (document 002, "Propagation").

A sub-layer is applied to the signal; its derivative at the signal is applied to the noise. Signal and noise are stacked
in one float32 tensor, so a linear operator is applied only once. All functions run on the tensors' device.
"""

import math
from dataclasses import dataclass
from functools import cache, partial

import torch
from torch.nn.functional import conv2d

# The constant ε of batch normalisation in the authors' runs.
EPSILON = 1e-3
# From this number of channels on, `_convolve_tiles` is faster than torch's convolution (measured on one core).
_WIDE = 256
# Winograd's F(2, 3): for three weights g and four inputs d, A ((G g) * (B d)) are two outputs, from four products
# instead of six.
_G = torch.tensor([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]])
_B = torch.tensor([[1.0, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]])
_A = torch.tensor([[1.0, 1, 1, 0], [0, 1, -1, -1]])


@dataclass(frozen=True)
class SignalAndNoise:
    """Signal x and noise dx after some layer, without their scales; logarithms of scales are stored separately.

    stacked: x, then dx; float32, shape (2, inputs, height, width, channels); height and width are 1 in fully connected
        nets
    log_scales: float64, shape (2,); the true tensors are stacked · exp(log_scales)
    """

    stacked: torch.Tensor
    log_scales: torch.Tensor

    def with_stacked(self, stacked: torch.Tensor) -> "SignalAndNoise":
        """Return a state with the given tensors and the same scales."""
        return SignalAndNoise(stacked, self.log_scales)


def stack_inputs(signal: torch.Tensor, noise: torch.Tensor) -> SignalAndNoise:
    """Stack inputs and noise, both of shape (inputs, height, width, channels), with scales 1."""
    return SignalAndNoise(torch.stack([signal, noise]), torch.zeros(2, dtype=torch.float64, device=signal.device))


def rescale(state: SignalAndNoise, *, signal: bool) -> SignalAndNoise:
    """Rescale the noise, and the signal if `signal`, in place to a root mean square between 1/√2 and √2.

    The factors are powers of two, so rescaling does not round. Rescale a signal only if all later layers are positively
    homogeneous.
    """
    log_scales = state.log_scales.clone()
    parts = slice(0 if signal else 1, 2)
    flat = state.stacked[parts].view(-1, state.stacked[0].numel())
    # The scalar product of a vector with itself needs no tensor of squares.
    mean_squares = torch.stack([part @ part for part in flat]) / flat.shape[1]
    exponents = torch.log2(mean_squares.clamp_min_(torch.finfo(torch.float32).tiny)).div_(2).round_()
    flat *= torch.exp2(-exponents).unsqueeze(1)
    # Float64: over many layers, the rounding error of ln 2 in float32 would add up.
    log_scales[parts] += exponents.double() * math.log(2)
    return SignalAndNoise(state.stacked, log_scales)


def apply_linear(state: SignalAndNoise, weights: torch.Tensor, *, padding: str, stride: int = 1) -> SignalAndNoise:
    """Apply a fully connected layer or a convolution to signal and noise at once.

    weights: shape (channels out, kernel, kernel, channels in); kernel 1 is fully connected at every position
    padding: how the image continues beyond its border, periodic, symmetric (mirrored at the border) or zero
    """
    kernel = weights.shape[1]
    if kernel == 1:
        return state.with_stacked(state.stacked @ weights[:, 0, 0].T)
    images = state.stacked.flatten(0, 1)
    margin = kernel // 2
    if padding != "zero":
        images = _pad(images, margin, padding)
        margin = 0
        even = images.shape[1] % 2 == images.shape[2] % 2 == 0
        # On a GPU, cuDNN chooses its own algorithm.
        if kernel == 3 and stride == 1 and even and min(weights.shape[::3]) >= _WIDE and not images.is_cuda:
            return state.with_stacked(_convolve_tiles(images, weights).unflatten(0, (2, -1)))
    # In memory, channels stay the last axis; torch calls the permuted views channels_last.
    outputs = conv2d(images.permute(0, 3, 1, 2), weights.permute(0, 3, 1, 2), stride=stride, padding=margin)
    return state.with_stacked(outputs.permute(0, 2, 3, 1).contiguous().unflatten(0, (2, -1)))


def add_biases(state: SignalAndNoise, biases: torch.Tensor) -> SignalAndNoise:
    """Add a bias per channel to the signal, in units of the true signal; noise does not change."""
    signal, noise = state.stacked
    return state.with_stacked(torch.stack([signal + biases * torch.exp(-state.log_scales[0]).float(), noise]))


def batch_normalize(state: SignalAndNoise) -> SignalAndNoise:
    """Normalise each channel by the signal's mean and variance over inputs and positions.

    The mean and variance are treated as constants: noise on one input does not change them.
    """
    rows = state.stacked.flatten(1, 3)
    normalized = torch.empty_like(rows)
    centred = torch.sub(rows[0], rows[0].mean(0), out=normalized[0])
    inverse = torch.rsqrt(centred.square().mean(0) + EPSILON)
    centred *= inverse
    torch.mul(rows[1], inverse, out=normalized[1])
    return state.with_stacked(normalized.view_as(state.stacked))


def group_normalize(state: SignalAndNoise, groups: int) -> SignalAndNoise:
    """Normalise each group of channels of each input separately, by mean and variance over positions and channels.

    With one group, this is layer normalisation; with one group per channel, instance normalisation. Unlike in
    `batch_normalize`, noise changes mean and variance: dz = (dy − mean(dy) − z · mean(z dy)) / √(var + ε).
    """

    def means(values: torch.Tensor) -> torch.Tensor:
        """Return each channel's group mean, expanded to shape (inputs, 1, 1, channels), because short rows are slow."""
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
    """Multiply signal and noise by a scale per channel, and add a shift per channel to the signal."""
    signal, noise = state.stacked * scales
    return state.with_stacked(torch.stack([signal + shifts, noise]))


def apply_relu(state: SignalAndNoise) -> SignalAndNoise:
    """Apply ReLU; the noise is set to 0 where the signal is not positive."""
    activated = torch.empty_like(state.stacked)
    torch.clamp_min(state.stacked[0], 0, out=activated[0])
    # This operator takes one pass; a product with a mask takes twice the time.
    torch.ops.aten.threshold_backward(state.stacked[1], state.stacked[0], 0, grad_input=activated[1])
    return state.with_stacked(activated)


def apply_tanh(state: SignalAndNoise) -> SignalAndNoise:
    """Apply tanh: the noise is multiplied by 1 − tanh²."""
    activated = torch.empty_like(state.stacked)
    torch.tanh(state.stacked[0], out=activated[0])
    torch.ops.aten.tanh_backward(state.stacked[1], activated[0], grad_input=activated[1])
    return state.with_stacked(activated)


def add_branch(state: SignalAndNoise, branch: SignalAndNoise) -> SignalAndNoise:
    """Add a residual branch with the same scales."""
    return state.with_stacked(state.stacked + branch.stacked)


def subtract_skip(start: SignalAndNoise, end: SignalAndNoise) -> SignalAndNoise:
    """Return the output of a residual branch: the unit's end minus the unit's start, with the scales of the end."""
    factors = torch.exp(start.log_scales - end.log_scales).float().view(2, 1, 1, 1, 1)
    return end.with_stacked(end.stacked - start.stacked * factors)


def _pad(images: torch.Tensor, margin: int, padding: str) -> torch.Tensor:
    """Continue images (images, height, width, channels) beyond their border."""
    count, height, width, channels = images.shape
    extended = images.new_empty((count, height + 2 * margin, width + 2 * margin, channels))
    inner = slice(margin, -margin)
    extended[:, inner, inner] = images
    # Columns are copied in full height after the rows, which fills the corners. Slices copy faster than indices.
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


def _convolve_tiles(images: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Convolve padded images of even sides with 3 by 3 kernels by Winograd's F(2 × 2, 3 × 3) (Lavin & Gray 2016).

    A tile of 2 by 2 outputs takes 16 products for each pair of channels instead of 36.

    images: shape (images, height + 2, width + 2, channels in)
    weights: shape (channels out, 3, 3, channels in)
    """
    of_kernels, of_patches, of_products = (torch.kron(matrix, matrix).to(images) for matrix in (_G, _B, _A))
    patches = images.unfold(1, 4, 2).unfold(2, 4, 2).permute(0, 1, 2, 4, 5, 3)
    count, rows, columns, *_, channels = patches.shape
    tiles, out = count * rows * columns, len(weights)
    memory = partial(_memory, images.dtype)
    kernels = torch.matmul(of_kernels, weights.flatten(1, 2), out=memory("kernels", out, 16, channels))
    patches = memory("patches", *patches.shape).copy_(patches).view(tiles, 16, channels)
    inputs = torch.matmul(of_patches, patches, out=memory("inputs", *patches.shape))
    products = memory("products", 16, tiles, out)
    torch.bmm(inputs.transpose(0, 1), kernels.permute(1, 2, 0), out=products)
    outputs = (of_products @ products.flatten(1)).view(2, 2, count, rows, columns, out)
    return outputs.permute(2, 3, 0, 4, 1, 5).reshape(count, 2 * rows, 2 * columns, out)


@cache
def _memory(dtype: torch.dtype, use: str, *shape: int) -> torch.Tensor:
    """Return the same memory at each call: to take and return it for each layer takes as long as the saved products."""
    with torch.inference_mode(False):
        return torch.empty(shape, dtype=dtype)
