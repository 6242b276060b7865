"""Runs inside and outside the scope of a theorem, which its claim takes for its own runs."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import compress

import numpy as np
import pandas as pd

from reproduce.claims.claim import Claim
from reproduce.config.plan import Plan
from reproduce.jobs.frames import grids_of_spec
from reproduce.records.datasets import Dataset
from reproduce.tables.table import Table
from small_runs import data_for, points_of

# Changes of a spec, or a function that returns them.
Changes = Mapping[str, object] | Callable[[dict], Mapping[str, object]]


@dataclass(frozen=True)
class Scope:
    """Changes of specs with which a theorem holds, and with which it does not.

    outside: changes on top of those inside.
    longer: changes with which learning lasts thirty times as long, if the test of what is inside has no time for it.
    seeds: the number of runs at each point.
    data: the data sets that these runs read; if omitted, small random ones.
    factors: metric → factor on its values, by which the claim's size exceeds that of these runs.
    """

    inside: Changes
    outside: Changes
    longer: Changes | None = None
    seeds: int = 1
    data: Callable[[str], list[Dataset]] | None = None
    factors: Mapping[str, float] = field(default_factory=dict)


def multiply(**factors: float) -> Callable[[dict], dict]:
    return lambda spec: {name: factor * spec[name] for name, factor in factors.items()}


def tables_of(plan: Plan, claim: Claim, scope: Scope, where: str) -> dict[str, Table]:
    """Return tables of the claim's runs with changes of their specs, labelled with the values that the claim names.

    where: inside, outside or longer, as in `Scope`
    """
    changes = {"inside": [scope.inside], "outside": [scope.inside, scope.outside], "longer": [scope.longer]}[where]
    tables = {}
    for experiment in {each.experiment for each in claim.measure.selections}:
        selections = [each for each in claim.measure.selections if each.experiment == experiment]
        named = {name for each in selections for name in each.wanted}
        run = import_module(f"deepnets.experiments.{experiment}.run").run
        data = scope.data(where) if scope.data else data_for(run)
        points = points_of(plan, experiment)
        all_runs = Table(
            pd.DataFrame([point.axes for point in points]), grids_of_spec(json.loads(plan.table_spec(experiment)))
        )
        chosen = np.any([each.matches(all_runs) for each in selections], axis=0)
        frames, grids, seen = [], [], []
        for point in compress(points, chosen):
            others = {name: value for name, value in point.axes.items() if name != "seed"}
            if others in seen:
                continue
            seen.append(others)
            for number in range(scope.seeds):
                spec = {**json.loads(point.spec), "seed": point.axes["seed"] + number}
                for each in changes:
                    changed = each(spec) if callable(each) else each
                    assert changed.keys() <= spec.keys(), f"{experiment} has no {changed.keys() - spec.keys()}"
                    spec |= changed
                axes = {name: others[name] if name in others and name in named else spec[name] for name in point.axes}
                rows = pd.DataFrame(run(spec, *data).columns()).assign(**axes)
                rows["value"] *= rows["metric"].map(scope.factors).astype(float).fillna(1)
                frames.append(rows)
                grids.append({"axes": {name: [value] for name, value in axes.items()}, "settings": point.settings})
        tables[experiment] = Table(pd.concat(frames, ignore_index=True), grids)
    return tables
