"""Runs of document 002: what they record, and what they refuse."""

import dataclasses
import math

import numpy as np
import pytest
import torch
import yaml
from conftest import ROOT
from small_net import NET, inputs, pushed
from snakemake.utils import update_config

from workflow.deepnets.config.plan import Plan
from workflow.deepnets.errors import UserError
from workflow.deepnets.experiments.propagation import run
from workflow.deepnets.networks.moments import effective_ranks, moments
from workflow.deepnets.records.datasets import Dataset

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


def test_tails_are_those_of_the_signal_before_the_activation(dataset):
    spec = {**SPEC, "width": 512, "depth": 1, "batch": 100}
    # A sum over many channels is normal: ν₁|·|/√ν₂ = √(2/π), behind ReLU it would be 1/√π.
    np.testing.assert_allclose(metric(spec, dataset, "nu1_abs_signal")[2], math.sqrt(2 / math.pi), rtol=0.05)


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
