"""If a user sweeps any axis, claims are still judged by the document's own runs, or are not testable.

A sweep adds one value of an axis to one grid, and its runs record noise. A claim that reads these runs, or a mean over
them, would have a different value.
"""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from default_tables import claims_of, default_tables, judge, judged, noise
from entries import LEDGERS, TABLES
from reproduce.claims.criteria import NOT_TESTABLE
from reproduce.claims.judging import FAULT
from reproduce.tables.axes import axes_of
from reproduce.tables.selection import EVERY, NotTestableError
from reproduce.tables.table import Table


@cache
def one_row_a_run():
    return {key: each.pipe(lambda rows: rows.drop_duplicates(axes_of(rows))) for key, each in default_tables().items()}


def answer(selection, tables):
    """Return the axes of a selection's runs, or why there are none, in a comparable form."""
    try:
        found = selection.rows(tables[selection.experiment])
    except NotTestableError as reason:
        return str(reason)
    return found[axes_of(found)].to_numpy().tolist()


@cache
def answers_of(document):
    """Return the distinct selections of a document's claims by their texts, and their answers."""
    selections = {repr(vars(each)): each for claim in claims_of(document) for each in claim.measure.selections}
    return selections, {key: answer(each, one_row_a_run()) for key, each in selections.items()}


def with_value(tables, experiment, axis, value, place):
    """Return tables with a further value of an axis in a grid; its runs are the first value's as noise."""
    table, held = tables[experiment].frame, [*tables[experiment].grids]
    axes = held[place]["axes"]
    held[place] = {**held[place], "axes": {**axes, axis: [*axes[axis], value]}}
    inside = np.logical_and.reduce([table[name].isin(several) for name, several in axes.items() if name != axis])
    added = table[inside & (table[axis] == axes[axis][0])].assign(**{axis: value})
    names = axes_of(table)
    runs, new = (pd.MultiIndex.from_frame(each[names].astype(object)) for each in (table, added))
    joined = pd.concat([table, add_noise(added[~new.isin(runs)])], ignore_index=True)
    texts = [name for name in table if isinstance(table[name].dtype, pd.CategoricalDtype)]
    return {**tables, experiment: Table(joined.astype(dict.fromkeys(texts, "category")), held)}


def add_noise(rows):
    return noise({"": Table(rows, [])}, seed=0)[""].frame


def sweeps(experiment):
    """Yield axis, further value and grid: for each grid, a value of a different block and one that no grid has."""
    table = default_tables()[experiment]
    held, axes = table.grids, axes_of(table.frame, "experiment")
    for axis in axes:
        every = sorted({value for grid in held for value in grid["axes"][axis]})
        new = "other" if isinstance(every[-1], str) else 2 * every[-1] + 1
        for place, grid in enumerate(held):
            # Without blocks, values of other grids would give the document's own runs.
            others = [value for value in every if value not in grid["axes"][axis] and "block" in axes]
            for value in (*others[:1], new):
                yield axis, value, place


def find_changed_verdicts(document, swept, claims, about=None):
    """Yield claims that are judged by other runs. about: experiment and axis of which a claim may read any value."""
    for claim, row in zip(claims, judge(claims, swept), strict=True):
        before = judged(document)[claim.name]
        same = (row.verdict, row.ours) == (before.verdict, before.ours)
        untestable = NOT_TESTABLE in (row.verdict, before.verdict)
        anything = about and reads_any(claim, *about)
        if FAULT in row.remark or not (same or untestable or anything):
            was, now = (f"{each['verdict']} ({each['ours']})" for each in (before, row))
            yield f"{claim.name}: {was} -> {now} {row['remark']}"


def reads_any(claim, experiment, axis):
    """Return whether a claim reads all values of an axis or runs of any block. Always true for seeds: they repeat."""
    own = [each.wanted for each in claim.measure.selections if each.experiment == experiment]
    return axis == "seed" or any(EVERY in (wanted.get(axis), wanted.get("block")) for wanted in own)


def find_claims_changed_by(document, experiment, axis, value, place):
    """Yield the claims that a sweep changes: a further value of an axis in a grid of an experiment."""
    selections, before = answers_of(document)
    runs = with_value(one_row_a_run(), experiment, axis, value, place)
    # A verdict can only change if a selection of the claim has other runs.
    own = {key: each for key, each in selections.items() if each.experiment == experiment}
    changed = {key for key, each in own.items() if answer(each, runs) != before[key]}
    # A sweep may add runs of the document that the default config lacks.
    claims = [
        claim
        for claim in claims_of(document)
        if (keys := {repr(vars(each)) for each in claim.measure.selections}) & changed
        and not any(isinstance(before[key], str) for key in keys)
    ]
    if claims:
        swept = with_value(default_tables(), experiment, axis, value, place)
        yield from find_changed_verdicts(document, swept, claims, (experiment, axis))


# The settings that determine a document's numbers: without its values, no claim reads a run.
OWN_SETTINGS = {
    ("000-classifier", "classifier"): "classes dimension samples",
    ("001-mnist-dynamics", "mnist_dynamics"): "hidden learning_rate",
    ("003-hierarchy", "hierarchy"): "branches data features flip_probability hidden levels steps",
    ("003-hierarchy", "regression"): "inputs noise outputs samples weight_bound",
    ("004-zero", "zero_init"): "batch decay learning_rate",
    ("arora-2019", "least_nuclear_norm"): "size",
    ("arora-2019", "matrix_completion"): "size",
    ("saxe-2013", "input_correlations"): "images",
    ("saxe-2013", "learning_time"): "max_steps threshold",
    ("saxe-2013", "mnist_modes"): "hidden learning_rate",
    ("saxe-2013", "mode_dynamics"): ("branches features flip_probability hidden initial_strength learning_rate levels"),
    ("saxe-2013", "phase_portrait"): "learning_rate singular_value steps",
}


@pytest.mark.parametrize(("document", "experiment"), OWN_SETTINGS)
def test_runs_with_a_different_setting_judge_no_claim(document, experiment):
    selections, before = answers_of(document)
    runs, required = one_row_a_run()[experiment], set()
    names = {name for grid in runs.grids for name in grid["settings"]}
    tested = [
        each for key, each in selections.items() if each.experiment == experiment and isinstance(before[key], list)
    ]
    # One selection of those that want the same settings.
    own = {str({name: each.wanted.get(name) for name in sorted(names)}): each for each in tested}
    for name in names:
        held = [{**grid, "settings": {**grid["settings"], name: "other"}} for grid in runs.grids]
        if all(isinstance(answer(each, {experiment: Table(runs.frame, held)}), str) for each in own.values()):
            required.add(name)
    assert required == set(OWN_SETTINGS[document, experiment].split())


@pytest.mark.nightly
@pytest.mark.parametrize("document", LEDGERS)
def test_a_sweep_of_any_axis_changes_no_verdict_and_no_value(document):
    found = {}
    for experiment in TABLES[document]:
        for made in sweeps(experiment):
            for line in find_claims_changed_by(document, experiment, *made):
                found.setdefault(line.partition(":")[0], f"{line} {experiment} {made}")
    assert not found, "\n".join(found.values())


@pytest.mark.slow
@pytest.mark.parametrize("document", LEDGERS)
def test_a_new_axis_changes_no_verdict_and_no_value(document):
    swept = {
        name: Table(
            pd.concat([own.frame.assign(new_axis=0.0), add_noise(own.frame).assign(new_axis=0.9)], ignore_index=True),
            [{**grid, "axes": {**grid["axes"], "new_axis": [0, 0.9]}} for grid in own.grids],
        )
        for name, own in default_tables().items()
    }
    found = list(find_changed_verdicts(document, swept, claims_of(document)))
    assert not found, "\n".join(found)
