"""All ledgers: entries are complete, no claim passes without evidence, and verdicts become rows and words."""

import hashlib
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from markdown_it import MarkdownIt

from default_tables import default_tables
from entries import EXPERIMENTS, LEDGERS, PACKAGE, settings_of
from evidence import evidence, loss_claim
from reproduce.claims.claim import OURS, WEIGHTS, Claim
from reproduce.claims.criteria import NOT_TESTABLE, REPRODUCED, VERDICTS, Near, OneMoreDraw
from reproduce.claims.entries import compare_settings
from reproduce.claims.judging import UNEXPECTED, quote_numbers, row_of
from reproduce.config.documents import documents_of, drawings_of
from reproduce.jobs.list_claims import ledger_as_markdown
from reproduce.records.ledgers import COVERAGE, SETTING, row_without_claim
from reproduce.records.paths import LIST
from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM

TEMPLATE = (PACKAGE.root / LIST).read_text(encoding="utf-8")
HOSTILE = "</td><script>alert(1)</script> &lt;b&gt; <!-- x [a](b) `<b>` *a* **b** _c_ ~~d~~ | e \\ f\n\n# a title"


def numbers_in(text):
    """Return the numbers of two digits or more, with four significant digits: a sentence may round, and say “four”."""
    return {f"{float(each):.4g}" for each in re.findall(r"(?<![\de-])\d+[.\d]\d*", text.replace(",", ""))}


@pytest.mark.parametrize("document", LEDGERS)
def test_statements_are_sentences_with_their_numbers_and_reasons(document):
    entries = [each.row if isinstance(each, Claim) else each for each in LEDGERS[document]()]
    rows = [row for row in entries if row.kind != COVERAGE]
    assert rows[0].is_claim, "a reader first sees what the document finds"
    for row in rows:
        assert row.claim == row.claim.lower()
        assert row.place and row.statement.endswith((".", "”"))
        assert len(row.because if row.is_claim else row.remark) > 10
        stated = numbers_in(row.statement) if row.is_claim else set()
        assert not stated or numbers_in(row.printed) <= stated, row.claim


@pytest.mark.parametrize("document", LEDGERS)
def test_names_are_unique_in_a_ledger(document):
    entries = [each.row if isinstance(each, Claim) else each for each in LEDGERS[document]()]
    names = [row.claim for row in (*entries, *compare_settings(settings_of(document), default_tables()))]
    assert len(names) == len({*names})


@pytest.mark.parametrize("document", LEDGERS)
def test_claims_name_existing_figures(document):
    named = {each.row.figure for each in LEDGERS[document]() if isinstance(each, Claim)}
    assert named - {""} <= {name for owner, name in drawings_of("figure", PACKAGE, EXPERIMENTS) if owner == document}


@pytest.mark.parametrize("document", documents_of(PACKAGE).values(), ids=lambda document: document.id)
def test_a_document_of_others_names_the_works_to_cite(document):
    rows = [each.row for each in LEDGERS[document.id]() if isinstance(each, Claim)]
    assert document.works or {row.weight for row in rows} == {OURS}


@pytest.mark.parametrize("document", LEDGERS)
def test_without_tables_nothing_is_testable(document):
    for each in LEDGERS[document]():
        if isinstance(each, Claim):
            row = row_of(each, {})
            assert row.verdict == NOT_TESTABLE, each.name
            assert row.remark


def claim(**changes):
    words = {"place": "somewhere", "statement": "It is ten.", "because": "Because.", "no_draws": False}
    return loss_claim(**{"name": "a_number", "criterion": Near(10, of="exponent", reading=3.5), **words, **changes})


def runs(*values):
    return evidence([({"seed": seed}, {"loss": {(0, 0): value}}) for seed, value in enumerate(values)])


def test_a_row_contains_the_mean_its_error_and_the_verdict():
    row = row_of(claim(), runs(9.0, 10.0, 12.0))
    assert row.value == pytest.approx(31 / 3)
    assert row.standard_error == pytest.approx(np.std([9, 10, 12], ddof=1) / np.sqrt(3))
    assert (row.least, row.greatest, row.count) == (9, 12, "3")
    assert row.document_value == 10
    assert row_of(claim(criterion=OneMoreDraw(10, of="exponent", error=0.5)), runs(9.0, 10.0)).document_error == 0.5
    assert (row.verdict, row.criterion) == (REPRODUCED, claim().criterion.words)
    assert (row.figure, row_of(claim(figure="curves"), runs(9.0)).figure) == ("", "curves")


def test_a_digest_reveals_other_values_with_the_same_mean_but_no_rounding_errors():
    rows = [row_of(claim(), runs(*values)) for values in ((9, 10, 12), (9, 11, 11), (9 + 1e-9, 10, 12), (1e-12, 0))]
    digests = [row.digest for row in rows]
    assert digests[0] == digests[2] and len(set(digests)) == 3
    assert digests[3] == row_of(claim(), runs(0, -1e-13)).digest


def test_explanations_quote_numbers_of_the_ledger_and_unexpected_failures_say_so():
    told = claim(name="told", criterion=Near(20, of="share"), explanation="We found {a_number}, not 20.")
    silent = claim(name="silent", criterion=Near(20, of="share"))
    rows = [row_of(each, runs(9.8, 10.2)) for each in (claim(), told, silent)]
    texts = [row.explanation for row in quote_numbers(rows)]
    assert texts == ["", "We found 10.00 ± 0.20, not 20.", UNEXPECTED]


def test_the_page_has_the_recorded_text():
    judged = replace(row_of(claim(revised="Later.", quantity="loss"), runs(9.8, 10.2)), main="a title")
    rows = [
        replace(judged, document="a b", claim=f"{weight}_{verdict}", weight=weight, verdict=verdict)
        for weight in WEIGHTS
        for verdict in VERDICTS
    ]
    setting = row_without_claim(SETTING, claim="rate", printed="1", ours="2")
    texts = {"place": "here", "statement": "It is wrong.", "remark": "As seen."}
    errata = [
        row_without_claim(kind, claim=name, **texts) for kind, name in ((ERRATUM_OF_FORM, "typo"), (ERRATUM, "fault"))
    ]
    coverage = row_without_claim(
        COVERAGE, claim=COVERAGE, statement="2 of 3 printed numbers are quoted here. Left out: 7 (a page)."
    )
    text = ledger_as_markdown(TEMPLATE, {"a b": [*rows, setting], "c": [*rows[:3], coverage, *errata]}, "half")
    # If it differs, read it, and record its digest.
    assert hashlib.sha256(text.encode()).hexdigest()[:8] == "2d71294a", text
    assert set(re.findall(r"\]\(#(.*?)\)", text)) <= set(re.findall(r'<a id="(.*?)">', text))


def test_texts_of_a_ledger_are_shown_literally():
    def page_of(text):
        texts = dict.fromkeys(("place", "statement", "printed", "quantity", "explanation", "because", "main"), text)
        row = row_of(claim(**texts, criterion=Near(20, of="share")), runs(9.8, 10.2))
        markdown = ledger_as_markdown(TEMPLATE, {"toy": [replace(row, document="toy")]}, "")
        return ElementTree.fromstring(f"<page>{MarkdownIt().enable('table').render(markdown)}</page>")

    shown, harmless = page_of(HOSTILE), page_of("word")
    assert [element.tag for element in shown.iter()] == [element.tag for element in harmless.iter()]
    assert "".join(shown.itertext()) == "".join(harmless.itertext()).replace("word", " ".join(HOSTILE.split()))
