import dataclasses
import math

import numpy as np
import pytest
import torch

from deepnets.networks import signal_and_noise as sn
from deepnets.networks.moments import (
    effective_ranks,
    error_of_linear_noise,
    largest_eigenvalue,
    moments,
    principal_coordinates,
)
from small_net import inputs


def test_moments_over_several_blocks_equal_those_over_all_rows():
    values = torch.randn((2, 700, 1, 1, 513), generator=torch.Generator().manual_seed(0))
    state = sn.SignalAndNoise(values + 3, torch.zeros(2, dtype=torch.float64))
    rows = values.double() + 3
    expected = (rows[0].square().mean(), rows[0].var(0, correction=0).mean(), rows[1].var(0, correction=0).mean())
    # Sums over blocks are float32.
    np.testing.assert_allclose(dataclasses.astuple(moments(state)), np.log(expected), atol=1e-6)


# Effective rank
def test_the_rank_of_one_hot_targets_of_equal_classes_is_their_number_minus_1():
    assert effective_ranks(torch.eye(10).repeat(30, 1)[None]) == pytest.approx([9])


@pytest.mark.parametrize("rank", [1, 3, 400, None])
def test_lanczos_finds_the_largest_eigenvalue(rank):
    generator = torch.Generator().manual_seed(0)
    factors = torch.randn((300, rank or 103), generator=generator, dtype=torch.float64)
    if rank is None:
        # The small ones are far apart, and are found first.
        values = torch.cat([torch.linspace(0.9, 1, 100), torch.tensor([0, 0.05, 0.1])]).double()
        factors = torch.linalg.qr(factors[:103])[0] * values.sqrt()
    matrix = factors @ factors.T
    assert float(largest_eigenvalue(matrix)) == pytest.approx(float(torch.linalg.eigvalsh(matrix)[-1]), rel=1e-6)


# Pictures


def test_points_in_a_plane_equal_those_of_plain_numpy():
    state = inputs(30, 2, 1, 6)
    state = sn.SignalAndNoise(state.stacked + 0.5, torch.tensor([1.0, 3.0], dtype=torch.float64))
    x, dx = (part.reshape(60, 6) for part in state.stacked.numpy())
    mean = x.mean(axis=0) / np.linalg.norm(x.mean(axis=0))
    across = (x - x.mean(axis=0)) @ (np.eye(6) - np.outer(mean, mean))
    direction = np.linalg.eigh(across.T @ across)[1][:, -1]
    root = np.sqrt((x**2).sum(axis=1).mean())
    # The five points are evenly spaced among the sixty, from the first to the last.
    chosen = [0, 14, 29, 44, 59]
    signal, noise = (points.numpy() for points in principal_coordinates(state, 5))
    # The sign of a principal direction is free.
    direction *= np.sign(signal[0, 1] * (x @ direction)[0])
    for points, values, scale in ((signal, x, 1), (noise, dx, np.e**2)):
        expected = scale * np.stack([values @ mean, values @ direction], axis=1)[chosen] / root
        np.testing.assert_allclose(points, expected, rtol=1e-10)


def test_points_around_zero_have_no_part_along_their_mean():
    # After batch normalisation of two images, the values of one are exactly minus those of the other.
    half = inputs(1, 5, 1, 6).stacked
    state = sn.SignalAndNoise(torch.cat([half, -half], dim=1), torch.zeros(2, dtype=torch.float64))
    signal, noise = principal_coordinates(state, 10)
    assert signal.isfinite().all() and noise.isfinite().all()
    assert (signal[:, 0] == 0).all()
    assert (signal[:, 1] != 0).all()
    # A plane contains no more points than the batch.
    assert [len(points) for points in principal_coordinates(inputs(3, 2, 1, 4), 200)] == [6, 6]


def test_the_error_of_linear_noise_counts_scales():
    # With y = 8 · (1, 2), dy = 2 · (3, 1) and the corrupted signal 4 · (3, 4), the change is (4, 0) and ½ dy = (3, 1).
    state = sn.SignalAndNoise(
        torch.tensor([[1.0, 2.0], [3.0, 1.0]]), torch.tensor([8.0, 2.0], dtype=torch.float64).log()
    )
    corrupted = sn.SignalAndNoise(
        torch.tensor([[3.0, 4.0], [0.0, 0.0]]), torch.tensor([4.0, 1.0], dtype=torch.float64).log()
    )
    assert error_of_linear_noise(state, corrupted, 0.5) == pytest.approx(math.sqrt(2 / 10), rel=1e-6)
