"""Signal and noise through random nets: the mathematics of document 002 against exact identities and plain NumPy."""

import dataclasses
import math

import numpy as np
import pytest
import torch
import yaml
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from snakemake.utils import update_config

from workflow.deepnets import signal_and_noise as sn
from workflow.deepnets.datasets import Dataset
from workflow.deepnets.errors import UserError
from workflow.deepnets.experiments.propagation import run
from workflow.deepnets.plan import Plan
from workflow.deepnets.propagation_moments import effective_ranks, largest_eigenvalue, moments, tails
from workflow.deepnets.propagation_theory import (
    NORMAL_INCREMENT,
    log_diffusion,
    power_law_exponent,
    power_law_factor,
    residual_increment,
)
from workflow.deepnets.random_nets import Architecture, Draws, end_of_layer, first_layer, next_layer

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
SPEC = {
    **dataclasses.asdict(NET),
    "experiment": "propagation",
    "depth": 6,
    "batch": 10,
    "seed": 0,
    "simulations": 2,
    "device": "cpu",
    "record_first": 6,
    "record_evenly": 1,
    "cloud_depths": [],
}


def draws(seed=0, dtype=torch.float64, device="cpu"):
    """The same numbers on every device and in every precision."""
    generator = torch.Generator().manual_seed(seed)

    def normals(shape):
        return torch.randn(shape, generator=generator).to(device, dtype)

    def uniforms(shape):
        return torch.rand(shape, generator=generator).to(device, dtype)

    return Draws(normals, uniforms)


def inputs(*shape, seed=5, dtype=torch.float64, device="cpu"):
    generator = torch.Generator().manual_seed(seed)
    return sn.joined(*(torch.randn(shape, generator=generator).to(device, dtype) for _ in range(2)))


def pushed(net, state, layers, **options):
    source = draws(**options)
    state = first_layer(net, state, source)
    for _ in range(layers):
        state = end_of_layer(net, state, source)
    return state


def true_tensors(state):
    return state.stacked * torch.exp(state.log_scales).view(2, 1, 1, 1, 1).to(state.stacked.dtype)


def metric(spec, dataset, name):
    columns = run(spec, dataset).columns()
    chosen = np.array(columns["metric"]) == name
    return columns["step"][chosen], columns["index"][chosen], columns["value"][chosen]


@pytest.fixture(scope="module")
def dataset():
    generator = np.random.default_rng(0)
    images = generator.integers(0, 256, (300, 784)).astype(np.uint8)
    images[:, :28] = 0
    return Dataset({"train_images": images}, "full", "")


# The derivative


@pytest.mark.parametrize("arch", ["feedforward", "residual"])
@pytest.mark.parametrize("norm", ["none", "layer", "group", "instance"])
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_noise_is_the_derivative_of_the_signal(arch, norm, activation):
    net = dataclasses.replace(NET, arch=arch, norm=norm, activation=activation, kernel=3, bias=0.1, init="hyperball")
    start = inputs(3, 8, 8, 2)
    step = 1e-6
    outputs = [
        true_tensors(pushed(net, sn.joined(start.stacked[0] + sign * step * start.stacked[1], start.stacked[1]), 3))[0]
        for sign in (-1, 1)
    ]
    derivative = true_tensors(pushed(net, start, 3))[1]
    # Central differences: second order in the step, plus round-off of 1e-16 / 1e-6.
    torch.testing.assert_close((outputs[1] - outputs[0]) / (2 * step), derivative, rtol=1e-5, atol=1e-7)


def test_batch_normalisation_leaves_its_statistics_to_the_signal():
    state = inputs(5, 4, 4, 3)
    normalized = sn.batch_normalized(state).stacked
    rows, noise = (part.reshape(-1, 3).numpy() for part in state.stacked)
    deviation = np.sqrt(rows.var(axis=0) + sn.EPSILON)
    np.testing.assert_allclose(normalized[0].reshape(-1, 3), (rows - rows.mean(axis=0)) / deviation, atol=1e-12)
    np.testing.assert_allclose(normalized[1].reshape(-1, 3), noise / deviation, atol=1e-12)


@pytest.mark.parametrize("groups", [1, 3, 12])
def test_group_normalisation_is_torch_s(groups):
    state = inputs(4, 5, 5, 12)
    expected = torch.nn.functional.group_norm(state.stacked[0].permute(0, 3, 1, 2), groups, eps=sn.EPSILON)
    torch.testing.assert_close(sn.group_normalized(state, groups).stacked[0], expected.permute(0, 2, 3, 1))


# Linear operators


@pytest.mark.parametrize(("padding", "mode"), [("periodic", "wrap"), ("symmetric", "symmetric"), ("zero", "constant")])
@pytest.mark.parametrize("kernel", [3, 5])
@pytest.mark.parametrize("stride", [1, 2])
def test_convolution_is_the_sum_over_shifts(padding, mode, kernel, stride):
    state = inputs(2, 6, 6, 3)
    weights = draws().normals((4, kernel, kernel, 3))
    margin = kernel // 2
    around = ((0, 0), (0, 0), (margin, margin), (margin, margin), (0, 0))
    extended = np.pad(state.stacked.numpy(), around, mode=mode)
    expected = sum(
        extended[:, :, i : i + 6 : stride, j : j + 6 : stride] @ weights[:, i, j].numpy().T
        for i in range(kernel)
        for j in range(kernel)
    )
    convolved = sn.linear(state, weights, padding=padding, stride=stride)
    np.testing.assert_allclose(convolved.stacked, expected, atol=1e-12)


def test_a_convolution_of_its_centre_is_fully_connected():
    state = inputs(3, 7, 7, 4)
    weights = torch.zeros((5, 3, 3, 4), dtype=torch.float64)
    weights[:, 1, 1] = draws().normals((5, 4))
    for padding in ("periodic", "symmetric", "zero"):
        convolved = sn.linear(state, weights, padding=padding)
        connected = sn.linear(state, weights[:, 1:2, 1:2], padding=padding)
        torch.testing.assert_close(convolved.stacked, connected.stacked)


def test_one_pixel_images_under_kernel_1_are_vectors():
    state = inputs(6, 1, 1, 9)
    weights = draws().normals((4, 1, 1, 9))
    expected = state.stacked[:, :, 0, 0] @ weights[:, 0, 0].T
    torch.testing.assert_close(sn.linear(state, weights, padding="zero").stacked[:, :, 0, 0], expected)


# Moments


def reference(arch, norm, start, layers):
    """The same net in plain NumPy, without scales: signal and noise behind every layer, (points, channels)."""
    source = draws()
    x, dx = (part.reshape(len(part), -1).numpy() for part in start.stacked)

    def linear(x, dx, n_out, gain):
        weights = source.normals((n_out, 1, 1, x.shape[1])).numpy()[:, 0, 0].T * math.sqrt(gain / x.shape[1])
        return x @ weights, dx @ weights

    def normalized(x, dx):
        deviation = np.sqrt(x.var(axis=0) + 1e-3)
        return (x - x.mean(axis=0)) / deviation, dx / deviation

    def rectified(x, dx):
        return x * (x > 0), dx * (x > 0)

    x, dx = linear(x, dx, NET.width, 1)
    yield x, dx
    for _ in range(layers):
        if arch == "feedforward":
            x, dx = linear(x, dx, NET.width, 2)
            x, dx = rectified(*(normalized(x, dx) if norm == "batch" else (x, dx)))
        else:
            branch = x, dx
            for _ in range(2):
                branch = rectified(*(normalized(*branch) if norm == "batch" else branch))
                branch = linear(*branch, NET.width, 2)
            x, dx = x + branch[0], dx + branch[1]
        yield x, dx


@pytest.mark.parametrize("arch", ["feedforward", "residual"])
@pytest.mark.parametrize("norm", ["none", "batch"])
def test_moments_are_those_of_plain_numpy(arch, norm):
    net = dataclasses.replace(NET, arch=arch, norm=norm)
    start = inputs(20, 1, 1, 7)
    source = draws()
    state = first_layer(net, start, source)
    for layer, (x, dx) in enumerate(reference(arch, norm, start, 8)):
        if layer > 0:
            state = end_of_layer(net, state, source)
        measured = moments(state)
        logs = dataclasses.astuple(measured)
        np.testing.assert_allclose(
            logs, np.log([np.mean(x**2), x.var(axis=0).mean(), dx.var(axis=0).mean()]), atol=1e-9
        )
        ratio = dx.var(axis=0).mean() / x.var(axis=0).mean()
        first_ratio = np.divide(*(part.numpy().reshape(20, -1).var(axis=0).mean() for part in start.stacked[[1, 0]]))
        assert measured.sensitivity_over(moments(start)) == pytest.approx(math.sqrt(ratio / first_ratio), rel=1e-9)
        for values, part in zip((x, dx), state.stacked, strict=True):
            eigenvalues = np.linalg.eigvalsh(np.cov(values.T, ddof=0))
            assert effective_ranks((part)[None])[0] == pytest.approx(eigenvalues.sum() / eigenvalues[-1], rel=1e-6)
        centred = x - x.mean(axis=0)
        fourth = np.mean(centred**4) / np.mean(centred**2) ** 2
        assert tails(state.stacked[0]) == pytest.approx((fourth, np.abs(x).mean() / np.sqrt(np.mean(x**2))), rel=1e-9)


def test_moments_over_several_blocks():
    values = torch.randn((2, 700, 1, 1, 513), generator=torch.Generator().manual_seed(0))
    state = sn.SignalAndNoise(values + 3, torch.zeros(2, dtype=torch.float64))
    rows = values.double() + 3
    expected = (rows[0].square().mean(), rows[0].var(0, correction=0).mean(), rows[1].var(0, correction=0).mean())
    # Sums over blocks of float32.
    np.testing.assert_allclose(dataclasses.astuple(moments(state)), np.log(expected), atol=1e-6)


# Effective rank


def test_effective_rank_of_a_line_is_1():
    line = torch.outer(torch.randn(50, generator=torch.Generator().manual_seed(1)), torch.arange(1.0, 21))
    assert effective_ranks((line + 3)[None])[0] == pytest.approx(1, abs=1e-5)


def test_effective_rank_of_an_isotropic_signal_is_its_dimension():
    points = torch.cat([torch.eye(30), -torch.eye(30)])
    assert effective_ranks((points)[None])[0] == pytest.approx(30, rel=1e-6)


@given(st.integers(0, 2**31), st.integers(2, 40), st.integers(2, 40), st.floats(1e-3, 1e3))
@settings(max_examples=30, deadline=None)
def test_effective_rank_lies_between_1_and_the_rank_at_any_scale(seed, points, channels, scale):
    values = torch.randn((points, channels), generator=torch.Generator().manual_seed(seed))
    rank = effective_ranks((values)[None])[0]
    assert rank * (1 + 1e-6) >= 1
    assert rank <= min(points - 1, channels) * (1 + 1e-5)
    assert effective_ranks((scale * values)[None])[0] == pytest.approx(rank, rel=1e-4)


@pytest.mark.parametrize("rank", [1, 3, 400])
def test_lanczos_finds_the_largest_eigenvalue(rank):
    factors = torch.randn((300, rank), generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    matrix = factors @ factors.T
    assert float(largest_eigenvalue(matrix)) == pytest.approx(float(torch.linalg.eigvalsh(matrix)[-1]), rel=1e-6)


# Scales


@given(st.integers(-50, 50))
@settings(max_examples=20, deadline=None)
def test_noise_of_another_scale_gives_the_same_sensitivity_to_the_bit(exponent):
    net = dataclasses.replace(NET, norm="batch")
    start = inputs(16, 1, 1, 9, dtype=torch.float32)
    scaled = sn.joined(start.stacked[0], start.stacked[1] * 2.0**exponent)
    one, other = (pushed(net, state, 30, dtype=torch.float32) for state in (start, scaled))
    assert torch.equal(one.stacked, other.stacked)
    assert moments(one).sensitivity_over(moments(start)) == pytest.approx(
        moments(other).sensitivity_over(moments(scaled)), rel=1e-12
    )


def test_rescaling_rounds_nothing():
    state = inputs(4, 2, 2, 3)
    state = sn.SignalAndNoise(state.stacked * torch.tensor([1e-15, 1e15]).view(2, 1, 1, 1, 1), state.log_scales)
    before = state.stacked.clone()
    after = sn.rescaled(state, signal=True)
    factors = torch.exp2((after.log_scales / math.log(2)).round())
    assert torch.equal(after.stacked * factors.view(2, 1, 1, 1, 1), before)
    roots = after.stacked.flatten(1).square().mean(1).sqrt()
    assert ((roots <= math.sqrt(2)) & (roots >= math.sqrt(0.5))).all()


def test_sensitivity_beyond_the_range_of_float32():
    # tanh behind batch normalisation amplifies noise faster than anything else here.
    net = dataclasses.replace(NET, norm="batch", activation="tanh", width=32)
    start = inputs(64, 1, 1, 32, dtype=torch.float32)
    chi = moments(pushed(net, start, 1500, dtype=torch.float32)).sensitivity_over(moments(start))
    assert 1e39 < chi < math.inf


def test_activations_beyond_the_range_of_float32():
    # He's gain doubles the mean square with every unit of an unnormalised resnet: 2^400 here, at the least roughly.
    net = dataclasses.replace(NET, arch="residual", width=64)
    state = pushed(net, inputs(8, 1, 1, 64, dtype=torch.float32), 400, dtype=torch.float32)
    assert moments(state).log_nu2_signal == pytest.approx(400 * math.log(2), rel=0.1)


def test_scales_leave_a_homogeneous_net_with_biases_as_it_is():
    # A bias is added on the scale of the signal: in float64 the unscaled net is exact to round-off.
    net = dataclasses.replace(NET, bias=0.7, gain=0.5)
    start = inputs(5, 1, 1, 7)
    source = draws()
    signal = true_tensors(first_layer(net, start, source))[0][:, 0, 0].numpy()
    for _ in range(20):
        weights = source.normals((12, 1, 1, 12)).numpy()[:, 0, 0].T * math.sqrt(0.5 / 12)
        signal = np.maximum(signal @ weights + 0.7 * source.normals((12,)).numpy(), 0)
    # The exponential of the carried scale is float32.
    np.testing.assert_allclose(true_tensors(pushed(net, start, 20))[0][:, 0, 0], signal, rtol=1e-5)


# Theory


def test_relu_on_normal_inputs():
    generator = torch.Generator().manual_seed(0)
    signal = torch.randn((1000, 1, 1, 1000), generator=generator)
    state = sn.joined(signal, torch.randn(signal.shape, generator=generator))
    increment = moments(sn.rectified(state)).sensitivity_over(moments(state))
    # A million points: standard error below 0.001 of either variance.
    assert increment == pytest.approx(NORMAL_INCREMENT, rel=3e-3)
    assert pytest.approx(1.2112, abs=5e-5) == NORMAL_INCREMENT


def test_residual_recursion():
    # χ_l² = χ_{l−1}² (l + δ^{2H})/(l + 1): with a branch that adds one part of variance to the l there are.
    units, increment = np.arange(1, 500), 1.17
    recursion = np.sqrt((units + increment**4) / (units + 1))
    np.testing.assert_allclose(residual_increment(units, power_law_exponent(increment)), recursion, rtol=1e-14)
    chi = np.cumprod(recursion)
    tau = power_law_exponent(increment)
    # The product is Γ(l + 1 + 2τ)/Γ(l + 2): its root is a power law for large l.
    assert np.diff(np.log(chi[[198, -1]]))[0] / np.diff(np.log(units[[198, -1]]))[0] == pytest.approx(tau, rel=0.01)
    assert power_law_factor(units, 3 * units**0.4, 0.4) == pytest.approx(3, rel=1e-12)


def test_residual_net_follows_the_recursion():
    net = dataclasses.replace(NET, arch="residual", norm="batch", width=256)
    source = draws(dtype=torch.float32)
    state = first_layer(net, inputs(128, 1, 1, 256, dtype=torch.float32), source)
    errors = []
    for unit in range(1, 31):
        before = moments(state)
        stages = dict(next_layer(net, state, source))
        layer = moments(stages["linear"]).sensitivity_over(before)
        state = stages["end"]
        measured = moments(state).sensitivity_over(before)
        errors.append(measured / residual_increment(unit, power_law_exponent(layer)) - 1)
    # The second layer of a branch is not exactly like its first, and signals of branch and skip are independent in
    # expectation only.
    assert abs(np.mean(errors)) < 0.01


@pytest.mark.parametrize("width", [32, 128])
def test_log_moments_diffuse(width):
    layers, count = 20, 400
    net = dataclasses.replace(NET, width=width)
    changes = []
    for seed in range(count):
        start = inputs(1, 1, 1, width, seed=seed, dtype=torch.float32)
        source = draws(seed=seed, dtype=torch.float32)
        state = first_layer(net, start, source)
        norms = [float(true_tensors(state)[0].square().mean().log())]
        for _ in range(layers):
            state = end_of_layer(net, state, source)
        measured = float(state.stacked[0].square().mean().log()) + 2 * float(state.log_scales[0])
        changes.append(measured - norms[0])
    mean, variance = log_diffusion(layers, width)
    # The logarithm of a mean is expanded to second order: 1/width behind the leading terms.
    assert np.mean(changes) == pytest.approx(mean, abs=4 * math.sqrt(variance / count) + 4 / width * abs(mean))
    assert np.var(changes) == pytest.approx(variance, rel=4 * math.sqrt(2 / count) + 4 / width)


# Random parameters


def test_hyperball_weights_are_uniform_in_a_ball():
    net = dataclasses.replace(NET, init="hyperball", width=3, gain=2.0, bias=0.5)
    source = draws()
    # The layer's image of the unit vectors, as noise, is its weights.
    units = sn.joined(*[torch.eye(3, dtype=torch.float64).view(3, 1, 1, 3)] * 2)
    weights = torch.cat([next(next_layer(net, units, source))[1].stacked[1][:, 0, 0] for _ in range(2000)], dim=1)
    shares = (weights.norm(dim=0) / math.sqrt(2.0 * 5 / 3)).pow(3).sort().values
    # The share of the ball's volume within a weight vector's length is uniform: Kolmogorov's statistic at 1 in 1,000.
    assert (shares - torch.linspace(0, 1, len(shares))).abs().max() < 1.95 / math.sqrt(len(shares))
    # 18,000 weights: five standard errors.
    assert float(weights.square().mean()) == pytest.approx(2 / 3, rel=0.04)


def test_scales_behind_a_normalisation_have_mean_square_1():
    net = dataclasses.replace(NET, init="hyperball", norm="batch", width=20000)
    state = inputs(3, 1, 1, 1).stacked.expand(2, 3, 1, 1, 20000)
    source = draws(dtype=torch.float64)
    branch = next_layer(dataclasses.replace(net, arch="residual"), sn.SignalAndNoise(state, torch.zeros(2)), source)
    _, normalized = next(branch)
    plain = sn.batch_normalized(sn.SignalAndNoise(state, torch.zeros(2)))
    scales = (normalized.stacked[1] / plain.stacked[1])[0, 0, 0]
    assert float(scales.square().mean()) == pytest.approx(1, rel=0.03)
    assert float(scales.abs().max()) <= 2


# Runs


def test_factors_of_an_increment_multiply_to_it(dataset):
    for arch, norm, factors, whole in (
        ("feedforward", "batch", ("linear", "bn", "activation"), "delta_chi"),
        ("feedforward", "none", ("linear", "activation"), "delta_chi"),
        ("residual", "batch", ("bn", "activation", "linear"), "delta_chi_layer"),
    ):
        spec = {**SPEC, "arch": arch, "norm": norm}
        product = math.prod(metric(spec, dataset, f"delta_chi_{name}")[2] for name in factors)
        np.testing.assert_allclose(product, metric(spec, dataset, whole)[2], rtol=1e-12)


def test_increments_add_up_to_the_sensitivity(dataset):
    steps, simulations, chi = metric(SPEC, dataset, "chi")
    increments = metric(SPEC, dataset, "delta_chi")[2].reshape(2, 6)
    chi = chi.reshape(2, 7)
    assert list(steps[:7]) == list(range(7))
    assert list(simulations) == [0] * 7 + [1] * 7
    # Moments are float32 sums; the state before a layer is measured anew after its rescaling.
    np.testing.assert_allclose(chi[:, 1:] / chi[:, :-1], increments, rtol=1e-6)


def test_layers_between_the_recorded_ones_change_nothing(dataset):
    every, some = SPEC, {**SPEC, "record_first": 0, "record_evenly": 2}
    steps, _, values = metric(every, dataset, "chi")
    some_steps, _, some_values = metric(some, dataset, "chi")
    assert sorted(set(some_steps)) == [0, 3, 6]
    np.testing.assert_array_equal(some_values, values[np.isin(steps, [0, 3, 6])])


def test_a_run_is_a_function_of_its_spec(dataset):
    one, again = (run(SPEC, dataset).columns()["value"] for _ in range(2))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, run({**SPEC, "seed": 1}, dataset).columns()["value"])


def test_constant_pixels_carry_no_signal(dataset):
    # 28 of 784 pixels are constant: noise is on all, signal on the others, which are standardised over all images.
    spec = {**SPEC, "width": 784, "batch": 300, "simulations": 1, "depth": 1, "record_first": 1}
    _, _, logs = metric(spec, dataset, "log_mu2_signal")
    # A first layer of gain 1 keeps variances, up to 1/784 of them.
    assert math.exp(logs[0]) == pytest.approx((784 - 28) / 784, rel=0.02)


def test_what_vanishes_is_recorded_as_divergence(dataset):
    # An instance of one position has no variance: its normalised signal is 0.
    for arch in ("feedforward", "residual"):
        columns = run({**SPEC, "arch": arch, "norm": "instance"}, dataset).columns()
        assert columns["metric"].count("diverged") == SPEC["simulations"]


def test_clouds_show_the_first_simulation(dataset):
    spec = {**SPEC, "cloud_depths": [0, 6]}
    steps, points, values = metric(spec, dataset, "cloud_signal_1")
    assert list(steps) == [0] * 10 + [6] * 10
    assert list(points) == [*range(10), *range(10)]
    noise = metric(spec, dataset, "cloud_noise_1")[2]
    assert np.isfinite(values).all() and np.isfinite(noise).all()
    # All points of a batch of ten are shown: the mean square is at most that of the whole.
    assert 0 < np.mean(values[10:] ** 2) <= 1


@pytest.mark.parametrize(
    ("change", "message"),
    [({"batch": 301}, "batch 301 of 300 images"), ({"norm": "group", "groups": 5}, "5 groups of 12 channels")],
)
def test_what_cannot_be_is_refused(dataset, change, message):
    with pytest.raises(UserError, match=message):
        run({**SPEC, **change}, dataset)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_missing_gpu_is_named(dataset):
    with pytest.raises(UserError, match="device: cuda, but torch finds no GPU here"):
        run({**SPEC, "device": "cuda"}, dataset)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("arch", ["feedforward", "residual"])
@pytest.mark.parametrize("kernel", [1, 3])
def test_cpu_equals_cuda(arch, kernel):
    net = dataclasses.replace(NET, arch=arch, norm="batch", kernel=kernel, width=32)
    torch.backends.cudnn.allow_tf32 = False
    measured = []
    for device in ("cpu", "cuda"):
        start = inputs(16, 14, 14, 1, dtype=torch.float32, device=device)
        end = pushed(net, start, 10, dtype=torch.float32, device=device)
        measured.append([*dataclasses.astuple(moments(end)), *effective_ranks(end.stacked)])
    # χ > 1 amplifies rounding: ten layers of float32.
    np.testing.assert_allclose(*measured, rtol=1e-4)


def test_the_paper_s_size_is_a_valid_config(config):
    overriding = yaml.safe_load((ROOT / "configs/paper_size.yaml").read_text())
    update_config(config, overriding)
    plan = Plan(config)
    simulations = {}
    for point in plan.points.values():
        if point.axes["experiment"] == "propagation" and point.axes["width"] != 64 and point.axes["kernel"] == 3:
            net = point.axes["arch"], point.axes["norm"], point.axes["width"]
            simulations[net] = simulations.get(net, 0) + point.settings["simulations"]
    assert simulations == {
        ("feedforward", "none", 128): 10000,
        ("feedforward", "none", 512): 1000,
        ("feedforward", "batch", 512): 1000,
        ("residual", "batch", 512): 1000,
    }
