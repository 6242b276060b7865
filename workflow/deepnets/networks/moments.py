"""Moments of a signal and its noise in a net: sensitivity, effective ranks, fat tails (document 002, "Methodology").

Means are taken over inputs, positions and channels. "Centred" means that each channel's own mean is subtracted. Sums
within a block are in float32, where torch adds pairwise; sums of these sums are in float64.
"""

import math
from dataclasses import dataclass
from functools import reduce

import torch

from deepnets.networks.signal_and_noise import SignalAndNoise

# Number of values in one float32 sum.
_BLOCK = 1 << 17
# For larger matrices, Lanczos steps are faster than computing all eigenvalues (measured on one core; faster still on a
# GPU).
_DENSE_SIZE = 160
_LANCZOS_STEPS = 80
_LANCZOS_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Moments:
    """Natural logarithms of ν₂ = E|y|² and of the variances μ₂, for the true tensors without stored scales."""

    log_nu2_signal: float
    log_mu2_signal: float
    log_mu2_noise: float

    @property
    def finite(self) -> bool:
        """Whether neither signal nor noise has vanished or overflowed, so that moments are finite."""
        return math.isfinite(self.log_nu2_signal + self.log_mu2_signal + self.log_mu2_noise)

    def sensitivity_over(self, earlier: "Moments") -> float:
        """Return √(earlier SNR / this SNR) with SNR = μ₂(x)/μ₂(dx): sensitivity χ or increment δχ since `earlier`."""
        here = self.log_mu2_noise - self.log_mu2_signal
        logarithm = (here - (earlier.log_mu2_noise - earlier.log_mu2_signal)) / 2
        return math.exp(logarithm) if logarithm < 700 else math.inf


def moments(state: SignalAndNoise) -> Moments:
    """Return the second moments of signal and noise."""
    rows = state.stacked.flatten(1, 3)
    means = rows.mean(1, keepdim=True)
    size = rows.shape[1] * rows.shape[2]
    mu2 = reduce(torch.add, ((block - means).square_().sum((1, 2)).double() for block in _blocks(rows, 1))) / size
    nu2_signal = mu2[0] + means[0].double().square().mean()
    log_nu2, log_mu2_signal, log_mu2_noise = torch.log(torch.stack([nu2_signal, *mu2])).tolist()
    signal_scale, noise_scale = (2 * state.log_scales).tolist()
    return Moments(log_nu2 + signal_scale, log_mu2_signal + signal_scale, log_mu2_noise + noise_scale)


def tails(signal: torch.Tensor) -> tuple[float, float]:
    """Return two measures of fat tails of a signal: μ₄/μ₂² and ν₁|·|/√ν₂, which are 3 and 0.798 for normal values.

    signal: shape (…, channels). After batch normalisation, μ₂ = ν₂ = 1 up to the normalisation's ε; the two measures
    are then the document's μ₄ and ν₁|·|.
    """
    rows = signal.flatten(0, -2)
    means = rows.mean(0)
    sums = torch.zeros(3, dtype=torch.float64, device=rows.device)
    for block in _blocks(rows, 0):
        squares = (block - means).square_()
        sums += torch.stack([squares.sum(), squares.square().sum(), block.abs().sum()]).double()
    mu2, mu4, nu1 = (sums / rows.numel()).tolist()
    nu2 = mu2 + float(means.double().square().mean())
    return mu4 / mu2**2, nu1 / math.sqrt(nu2)


def gates(signal: torch.Tensor) -> tuple[float, float]:
    """Return the share of active ReLU units for a signal y, and the distance of ReLU from a linear map.

    signal: y, shape (…, channels). The distance is E|ReLU(y) − Dy|² / E|ReLU(y)|². For each channel, D is 1 or 0,
    whichever gives the smaller distance.
    """
    rows = signal.flatten(0, -2)
    passed, stopped = (part.square_().sum(0).double() for part in (rows.clamp_min(0), rows.clamp_max(0)))
    return float((rows > 0).float().mean()), float(torch.minimum(passed, stopped).sum() / passed.sum())


def error_of_linear_noise(state: SignalAndNoise, corrupted: SignalAndNoise, size: float) -> float:
    """Return |f(x + ε dx) − y − ε dy| / |ε dy|.

    state: y and dy
    corrupted: a state whose signal is f(x + ε dx)
    size: ε
    """
    scales = torch.exp(torch.stack([corrupted.log_scales[0], state.log_scales[1]]) - state.log_scales[0])
    noise = size * scales[1] * state.stacked[1]
    change = scales[0] * corrupted.stacked[0] - state.stacked[0]
    return float(torch.linalg.vector_norm(change - noise) / torch.linalg.vector_norm(noise))


def effective_ranks(values: torch.Tensor) -> list[float]:
    """Return the effective rank Σλ / max λ of each tensor's channel covariance; values: (count, …, channels)."""
    rows = values.flatten(1, -2)
    centred = rows - rows.mean(1, keepdim=True)
    # The Gram matrices of rows and of columns have the same nonzero eigenvalues; the smaller matrix is faster.
    small = rows.shape[1] < rows.shape[2]
    grams = (centred @ centred.mT if small else centred.mT @ centred).double()
    if len(grams[0]) <= _DENSE_SIZE:
        largest = torch.linalg.eigvalsh(grams)[:, -1]
    else:
        largest = torch.stack([largest_eigenvalue(gram) for gram in grams])
    return (grams.diagonal(dim1=1, dim2=2).sum(1) / largest).tolist()


def largest_eigenvalue(matrix: torch.Tensor) -> torch.Tensor:
    """Return the largest eigenvalue of a symmetric positive semidefinite matrix; float64, shape (n, n).

    Lanczos' iteration with full orthogonalisation stops when the residual shows that the relative error is at most
    1e-6. If the iteration does not converge, all eigenvalues are computed.
    """
    size = len(matrix)
    basis = matrix.new_zeros((_LANCZOS_STEPS + 1, size))
    # A random initial vector overlaps with the leading eigenvector. A separate generator makes this vector the same in
    # every call.
    start = torch.randn(size, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(matrix.device)
    basis[0] = start / start.norm()
    projected = matrix.new_zeros((_LANCZOS_STEPS, _LANCZOS_STEPS))
    for step in range(_LANCZOS_STEPS):
        image = matrix @ basis[step]
        known = basis[: step + 1]
        coefficients = known @ image
        image -= coefficients @ known
        # Because of rounding, one projection is not enough; two projections are.
        image -= (known @ image) @ known
        norm = image.norm()
        projected[step, step] = coefficients[step]
        if step + 1 < _LANCZOS_STEPS:
            projected[step, step + 1] = projected[step + 1, step] = norm
        # If the Krylov space is exhausted, the next vector is zero and changes nothing.
        basis[step + 1] = image / norm.clamp_min(torch.finfo(torch.float64).tiny)
        if step % 8 == 7:
            values, vectors = torch.linalg.eigh(projected[: step + 1, : step + 1].cpu())
            if float(norm) * abs(float(vectors[-1, -1])) <= _LANCZOS_TOLERANCE * float(values[-1]):
                return values[-1]
    return torch.linalg.eigvalsh(matrix)[-1]


def principal_coordinates(state: SignalAndNoise, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return coordinates of `count` points of the signal, and of the noise at these points, in units of √ν₂(x).

    Both are float64 of shape (count, 2). The first axis is the signal's mean vector. The second axis is the direction
    of largest variance orthogonal to the first; its sign is arbitrary, and differs between processors.
    """
    rows = state.stacked.flatten(1, 3).double()
    means = rows[0].mean(0)
    nu2 = rows[0].square().mean(0).sum()
    # If the mean is exactly zero, as in batches of two, the first coordinate is zero.
    first = means / means.norm().clamp_min(torch.finfo(means.dtype).tiny)
    centred = rows[0] - means
    centred -= torch.outer(centred @ first, first)
    plane = torch.stack([first, torch.linalg.svd(centred, full_matrices=False)[2][0]], dim=1)
    # Points of the same input are adjacent rows, so evenly spaced rows come from many inputs.
    places = torch.linspace(0, rows.shape[1] - 1, min(count, rows.shape[1]), device=rows.device).long()
    signal, noise = rows[:, places] @ plane / nu2.sqrt()
    return signal, noise * torch.exp(state.log_scales[1] - state.log_scales[0])


def _blocks(rows: torch.Tensor, dimension: int) -> tuple[torch.Tensor, ...]:
    """Split rows into blocks that fit into a core's cache: several passes through a block read memory only once."""
    return rows.split(max(1, _BLOCK // (rows.numel() // rows.shape[dimension])), dimension)
