"""Each theorem holds in runs inside the scope of its sentence; its own measure and criterion refuse runs outside it.

Runs inside are smaller than the claim's own, and learning lasts thirty times as long, for some theorems only at night.
"""

from pathlib import Path
from runpy import run_path

import pytest

from entries import PACKAGE, entries_of
from reproduce.claims.claim import Claim
from reproduce.claims.criteria import NOT_REPRODUCED, REPRODUCED
from reproduce.claims.judging import row_of
from scopes import tables_of

THEOREMS = {
    each.name: each
    for room in PACKAGE.rooms_in("documents")
    for each in entries_of(room)
    if isinstance(each, Claim) and each.kind == "theorem"
}
SCOPES = {
    name: scope
    for path in sorted(Path(__file__).parent.glob("*/theorems.py"))
    for name, scope in run_path(str(path))["SCOPES"].items()
}


def test_each_theorem_has_a_scope():
    assert SCOPES.keys() == THEOREMS.keys()


@pytest.mark.parametrize("name", SCOPES)
def test_a_theorem_holds_inside_its_scope_and_not_outside(name, default_plan):
    claim, scope = THEOREMS[name], SCOPES[name]
    assert row_of(claim, tables_of(default_plan, claim, scope, "inside")).verdict == REPRODUCED
    assert row_of(claim, tables_of(default_plan, claim, scope, "outside")).verdict == NOT_REPRODUCED


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name, scope in SCOPES.items() if scope.longer])
def test_a_theorem_holds_for_thirty_times_as_long(name, default_plan):
    claim = THEOREMS[name]
    assert row_of(claim, tables_of(default_plan, claim, SCOPES[name], "longer")).verdict == REPRODUCED
