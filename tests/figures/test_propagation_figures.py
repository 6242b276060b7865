"""The figures of document 002 are drawn from any part of the config, diverged runs included."""

import inspect

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import yaml
from conftest import ROOT

from workflow.deepnets.config.plan import Plan
from workflow.deepnets.experiments.propagation import run
from workflow.deepnets.figures import propagation as figures
from workflow.deepnets.records.datasets import Dataset

# Every axis and setting that a run reads, at a size of milliseconds.
SMALL = {"width": 8, "groups": 4, "depth": 4, "batch": 6, "simulations": 2, "record_first": 1, "record_evenly": 4}
FIGURES = [
    function
    for name, function in inspect.getmembers(figures, inspect.isfunction)
    if function.__module__ == figures.__name__ and not name.startswith("_")
]


@pytest.fixture(autouse=True)
def off_screen():
    matplotlib.use("Agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def dataset():
    images = np.random.default_rng(0).integers(0, 256, (50, 784)).astype(np.uint8)
    return Dataset({"train_images": images}, "full", "")


def table_of(specs, dataset):
    tables = []
    for spec in specs:
        rows = pd.DataFrame(run(spec, dataset).columns())
        axes = ("depth", "init", "arch", "activation", "norm", "gain", "bias", "width", "kernel", "batch", "seed")
        tables.append(rows.assign(**{axis: spec[axis] for axis in axes}))
    return pd.concat(tables, ignore_index=True)


@pytest.fixture(scope="module")
def small(dataset):
    """One seed of every net of the default config."""
    return table_of(specs_of_default_config(), dataset)


def specs_of_default_config():
    plan = Plan(yaml.safe_load((ROOT / "config.yaml").read_text()))
    specs = {}
    for point in plan.points.values():
        if point.axes["experiment"] == "propagation" and point.axes["seed"] == 0:
            cloud = [depth for depth in (0, 4) if point.settings["cloud_depths"]]
            width = SMALL["width"] * (1 + (point.axes["width"] > 128))
            spec = {**point.settings, **point.axes, **SMALL, "width": width, "cloud_depths": cloud}
            # Nets that differ in size alone become one.
            specs[str(sorted((axis, value) for axis, value in spec.items() if axis != "cloud_depths"))] = spec
    return specs.values()


@pytest.mark.parametrize("draw", FIGURES)
def test_figure_of_every_net(draw, small):
    figure = draw(small)
    figure.canvas.draw()
    assert all(axis.has_data() for axis in figure.axes)


@pytest.mark.parametrize("draw", FIGURES)
@pytest.mark.parametrize("arch", ["feedforward", "residual", "neither"])
def test_figure_of_a_part(draw, arch, small):
    draw(small[small["arch"] == arch]).canvas.draw()


@pytest.mark.parametrize("draw", FIGURES)
def test_figure_of_diverged_runs(draw, dataset):
    # Instance normalisation of one position leaves no signal; filed here as the document's three nets.
    spec = {**next(iter(specs_of_default_config())), "arch": "feedforward", "kernel": 1, "norm": "instance"}
    diverged = table_of([spec], dataset)
    assert "diverged" in set(diverged["metric"])
    named = [
        diverged.assign(arch=arch, norm=norm)
        for arch, norm in (("feedforward", "none"), ("feedforward", "batch"), ("residual", "batch"))
    ]
    draw(pd.concat(named)).canvas.draw()
