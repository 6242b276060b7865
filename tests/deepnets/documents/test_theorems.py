"""Each theorem holds in runs inside the scope of its sentence; its own measure and criterion refuse runs outside it.

The claim's own runs are repeated with changes of their specs that the claim does not see. Runs inside are smaller, and
learning lasts thirty times as long; runs outside also leave the scope.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module

import pandas as pd
import pytest

from entries import PACKAGE, entries_of
from reproduce.claims.claim import Claim
from reproduce.claims.criteria import NOT_REPRODUCED, REPRODUCED
from reproduce.claims.judging import row_of
from reproduce.records.datasets import Dataset
from reproduce.tables.table import Table
from small_runs import data_for, noisy_images, points_of, whitened_digits

THEOREMS = {
    each.name: each
    for room in PACKAGE.rooms_in("documents")
    for each in entries_of(room)
    if isinstance(each, Claim) and each.kind == "theorem"
}
# Changes of a spec, or a function that returns them.
Changes = Mapping[str, object] | Callable[[dict], Mapping[str, object]]


@dataclass(frozen=True)
class Scope:
    """Changes of specs with which a theorem holds, and with which it does not.

    outside: changes on top of those inside.
    seeds: the number of runs at each point.
    data: the data sets that these runs read; if omitted, small random ones.
    factors: metric → factor on its values, by which the claim's size exceeds that of these runs.
    """

    inside: Changes
    outside: Changes
    seeds: int = 1
    data: Callable[[str], list[Dataset]] | None = None
    factors: Mapping[str, float] = field(default_factory=dict)


def _multiply(**factors: float) -> Callable[[dict], dict]:
    return lambda spec: {name: factor * spec[name] for name, factor in factors.items()}


# 31 epochs of nets that are wider than their 14 inputs.
_SMALL_ZERO = {"width": 24, "batch": 16, "steps": 400, "record_every": 5, "rank_tolerance": 1e-5}
_COMPLETION = {"recorded_values": 5, "duality_gap": 0.5}
_SMALL_FLOW = {**_COMPLETION, "size": 8, "entries": 40, "learning_rate": 0.01, "steps": 10_000}
SCOPES = {
    "covariances_suffice": Scope(
        {"steps": 3000, "record_product_at": [0, 1, 100, 3000]},
        # The document's printed rule changes a matrix before it computes the gradient of the next.
        lambda spec: {"rule": {"samples": "covariance_in_place"}.get(spec["rule"], spec["rule"])},
        data=lambda _: [whitened_digits(60)],
    ),
    "theorem_1": Scope(_SMALL_ZERO, {"init": "zero"}, data=lambda _: [noisy_images(14)], factors={"rank": 784 / 14}),
    "rank_below_784": Scope(
        _SMALL_ZERO,
        {},
        data=lambda where: [noisy_images(14, black=range(10, 14) if where == "inside" else ())],
        factors={"rank": 784 / 14},
    ),
    "orthogonal_linear_exponent": Scope({"simulations": 2, "depth": 32}, {"init": "gaussian"}, seeds=6),
    "gaussian_linear_exponent": Scope({"simulations": 2}, {"init": "orthogonal", "simulations": 1}, seeds=6),
    "stable_rate_exponent_of_relu_nets": Scope(
        {"simulations": 10, "depth": 8}, {"simulations": 2, "depth": 32, "width": 16}, seeds=6
    ),
    "linear_drift_is_proportional_to_rate": Scope({"records": 1}, _multiply(learning_rate=30), seeds=4),
    "relu_drift_is_proportional_to_rate": Scope({"records": 1, "width": 30}, _multiply(learning_rate=30), seeds=5),
    "closed_form_holds": Scope(_multiply(learning_rate=2, duration=30), {"imbalance": 300, "duration": 6}),
    "unequal_layers_learn_exponentially": Scope({"duration": 180}, {"learning_rate": 0.05}),
    "without_factors_nothing_is_completed": Scope(
        {**_COMPLETION, "size": 30, "entries": 180, "steps": 30_000},
        {"depth": 2, "learning_rate": 0.5, "steps": 3000},
        seeds=4,
    ),
    "singular_value_flow": Scope({**_SMALL_FLOW, "records": 101}, {"learning_rate": 0.3, "steps": 1000}),
    "tree_spectrum": Scope({"steps": 1}, {"features": 50}, seeds=10),
    # With fewer features, singular values and therefore stable rates change.
    "derivative_is_zero_at_the_solution": Scope(
        {"features": 1000, "learning_rate": 31.6, "steps": 7500, "record_rsm_every": 25}, {"steps": 150}
    ),
    "hyperbola_is_conserved": Scope({"steps": 120_000, "record_every": 1000}, {"starts": [[30, 30.5]], "steps": 4000}),
    "ends_of_learning": Scope(
        {"steps": 120_000, "record_every": 1000}, {"starts": [[-1.7, 1.7001], [-1.7, 1.7]], "steps": 4000}
    ),
    "balanced_half_times": Scope({}, {"initial_strength": 20}),
    "laws_of_random_matrices": Scope({"size": 60}, {"gain": 1.2}),
    "products_preserve_norms_on_average": Scope({"size": 30}, {"gain": 1.1}),
    "gradients_vanish_below_1": Scope({"size": 60}, {"init": "gaussian"}),
    "variance_dies_below_1": Scope({"size": 50}, {"gain": 0.95}),
}


def _tables(plan, claim: Claim, scope: Scope, where: str) -> dict[str, Table]:
    """Return tables of the claim's runs inside or outside the scope, labelled with the values that the claim names."""
    tables = {}
    for experiment in {each.experiment for each in claim.measure.selections}:
        selections = [each for each in claim.measure.selections if each.experiment == experiment]
        named = {name for each in selections for name in each.wanted}
        run = import_module(f"deepnets.experiments.{experiment}.run").run
        data = scope.data(where) if scope.data else data_for(run)
        frames, grids, seen = [], [], []
        for point in points_of(plan, experiment):
            grid = {"axes": {name: [value] for name, value in point.axes.items()}, "settings": point.settings}
            table = Table(pd.DataFrame([point.axes]), [grid])
            others = {name: value for name, value in point.axes.items() if name != "seed"}
            if others in seen or not any(each.matches(table).any() for each in selections):
                continue
            seen.append(others)
            for number in range(scope.seeds):
                spec = {**json.loads(point.spec), "seed": point.axes["seed"] + number}
                for changes in (scope.inside, scope.outside)[: 1 + (where == "outside")]:
                    spec |= changes(spec) if callable(changes) else changes
                axes = {name: others[name] if name in others and name in named else spec[name] for name in point.axes}
                rows = pd.DataFrame(run(spec, *data).columns()).assign(**axes)
                rows["value"] *= rows["metric"].map(scope.factors).astype(float).fillna(1)
                frames.append(rows)
                grids.append({**grid, "axes": {name: [value] for name, value in axes.items()}})
        tables[experiment] = Table(pd.concat(frames, ignore_index=True), grids)
    return tables


def test_each_theorem_has_a_scope():
    assert SCOPES.keys() == THEOREMS.keys()


@pytest.mark.parametrize("name", SCOPES)
def test_a_theorem_holds_inside_its_scope_and_not_outside(name, default_plan):
    claim, scope = THEOREMS[name], SCOPES[name]
    assert row_of(claim, _tables(default_plan, claim, scope, "inside"))["verdict"] == REPRODUCED
    assert row_of(claim, _tables(default_plan, claim, scope, "outside"))["verdict"] == NOT_REPRODUCED


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in THEOREMS if "drift" in name])
def test_a_drift_holds_thirty_times_as_long(name, default_plan):
    # Takes 20 s: larger rates would leave the scope.
    claim, longer = THEOREMS[name], Scope({"duration": 300, "records": 1}, {}, seeds=2)
    assert row_of(claim, _tables(default_plan, claim, longer, "inside"))["verdict"] == REPRODUCED
