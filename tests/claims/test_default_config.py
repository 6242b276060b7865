"""What claims ask of the default config: runs that it has, and rules that are on record beside their verdicts."""

import ast
import json
import re

import pandas as pd
import pytest
from conftest import ROOT
from entries import LEDGERS, PACKAGE

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import NOT_TESTABLE
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.config import files
from workflow.deepnets.config.documents import documents_of
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.config.seeds import listed
from workflow.deepnets.jobs.judge import row_of
from workflow.deepnets.records.paths import TABLE
from workflow.deepnets.tools.verdicts import read_record, record_of

# What a measure says that misses no run, but what runs recorded; and one that no run of the default config has.
WITHOUT_ROWS = ("the runs recorded ", "no run records its inputs", "the config records no points of this net")
RECORDS = {
    document.id: read_record(path)
    for document in documents_of(PACKAGE).values()
    if (path := ROOT / record_of(document.room)).exists()
}


def names_in(room):
    """A pattern for each text and keyword in the code of a room; what an f-string puts in may be any word."""
    for path in (ROOT / "workflow/deepnets" / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield "".join(
                    re.escape(part.value) if isinstance(part, ast.Constant) else r"\w+" for part in node.values
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.escape(node.value)
            elif isinstance(node, ast.keyword) and node.arg:
                yield node.arg


# Every metric has its name from an experiment, or from a net that it measures.
METRIC = re.compile("|".join({*names_in("experiments"), *names_in("networks")} - {r"\w+"}))
TO_RECORD = "make all results and record them: python -m workflow.deepnets.tools.verdicts --record"


def claims_of(document):
    return {each.name: each for each in LEDGERS[document]() if isinstance(each, Claim)}


def on_record(document):
    return [
        (claim, RECORDS[document][name]) for name, claim in claims_of(document).items() if name in RECORDS[document]
    ]


def evidence_of(plan):
    """Evidence of runs that recorded nothing: all points of a plan, and its grids."""
    tables, grids = {}, {}
    for experiment in plan.experiments:
        points = [point.axes for point in plan.points.values() if point.axes["experiment"] == experiment]
        tables[experiment] = pd.DataFrame(points).assign(step=0, metric="nothing", index=0, value=float("nan"))
        spec = json.loads(plan.results[TABLE.format(experiment=experiment)].spec)
        grids[experiment] = [
            {**grid, "axes": {**grid["axes"], "seed": listed(grid["axes"]["seed"])}} for grid in spec["grids"]
        ]
    return Evidence(tables, grids)


@pytest.fixture(scope="module")
def evidence(default_plan):
    return evidence_of(default_plan)


@pytest.fixture(scope="module")
def evidence_of_paper_size():
    return evidence_of(Plan(files.read([ROOT / "configs/paper_size.yaml"])))


@pytest.mark.parametrize("document", RECORDS)
def test_every_claim_has_a_verdict_on_record(document):
    assert claims_of(document).keys() == RECORDS[document].keys(), TO_RECORD


@pytest.mark.parametrize("document", RECORDS)
def test_rules_are_those_on_record(document):
    assert [claim.rule.words for claim, _ in on_record(document)] == [
        recorded["rule"] for _, recorded in on_record(document)
    ], TO_RECORD


@pytest.mark.parametrize("document", RECORDS)
def test_the_default_config_has_the_runs_and_settings_that_claims_ask_for(document, evidence):
    for claim, recorded in on_record(document):
        row = row_of(claim, evidence, "full")
        if row["verdict"] == recorded["verdict"]:
            continue
        # What needs no rows is judged already; all else is testable but for them.
        assert row["verdict"] == NOT_TESTABLE, claim.name
        assert row["remark"].startswith(WITHOUT_ROWS), (claim.name, row["remark"])
        # Other words than a metric's name no single one.
        missing = re.fullmatch(r"the runs recorded no (\w+)(?: at step \d+)?", row["remark"])
        assert not missing or METRIC.fullmatch(missing[1]), (claim.name, row["remark"])


@pytest.mark.parametrize("document", sorted({"002-propagation", "004-zero", "saxe-2013"} & LEDGERS.keys()))
def test_the_config_of_the_papers_sizes_has_all_runs_but_those_of_one_epoch(document, evidence_of_paper_size):
    for claim in claims_of(document).values():
        remark = row_of(claim, evidence_of_paper_size, "full")["remark"]
        # There document 004's nets train for twenty.
        assert not remark.startswith("the config asks for") or "steps 938" in remark, (claim.name, remark)
