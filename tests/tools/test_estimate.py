import json

import pandas as pd
import pytest
import yaml
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from snakemake.utils import update_config

from workflow.deepnets.config.plan import Plan
from workflow.deepnets.errors import UserError
from workflow.deepnets.experiments.propagation import run as propagation
from workflow.deepnets.experiments.zero_init import run as zero_init
from workflow.deepnets.tools.estimate import Measured, as_markdown, costs_of

GPU_RATE = 1e12


def work(spec):
    return spec["steps"] * spec["width"] ** 2


def timings_of(*rows):
    """Runs with so many steps at such a width: processor seconds, seconds of mathematics."""
    return pd.DataFrame(
        {
            "spec": json.dumps({"experiment": "x", "steps": steps, "width": width, **more}),
            "cpu_s": cpu,
            "mathematics_s": mathematics,
        }
        for steps, width, more, cpu, mathematics in rows
    )


MEASURED = timings_of((10, 8, {}, 3.0, 2.0), (10, 800, {}, 101.0, 100.0))


def test_a_run_that_was_measured_takes_what_it_took():
    cost = Measured(MEASURED, work).cost(MEASURED["spec"][0], GPU_RATE)
    assert (cost.cpu_s, cost.gpu_s, cost.basis) == (3.0, 0.0, "measured")


@given(steps=st.integers(1, 10**6))
def test_mathematics_grows_with_the_operations_and_start_up_does_not(steps):
    spec = json.dumps({"experiment": "x", "steps": steps, "width": 800, "seed": 1})
    cost = Measured(MEASURED, work).cost(spec, GPU_RATE)
    nearest = 100.0 / work({"steps": 10, "width": 800})
    assert cost.cpu_s == pytest.approx(1 + nearest * work({"steps": steps, "width": 800}))
    assert cost.basis == "scaled"


def test_an_experiment_that_counts_no_operations_takes_its_mean():
    assert Measured(MEASURED, None).cost('{"experiment":"x"}', GPU_RATE).cpu_s == 52


def test_a_gpu_that_was_not_measured_is_assumed_and_a_measured_one_is_scaled():
    spec = json.dumps({"experiment": "x", "steps": 20, "width": 1000, "device": "cuda"})
    cost = Measured(MEASURED, work).cost(spec, GPU_RATE)
    assert cost.gpu_s == cost.cpu_s == pytest.approx(1 + 2e7 / GPU_RATE)
    assert cost.basis == "assumed"
    measured = pd.concat([MEASURED, timings_of((10, 1000, {"device": "cuda"}, 5.0, 4.0))], ignore_index=True)
    cost = Measured(measured, work).cost(spec, GPU_RATE)
    assert cost.gpu_s == pytest.approx(1 + 8)
    assert cost.basis == "scaled"


def test_a_gpu_says_nothing_of_a_cpu():
    measured = timings_of((10, 8, {"device": "cuda"}, 3.0, 2.0))
    with pytest.raises(UserError, match="no run of x was measured on cpu"):
        Measured(measured, work).cost(
            json.dumps({"experiment": "x", "steps": 1, "width": 8, "device": "cpu"}), GPU_RATE
        )


def paper_sized(config):
    update_config(config, yaml.safe_load((ROOT / "configs/paper_size.yaml").read_text()))
    return Plan(config)


def timings_of_default(config):
    plan = Plan(config)
    runs = [(point.axes["experiment"], point.spec) for point in plan.points.values()]
    others = [(part, "") for part in ("tables", "claims", "figures", "interactive", "page", "data")]
    timings = pd.DataFrame(runs + others, columns=["part", "spec"])
    return timings.assign(cpu_s=3.0, mathematics_s=2.0)


def test_the_paper_s_size_is_estimated_job_by_job(config):
    timings = timings_of_default(config)
    plan = paper_sized(config)
    costs = pd.DataFrame(
        [{"part": part, **vars(cost)} for part, cost in costs_of(plan, timings, GPU_RATE)],
    )
    assert len(costs) == len(plan.points) + sum(
        not path.endswith((".png", ".svg")) for path in plan.results.keys() - plan.points
    )
    assert ((costs["gpu_s"] > 0) == (costs["part"] == "propagation")).all()
    # 100 seeds of each of the paper's four figures.
    assert (costs["part"] == "propagation").sum() > 400
    # Documents 000, 001 and 003 stay as they were measured.
    unchanged = costs[costs["part"].isin(["classifier", "mnist_dynamics", "hierarchy", "regression"])]
    assert (unchanged["basis"] == "measured").all()
    assert as_markdown(costs).splitlines()[-1].startswith(f"| all | {len(costs)} |")


def test_an_experiment_that_was_never_measured_is_named(config):
    timings = timings_of_default(config)
    with pytest.raises(UserError, match="holds no job of zero_init"):
        list(costs_of(Plan(config), timings[timings["part"] != "zero_init"], GPU_RATE))
    with pytest.raises(UserError, match="holds no job of data"):
        list(costs_of(Plan(config), timings[timings["part"] != "data"], GPU_RATE))


def test_operations_of_a_convolutional_simulation():
    # Of the literature: 24 TFLOP, two for a multiply-add, at 512 channels, 64 images and 200 layers.
    spec = dict(arch="feedforward", kernel=3, width=512, batch=64, depth=200, simulations=1)
    assert 2 * propagation.operations(spec) == pytest.approx(24e12, rel=0.05)


def test_operations_of_a_network_without_ranks():
    spec = dict(width=100, depth=3, batch=2, steps=7, record_every=1e12)
    assert zero_init.operations(spec) == pytest.approx(3 * 7 * 2 * (784 * 784 + 784 * 100 + 100 * 10))
