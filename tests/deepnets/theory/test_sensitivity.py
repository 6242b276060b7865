import dataclasses
import math

import numpy as np
import pytest
import torch

from deepnets.networks import signal_and_noise as sn
from deepnets.networks.moments import moments
from deepnets.networks.random_nets import end_of_layer, first_layer
from deepnets.theory.sensitivity import (
    INCREMENT_BOUNDS,
    NORMAL_INCREMENT,
    first_norm_increment,
    log_diffusion,
    power_law_exponent,
    power_law_factor,
    residual_increment,
)
from small_net import NET, draws, inputs, true_tensors


def test_relu_on_normal_inputs_has_the_normal_increment():
    generator = torch.Generator().manual_seed(0)
    signal = torch.randn((1000, 1, 1, 1000), generator=generator)
    state = sn.stack_inputs(signal, torch.randn(signal.shape, generator=generator))
    increment = moments(sn.apply_relu(state)).sensitivity_over(moments(state))
    # With a million points, both variances have a standard error below 0.001.
    assert increment == pytest.approx(NORMAL_INCREMENT, rel=3e-3)
    assert pytest.approx(1.2112, abs=5e-5) == NORMAL_INCREMENT
    assert pytest.approx((1, 1.41421356)) == INCREMENT_BOUNDS


def test_the_factor_equals_that_of_least_squares():
    layers, chi = np.array([1.0, 2.0, 5.0]), np.array([3.0, 1.0, 4.0])
    ((expected,), *_) = np.linalg.lstsq(layers[:, np.newaxis] ** 0.7, chi)
    assert power_law_factor(layers, chi, 0.7) == pytest.approx(expected, rel=1e-12)


def test_the_increments_of_a_unit_s_layers_multiply():
    # Three layers that each triple the ratio of the variances of noise and signal have δ^{2H} = 27 = 1 + 2τ.
    assert power_law_exponent(np.sqrt(3), layers_of_unit=3) == pytest.approx(13, rel=1e-12)


def test_residual_increments_solve_the_recursion():
    # Unit l adds one part of variance to the l parts before it: χ_l² = χ_{l−1}² (l + δ^{2H})/(l + 1).
    units, increment = np.arange(1, 500), 1.17
    recursion = np.sqrt((units + increment**4) / (units + 1))
    np.testing.assert_allclose(residual_increment(units, power_law_exponent(increment)), recursion, rtol=1e-14)
    chi = np.cumprod(recursion)
    tau = power_law_exponent(increment)
    # χ² is Γ(l + 1 + 2τ)/Γ(l + 2), and its root is a power law for large l.
    assert np.diff(np.log(chi[[198, -1]]))[0] / np.diff(np.log(units[[198, -1]]))[0] == pytest.approx(tau, rel=0.01)


def test_log_moments_have_the_mean_and_variance_of_the_diffusion():
    layers, width, count = 20, 128, 200
    net = dataclasses.replace(NET, width=width)
    changes = []
    for seed in range(count):
        start = inputs(1, 1, 1, width, seed=seed, dtype=torch.float32)
        source = draws(seed=seed, dtype=torch.float32)
        state = first_layer(net, start, source)
        before = float(true_tensors(state)[0].square().mean().log())
        for _ in range(layers):
            state = end_of_layer(net, state, source)
        after = float(state.stacked[0].square().mean().log()) + 2 * float(state.log_scales[0])
        changes.append(after - before)
    mean, variance = log_diffusion(layers, width)
    # The expansion neglects terms that are 1/width times the leading ones.
    assert np.mean(changes) == pytest.approx(mean, abs=4 * math.sqrt(variance / count) + 4 / width * abs(mean))
    assert np.var(changes) == pytest.approx(variance, rel=4 * math.sqrt(2 / count) + 4 / width)


@pytest.mark.parametrize("eigenvalues", [np.full(9, 4.0), np.array([20.0, 2, 1, 0.1, 0.1, 0.1, 0])])
def test_a_first_normalisation_amplifies_noise_by_its_closed_form(eigenvalues):
    squares = np.random.default_rng(0).standard_normal((400_000, len(eigenvalues))) ** 2
    noise, signal = squares.sum(1), squares @ eigenvalues
    expected = np.sqrt((noise / signal).mean() * signal.mean() / noise.mean())
    assert first_norm_increment(eigenvalues) == pytest.approx(expected, rel=5e-3)


def test_for_white_signals_the_closed_form_is_that_of_a_chi_square():
    # ⟨|w|²/wᵀw⟩ = 1: nothing is amplified, in any unit.
    assert first_norm_increment(np.full(27, 1e-3)) == pytest.approx(1, rel=1e-6)
