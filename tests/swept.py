"""Tables of random small configs: grids are dropped, any axis is swept, and settings are at their limits.

The experiments really run, in milliseconds each. Their records are cached between examples.
"""

import itertools
import json
from functools import cache
from importlib import import_module

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from conftest import default_config
from reproduce.config.check import resolve
from reproduce.records.datasets import Dataset
from reproduce.tables.table import Table

CONFIG = resolve(default_config())
# Values of each axis in a sweep, by experiment.
VALUES = {
    "classifier": {
        **{"data_seed": [0, 1, 5], "depth": [1, 2, 3, 4], "init": ["xavier_normal", "zeros"]},
        **{"scale": [1e-4, 0.3, 1, 1000], "rank": [0, 1, 2, 3], "learning_rate": [0.001, 1, 30, 1e9]},
        **{"target_loss": [0.01, 0.5, 1e9]},
    },
    "mnist_dynamics": {"depth": [1, 2, 3], "rule": ["covariance", "samples", "covariance_in_place"]},
    "learning_time": {
        "depth": [2, 3, 5],
        "init": ["decoupled", "orthogonal", "gaussian", "small_gaussian", "pretrained"],
        "width": [10, 12],
    },
    "input_correlations": {},
    "hierarchy": {
        **{"dataset": ["plain", "shark", "fungi"], "depth": [1, 2, 3]},
        **{"init": ["fan_sum_normal", "fan_in_uniform"], "scale": [1e-12, 1e-3, 1, 10]},
        **{"learning_rate": [0.5, 15, 40, 1e6]},
    },
    "phase_portrait": {},
    "mode_dynamics": {"depth": [1, 2, 3], "init": ["normal", "decoupled"], "activation": ["linear", "tanh"]},
    "mnist_modes": {"depth": [1, 2, 3], "init": ["row_normalized", "orthogonal"], "scale": [1e-3, 0.1, 1]},
    "regression": {},
    "matrix_completion": {
        **{"depth": [1, 2, 3, 4], "init": ["gaussian", "identity"], "scale": [1e-3, 0.1, 1]},
        **{"rank": [1, 2, 4], "entries": [1, 10, 16]},
    },
    "zero_init": {
        **{"width": [2, 4, 8, 16], "depth": [4, 5]},
        **{"init": ["zero", "partial_identity", "random", "one", "spray"], "bias": [0, 0.01, 0.5]},
    },
    "propagation": {
        **{"arch": ["feedforward", "residual"], "norm": ["none", "batch", "layer", "group", "instance"]},
        **{"activation": ["relu", "tanh"], "init": ["normal", "hyperball"], "gain": [1e-3, 1, 2]},
        **{"bias": [0, 0.3], "width": [4, 8], "kernel": [1, 3], "batch": [1, 4, 6], "depth": [1, 2, 9]},
    },
    "spectra": {
        **{"depth": [1, 2, 3, 9], "init": ["gaussian", "orthogonal"], "size": [1, 2, 7]},
        **{"gain": [1e-9, 0.5, 1, 1.5, 1e200], "activation": ["linear", "tanh"]},
    },
    "largest_rate": {
        **{"depth": [4, 5, 9], "init": ["gaussian", "orthogonal"], "activation": ["relu", "linear"]},
        **{"width": [3, 8, 9], "batch": [1, 2, 5]},
    },
    "balancedness": {"depth": [2, 3], "activation": ["linear", "relu"], "learning_rate": [0.01, 0.1, 10]},
    "unequal_layers": {"imbalance": [0, 0.1, 5], "learning_rate": [0.01, 0.5, 2]},
}
# Settings of an experiment.
SETTINGS = {
    "classifier": {"dimension": [2, 3, 5], "classes": [2, 3, 11], "samples": [2, 20], "max_steps": [1, 12]},
    "mnist_dynamics": {
        **{"hidden": [3], "steps": [1, 12], "learning_rate": [0.1, 1e200]},
        **{"record_product_at": [[], [0], [0, 1, 5]]},
    },
    "learning_time": {
        **{"threshold": [0.01, 0.5, 0.999], "hold": [0, 3], "max_steps": [1, 60]},
        **{"initial_strength": [0.001, 10], "deviation": [0.01, 10]},
        **{"pretraining": [{"learning_rate": 0.5, "max_steps": 40}]},
    },
    "input_correlations": {"images": [1, 20]},
    "hierarchy": {
        **{"levels": [1, 2, 3], "branches": [2, 3], "flip_probability": [0, 0.15, 1], "features": [1, 40]},
        **{"hidden": [1, 6], "steps": [1, 60], "recorded_features": [1, 10]},
    },
    "phase_portrait": {
        **{"singular_value": [0.5, 1], "learning_rate": [0.1, 1e200], "steps": [1, 60]},
        **{"record_every": [1, 100], "starts": [[[1.5, -1.5]], [[0.1, 0.2], [2, 0], [-1, 0.5]]]},
    },
    "mode_dynamics": {
        **{"levels": [1, 3], "branches": [2], "flip_probability": [0, 0.1], "features": [1, 40]},
        **{"data_seed": [0], "hidden": [8], "learning_rate": [0.005, 1e200], "initial_strength": [1e-3, 100]},
        **{"steps": [1, 150], "record_every": [1, 20], "recorded_modes": [[1], [1, 2]]},
    },
    "mnist_modes": {"hidden": [3], "learning_rate": [0.5, 1e200]},
    "regression": {
        **{"inputs": [1, 3], "outputs": [1, 3, 9], "samples": [3, 37], "weight_bound": [1, 10]},
        **{"noise": [0, 0.1]},
    },
    "zero_init": {
        **{"steps": [1, 5], "batch": [4], "learning_rate": [0.1, 1e30]},
        **{"decay": [{"epochs": 1, "factor": 0.7}], "record_every": [1, 50], "rank_tolerance": [1e-4]},
    },
    "matrix_completion": {"size": [4], "recorded_values": [1, 10], "duality_gap": [1e-3]},
    "propagation": {"device": ["cpu"], "padding": ["periodic"], "groups": [2]},
    "spectra": {},
    "largest_rate": {"simulations": [1, 2]},
    "balancedness": {
        **{"inputs": [1, 3], "width": [1, 4], "outputs": [1, 2], "samples": [1, 5]},
        **{"duration": [10, 12], "records": [1, 9]},
    },
    "unequal_layers": {"initial_strength": [0.01, 0.8], "duration": [2, 6], "records": [1, 9]},
}
# Settings of a grid.
GRID_SETTINGS = {
    "classifier": {
        "replay": [{"depths": [1, 2, 3], "repetitions": 2}],
        "record_every": [1, 10],
        "record_data": [False, True],
    },
    "hierarchy": {"record_rsm_every": [1, 50]},
    "matrix_completion": {"learning_rate": [0.1, 1, 1e9], "steps": [1, 12], "records": [2, 7]},
    "learning_time": {
        "rates": [
            {"lowest": 0.125, "highest": 2, "count": 5, "lag": None},
            {"lowest": 10, "highest": 1e6, "count": 2, "lag": 1.5},
        ]
    },
    "mode_dynamics": {"simulations": [1, 3]},
    "mnist_modes": {"steps": [1, 100], "record_every": [1, 30]},
    "propagation": {
        **{"simulations": [1, 2], "record_first": [0, 2], "record_evenly": [1, 4]},
        **{"cloud_depths": [[], [0], [0, 2, 9]]},
    },
    "spectra": {
        "realizations": [1, 3],
        "input_variances": [[1], [0.5, 3]],
        "record": [["variance"], ["spectrum"], ["variance", "mean_log_singular_value", "spectrum"]],
    },
}
POINTS_OF_A_GRID = 6


@st.composite
def configs(draw, experiment):
    """A random block of the config for one experiment: {"axes": …, "settings": …} of each grid that is not dropped."""
    shared = {name: draw(st.sampled_from(values)) for name, values in SETTINGS[experiment].items()}
    grids = []
    for default in CONFIG[experiment]["grids"].values():
        # If there are many grids, more of them are dropped to save time.
        if draw(st.integers(0, 3)) < (2 if len(CONFIG[experiment]["grids"]) > 10 else 1):
            continue
        axes = {axis: draw(_axis(default["axes"][axis], values)) for axis, values in VALUES[experiment].items()}
        fixed = {axis: _listed(value) for axis, value in default["axes"].items() if axis not in (*axes, "seeds")}
        seeds = draw(st.sampled_from([[0], [0, 1], [1, 2]]))
        own = {name: draw(st.sampled_from(values)) for name, values in GRID_SETTINGS.get(experiment, {}).items()}
        if experiment == "hierarchy":
            own["data"] = _data(draw, default["data"], shared)
        grids.append({"axes": {**fixed, **_thinned(axes)}, "seeds": seeds, "settings": {**shared, **own}})
    return grids


def table_of(experiment, grids):
    """Return the table of an experiment as `aggregate` joins it, without settings.

    If grids share a point, the first one runs it.
    """
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
    whitened = ("mnist_dynamics", "mnist_modes", "learning_time")
    mnist = ("zero_init", "propagation", "input_correlations", "largest_rate")
    data = [_whitened] if experiment in whitened else [_mnist] if experiment in mnist else []
    run = import_module(f"deepnets.experiments.{experiment}.run").run
    measured = run({**axes, **settings}, *(read() for read in data))
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


def _listed(value):
    return value if isinstance(value, list) else [value]


def _axis(default, values):
    """Return a strategy for an axis: the document's values, or one or several values of a sweep."""
    kept = [value for value in _listed(default) if value in values] or values[-1:]
    several = st.lists(st.sampled_from(values), min_size=1, max_size=3, unique=True)
    return st.one_of(st.just(kept), st.just(kept), several)


def _thinned(axes):
    """Return the axes with few points: from the last axis on, each is reduced to one value until they are few."""
    for axis in reversed(axes):
        if np.prod([len(values) for values in axes.values()]) > POINTS_OF_A_GRID:
            axes[axis] = axes[axis][:1]
    return axes


def _data(draw, default, shared):
    """Draw the data of a grid of `hierarchy`; added features and items fit the tree."""
    if len(default) == 1:
        return default
    items = shared["branches"] ** shared["levels"]
    added = draw(st.lists(st.sampled_from([-1, 1]), min_size=items, max_size=items))
    return {**default, "added_feature": added, "illusory_item": draw(st.integers(0, items - 1))}
