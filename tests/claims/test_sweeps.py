"""Whatever axis a user sweeps, a claim is judged by the document's own runs, or is not testable here.

A sweep adds one value to an axis of one grid, and the runs that it brings, which recorded noise.
"""

import os
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from default_tables import claims_of, frames, grids, judge, judged, noise
from entries import LEDGERS, TABLES

from workflow.deepnets.claims.claim import CHECK
from workflow.deepnets.claims.criteria import NOT_TESTABLE
from workflow.deepnets.claims.evidence import EVERY, Evidence
from workflow.deepnets.jobs.judge import FAULT
from workflow.deepnets.tables.axes import axes_of

# A grid of the default config each time, or all grids.
ALL = os.environ.get("CI_TIERS") == "all"


class Recording(Evidence):
    """Evidence that records for which axes a claim takes any value: such a claim is about the sweep."""

    def __init__(self, *tables):
        super().__init__(*tables)
        self.whole = set()

    def runs(self, experiment, **wanted):
        self.whole |= {(experiment, name) for name, value in wanted.items() if value is EVERY}
        return super().runs(experiment, **wanted)

    def values(self, experiment, axis, **wanted):
        self.whole |= {(experiment, name) for name, value in wanted.items() if value is EVERY} | {(experiment, axis)}
        return super().values(experiment, axis, **wanted)


def swept(experiment, axis, place, value):
    """All tables and grids; one grid of an experiment has one more value of an axis, whose runs recorded noise."""
    table, held = frames()[experiment], grids()[experiment]
    grid = held[place]
    values = grid["axes"][axis]
    inside = np.logical_and.reduce([table[name].isin(several) for name, several in grid["axes"].items()])
    inside &= table[axis] == values[0]
    return frames() | {experiment: with_runs(table, table[inside], axis, value)}, grids() | {
        experiment: [
            *held[:place],
            {**grid, "axes": {**grid["axes"], axis: [*values, value]}},
            *held[place + 1 :],
        ]
    }


def with_runs(table, runs, axis, value):
    """A table with more runs, at another value of an axis and with noise for numbers, unless it has such runs."""
    added = runs.assign(**{axis: value})
    names = axes_of(table)
    here = pd.MultiIndex.from_frame(table[names].drop_duplicates().astype(object))
    added = added[~pd.MultiIndex.from_frame(added[names].astype(object)).isin(here)]
    noisy = noise({"": added}, {"": []}, seed=0)[""]
    joined = pd.concat([table.astype(dict.fromkeys(names, object)), noisy.astype(dict.fromkeys(names, object))])
    # Texts are categories in tables, and numbers keep their type.
    kinds = {name: "category" if isinstance(table[name].dtype, pd.CategoricalDtype) else None for name in names}
    return joined.astype({name: kind or joined[name].map(type).iloc[-1] for name, kind in kinds.items()})


def other_values(experiment, axis, place):
    """A value of another grid, and one that no grid has."""
    held = [grid["axes"][axis] for grid in grids()[experiment]]
    values = sorted({value for several in held for value in several})
    new = "other" if isinstance(values[-1], str) else 2 * values[-1] + 1
    return [*[value for value in values if value not in held[place]][:1], new]


def sweeps() -> Iterator[tuple[str, str, int, object]]:
    """Every experiment, axis, grid and further value."""
    for experiment, held in grids().items():
        for axis in axes_of(frames()[experiment], "experiment", "seed"):
            for place in range(len(held)):
                for value in other_values(experiment, axis, place):
                    yield experiment, axis, place, value


def judged_otherwise(document, rows, held, axis, experiment):
    """The claims that a sweep changes, except to not testable: those that are about the axis only if they fail."""
    wrong = []
    for claim in claims_of(document):
        evidence = Recording(rows, held)
        (row,) = judge([claim], rows, held, evidence)
        before = judged(document)[claim.name]
        if row["verdict"] == before["verdict"] and (row["ours"] == before["ours"] or claim.kind == "setting"):
            continue
        if FAULT in row["remark"] or (row["verdict"] != NOT_TESTABLE and (experiment, axis) not in evidence.whole):
            wrong.append(f"{document}/{claim.name}: {before['verdict']} ({before['ours']}) -> {row['verdict']} ({row['ours']}) {row['remark']}")
    return wrong
