"""The criterion of each theorem and main result refuses runs outside the scope of its sentence.

These are the steps of its reach; if none changes its verdict, `SCOPES` of the document has other runs, or `EVERYWHERE`
says why there are none.
"""

import pytest

from conftest import ROOT
from entries import PACKAGE, entries_of
from reproduce.claims.claim import MAIN, THEOREM, Claim
from reproduce.claims.criteria import NOT_REPRODUCED, REPRODUCED, UNDECIDED
from reproduce.claims.scopes import is_flip, read_reach
from scopes import known_of

SCOPES = {room: known_of(room).get("SCOPES", {}) for room in PACKAGE.rooms_in("documents")}


def claims_in(room):
    return {each.name: each for each in entries_of(room) if isinstance(each, Claim)}


@pytest.mark.parametrize("room", SCOPES)
def test_each_theorem_and_main_result_has_a_scope(room):
    reach = ROOT / f"workflow/deepnets/documents/{room}/reach.csv"
    rows = read_reach(reach) if reach.exists() else []
    reached = {row["claim"] for row in rows if is_flip(row) and not row["knob"]}
    assert not reached & SCOPES[room].keys()
    names = {name for name, each in claims_in(room).items() if each.row.kind == THEOREM or each.row.weight == MAIN}
    listed = {*SCOPES[room], *known_of(room).get("EVERYWHERE", ())}
    without = names - listed - reached
    assert not without, f"no step of reach.csv, no SCOPES and no EVERYWHERE in claim_scopes.py: {without}"
    assert listed <= names


@pytest.mark.parametrize(("room", "name"), [(room, name) for room, scopes in SCOPES.items() for name in scopes])
def test_a_statement_is_another_one_outside_its_scope(room, name, default_plan):
    claim, scope = claims_in(room)[name], SCOPES[room][name]
    inside, outside = (scope.verdict(default_plan, claim, where) for where in ("inside", "outside"))
    # Differences of 0, or of both signs, stay undecided.
    refused = {REPRODUCED: (NOT_REPRODUCED, UNDECIDED), NOT_REPRODUCED: (REPRODUCED,)}[inside]
    assert outside in (refused if claim.row.weight == MAIN else refused[:1])
