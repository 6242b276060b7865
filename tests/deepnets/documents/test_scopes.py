"""Each theorem and main result holds in runs inside the scope of its sentence; its criterion refuses runs outside it.

Runs of theorems inside are smaller than the claim's own, and learning lasts thirty times as long, for some only at
night. A main result without any runs outside its scope is in `EVERYWHERE`, with the reason.
"""

from pathlib import Path
from runpy import run_path

import pytest

from default_tables import judge
from entries import PACKAGE, entries_of
from reproduce.claims.claim import MAIN, THEOREM, Claim
from reproduce.claims.criteria import NOT_REPRODUCED, REPRODUCED, UNDECIDED
from scopes import tables_of

# By "ROOM/NAME", since claims of two documents may share a name.
CLAIMS = {
    f"{room}/{each.name}": each
    for room in PACKAGE.rooms_in("documents")
    for each in entries_of(room)
    if isinstance(each, Claim)
}
SCOPES = {
    f"{path.parent.name}/{name}": scope
    for path in sorted(Path(__file__).parent.glob("*/claim_scopes.py"))
    for name, scope in run_path(str(path))["SCOPES"].items()
}
EVERYWHERE = {
    "propagation/both_operators": "no set-up of ours, of any normalisation, activation or kind, leaves the bounds",
    "hierarchy/strong_modes_come_first": "stronger modes come first from large weights too, and in data without a tree",
}
THEOREMS = [name for name in SCOPES if CLAIMS[name].row.kind == THEOREM]
MAIN_RESULTS = [name for name in SCOPES if name not in THEOREMS]


def verdict_of(name, plan, where):
    (row,) = judge([CLAIMS[name]], tables_of(plan, CLAIMS[name], SCOPES[name], where))
    return row.verdict


def test_each_theorem_and_main_result_has_a_scope():
    assert {*THEOREMS} == {name for name, claim in CLAIMS.items() if claim.row.kind == THEOREM}
    assert {*MAIN_RESULTS, *EVERYWHERE} == {name for name, claim in CLAIMS.items() if claim.row.weight == MAIN}


@pytest.mark.parametrize("name", THEOREMS)
def test_a_theorem_holds_inside_its_scope_and_not_outside(name, default_plan):
    assert verdict_of(name, default_plan, "inside") == REPRODUCED
    assert verdict_of(name, default_plan, "outside") == NOT_REPRODUCED


@pytest.mark.parametrize("name", MAIN_RESULTS)
def test_a_main_result_is_another_one_outside_its_scope(name, default_plan):
    inside = verdict_of(name, default_plan, "inside")
    # Differences of 0, or of both signs, stay undecided.
    refused = {REPRODUCED: (NOT_REPRODUCED, UNDECIDED), NOT_REPRODUCED: (REPRODUCED,)}[inside]
    assert verdict_of(name, default_plan, "outside") in refused


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in THEOREMS if SCOPES[name].longer])
def test_a_theorem_holds_for_thirty_times_as_long(name, default_plan):
    assert verdict_of(name, default_plan, "longer") == REPRODUCED
