"""Program: say how far the verdicts on a document's claims reach, by runs of which one axis or setting is changed.

A step changes what all runs of a claim share: × ½, × 2, another sign or text, a quarter turn of vectors in the plane,
other seeds. The claim's own measure and criterion judge the changed runs as if they were its own.
"""

import argparse
import inspect
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from functools import cache
from itertools import compress
from json import loads
from typing import Any

import numpy as np
import pandas as pd

from reproduce.claims.claim import Claim
from reproduce.claims.criteria import NOT_TESTABLE
from reproduce.claims.judging import row_of
from reproduce.claims.scopes import COLUMNS, is_flip
from reproduce.code.science import SCIENCE
from reproduce.config.check import model_of, needs_of
from reproduce.config.faults import model_in
from reproduce.config.grids import Point, canonical_json, normalize_numbers
from reproduce.config.plan import Plan
from reproduce.errors import check_name, run_tool
from reproduce.jobs.frames import grids_of_spec
from reproduce.jobs.job import import_function
from reproduce.records.datasets import Dataset, read
from reproduce.records.ledgers import LedgerRow
from reproduce.records.paths import DATASET
from reproduce.tables.table import Table
from reproduce.tools.audit import parse_with_config
from reproduce.tools.readme import claims_of

# The time of training, and with it all settings of the computation: no verdict may hang on these.
_TIME = re.compile(r"(.*[._])?(steps|updates|duration)")
_KNOB = re.compile(rf"{_TIME.pattern}|step_size|record.*|device")
NOT_RUN = "not run"


class Reach:
    """Judges claims by changed runs, each of which it makes once.

    data: name → data set
    limit: the most seconds of all runs of a claim or of a step
    """

    def __init__(self, plan: Plan, data: Callable[[str], Dataset], limit: float = 15) -> None:
        self._plan, self._data, self._limit, self._points = plan, cache(data), limit, cache(self._find_points)
        self._runs: dict[str, tuple[pd.DataFrame, float, set[str]]] = {}

    def of(self, claim: Claim, words: str = ".*") -> Iterator[dict[str, str]]:
        """Yield the row of each step, or one that says why there is none. words: a pattern of the steps to take."""
        specs = [loads(point.spec) for point in self._points(claim)]
        seconds = sum(60 * needs_of(spec).minutes for spec in specs)
        own_row = self.row(claim) if seconds <= self._limit else None
        if own_row is None or own_row.verdict == NOT_TESTABLE:
            remark = own_row.remark if own_row else f"its own runs may take {seconds:.0f} s"
            yield {"claim": claim.name, "verdict": NOT_RUN, "remark": remark}
            return
        for name, own, step, new in self._steps(specs):
            if re.fullmatch(words, step):
                knob = "knob" * bool(_KNOB.fullmatch(name))
                texts = claim.name, name, own, step, canonical_json(new), knob, own_row.verdict
                row = dict(zip(COLUMNS, texts, strict=False))
                # Another verdict must stay if training lasts four times as long.
                for longer in (1, 4):
                    judged = self._judge(claim, specs, name, new, longer)
                    row |= judged if longer == 1 or judged["verdict"] != NOT_RUN else {}
                    if not is_flip(row):
                        break
                yield row

    def row(self, claim: Claim, change: Callable[[dict], dict] = dict) -> LedgerRow:
        """Return the row of a claim from its changed runs, which its selections take for its own."""
        parts: dict[str, list[tuple[pd.DataFrame, pd.DataFrame]]] = {}
        for point in self._points(claim):
            rows, own = self._run(spec := change(loads(point.spec)))[0], point.axes
            true = {axis: spec[axis] for axis, value in own.items() if not isinstance(value, str) and axis != "seed"}
            parts.setdefault(spec["experiment"], []).append((rows.assign(**own), rows.assign(**{**own, **true})))
        tables = {}
        for name, frames in parts.items():
            labelled, numbers = (pd.concat(each, ignore_index=True) for each in zip(*frames, strict=True))
            tables[name] = table = Table(labelled, self._grids(name))
            # Selections find runs by the claim's own values, which are cached here; formulas read a run's numbers.
            _, table.frame = (table.points, table.of_row), numbers
        with np.errstate(all="ignore"):
            return row_of(claim, tables)

    def _find_points(self, claim: Claim) -> list[Point]:
        found: list[Point] = []
        for name in dict.fromkeys(each.experiment for each in claim.measure.selections):
            points = [point for point in self._plan.points.values() if point.axes["experiment"] == name]
            every = Table(pd.DataFrame([point.axes for point in points]), self._grids(name))
            own = [each.matches(every) for each in claim.measure.selections if each.experiment == name]
            found += compress(points, np.any(own, axis=0))
        return found

    def _grids(self, experiment: str) -> list[dict]:
        return grids_of_spec(loads(self._plan.table_spec(experiment)))

    def _run(self, spec: dict) -> tuple[pd.DataFrame, float, set[str]]:
        """Return the rows of a run, its seconds, and the names of its spec that it read."""
        if (key := canonical_json(spec)) not in self._runs:
            run = import_function(f"{SCIENCE}.experiments.{spec['experiment']}.run:run")
            sets = [self._data(name) for name in [*inspect.signature(run).parameters][1:]]
            watched, begin = _Watched(spec), time.process_time()
            rows = pd.DataFrame(run(watched, *sets).columns())
            self._runs[key] = rows, time.process_time() - begin, watched.names
        return self._runs[key]

    def _steps(self, specs: list[dict]) -> Iterator[tuple[str, str, str, Any]]:
        """Yield name, value, step and new value, as the settings allow, of what runs read and give one value."""
        used = set().union(*(self._run(spec)[2] for spec in specs))
        for name in dict.fromkeys(name for spec in specs for name in _leaves(spec) if name.split(".")[0] in used):
            own = {canonical_json(_leaves(spec)[name]): spec for spec in specs if name in _leaves(spec)}
            (text, spec), *others = own.items()
            if name == "seed":
                yield name, "", "other seeds", 1000
            elif not others:
                points, value = self._plan.points.values(), loads(text)
                every = (loads(each.spec) for each in points if each.axes["experiment"] == spec["experiment"])
                known = {canonical_json(each): each for each in (_leaves(one).get(name) for one in every)}
                for step, values in _steps_from(value, [*known.values()]).items():
                    new = [each for each in values if self._allows(_changed(spec, name, each))]
                    yield from ((name, text, step, each) for each in new[:1] if each != value)

    def _allows(self, spec: dict) -> bool:
        settings = model_of(spec["experiment"])
        grid = model_in(settings.model_fields["grids"].annotation)
        models = (settings, grid, model_in(grid.model_fields["axes"].annotation))
        block, own, axes = ({name: spec[name] for name in model.model_fields if name in spec} for model in models)
        grids = {"own": {**own, "axes": {**axes, "seeds": [spec["seed"]]}}}
        try:
            return bool(settings.model_validate({**block, "grids": grids}) and needs_of(spec))
        except (ValueError, ZeroDivisionError):
            return False

    def _judge(self, claim: Claim, specs: list[dict], name: str, new: Any, longer: int) -> dict[str, str]:
        """Return the verdict after a step, and its remark; or that it takes too long, as the claim's own runs tell."""
        seconds = 0.0
        for spec in specs:
            if canonical_json(changed := _changed(spec, name, new, longer)) not in self._runs:
                seconds += self._run(spec)[1] * needs_of(changed).minutes / (needs_of(spec).minutes or 1)
        if seconds > self._limit:
            return {"verdict": NOT_RUN, "remark": f"takes {seconds:.0f} s or more"}
        try:
            row = self.row(claim, lambda spec: _changed(spec, name, new, longer))
        except Exception as error:  # An error of one step must not stop the others.
            return {"verdict": NOT_RUN, "remark": f"{type(error).__name__}: {error}"}
        return {"verdict": row.verdict, "remark": row.remark}


class _Watched(dict):
    """A spec that remembers which names a run reads."""

    def __init__(self, spec: Mapping) -> None:
        super().__init__(spec)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return super().__getitem__(name)


def _leaves(spec: Mapping, before: str = "") -> dict[str, Any]:
    """Return the settings that contain no others, by their names, which are joined by a point."""
    found: dict[str, Any] = {}
    for name, value in spec.items():
        found |= _leaves(value, f"{before}{name}.") if isinstance(value, Mapping) else {f"{before}{name}": value}
    return found


def _changed(spec: dict, name: str, new: Any, longer: int = 1) -> dict:
    """Return a spec with another value, if it has this name; of a seed, `new` is added. longer: factor on the time."""
    changed = {each: longer * value if longer > 1 and _TIME.fullmatch(each) else value for each, value in spec.items()}
    first, _, rest = name.partition(".")
    if rest and first in spec:
        return {**changed, first: _changed(spec[first], rest, new)}
    return {**changed, **({name: spec[name] + new if name == "seed" else new} if name in spec else {})}


def _steps_from(value: Any, known: list) -> dict[str, list]:
    """Return the values one step away, by words; of several, the first that is allowed counts.

    known: all values that the config gives to this name
    """
    if isinstance(value, str | bool | None):
        others = [not value] if isinstance(value, bool) else [each for each in known if each != value]
        return {f"to {each}": [each] for each in others}
    if value == 0:
        return {"from 0": [min((each for each in known if each), key=abs, default=1)]}
    try:
        numbers = np.asarray(value, dtype=float)
    except ValueError:
        return {}
    # Of a whole number, half may be none.
    found = {"× ½": [numbers / 2, -(-numbers // 2)], "× 2": [2 * numbers], "sign": [-numbers]}
    if numbers.ndim == 2 and numbers.shape[1] == 2:
        found["quarter turn"] = [numbers[:, ::-1] * [-1, 1]]
    return {step: [normalize_numbers(each.tolist()) for each in values] for step, values in found.items()}


def reach_of(document: str, plan: Plan, data: Callable[[str], Dataset], claim: str = "") -> pd.DataFrame:
    """Return a row for each step of a document's claims, or of one, first those that change the verdict."""
    check_name(document, "document", plan.ledgers)
    claims, reach = claims_of(plan.ledgers[document]), Reach(plan, data)
    if claim:
        check_name(claim, "claim", claims)
    rows = [row for name, each in claims.items() if claim in ("", name) for row in reach.of(each)]
    return pd.DataFrame(sorted(rows, key=lambda row: not is_flip(row)), columns=COLUMNS).fillna("")


def main() -> None:
    """Print the steps as CSV, or write them into the folder of the document."""
    parser = argparse.ArgumentParser(description="Say how far the verdicts on a document's claims reach.")
    parser.add_argument("document", help="its id")
    parser.add_argument("--record", action="store_true", help="write reach.csv into the folder of the document")
    arguments, plan = parse_with_config(parser)
    with redirect_stdout(sys.stderr):
        rows = reach_of(arguments.document, plan, lambda name: read(DATASET.format(dataset=name)))
    path = plan.package.file(f"{SCIENCE}/documents/{plan.documents[arguments.document].room}/reach.csv")
    rows.to_csv(path if arguments.record else sys.stdout, index=False, lineterminator="\n")


if __name__ == "__main__":
    run_tool(main)
