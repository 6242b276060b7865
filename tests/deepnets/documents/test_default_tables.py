"""All claims, judged by the default config's tables, have the recorded verdicts, values and counts.

The tables contain only rows that claims read. If a claim now reads other rows, or changed on purpose, make the
document's results and record them: `snakemake --cores 8 DOCUMENT && python tools/record.py DOCUMENT`.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT
from default_tables import claims_of, default_tables, judged
from entries import LEDGERS, PACKAGE, TABLES
from reproduce.claims.claim import MAIN, OURS, REASONS
from reproduce.claims.criteria import FAILED, NOT_REPRODUCED, UNDECIDED, Each, Every, Near, OneMoreDraw
from reproduce.claims.estimate import estimate
from reproduce.claims.judging import FAULT, row_of
from reproduce.config import files
from reproduce.config.documents import documents_of
from reproduce.config.plan import Plan
from reproduce.jobs.frames import grids_of_spec
from reproduce.records.ledgers import COVERAGE, LedgerRow
from reproduce.records.paths import TABLE
from reproduce.tables.table import Table
from reproduce.tools.verdicts import COLUMNS, path_of, read_verdicts

ROOMS = {document.id: document.room for document in documents_of(PACKAGE).values()}
MOST_MAIN_RESULTS = 10
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
# The beginning of a printed number that is a bound on ours.
BOUND = re.compile("(at (most|least)|above|below|greater than) |[≤≥] ")
# Remarks that may result from a wrong name of an axis, a setting or a metric.
LACKS = re.compile(r"the config contains no |the runs recorded no |no run records ")
OF_PAPER_SIZE = "configs/paper_size.yaml may: "
every_document = pytest.mark.parametrize("document", LEDGERS)


def record(document):
    return read_verdicts(ROOT / path_of(ROOMS[document]))


def differ_beyond_rounding(ours, recorded):
    """Return whether two texts differ in more than the last digits of their numbers, which depend on the processor."""
    numbers, others = ([float(each) for each in NUMBER.findall(text)] for text in (ours, recorded))
    return NUMBER.sub("", ours) != NUMBER.sub("", recorded) or numbers != pytest.approx(others, rel=1e-3, abs=1e-9)


@every_document
def test_verdicts_values_and_counts_equal_the_recorded_ones(document):
    found, recorded = judged(document), record(document)
    assert sorted(found) == sorted(recorded)
    for name, row in found.items():
        was = recorded[name]
        columns = [key for key in COLUMNS if key not in ("ours", "remark")]
        assert [getattr(row, key) for key in columns] == [getattr(was, key) for key in columns], name
        for ours, recorded_one in ((row.ours, was.ours), (row.remark, was.remark)):
            assert not differ_beyond_rounding(ours, recorded_one), (name, ours, recorded_one)


def parts_of(claim):
    """Yield each part of a claim: its name, its criterion and what the default tables give."""
    measured = claim.measure(default_tables())
    parts = measured if isinstance(measured, Mapping) else {"": measured}
    criteria = claim.criterion.parts if isinstance(claim.criterion, Each) else {"": claim.criterion}
    for name, criterion in criteria.items():
        yield name, criterion, parts[name]


@every_document
def test_every_claim_is_testable_unless_it_needs_a_larger_size_and_has_its_words(document):
    for name, row in judged(document).items():
        assert FAULT not in row.remark, (name, row.remark)
        # Only runs at the papers' sizes may be missing in the default config.
        assert not LACKS.search(row.remark) or OF_PAPER_SIZE in row.remark, (name, row.remark)
        if row.verdict == UNDECIDED:
            assert re.search("too few nets: |the value lies on the border: |too few updates: ", row.remark), name
        assert row.quantity, name
        assert row.printed or row.kind != "number", name
        # An explanation begins with one of REASONS.
        explained = re.match(f"({'|'.join(REASONS)}) \\w", row.explanation)
        assert explained or row.verdict != NOT_REPRODUCED, name


def printed_numbers(text):
    """Return the numbers of a text, of which a power of ten may follow a bracket with the error."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-")
    return [float(each) for each in NUMBER.findall(re.sub(r"(?: ± [\d.]+\))?·10(-?\d+)", r"e\1", plain))]


def test_a_printed_number_may_have_the_form_of_ours():
    assert printed_numbers("(−3.7789 ± 0.0025)·10⁻³, 2·10⁵ and 7") == [-3.7789e-3, 2e5, 7]


def is_explained(claim, criterion):
    """Return whether a claim says why the document's number is not near ours."""
    # The document states 0, or the criterion compares the two numbers by itself.
    known = criterion.value == 0 or isinstance(criterion, Near | OneMoreDraw)
    return known or (isinstance(criterion, Every) and BOUND.match(claim.row.printed))


@every_document
def test_a_documents_number_has_the_same_quantity_and_unit_as_ours(document):
    other = []
    for claim in claims_of(document):
        row = judged(document)[claim.name]
        if not NUMBER.search(claim.row.printed) or not row.ours or row.verdict in FAILED:
            continue
        for name, criterion, measured in parts_of(claim):
            ours, stated = estimate(measured).mean, printed_numbers(claim.row.printed)
            if np.isfinite(criterion.value):
                # Use only printed numbers that the criterion compares.
                stated = [number for number in stated if number == pytest.approx(criterion.value, rel=0.01)]
            # Of the same sign, and at most a factor of 2 apart.
            similar = any(ours * number > 0 and 1 / 2 <= ours / number <= 2 for number in stated)
            if not stated or not (similar or is_explained(claim, criterion)):
                other.append(f"{claim.name} {name}: {claim.row.printed} is not of the quantity of {ours}")
    assert not other, "\n".join(other)


@every_document
def test_a_ledger_has_few_main_results_and_one_coverage(document):
    weights = Counter(row.weight for row in judged(document).values())
    if set(weights) == {OURS}:
        return
    assert 1 <= weights[MAIN] <= MOST_MAIN_RESULTS
    assert [each.kind for each in LEDGERS[document]() if isinstance(each, LedgerRow)].count(COVERAGE) == 1


@every_document
def test_the_tables_have_the_grids_of_the_current_config(document, default_plan):
    # No other test compares the settings that claims need with config.yaml.
    for experiment in TABLES[document]:
        planned = grids_of_spec(json.loads(default_plan.results[TABLE.format(experiment=experiment)].spec))
        assert default_tables()[experiment].grids == planned, f"{experiment}: python tools/record.py {document}"


@pytest.fixture(scope="module")
def tables_of_paper_size():
    """Runs at the papers' sizes that recorded nothing."""
    plan = Plan(files.read([ROOT / "configs/paper_size.yaml"]))
    tables = {}
    for experiment in plan.experiments:
        points = [point.axes for point in plan.points.values() if point.axes["experiment"] == experiment]
        rows = pd.DataFrame(points).assign(step=0, metric="nothing", index=0, value=np.nan)
        spec = json.loads(plan.results[TABLE.format(experiment=experiment)].spec)
        tables[experiment] = Table(rows, grids_of_spec(spec))
    return tables


@every_document
def test_the_paper_size_config_has_the_runs_that_the_default_config_lacks(document, tables_of_paper_size):
    metrics = {metric for experiment in TABLES[document] for metric in default_tables()[experiment].frame["metric"]}
    for claim in claims_of(document):
        if OF_PAPER_SIZE in judged(document)[claim.name].remark:
            remark = row_of(claim, tables_of_paper_size).remark
            for metric in re.findall(r"the runs recorded no (\w+)", remark):
                assert metric in metrics, (claim.name, metric)
            assert not re.search("the config contains no ", remark), (claim.name, remark)
