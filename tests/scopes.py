"""Runs inside and outside the scope of a theorem or a main result, where no step of its reach leaves the scope.

`claim_scopes.py` in the folder of a document's tests has what tests of all documents need to know of this one:

- SCOPES: name → runs inside and outside its scope
- EVERYWHERE: name of a theorem or a main result without runs outside its scope → why there are none
- SILENT: claim → names whose steps change its verdict, and that need no word in its sentence → why
- RELATIVE: a figure whose points depend on all its runs → why
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from runpy import run_path

import numpy as np
import pandas as pd

from default_tables import default_tables, judge
from reproduce.claims.claim import Claim
from reproduce.config.grids import Point
from reproduce.config.plan import Plan
from reproduce.records.datasets import Dataset
from reproduce.tables.table import Table
from reproduce.tools.reach import Reach
from small_runs import small_data

_FOLDER = Path(__file__).parent / "deepnets/documents"

# Changes of a spec, or a function that returns them.
Changes = Mapping[str, object] | Callable[[dict], Mapping[str, object]]


@dataclass(frozen=True)
class Scope:
    """Changes of specs with which a statement holds, and with which it does not.

    inside: None if the default config's runs are those inside, since smaller ones would not do.
    outside: changes on top of those inside.
    seeds: the number of runs at each point.
    data: the data sets that these runs read; if omitted, small random ones.
    factors: metric → factor on its values, by which the claim's size exceeds that of these runs.
    """

    inside: Changes | None
    outside: Changes
    seeds: int = 1
    data: Callable[[str], list[Dataset]] | None = None
    factors: Mapping[str, float] = field(default_factory=dict)

    def verdict(self, plan: Plan, claim: Claim, where: str) -> str:
        """Return the verdict on a claim by changed runs. where: inside or outside."""
        if where == "inside" and self.inside is None:
            return next(judge([claim], default_tables())).verdict
        changes = [self.inside or {}, self.outside][: 1 + (where == "outside")]
        reach = Reach(plan, lambda name: self.data(where)[0] if self.data else small_data(name))
        one_each = {str({**point.axes, "seed": 0}): point for point in reversed(reach._points(claim))}
        few = [
            Point({**point.axes, "seed": point.axes["seed"] + number}, point.settings)
            for point in reversed(one_each.values())
            for number in range(self.seeds)
        ]
        run = reach._run
        reach._points, reach._run = lambda _: few, lambda spec: self._scaled(*run(spec))

        def change(spec: dict) -> dict:
            for each in changes:
                spec = spec | (each(spec) if callable(each) else each)
            return spec

        return reach.row(claim, change).verdict

    def _scaled(self, rows: pd.DataFrame, *others: object) -> tuple:
        factors = rows["metric"].map(self.factors).astype(float).fillna(1)
        return rows.assign(value=rows["value"] * factors), *others


class Recorded:
    """Other runs of the default config in the place of a claim's own: they have its labels, and are outside its scope.

    swaps: the axes of the rows that go, and how the axes of the rows that come instead differ from these; None if no
    rows come. An axis may have a list of values if it does not differ. `step` is an axis here.
    """

    def __init__(self, experiment: str, *swaps: tuple[Mapping[str, object], Mapping[str, object] | None]) -> None:
        self.experiment, self.swaps = experiment, swaps

    def verdict(self, plan: Plan, claim: Claim, where: str) -> str:
        """Return the verdict on a claim by the default tables: inside as they are, outside with other rows."""
        return next(judge([claim], self._outside() if where == "outside" else default_tables())).verdict

    def _outside(self) -> dict[str, Table]:
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


def known_of(room: str) -> dict:
    """Return what `claim_scopes.py` has of a document; without the file, nothing. room: the document's folder."""
    path = _FOLDER / room / "claim_scopes.py"
    return run_path(str(path)) if path.exists() else {}
