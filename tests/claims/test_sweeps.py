"""If a user sweeps any axis, claims are still judged by the document's own runs, or are not testable.

A sweep adds one value of an axis to one grid, and its runs record noise. A claim that reads these runs, or a mean over
them, would have a different value.
"""

import os
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepnets.claims.criteria import NOT_TESTABLE
from deepnets.claims.evidence import EVERY, Evidence
from deepnets.jobs.judge import FAULT
from deepnets.tables.axes import axes_of
from deepnets.tables.rows import NotRecordedError
from default_tables import claims_of, frames, grids, judged, noise, row_in
from entries import LEDGERS, TABLES

NO_RUN = "the config contains no run "
# All sweeps take minutes, so everyday tests make only one of this many.
SHARE = 1 if os.environ.get("CI_TIERS") == "all" else 40


class Recording(Evidence):
    """Evidence that records each call of its methods as a question."""

    def __init__(self, frames, grids):
        super().__init__(frames, grids)
        self.asked_for = {}

    def runs(self, *names, **wanted):
        self._record("runs", names, wanted)
        return super().runs(*names, **wanted)

    def values(self, *names, **wanted):
        self._record("values", names, wanted)
        return super().values(*names, **wanted)

    def settings(self, *names, **wanted):
        self._record("settings", names, wanted)
        return super().settings(*names, **wanted)

    def _record(self, *question):
        self.asked_for[repr(question)] = question


def answer(evidence, question):
    """Return the answer to a question in a comparable form: the axes of runs, values, or why there are none."""
    method, names, wanted = question
    try:
        found = getattr(evidence, method)(*names, **wanted)
    except NotRecordedError as reason:
        return str(reason)
    return found[axes_of(found)].to_numpy().tolist() if method == "runs" else found


@cache
def one_row_a_run():
    return {name: frame.drop_duplicates(axes_of(frame)) for name, frame in frames().items()}


@cache
def questions_of(document):
    """Return each claim's questions to the default tables, the distinct questions, and their answers."""
    evidence, asked = Recording(frames(), grids()), {}
    for claim in claims_of(document):
        evidence.asked_for = asked[claim.name] = {}
        row_in(claim, evidence)
    distinct = {key: question for each in asked.values() for key, question in each.items()}
    whole = Evidence(one_row_a_run(), grids())
    return asked, distinct, {key: answer(whole, question) for key, question in distinct.items()}


def with_value(frames, grids, experiment, axis, value, place):
    """Return tables and grids with a further value of an axis in a grid; its runs are the first value's as noise."""
    held = [*grids[experiment]]
    axes = held[place]["axes"]
    held[place] = {**held[place], "axes": {**axes, axis: [*axes[axis], value]}}
    table = frames[experiment]
    inside = np.logical_and.reduce([table[name].isin(several) for name, several in axes.items() if name != axis])
    added = table[inside & (table[axis] == axes[axis][0])].assign(**{axis: value})
    names = axes_of(table)
    runs, new = (pd.MultiIndex.from_frame(each[names].astype(object)) for each in (table, added))
    joined = pd.concat([table, add_noise(added[~new.isin(runs)])], ignore_index=True)
    texts = [name for name in table if isinstance(table[name].dtype, pd.CategoricalDtype)]
    return {**frames, experiment: joined.astype(dict.fromkeys(texts, "category"))}, {**grids, experiment: held}


def add_noise(rows):
    return noise({"": rows}, {"": []}, seed=0)[""]


def sweeps(experiment):
    """Yield axis, further value and grid: for each grid, a value of a different block and one that no grid has."""
    held = grids()[experiment]
    axes = axes_of(frames()[experiment], "experiment")
    for axis in axes:
        every = sorted({value for grid in held for value in grid["axes"][axis]})
        new = "other" if isinstance(every[-1], str) else 2 * every[-1] + 1
        for place, grid in enumerate(held):
            # Without blocks, values of other grids would give the document's own runs.
            others = [value for value in every if value not in grid["axes"][axis] and "block" in axes]
            for value in (*others[:1], new):
                yield axis, value, place


def find_changed_verdicts(document, swept, swept_grids, names, *, about=(), free=()):
    """Yield claims that are judged by other runs or became untestable, and settings that do not list all values.

    about: experiments and axes of which a claim may read any value; free: claims whose verdict may change.
    """
    evidence = Recording(swept, swept_grids)
    for claim in claims_of(document):
        if claim.name in names:
            evidence.asked_for = {}
            row = row_in(claim, evidence)
            before = judged(document)[claim.name]
            same = row["verdict"] == before["verdict"] and (
                lists(row["ours"], before["ours"]) if claim.kind == "setting" else row["ours"] == before["ours"]
            )
            untestable = NOT_TESTABLE in (row["verdict"], before["verdict"])
            anything = claim.name in free or any(is_about(evidence.asked_for.values(), each) for each in about)
            if FAULT in row["remark"] or not (same or untestable or anything):
                was, now = (f"{each['verdict']} ({each['ours']})" for each in (before, row))
                yield f"{claim.name}: {was} -> {now} {row['remark']}"


def lists(ours, before):
    """Return whether each part of a setting claim still lists its values. (If they were averaged, it would not.)"""
    parts, were = ([set(part.rpartition(": ")[2].split(", ")) for part in each.split("; ")] for each in (ours, before))
    return len(parts) == len(were) and all(was <= part for part, was in zip(parts, were, strict=True))


def is_about(questions, about):
    """Return whether a claim reads all values of an axis or runs of any block. Always true for seeds: they repeat."""
    experiment, axis = about
    return axis == "seed" or any(
        names[0] == experiment
        and (wanted.get(axis) is EVERY or wanted.get("block") is EVERY or (method == "values" and names[1] == axis))
        for method, names, wanted in questions
    )


def claims_that_ask(asked, questions):
    """Return the names of the claims that ask one of these questions."""
    return [name for name, keys in asked.items() if not questions.isdisjoint(keys)]


def find_claims_changed_by(document, made):
    """Yield the claims that sweeps change. made: experiment, axis, value and grid of each sweep."""
    asked, distinct, before = questions_of(document)
    runs, swept_grids = one_row_a_run(), grids()
    for each in made:
        runs, swept_grids = with_value(runs, swept_grids, *each)
    # A verdict can only change if the answer to a question of the claim changed.
    evidence = Evidence(runs, swept_grids)
    here = {each[0] for each in made}
    answers = {key: answer(evidence, question) for key, question in distinct.items() if question[1][0] in here}
    names = claims_that_ask(asked, {key for key, found in answers.items() if found != before[key]})
    if names:
        # Questions for runs of the document that the default config lacks and the sweep added.
        own = {key for key in answers if str(before[key]).startswith(NO_RUN) and not isinstance(answers[key], str)}
        swept, swept_grids = frames(), grids()
        for each in made:
            swept, swept_grids = with_value(swept, swept_grids, *each)
        about = [(experiment, axis) for experiment, axis, *_ in made]
        yield from find_changed_verdicts(
            document, swept, swept_grids, names, about=about, free=claims_that_ask(asked, own)
        )


def sweeps_of(document):
    """Return all sweeps of axes in grids of a document's experiments: (experiment, axis, value, grid)."""
    return [(experiment, *sweep) for experiment in TABLES[document] for sweep in sweeps(experiment)]


@pytest.mark.parametrize("document", LEDGERS)
def test_a_sweep_of_any_axis_changes_no_verdict_and_no_value(document):
    found = {}
    for made in sweeps_of(document)[SHARE - 1 :: SHARE]:
        for line in find_claims_changed_by(document, [made]):
            found.setdefault(line.partition(":")[0], f"{line} {made}")
    assert not found, "\n".join(found.values())


@pytest.mark.parametrize("document", LEDGERS)
@settings(max_examples=40 if SHARE == 1 else 5, deadline=None)
@given(data=st.data())
def test_random_sweeps_of_several_axes_change_no_verdict_and_no_value(document, data):
    several = st.lists(st.sampled_from(sweeps_of(document)), min_size=2, max_size=4, unique=True)
    made = data.draw(several, label="experiment, axis, value, grid")
    found = list(find_claims_changed_by(document, made))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("document", LEDGERS)
def test_a_new_axis_changes_no_verdict_and_no_value(document):
    swept = {
        name: pd.concat([frame.assign(momentum=0.0), add_noise(frame).assign(momentum=0.9)], ignore_index=True)
        for name, frame in frames().items()
    }
    swept_grids = {
        name: [{**grid, "axes": {**grid["axes"], "momentum": [0, 0.9]}} for grid in held]
        for name, held in grids().items()
    }
    names = [claim.name for claim in claims_of(document)]
    found = list(find_changed_verdicts(document, swept, swept_grids, names))
    assert not found, "\n".join(found)
