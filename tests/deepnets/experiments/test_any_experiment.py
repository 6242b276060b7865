"""Laws of all experiments: any number at its ends, divergence as a result, and the same values for the same seed."""

import copy
import json
import re
from functools import reduce
from importlib import import_module
from operator import getitem

import numpy as np
import pandas as pd
import pytest
from snakemake.utils import update_config

from config_schema import SCHEMA, cases, parts_of
from conftest import ROOT, default_config, tiny_config
from default_tables import claims_of, default_tables, judge
from entries import EXPERIMENTS, LEDGERS
from reproduce.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE
from reproduce.claims.judging import FAULT
from reproduce.config.check import needs_of, resolve
from reproduce.config.experiments import refuse_beyond
from reproduce.config.grids import grids_of
from reproduce.errors import UserError
from reproduce.tables.table import Table
from small_runs import data_for

# The plan accepts larger counts, but their runs would take hours.
MOST = 100
# For numbers without a bound.
SMALLEST, LARGEST = 1e-12, 1e300


def one_grid(experiment):
    """Return a config of one grid of an experiment, at the size of tests/tiny.yaml and for MNIST of 200 images."""
    # The plan does not know how many images the source `auto` gives.
    config = tiny_config() | {"data": default_config()["data"], "only": [experiment]}
    block = config["experiments"][experiment]
    name = next(name for name, grid in block["grids"].items() if grid is not None)
    grid = block.pop("defaults", {})
    update_config(grid, block["grids"][name])
    block["grids"] = {name: grid}
    return config


def spec_of(config, experiment):
    grids = grids_of(experiment, resolve(config)[experiment])
    refuse_beyond(experiment, grids, needs_of)
    return json.loads(next(point for grid in grids.values() for point in grid.points()).spec)


def run_of(experiment):
    """Return the function of an experiment, which takes only a spec: it reads small data sets."""
    run = import_module(f"deepnets.experiments.{experiment}.run").run
    return lambda spec: run(spec, *data_for(run)).columns()


def ends_in(value, fragment, path=()):
    """Yield (path, number) for both ends of each number of a block, as its schema allows them."""
    part, *_ = cases(fragment)
    if part.get("type") in ("integer", "number") and "enum" not in part and value is not None:
        unbounded = part["type"] == "number"
        least = SMALLEST if "exclusiveMinimum" in part else part.get("minimum", -LARGEST if unbounded else None)
        most = part.get("maximum", LARGEST if unbounded else None)
        yield from ((path, end) for end in (least, most) if end is not None)
    elif not isinstance(value, list):
        for key, each, below in parts_of(value, fragment):
            yield from ends_in(each, below, (*path, key))


@pytest.mark.parametrize("experiment", EXPERIMENTS)
@pytest.mark.filterwarnings("ignore")
def test_a_number_at_its_end_is_refused_with_its_path_or_runs(experiment):
    config, run = one_grid(experiment), run_of(experiment)
    schema = SCHEMA["$defs"]["Experiments"]["properties"][experiment]
    ends = list(ends_in(config["experiments"][experiment], schema))
    assert ends
    for path, end in ends:
        edited, key = copy.deepcopy(config), path[-1]
        reduce(getitem, path[:-1], edited["experiments"][experiment])[key] = end
        try:
            spec = spec_of(edited, experiment)
            # More images than the stub has are refused at once; each source of CIFAR-10 has as many as the limit.
            refused = key in ("batch", "images") and experiment != "propagation"
            if isinstance(end, float) or end <= MOST or refused:
                values = run(spec)["value"]
                # At numbers without a bound, theory may leave the finite numbers too.
                assert len(values) and (abs(end) in (SMALLEST, LARGEST) or np.isfinite(values).all())
        except UserError as error:
            # A message on several keys names the one that was changed.
            assert f"experiments.{experiment}" in str(error) and (key in str(error) or f"{end:g}" in str(error)), path
        except Exception as error:
            raise AssertionError(f"{'.'.join(path)}: {end:g}: {type(error).__name__}: {error}") from error


TWO_LAYERS = {"depth": 2, "init": "xavier_normal", "replay": {"depths": [2], "repetitions": 1}}
# Changes of a run that let it leave the finite numbers, by experiment.
BEYOND = {
    "balancedness": [{"learning_rate": 1e3, "duration": 1e5}],
    "beyond_edge": [{"scale": 1e9}],
    "classifier": [{**TWO_LAYERS, "learning_rate": 1e6}],
    "hierarchy": [{"depth": depth, "learning_rate": 1e6, "scale": 1} for depth in (1, 2, 3)],
    "largest_rate": [{"activation": "relu", "init": "gaussian", "width": 2}],
    "learning_time": [
        {"rates": {"lowest": 1e3, "highest": 1e6, "count": 3, "lag": None}},
        {"init": "pretrained", "deviation": 100},
    ],
    "matrix_completion": [{"depth": depth, "learning_rate": 1e6, "steps": 300, "records": 301} for depth in (1, 3)],
    "mixed_dynamics": [{"learning_rate": 1e3}],
    "mnist_dynamics": [
        {"rule": rule, "learning_rate": 1e6, "steps": 100} for rule in ("samples", "covariance", "covariance_in_place")
    ],
    "mnist_modes": [{"learning_rate": 1e5, "scale": 1}],
    "mode_dynamics": [
        {"activation": name, "learning_rate": 1e30, "initial_strength": 1} for name in ("linear", "tanh")
    ],
    "one_neuron": [{"step_size": 1e9}],
    "phase_portrait": [{"learning_rate": 50}],
    "propagation": [
        # Instance normalisation over one position has no variance, so the signal becomes 0; neither has a single input.
        {"arch": "feedforward", "norm": "instance", "kernel": 1},
        {"arch": "residual", "norm": "instance", "kernel": 1},
        {"batch": 1, "kernel": 1},
    ],
    "saddle_to_saddle": [{"learning_rate": 10}],
    "spectra": [
        {"gain": 1e100, "activation": "linear", "depth": 4, "record": ["variance"]},
        {"gain": 1e5, "activation": "tanh", "input_variances": [1e9]},
    ],
    "unequal_layers": [{"learning_rate": 1e3, "duration": 1e5}],
    "zero_init": [
        {"init": "random", "learning_rate": 1e6, "steps": 40, "record_every": 1},
        {"init": "random", "learning_rate": 3e38, "bias": 100},
        # Beyond the range of float32.
        {"learning_rate": 1e39},
        {"bias": 1e39},
    ],
}


@pytest.mark.parametrize(("experiment", "changes"), [(name, each) for name, every in BEYOND.items() for each in every])
def test_divergence_is_recorded_at_its_step_and_ends_a_run(experiment, changes):
    columns = run_of(experiment)({**spec_of(one_grid(experiment), experiment), **changes})
    rows = pd.DataFrame(columns)
    (step,) = set(rows.loc[rows["metric"] == "diverged", "step"])
    assert np.isfinite(rows["value"]).all()
    # Theory may be finite for longer.
    simulated = rows[~rows["metric"].str.contains("theory|predicted|formula")]
    assert simulated["step"].max() == step


@pytest.mark.parametrize("experiment", BEYOND)
def test_no_claim_is_judged_by_nets_that_diverged(experiment):
    rows = pd.DataFrame(run_of(experiment)({**spec_of(one_grid(experiment), experiment), **BEYOND[experiment][-1]}))
    found = default_tables()[experiment]
    tables = {**default_tables(), experiment: Table(found.points.merge(rows, how="cross"), found.grids)}
    reading = [
        each
        for document in LEDGERS
        for each in claims_of(document)
        if any(selection.experiment == experiment for selection in each.measure.selections)
    ]
    verdicts = {row.claim: row.verdict for row in judge(reading, tables) if FAULT not in row.remark}
    # It judges whether nets diverge.
    assert verdicts == {each.name: NOT_TESTABLE for each in reading} | (
        {"sliders_are_stable": NOT_REPRODUCED} if experiment == "hierarchy" else {}
    )


# Initialisations that draw numbers, where the first run of an experiment has another.
DRAWN = {"classifier": TWO_LAYERS, "learning_time": {"init": "orthogonal"}}


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_a_run_is_a_function_of_its_spec_and_seeds_draw_different_numbers(experiment):
    run, spec = run_of(experiment), spec_of(one_grid(experiment), experiment) | DRAWN.get(experiment, {})
    first, again, other = (run({**spec, "seed": seed}) for seed in (spec["seed"], spec["seed"], spec["seed"] + 1))
    assert first.keys() == again.keys()
    assert all(np.array_equal(first[name], again[name]) for name in first)
    # The others draw nothing.
    draws = '"seed"' in (ROOT / f"workflow/deepnets/experiments/{experiment}/run.py").read_text(encoding="utf-8")
    assert draws != np.array_equal(first["value"], other["value"])


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize(
    ("experiment", "start"),
    [("mnist_modes", {"scale": 0.3, "steps": 400}), ("mode_dynamics", {"initial_strength": 0.1, "steps": 400})],
)
def test_only_two_layers_have_a_closed_form(experiment, start, depth):
    spec = spec_of(one_grid(experiment), experiment)
    two, other = ({*run_of(experiment)({**spec, **start, "depth": each})["metric"]} for each in (2, depth))
    assert {metric for metric in two if re.match("theory|predicted", metric)} == two - other and "half_time" in other
