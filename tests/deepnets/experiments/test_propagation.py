import dataclasses
from functools import partial

import numpy as np
import pytest
import torch

from deepnets.experiments.propagation.run import run
from deepnets.networks.moments import effective_ranks, moments, principal_coordinates
from deepnets.networks.signal_and_noise import stack_inputs
from deepnets.theory.sensitivity import first_norm_increment
from reproduce.errors import UserError
from small_net import NET, effective_rank, inputs, plain_layer, push, sensitivity, variance
from small_runs import made_once, metric_of, small_cifar10

SPEC = {
    **dataclasses.asdict(NET),
    **{"experiment": "propagation", "depth": 6, "batch": 10, "seed": 0, "simulations": 2, "device": "cpu"},
    **{"record_first": 6, "record_evenly": 1, "cloud_depths": [], "dataset": "mnist"},
}


metric = partial(metric_of, run)


dataset = made_once(small_cifar10)


def test_increments_multiply_to_the_sensitivity(dataset):
    steps, simulations, chi = metric(SPEC, dataset, "chi")
    increments = metric(SPEC, dataset, "delta_chi")[2].reshape(2, 6)
    chi = chi.reshape(2, 7)
    assert list(steps[:7]) == list(range(7))
    assert list(simulations) == [0] * 7 + [1] * 7
    # Moments are float32 sums, and the state before a layer is measured a second time, after rescaling.
    np.testing.assert_allclose(chi[:, 1:] / chi[:, :-1], increments, rtol=1e-6)


@pytest.mark.parametrize(
    ("first", "evenly", "clouds", "expected"), [(2, 3, [], [1, 2, 4, 6]), (0, 2, [0, 5], [3, 5, 6]), (1, 1, [], [1, 6])]
)
def test_first_evenly_spaced_and_cloud_layers_are_recorded_as_if_all_were(dataset, first, evenly, clouds, expected):
    spec = {**SPEC, "record_first": first, "record_evenly": evenly, "cloud_depths": clouds}
    assert sorted(set(metric(spec, dataset, "delta_chi")[0])) == expected
    every, _, values = metric(SPEC, dataset, "chi")
    steps, _, found = metric(spec, dataset, "chi")
    assert sorted(set(steps)) == [0, *expected]
    np.testing.assert_array_equal(found, values[np.isin(every, steps)])


def plain_first_layer(spec, dataset):
    """Return inputs, the state after the first linear layer in plain NumPy, and the source of further normals."""
    rng = np.random.default_rng([spec["seed"], 0])
    images = dataset["digits" if spec["dataset"] == "mnist" else "images"]
    signal = images[rng.choice(len(images), size=spec["batch"], replace=False)].astype(float)
    kernel, width, (_, colours, side, _) = spec["kernel"], spec["width"], images.shape
    # One scale for all digits; otherwise one per colour, and in fully connected nets one per pixel.
    axes = None if colours == 1 else 0 if kernel == 1 else (0, 2, 3)
    signal = (signal - signal.mean(axes, keepdims=True)) / signal.std(axes, keepdims=True)
    generator = torch.Generator().manual_seed(int(rng.integers(2**62)))

    def normals(*shape):
        return torch.randn(shape, generator=generator).numpy().astype(float)

    if kernel == 1:
        signal, pixels = signal.reshape(len(signal), -1), images[0].size
        noise = normals(spec["batch"], 1, 1, pixels).reshape(-1, pixels)
        weights = normals(width, 1, 1, pixels).reshape(width, -1).T / np.sqrt(pixels)
        return (signal, noise), (signal @ weights, noise @ weights), normals
    pair = signal.transpose(0, 2, 3, 1), normals(spec["batch"], side, side, colours)
    weights = normals(width, kernel, kernel, colours) / kernel / np.sqrt(colours)
    # The stride is two and the padding periodic.
    shifts = [(i, j) for i in range(kernel) for j in range(kernel)]
    layers = [
        sum(np.roll(x, (1 - i, 1 - j), (1, 2))[:, ::2, ::2] @ weights[:, i, j].T for i, j in shifts) for x in pair
    ]
    return [x.reshape(-1, colours) for x in pair], [x.reshape(-1, width) for x in layers], normals


def he_weights(normals):
    """Return a function that draws a matrix (inputs, outputs)."""
    return lambda: normals(12, 1, 1, 12).reshape(12, 12).T * np.sqrt(2 / 12)


def check_metrics(spec, dataset, step, expected):
    columns = run({**spec, "simulations": 1}, dataset).columns()
    rows = zip(columns["step"], columns["metric"], columns["value"], strict=True)
    found = {name: value for at, name, value in rows if at == step and name in expected}
    assert found == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("kernel", [1, 3])
@pytest.mark.parametrize("name", ["cifar10", "mnist"])
def test_the_first_layer_equals_that_of_plain_numpy(dataset, kernel, name):
    spec = {**SPEC, "kernel": kernel, "depth": 1, "dataset": name}
    pixels, (x, dx), _ = plain_first_layer(spec, dataset)
    expected = {
        "chi": sensitivity(x, dx) / sensitivity(*pixels),
        "log_nu2_signal": np.log(np.mean(x**2)),
        "log_mu2_signal": np.log(variance(x)),
        "log_mu2_noise": np.log(variance(dx)),
        "effective_rank_signal": effective_rank(x),
        "effective_rank_noise": effective_rank(dx),
    }
    check_metrics(spec, dataset, 0, expected)


def before_activation(z):
    """Return the metrics of the signal before the activation."""
    centred, active = z - z.mean(axis=0), np.maximum(z, 0)
    # Of passing or stopping a channel, take the one with less error.
    left = sum(min(np.sum((active[:, c] - z[:, c]) ** 2), np.sum(active[:, c] ** 2)) for c in range(z.shape[1]))
    return {
        "mu4_signal": np.mean(centred**4) / variance(z) ** 2,
        "nu1_abs_signal": np.abs(z).mean() / np.sqrt(np.mean(z**2)),
        "active_share": (z > 0).mean(),
        "linear_residual": left / np.sum(active**2),
    }


@pytest.mark.parametrize("norm", ["none", "batch"])
def test_a_feedforward_layer_equals_that_of_plain_numpy(dataset, norm):
    spec = {**SPEC, "norm": norm, "depth": 1}
    _, start, normals = plain_first_layer(spec, dataset)
    linear, z, end = plain_layer("feedforward", norm, start, he_weights(normals))
    expected = {
        "delta_chi_linear": sensitivity(*linear) / sensitivity(*start),
        **({"delta_chi_bn": sensitivity(*z) / sensitivity(*linear)} if norm == "batch" else {}),
        "delta_chi_activation": sensitivity(*end) / sensitivity(*z),
        "delta_chi": sensitivity(*end) / sensitivity(*start),
        **before_activation(z[0]),
        "effective_rank_signal": effective_rank(end[0]),
        "effective_rank_noise": effective_rank(end[1]),
    }
    check_metrics(spec, dataset, 1, expected)


def test_a_residual_branch_equals_that_of_plain_numpy(dataset):
    spec = {**SPEC, "arch": "residual", "norm": "batch", "depth": 1}
    _, start, normals = plain_first_layer(spec, dataset)
    z, inside, outside, *_, branch, end = plain_layer("residual", "batch", start, he_weights(normals))
    expected = {
        "delta_chi_bn": sensitivity(*z) / sensitivity(*start),
        "delta_chi_activation": sensitivity(*inside) / sensitivity(*z),
        "delta_chi_linear": sensitivity(*outside) / sensitivity(*inside),
        "delta_chi_layer": sensitivity(*outside) / sensitivity(*start),
        "delta_chi": sensitivity(*end) / sensitivity(*start),
        **before_activation(z[0]),
        "effective_rank_signal_branch": effective_rank(inside[0]),
        "effective_rank_noise_branch": effective_rank(inside[1]),
        "variance_share_branch": variance(branch[0]) / variance(end[0]),
        "effective_rank_signal": effective_rank(end[0]),
        "effective_rank_noise": effective_rank(end[1]),
    }
    check_metrics(spec, dataset, 1, expected)


@pytest.mark.parametrize("name", ["cifar10", "mnist"])
def test_the_first_normalisation_follows_from_the_covariance_of_patches(dataset, name):
    spec = {**SPEC, "arch": "residual", "norm": "batch", "kernel": 3, "depth": 1, "width": 1000, "simulations": 1}
    spec["dataset"] = name
    (x, _), *_ = plain_first_layer(spec, dataset)
    x = x.reshape(10, *dataset["digits" if name == "mnist" else "images"].shape[2:], -1)
    shifts = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    patches = np.concatenate([np.roll(x, shift, (1, 2))[:, ::2, ::2] for shift in shifts], axis=3)
    eigenvalues = np.linalg.eigvalsh(np.cov(patches.reshape(-1, patches.shape[3]).T))
    expected = first_norm_increment(eigenvalues)
    assert metric(spec, dataset, "delta_chi_bn_in_theory")[2] == pytest.approx([expected], rel=1e-3)
    assert metric(spec, dataset, "delta_chi_bn")[2] == pytest.approx([expected], rel=0.03)


@pytest.mark.parametrize("norm", ["none", "batch"])
def test_a_finite_noise_is_added_to_the_inputs_of_the_same_net(dataset, norm):
    # The error is recorded only in the first two layers, not at step 3.
    spec = {**SPEC, "norm": norm, "depth": 3, "record_first": 2, "cloud_depths": [0, 2, 3]}
    _, (x, dx), normals = plain_first_layer(spec, dataset)
    corrupted = x + 1e-3 * dx, dx
    state = x, dx
    for _ in range(2):
        weights = he_weights(normals)()
        state, corrupted = (
            list(plain_layer("feedforward", norm, each, lambda weights=weights: weights))[-1]
            for each in (state, corrupted)
        )
    linear = 1e-3 * state[1]
    error = np.linalg.norm(corrupted[0] - state[0] - linear) / np.linalg.norm(linear)
    steps, simulations, found = metric(spec, dataset, "finite_noise_error")
    assert (list(steps), list(simulations)) == ([2], [0])
    assert found == pytest.approx([error], rel=1e-2, abs=1e-3)


def test_clouds_show_the_first_simulation(dataset):
    spec = {**SPEC, "cloud_depths": [0, 6]}
    steps, points, _ = metric(spec, dataset, "cloud_signal_1")
    assert list(steps) == [0] * 10 + [6] * 10
    assert list(points) == [*range(10), *range(10)]
    # The cloud has all ten points after the first linear layer.
    _, (x, dx), _ = plain_first_layer(spec, dataset)
    state = stack_inputs(*(torch.from_numpy(part).view(10, 1, 1, 12) for part in (x, dx)))
    for kind, expected in zip(("signal", "noise"), principal_coordinates(state, 10), strict=True):
        for axis in (1, 2):
            found = metric(spec, dataset, f"cloud_{kind}_{axis}")[2][:10]
            np.testing.assert_allclose(found, expected[:, axis - 1], rtol=1e-3, atol=1e-4)


def test_settings_for_reproducible_products_on_a_gpu_are_on(dataset):
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.deterministic = False
    run({**SPEC, "depth": 1, "simulations": 1}, dataset)
    assert (torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32) == (False, False)
    assert torch.backends.cudnn.deterministic


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_missing_gpu_is_refused_with_a_message(dataset):
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
        end = push(net, start, 10, dtype=torch.float32, device=device)
        measured.append([*dataclasses.astuple(moments(end)), *effective_ranks(end.stacked)])
    # Ten layers amplify float32 rounding, since χ > 1.
    np.testing.assert_allclose(*measured, rtol=1e-4)
