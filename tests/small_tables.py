"""Tables of small experiments that really run. Some settings are missing in their grids."""

import inspect
import itertools
import json
from functools import cache
from importlib import import_module

import numpy as np
import pandas as pd

from reproduce.records.datasets import Dataset
from reproduce.tables.table import Table

HIERARCHY = {"levels": 2, "branches": 2, "flip_probability": 0.15, "features": 40, "hidden": 6, "steps": 60}
HIERARCHY |= {"recorded_features": 10, "data": {"draw": 0}}
RATES, SCALES = [0.5, 2, 1e6], [1e-3, 0.1, 1]


def hierarchy(**changed):
    """Return runs of a small tree: rates (the largest diverges) and scales, and one setting with more similarities."""
    axes = {"dataset": ["plain"], "depth": [2], "init": ["fan_sum_normal"]}
    sliders = {**axes, "block": ["sliders"], "scale": SCALES, "learning_rate": RATES}
    main = {**axes, "block": ["main"], "scale": [0.1], "learning_rate": [2]}
    settings = {**HIERARCHY, **changed}
    return table_of(
        "hierarchy",
        [
            {"axes": sliders, "seeds": [3], "settings": {**settings, "record_rsm_every": 30}},
            {"axes": main, "seeds": [3, 4], "settings": {**settings, "record_rsm_every": 1}},
        ],
    )


def mnist_dynamics():
    """Return runs of two update rules at two depths; one rule is not run at one depth."""
    settings = {"hidden": 3, "steps": 12, "learning_rate": 0.1, "record_product_at": list(range(13))}
    axes = {"init": ["row_normalized"]}
    return table_of(
        "mnist_dynamics",
        [
            {"axes": {**axes, "rule": ["covariance"], "depth": [2, 3]}, "seeds": [0, 1, 2], "settings": settings},
            {"axes": {**axes, "rule": ["samples"], "depth": [2]}, "seeds": [0], "settings": settings},
        ],
    )


def propagation():
    """Return runs of a net with clouds at two layers, and of a net with fewer layers and no clouds."""
    shared = {"activation": ["relu"], "init": ["normal"], "gain": [2], "bias": [0], "kernel": [1], "width": [8]}
    settings = {"device": "cpu", "padding": "periodic", "groups": 2, "simulations": 4}
    vanilla = {**shared, "block": ["vanilla"], "arch": ["feedforward"], "norm": ["none"], "batch": [6], "depth": [9]}
    resnet = {**shared, "block": ["bn_res"], "arch": ["residual"], "norm": ["batch"], "batch": [6], "depth": [4]}
    recorded = {"record_first": 0, "record_evenly": 9}
    return table_of(
        "propagation",
        [
            {"axes": vanilla, "seeds": [0, 1], "settings": {**settings, **recorded, "cloud_depths": [0, 3]}},
            {"axes": resnet, "seeds": [0], "settings": {**settings, **recorded, "cloud_depths": []}},
        ],
    )


def zero_init():
    """Return runs of two widths of one init, one width of a second init, and a block that repeats a point."""
    settings = {"steps": 5, "batch": 4, "learning_rate": 0.1, "decay": {"epochs": 1, "factor": 0.7}}
    settings |= {"record_every": 2, "rank_tolerance": 1e-4}
    axes = {"depth": [4], "bias": [0.01]}
    return table_of(
        "zero_init",
        [
            {
                "axes": {**axes, "block": ["widths"], "init": ["partial_identity"], "width": [4, 16]},
                "seeds": [1, 2],
                "settings": settings,
            },
            {
                "axes": {**axes, "block": ["inits"], "init": ["partial_identity", "zero"], "width": [16]},
                "seeds": [1, 2],
                "settings": settings,
            },
        ],
    )


def table_of(experiment, grids):
    """Return the table of an experiment as `aggregate` joins it. If grids share a point, the first one runs it."""
    runs = {}
    for grid in grids:
        for values in itertools.product(*grid["axes"].values(), grid["seeds"]):
            axes = dict(zip((*grid["axes"], "seed"), values, strict=True))
            runs.setdefault(json.dumps(axes, sort_keys=True), (axes, grid["settings"]))
    frames = [_run(experiment, json.dumps([axes, settings])).assign(**axes) for axes, settings in runs.values()]
    names = ["depth", "init", *sorted(set(frames[0]) - {"experiment", "depth", "init", *MEASURED}), *MEASURED]
    rows = pd.concat(frames, ignore_index=True)[["experiment", *names]]
    return Table.by_hand(rows.astype(dict.fromkeys(rows.select_dtypes(exclude="number"), "category")))


MEASURED = ("seed", "step", "metric", "index", "value")


@cache
def _run(experiment, spec):
    axes, settings = json.loads(spec)
    run = import_module(f"deepnets.experiments.{experiment}.run").run
    measured = run({**axes, **settings}, *data_for(run))
    return pd.DataFrame(measured.columns()).assign(experiment=experiment)


@cache
def _mnist():
    generator = np.random.default_rng(0)
    arrays = {}
    for part, count in (("train", 20), ("test", 8)):
        arrays[f"{part}_images"] = generator.integers(0, 256, (count, 784)).astype(np.uint8)
        arrays[f"{part}_labels"] = generator.integers(0, 10, count).astype(np.uint8)
    return Dataset(arrays)


@cache
def _whitened():
    generator = np.random.default_rng(0)
    arrays = {}
    for part, count in (("", 40), ("test_", 8)):
        arrays[f"{part}inputs"] = generator.standard_normal((count, 6))
        arrays[f"{part}labels"] = (np.arange(count) % 10).astype(np.uint8)
    return Dataset(arrays)


def data_for(run):
    """Return the data sets that a run function takes after the spec: 20 images in place of MNIST."""
    made = {"mnist": _mnist, "whitened": _whitened}
    return [made[name]() for name in list(inspect.signature(run).parameters)[1:]]
