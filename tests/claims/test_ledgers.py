"""All ledgers: each entry is whole, no claim passes without evidence, and verdicts become rows and words."""

import json
import shutil

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import ROOT
from entries import EXPERIMENTS, LEDGERS, PACKAGE
from evidence import evidence

from workflow.deepnets.claims.claim import Claim, Erratum
from workflow.deepnets.claims.criteria import NOT_TESTABLE, REPRODUCED, Every, Near
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import final
from workflow.deepnets.code.modules import Package
from workflow.deepnets.config.documents import documents_of, figures_of, ledgers_of
from workflow.deepnets.errors import UserError
from workflow.deepnets.jobs.judge import row_of
from workflow.deepnets.jobs.ledger import as_markdown
from workflow.deepnets.records.ledgers import LEDGER_SCHEMA
from workflow.deepnets.records.pages import stamp_of_text, stamped
from workflow.deepnets.records.paths import LEDGER
from workflow.deepnets.records.provenance import Provenance
from workflow.deepnets.records.tables import write_table
from workflow.deepnets.tools import verdicts

KINDS = {"number", "ordering", "trend", "bound", "setting", "formula"}


@pytest.mark.parametrize("document", LEDGERS)
def test_entries_are_whole_and_have_names_of_their_own(document):
    entries = LEDGERS[document]()
    names = [each.name for each in entries]
    assert len(set(names)) == len(names)
    for each in entries:
        assert each.name.replace("_", "").isalnum()
        assert each.name == each.name.lower()
        assert each.place
        assert each.statement.endswith((".", "”"))
        if isinstance(each, Claim):
            assert each.kind in KINDS
            assert len(each.because) > 10
            assert each.rule.words
        else:
            assert isinstance(each, Erratum)
            assert len(each.evidence) > 10


def test_claims_name_figures_that_there_are():
    named = {
        (document, each.figure): each.name
        for document, ledger in LEDGERS.items()
        for each in ledger()
        if isinstance(each, Claim) and each.figure
    }
    figures = figures_of(PACKAGE, EXPERIMENTS)
    assert not {key: name for key, name in named.items() if key not in figures}


@pytest.mark.parametrize("document", LEDGERS)
def test_without_tables_nothing_is_testable(document):
    for each in LEDGERS[document]():
        if isinstance(each, Claim):
            row = row_of(each, Evidence({}, {}), "full")
            assert row["verdict"] == NOT_TESTABLE, each.name
            assert row["remark"]


def claim(**changes):
    parts = {
        "name": "a_number",
        "place": "somewhere",
        "kind": "number",
        "statement": "It is ten.",
        "measure": final("toy", "loss"),
        "rule": Near(10, error=0.5),
        "because": "Because.",
    }
    return Claim(**{**parts, **changes})


def runs(*values):
    return evidence([({"seed": seed}, {"loss": {(0, 0): value}}) for seed, value in enumerate(values)])


def test_a_row_holds_the_mean_its_error_and_the_verdict():
    row = row_of(claim(), runs(9.0, 10.0, 12.0), "")
    assert row["value"] == pytest.approx(31 / 3)
    assert row["standard_error"] == pytest.approx(np.std([9, 10, 12], ddof=1) / np.sqrt(3))
    assert (row["least"], row["greatest"], row["count"]) == (9, 12, 3)
    assert (row["document_value"], row["document_error"]) == (10, 0.5)
    assert row["deviation"] == pytest.approx((31 / 3 - 10) / np.hypot(0.5, row["standard_error"]))
    assert (row["verdict"], row["rule"]) == (REPRODUCED, claim().rule.words)
    assert (row["figure"], row_of(claim(figure="curves"), runs(9.0), "")["figure"]) == ("", "curves")


def test_a_claim_of_full_mnist_is_not_judged_by_the_subset():
    needs = claim(needs_full_mnist=True)
    assert row_of(needs, runs(10.0), "subset")["verdict"] == NOT_TESTABLE
    assert row_of(needs, runs(10.0), "full")["verdict"] == REPRODUCED
    assert row_of(claim(), runs(10.0), "subset")["verdict"] == REPRODUCED


def ledger(*claims, found):
    rows = [{"document": "toy", **row_of(each, found, "")} for each in claims]
    return pa.Table.from_pylist(rows, schema=LEDGER_SCHEMA).to_pandas()


def test_the_page_counts_verdicts_and_lists_what_was_not_reproduced():
    wrong = claim(name="a_lie", statement="It is twenty.", rule=Near(20))
    absent = claim(name="elsewhere", figure="curves", measure=final("other", "loss"))
    text = as_markdown({"toy": ledger(claim(), wrong, absent, found=runs(9.9, 10.1))}, subset=False)
    assert "3 claims: 1 reproduced, 0 reproduced with remark, 1 not reproduced, 1 not testable here; 0 errata" in text
    assert "`a_number`, somewhere. Ours: 10" in text
    assert "`elsewhere`, somewhere; our figure `curves`. Ours: nothing." in " ".join(text.split())
    assert "- `toy/a_lie`: It is twenty. Ours: 10 ± 0.1 (2 values from 9.9 to 10.1)." in text
    assert "| toy | 1 | 0 | 1 | 1 |" in text
    assert "subset" not in text
    assert "embedded subset" in as_markdown({"toy": ledger(claim(), found=runs(1.0))}, subset=True)


def test_a_page_says_what_it_was_made_of_and_notices_an_edit():
    origin = Provenance('{"a--b":1}', "code", {"ledgers": "digest"})
    written = stamped("# Claims\n\nText.\n", origin)
    stamp = stamp_of_text(written)
    assert (stamp["spec"], json.loads(stamp["inputs"])) == ('{"a--b":1}', {"ledgers": "digest"})
    assert "--" not in written.rpartition("<!--")[2].removesuffix("-->\n")
    with pytest.raises(UserError, match="its text was changed"):
        stamp_of_text(written.replace("Text", "Test"))
    with pytest.raises(UserError, match="no stamp"):
        stamp_of_text("# Claims\n")


def test_verdicts_that_changed_came_or_went_are_told():
    recorded = {"same": "reproduced", "worse": "reproduced", "gone": "reproduced"}
    found = {"same": "reproduced", "worse": "not reproduced", "new": "reproduced"}
    assert verdicts.differences(found, recorded) == [
        "gone: absent; recorded: reproduced",
        "new: reproduced; recorded: absent",
        "worse: not reproduced; recorded: reproduced",
    ]
    assert verdicts.differences(recorded, recorded) == []


@pytest.fixture
def judged(tmp_path, monkeypatch, capsys):
    """Two documents' verdicts, one of them on record, and a function that compares: it returns status and lines."""
    erratum = {**row_of(claim(), runs(10.0), ""), "claim": "a_fault", "kind": "erratum"}
    rows = [row_of(claim(rule=Near(20)), runs(1.0), ""), erratum]
    rows.append(row_of(claim(name="a_bound", rule=Every(least=3)), runs(10.0), ""))
    documents = documents_of(PACKAGE).values()
    first, second = list(documents)[:2]
    for document in (first, second):
        (tmp_path / verdicts.record_of(document.room)).parent.mkdir(parents=True)
        path = tmp_path / LEDGER.format(document=document.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        table = pa.Table.from_pylist([{"document": document.id, **row} for row in rows], schema=LEDGER_SCHEMA)
        write_table(path, table, Provenance("{}", "code", {}))
    monkeypatch.chdir(tmp_path)

    def compare(*options):
        monkeypatch.setattr("sys.argv", ["verdicts", *options])
        with pytest.raises(SystemExit) as end:
            verdicts.main()
        return end.value.code, capsys.readouterr().out.splitlines()

    compare("--record")
    verdicts.record_of(second.room).unlink()
    return first, second, compare


def test_a_record_holds_verdicts_and_rules_and_notices_another_verdict(judged):
    first, _, compare = judged
    record = verdicts.record_of(first.room)
    assert record.read_text() == (
        "claim,verdict,rule\n"
        "a_bound,reproduced,every value is 3 or more\n"
        "a_number,not reproduced,the mean is within 3 combined standard errors of 20 ± 0\n"
    )
    status, lines = compare()
    assert (status, lines[-1]) == (0, "2 verdicts, all as recorded")
    record.write_text(record.read_text().replace("not rep", "rep"))
    status, lines = compare()
    assert (status, lines[-1]) == (1, f"{first.id}/a_number: not reproduced; recorded: reproduced")


def test_a_document_without_a_record_is_told_and_fails_nothing(judged):
    _, second, compare = judged
    missing = f"{second.id}: {verdicts.record_of(second.room)} is missing; to record its verdicts, add --record"
    assert compare() == (0, [missing, "2 verdicts, all as recorded"])


MODULE = 'TABLES = ("regression",)\n\n\ndef ledger():\n    return []\n'


@pytest.fixture
def ledgers(tmp_path):
    """Find the ledgers of the sources and of a document of one's own."""
    for name in ("workflow", "envs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    claims = tmp_path / "workflow/deepnets/documents/toy/claims"
    claims.mkdir(parents=True)
    (claims.parent / "__init__.py").write_text('ID = TITLE = SOURCE = ABOUT = "toy"\n')

    def found(text, experiments=("regression",)):
        (claims / "ledger.py").write_text(text)
        return ledgers_of(Package(tmp_path), experiments)

    return found


def test_a_ledger_is_judged_by_those_of_its_tables_that_there_are(ledgers):
    two = MODULE.replace('("regression",)', '("regression", "hierarchy")')
    assert ledgers(two)["toy"].tables == ("regression",)
    assert "toy" not in ledgers(two, ["classifier"])


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            '("regression",)',
            '("regresion",)',
            "ledger.py: TABLES names the experiments of the claims; allowed: some of",
        ),
        ('("regression",)', "()", "ledger.py: TABLES names the experiments"),
        ("def ledger", "def claims", "ledger.py: its one public function is `ledger`"),
    ],
)
def test_what_no_job_could_judge_is_told(ledgers, old, new, fault):
    with pytest.raises(UserError) as error:
        ledgers(MODULE.replace(old, new))
    assert fault in str(error.value)


def test_the_figure_of_claims_draws_what_deviates():
    from workflow.deepnets.figures.claims import claims as draw

    near, far = claim(rule=Near(9, error=0.5)), claim(name="far", rule=Near(20, error=0.5))
    (axis,) = draw(ledger(near, far, found=runs(10.0))).axes
    holding, failing = (line.get_xdata().tolist() for line in axis.lines if line.get_marker() == "o")
    assert holding == pytest.approx([2])
    # At the edge, with its number.
    assert failing == [-6]
    assert "-20.0" in [text.get_text() for text in axis.texts]
    assert [label.get_text() for label in axis.get_yticklabels()] == [
        "a_number: 10 (document: 9 ± 0.5)",
        "far: 10 (document: 20 ± 0.5)",
    ]


def test_a_figure_without_numbers_says_so():
    from workflow.deepnets.figures.claims import claims as draw

    (axis,) = draw(pd.DataFrame({"deviation": [np.nan], "verdict": ["reproduced"]})).axes
    assert "no claim states a number" in axis.texts[0].get_text().replace("\n", " ")
