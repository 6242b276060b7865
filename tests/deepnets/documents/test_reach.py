"""What changes a verdict is named by its sentence or scope, and what a scope names changes it."""

import re

import pytest

from conftest import ROOT
from entries import PACKAGE
from reproduce.claims.criteria import REPRODUCED
from reproduce.claims.scopes import is_flip, read_reach, scope_text
from reproduce.records.statements import read_statements
from reproduce.tools.reach import NOT_RUN, Reach, _steps_from
from reproduce.tools.readme import claims_of
from reproduce.tools.verdicts import path_of, read_verdicts
from scopes import known_of

REACHES = {path.parent.name: read_reach(path) for path in sorted(ROOT.glob("workflow/deepnets/documents/*/reach.csv"))}


def is_named(row, statement):
    """Return whether a sentence names an axis or a setting: all words of its name, or its value."""
    words = [word.rstrip("s").replace("depth", "layer") for word in re.split(r"[_.]", row["name"])]
    values = re.findall(r"\d+(?:\.\d+)?", statement.replace(",", "").replace("half", "0.5"))
    said = statement.lower()
    return all(word in said for word in words) or row["own"].strip('"') in (*values, *re.findall(r"\w+", said))


@pytest.mark.parametrize("room", REACHES)
def test_what_changes_a_verdict_is_named_and_what_a_scope_names_changes_it(room):
    recorded = read_verdicts(ROOT / path_of(room))
    entries = [each for each in read_statements(PACKAGE.file(f"deepnets/documents/{room}/claims.md")).entries]
    assert {row["claim"] for row in REACHES[room]} == {each.name for each in entries if not each.is_erratum}
    for entry in entries:
        rows = [row for row in REACHES[room] if row["claim"] == entry.name and row["verdict"] != NOT_RUN]
        assert {row["was"] for row in rows} <= {recorded[entry.name].verdict for _ in rows}, entry.name
        scope = {*filter(None, entry.fields.get("scope", "").split(", "))}
        flips = {row["name"]: row for row in rows if is_flip(row)}
        assert scope <= {*flips}, entry.name
        # A number that a document prints is that of its own settings.
        unnamed = (
            {name for name, row in flips.items() if not is_named(row, entry.statement)}
            if entry.kind != "number"
            else ()
        )
        silent = {*unnamed} - scope
        known = {*known_of(room).get("SILENT", {}).get(entry.name, ())}
        assert silent == known, f"{entry.name}: its sentence or `scope` names what changes its verdict; not {silent}"


def test_a_scope_ends_the_statement_with_its_value_and_those_that_change_the_verdict():
    step = {"claim": "a", "name": "start_scale", "step": "× ½", "own": "0.4", "was": REPRODUCED}
    rows = [step | {"new": new, "verdict": verdict} for new, verdict in (("0.2", "undecided"), ("0.8", REPRODUCED))]
    rows.append(step | {"name": "basis", "own": '"diagonal"', "new": '"rotated"', "verdict": "not reproduced"})
    rows.append(step | {"name": "inputs", "own": "[[1,0]]", "new": "[[0.5,0]]", "verdict": "not reproduced"})
    scope = " Scope: start scale 0.4, not 0.2; basis diagonal, not rotated; inputs, not × ½."
    assert scope_text("a", ["start_scale", "basis", "inputs"], rows) == scope
    assert scope_text("a", [""], rows) == scope_text("b", ["basis"], rows) == ""


@pytest.mark.parametrize(
    ("value", "known", "steps"),
    [
        (4, [4, 8], {"× ½": [2, 2], "× 2": [8], "sign": [-4]}),
        (0, [0, -3, 0.5], {"from 0": [0.5]}),
        (
            [[1, 2.5]],
            [],
            {
                "× ½": [[[0.5, 1.25]], [[1, 2]]],
                "× 2": [[[2, 5]]],
                "sign": [[[-1, -2.5]]],
                "quarter turn": [[[-2.5, 1]]],
            },
        ),
        ("relu", ["tanh", "relu"], {"to tanh": ["tanh"]}),
        (True, [True], {"to False": [False]}),
        (["rank"], [["rank"]], {}),
    ],
)
def test_steps_halve_double_turn_and_take_other_words(value, known, steps):
    assert _steps_from(value, known) == steps


def changed(room, plan, claims, words):
    """Return the steps whose recorded verdict is another one than these runs give; time decides which are not run."""
    ledger = next(each for each in plan.ledgers.values() if each.entry.split(".")[2] == room)
    # The recorded runs read whole data sets.
    reach, tests = Reach(plan, lambda name: pytest.skip(f"the runs read {name}")), claims_of(ledger)
    rows = [*REACHES[room], *(row for claim in claims for row in reach.of(tests[claim], words))]
    verdicts = {}
    for row in rows:
        if row["claim"] in claims and row["verdict"] != NOT_RUN and re.fullmatch(words, row["step"]):
            verdicts.setdefault((row["claim"], row["name"], row["step"]), []).append(row["verdict"])
    assert verdicts
    return {step: each for step, each in verdicts.items() if len({*each}) > 1}


def test_a_recorded_reach_is_that_of_its_runs(default_plan):
    assert not changed("balancedness", default_plan, ["unequal_layers_learn_exponentially"], ".*")


@pytest.mark.nightly
@pytest.mark.parametrize("room", REACHES)
def test_other_seeds_signs_and_turns_give_the_recorded_verdicts(room, default_plan):
    claims = dict.fromkeys(row["claim"] for row in REACHES[room] if row["verdict"] != NOT_RUN)
    assert not changed(room, default_plan, claims, "other seeds|sign|quarter turn")
