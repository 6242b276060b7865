"""Runs inside and outside the scope of a theorem or a main result, which its claim takes for its own runs."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import compress

import numpy as np
import pandas as pd

from default_tables import default_tables
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
    """Changes of specs with which a statement holds, and with which it does not.

    inside: None if the default config's runs are those inside, since smaller ones would not do.
    outside: changes on top of those inside.
    longer: changes with which learning lasts thirty times as long, if the test of what is inside has no time for it.
    seeds: the number of runs at each point.
    data: the data sets that these runs read; if omitted, small random ones.
    factors: metric → factor on its values, by which the claim's size exceeds that of these runs.
    """

    inside: Changes | None
    outside: Changes
    longer: Changes | None = None
    seeds: int = 1
    data: Callable[[str], list[Dataset]] | None = None
    factors: Mapping[str, float] = field(default_factory=dict)


class Recorded:
    """Other runs of the default config in the place of a claim's own: they have its labels, and are outside its scope.

    swaps: the axes of the rows that go, and how the axes of the rows that come instead differ from these; None if no
    rows come. An axis may have a list of values if it does not differ. `step` is an axis here.
    """

    inside = None

    def __init__(self, experiment: str, *swaps: tuple[Mapping[str, object], Mapping[str, object] | None]) -> None:
        self.experiment, self.swaps = experiment, swaps

    def outside(self) -> dict[str, Table]:
        """Return the default tables with other rows."""
        table = default_tables()[self.experiment]

        def matches(axes: Mapping[str, object]) -> np.ndarray:
            return np.all([table.frame[name].isin(np.atleast_1d(value)) for name, value in axes.items()], axis=0)

        parts = [table.frame[~np.any([matches(go) for go, _ in self.swaps], axis=0)]]
        for go, other in self.swaps:
            if other is not None:
                come = table.frame[matches({**go, **other})]
                assert len(come), f"no run of {self.experiment} has {other}"
                parts.append(come.assign(**{name: go[name] for name in other}))
        return {**default_tables(), self.experiment: Table(pd.concat(parts, ignore_index=True), table.grids)}


def multiply(**factors: float) -> Callable[[dict], dict]:
    return lambda spec: {name: factor * spec[name] for name, factor in factors.items()}


def tables_of(plan: Plan, claim: Claim, scope: Scope | Recorded, where: str) -> dict[str, Table]:
    """Return tables of the claim's runs with changes of their specs, labelled with the values that the claim names.

    where: inside, outside or longer, as in `Scope`
    """
    if where == "inside" and scope.inside is None:
        return default_tables()
    if isinstance(scope, Recorded):
        return scope.outside()
    changes = {"inside": [scope.inside], "outside": [scope.inside or {}, scope.outside], "longer": [scope.longer]}[
        where
    ]
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
