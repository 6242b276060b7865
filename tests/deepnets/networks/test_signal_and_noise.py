import dataclasses
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest

from deepnets.networks import signal_and_noise as sn
from deepnets.networks.moments import moments
from deepnets.networks.random_nets import first_layer, next_layer
from small_net import NET, draws, inputs, push, true_tensors

# The derivative


@pytest.mark.parametrize("arch", ["feedforward", "residual"])
@pytest.mark.parametrize("norm", ["none", "layer", "group", "instance"])
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_noise_is_the_derivative_of_the_signal(arch, norm, activation):
    net = dataclasses.replace(NET, arch=arch, norm=norm, activation=activation, kernel=3, bias=0.1, init="hyperball")
    start = inputs(3, 8, 8, 2)
    step = 1e-6
    outputs = [
        true_tensors(
            push(net, sn.stack_inputs(start.stacked[0] + sign * step * start.stacked[1], start.stacked[1]), 3)
        )[0]
        for sign in (-1, 1)
    ]
    derivative = true_tensors(push(net, start, 3))[1]
    # The error of central differences is of second order in the step, plus round-off of 1e-16 / 1e-6.
    torch.testing.assert_close((outputs[1] - outputs[0]) / (2 * step), derivative, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(("norm", "groups"), [("layer", 1), ("group", 3), ("instance", 12)])
def test_normalisations_of_each_image_equal_group_normalisations_of_torch(norm, groups):
    layer = dict(next_layer(dataclasses.replace(NET, norm=norm, groups=3), inputs(4, 5, 5, 12), draws()))
    signal = true_tensors(layer["linear"])[0].permute(0, 3, 1, 2)
    expected = torch.nn.functional.group_norm(signal, groups, eps=sn.EPSILON).permute(0, 2, 3, 1)
    torch.testing.assert_close(true_tensors(layer["norm"])[0], expected)


def test_a_batch_normalised_net_is_a_vanilla_net_once_its_normalisation_is_merged():
    # Document 002, "Expressivity". The vanilla net has other weights and biases; noise, too, passes through it.
    net, source, twin = dataclasses.replace(NET, norm="batch", kernel=3), draws(), draws()
    state, vanilla = (first_layer(net, inputs(6, 8, 8, 2), each) for each in (source, twin))
    for _ in range(10):
        layer = dict(next_layer(net, state, source))
        outputs = layer["linear"].stacked[0].flatten(0, 2)
        factors = torch.rsqrt(outputs.var(0, correction=0) + sn.EPSILON)
        weights = twin.normals((12, 3, 3, 12)) * math.sqrt(2 / 108) * factors.view(-1, 1, 1, 1)
        merged = sn.add_biases(sn.apply_linear(vanilla, weights, padding="periodic"), -factors * outputs.mean(0))
        state, vanilla = layer["end"], sn.apply_relu(merged)
    torch.testing.assert_close(true_tensors(vanilla), true_tensors(state), rtol=1e-6, atol=1e-9)


def test_the_slope_of_relu_at_zero_is_zero():
    zero = sn.stack_inputs(*torch.zeros((2, 1, 1, 1, 1)))
    assert sn.apply_relu(zero.with_stacked(zero.stacked + torch.tensor([0.0, 1.0]).view(2, 1, 1, 1, 1))).stacked[1] == 0


def test_only_unnormalised_relu_nets_are_homogeneous():
    kinds = [(norm, activation) for norm in ("none", "batch") for activation in ("relu", "tanh")]
    found = [dataclasses.replace(NET, norm=norm, activation=activation).homogeneous for norm, activation in kinds]
    assert found == [True, False, False, False]


# Linear operators


@pytest.mark.parametrize(("padding", "mode"), [("periodic", "wrap"), ("symmetric", "symmetric"), ("zero", "constant")])
@pytest.mark.parametrize(("kernel", "stride"), [(1, 1), (3, 1), (5, 1), (3, 2), (5, 2)])
@pytest.mark.parametrize("height", [6, 7])
def test_a_convolution_is_the_sum_over_shifts(padding, mode, kernel, stride, height, monkeypatch):
    # Images with an odd side have no tiles.
    monkeypatch.setattr(sn, "_WIDE", 3)
    state = inputs(5, height, 6, 3)
    weights = draws().normals((4, kernel, kernel, 3))
    margin = kernel // 2
    around = ((0, 0), (0, 0), (margin, margin), (margin, margin), (0, 0))
    extended = np.pad(state.stacked.numpy(), around, mode=mode)
    expected = sum(
        extended[:, :, i : i + height : stride, j : j + 6 : stride] @ weights[:, i, j].numpy().T
        for i in range(kernel)
        for j in range(kernel)
    )
    convolved = sn.apply_linear(state, weights, padding=padding, stride=stride)
    np.testing.assert_allclose(convolved.stacked, expected, atol=1e-12)


@pytest.mark.parametrize(("channels", "tiled"), [(252, False), (256, True)])
def test_wide_convolutions_by_tiles_round_no_more_than_direct_ones(channels, tiled):
    state, weights = inputs(1, 8, 8, channels, dtype=torch.float32), draws().normals((channels, 3, 3, channels))
    extended = sn._pad(state.stacked[:, 0], 1, "periodic").permute(0, 3, 1, 2)
    exact, direct = (
        torch.nn.functional.conv2d(extended.to(dtype), weights.permute(0, 3, 1, 2).to(dtype)).permute(0, 2, 3, 1)
        for dtype in (torch.float64, torch.float32)
    )
    found = sn.apply_linear(state, weights.float(), padding="periodic").stacked[:, 0]
    assert torch.equal(found, direct) != tiled
    # Rounding 2,300 products at random gives about 1e-6.
    assert float((found - exact).norm() / exact.norm()) < 2e-6


# Scales


@given(st.integers(-50, 50))
@settings(max_examples=20)
def test_the_scale_of_the_noise_does_not_change_the_sensitivity_by_a_bit(exponent):
    net = dataclasses.replace(NET, norm="batch")
    start = inputs(16, 1, 1, 9, dtype=torch.float32)
    scaled = sn.stack_inputs(start.stacked[0], start.stacked[1] * 2.0**exponent)
    one, other = (push(net, state, 30, dtype=torch.float32) for state in (start, scaled))
    assert torch.equal(one.stacked, other.stacked)
    assert moments(one).sensitivity_over(moments(start)) == pytest.approx(
        moments(other).sensitivity_over(moments(scaled)), rel=1e-12
    )


def test_rescaling_rounds_nothing():
    state = inputs(4, 2, 2, 3)
    state = sn.SignalAndNoise(state.stacked * torch.tensor([1e-15, 1e15]).view(2, 1, 1, 1, 1), state.log_scales)
    before = state.stacked.clone()
    after = sn.rescale(state, signal=True)
    factors = torch.exp2((after.log_scales / math.log(2)).round())
    assert torch.equal(after.stacked * factors.view(2, 1, 1, 1, 1), before)
    roots = after.stacked.flatten(1).square().mean(1).sqrt()
    assert ((roots <= math.sqrt(2)) & (roots >= math.sqrt(0.5))).all()


def test_the_sensitivity_may_exceed_the_range_of_float32():
    # Of all nets here, tanh after batch normalisation amplifies noise fastest.
    net = dataclasses.replace(NET, norm="batch", activation="tanh", width=32)
    start = inputs(64, 1, 1, 32, dtype=torch.float32)
    chi = moments(push(net, start, 1500, dtype=torch.float32)).sensitivity_over(moments(start))
    assert 1e39 < chi < math.inf


def test_activations_may_exceed_the_range_of_float32():
    # With He's gain the mean square doubles in every unit of an unnormalised resnet: here to roughly 2^400 or more.
    net = dataclasses.replace(NET, arch="residual", width=64)
    state = push(net, inputs(8, 1, 1, 64, dtype=torch.float32), 400, dtype=torch.float32)
    assert moments(state).log_nu2_signal == pytest.approx(400 * math.log(2), rel=0.1)


def test_scales_do_not_change_a_homogeneous_net_with_biases():
    # The reference, a float64 net without scales, is exact to round-off; a bias is added on the scale of the signal.
    net = dataclasses.replace(NET, bias=0.7, gain=0.5)
    start = inputs(5, 1, 1, 7)
    source = draws()
    signal = true_tensors(first_layer(net, start, source))[0][:, 0, 0].numpy()
    for _ in range(20):
        weights = source.normals((12, 1, 1, 12)).numpy()[:, 0, 0].T * math.sqrt(0.5 / 12)
        signal = np.maximum(signal @ weights + 0.7 * source.normals((12,)).numpy(), 0)
    # The exponential of the scale is float32.
    np.testing.assert_allclose(true_tensors(push(net, start, 20))[0][:, 0, 0], signal, rtol=1e-5)


# Random parameters


def check_uniform(shares):
    assert kstest(shares, "uniform").pvalue > 1e-3


def test_hyperball_weights_are_uniform_in_a_ball():
    net = dataclasses.replace(NET, init="hyperball", width=3, gain=2.0, bias=0.5)
    source = draws()
    # With unit vectors as noise, the layer's output noise is its weights.
    units = sn.stack_inputs(*[torch.eye(3, dtype=torch.float64).view(3, 1, 1, 3)] * 2)
    weights = torch.cat([next(next_layer(net, units, source))[1].stacked[1][:, 0, 0] for _ in range(2000)], dim=1)
    # The share of the ball's volume within a vector's length.
    check_uniform((weights.norm(dim=0) / math.sqrt(2.0 * 5 / 3)).pow(3))
    # The tolerance is five standard errors of 18,000 weights.
    assert float(weights.square().mean()) == pytest.approx(2 / 3, rel=0.04)


def test_hyperball_biases_are_uniform_on_an_interval():
    net = dataclasses.replace(NET, init="hyperball", width=5000, bias=0.5)
    start = sn.stack_inputs(*torch.ones((2, 2, 1, 1, 5000)))
    _, linear = next(next_layer(net, start, draws(dtype=torch.float32)))
    # Signal and noise start equal. The bias shifts only the signal, equally for each input.
    biases = (linear.stacked[0] - linear.stacked[1]).view(2, 5000)
    torch.testing.assert_close(biases[0], biases[1])
    check_uniform((biases[0] / (math.sqrt(3) * 0.5) + 1) / 2)
    _, unbiased = next(next_layer(dataclasses.replace(net, bias=0), start, draws(dtype=torch.float32)))
    assert torch.equal(unbiased.stacked[0], unbiased.stacked[1])


def test_scales_and_shifts_after_a_normalisation_are_uniform_in_a_disc():
    net = dataclasses.replace(NET, init="hyperball", norm="batch", width=20000)
    state = inputs(3, 1, 1, 1).stacked.expand(2, 3, 1, 1, 20000)
    source = draws(dtype=torch.float64)
    branch = next_layer(dataclasses.replace(net, arch="residual"), sn.SignalAndNoise(state, torch.zeros(2)), source)
    _, normalized = next(branch)
    plain = sn.batch_normalize(sn.SignalAndNoise(state, torch.zeros(2)))
    scales = (normalized.stacked[1] / plain.stacked[1])[0, 0, 0]
    shifts = (normalized.stacked[0] - scales * plain.stacked[0])[0, 0, 0]
    # The share of the disc's area within a pair's distance.
    check_uniform((scales.square() + shifts.square()) / 4)
    assert float(scales.square().mean()) == pytest.approx(1, rel=0.03)
    # The tolerance is five standard errors.
    assert float((scales * shifts).mean()) == pytest.approx(0, abs=5 * math.sqrt(2 / 3 / 20000))


def test_subtracting_the_skip_gives_the_branch_on_the_scales_of_the_sum():
    start, branch = inputs(3, 1, 1, 4, seed=1), inputs(3, 1, 1, 4, seed=2)
    end = sn.add_branch(start, branch)
    scaled = sn.SignalAndNoise(end.stacked / 4, end.log_scales + math.log(4))
    np.testing.assert_allclose(true_tensors(sn.subtract_skip(start, scaled)), branch.stacked, rtol=1e-6, atol=1e-6)
