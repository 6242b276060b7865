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

CLAIMS = {
    each.name: each for room in PACKAGE.rooms_in("documents") for each in entries_of(room) if isinstance(each, Claim)
}
THEOREMS, MAIN_RESULTS = (
    {
        name: scope
        for path in sorted(Path(__file__).parent.glob(f"*/{file}"))
        for name, scope in run_path(str(path))["SCOPES"].items()
    }
    for file in ("theorems.py", "main_results.py")
)
EVERYWHERE = {
    "both_operators": "no set-up of ours, with any normalisation, activation or architecture, leaves the bounds",
    "strong_modes_come_first": "stronger modes come first from large weights too, and in data without a tree",
}


def verdict_of(name, plan, where):
    claim = CLAIMS[name]
    scope = THEOREMS.get(name) or MAIN_RESULTS[name]
    (row,) = judge([claim], tables_of(plan, claim, scope, where))
    return row.verdict


def test_each_theorem_and_main_result_has_a_scope():
    assert THEOREMS.keys() == {name for name, claim in CLAIMS.items() if claim.kind == THEOREM}
    assert MAIN_RESULTS.keys() | EVERYWHERE.keys() == {name for name, claim in CLAIMS.items() if claim.weight == MAIN}


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
@pytest.mark.parametrize("name", [name for name, scope in THEOREMS.items() if scope.longer])
def test_a_theorem_holds_for_thirty_times_as_long(name, default_plan):
    assert verdict_of(name, default_plan, "longer") == REPRODUCED
