"""The criterion of each theorem and main result refuses runs outside the scope of its sentence.

These are the steps of its reach; if none changes its verdict, other runs. A statement without any is in `EVERYWHERE`,
with the reason.
"""

from pathlib import Path
from runpy import run_path

import pytest

from conftest import ROOT
from entries import PACKAGE, entries_of
from reproduce.claims.claim import MAIN, THEOREM, Claim
from reproduce.claims.criteria import NOT_REPRODUCED, REPRODUCED, UNDECIDED
from reproduce.claims.scopes import is_flip, read_reach

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
    "propagation/nets_are_noise_amplifiers": "with photographs, every net of ours amplifies noise",
    "propagation/power_law_fits_perfectly": "resnets without normalisation follow one too; others have no exponent",
    "propagation/both_operators": "no set-up of ours, of any normalisation, activation or kind, leaves the bounds",
    "hierarchy/strong_modes_come_first": "stronger modes come first from large weights too, and in data without a tree",
}
REACHES = {path.parent.name: read_reach(path) for path in ROOT.glob("workflow/deepnets/documents/*/reach.csv")}
REACHED = {
    f"{room}/{row['claim']}" for room, rows in REACHES.items() for row in rows if is_flip(row) and not row["knob"]
}


def test_each_theorem_and_main_result_has_a_scope():
    assert {*SCOPES} & REACHED == set()
    names = {name for name, claim in CLAIMS.items() if claim.row.kind == THEOREM or claim.row.weight == MAIN}
    assert names <= {*SCOPES, *EVERYWHERE, *REACHED} and {*SCOPES, *EVERYWHERE} <= names


@pytest.mark.parametrize("name", SCOPES)
def test_a_statement_is_another_one_outside_its_scope(name, default_plan):
    inside, outside = (SCOPES[name].verdict(default_plan, CLAIMS[name], where) for where in ("inside", "outside"))
    # Differences of 0, or of both signs, stay undecided.
    refused = {REPRODUCED: (NOT_REPRODUCED, UNDECIDED), NOT_REPRODUCED: (REPRODUCED,)}[inside]
    assert outside in (refused if CLAIMS[name].row.weight == MAIN else refused[:1])
