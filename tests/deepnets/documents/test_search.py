"""The search of the page, with the words of all documents, answers questions of students."""

import json
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
import yaml
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import ROOT
from entries import LEDGERS
from reproduce.claims.claim import Claim
from reproduce.claims.judging import row_of
from reproduce.jobs.page import render
from reproduce.page.contents import Picture, contents_of, paragraphs_of
from reproduce.page.experiments import experiment_of
from reproduce.page.links import anchor_of, anchor_of_chart
from reproduce.records.paths import PAGE, TABLE
from reproduce.tools.verdicts import path_of, read_verdicts

QUESTIONS = yaml.safe_load(Path(__file__).with_name("questions.yaml").read_text(encoding="utf-8"))
FEWEST = 79
QUOTED = (
    *("what data set", "how many seeds", "download", "what if I start with zero weights"),
    *("is a linear net not just one matrix", "how big can the learning rate be"),
)


def rows_of(document, room):
    """Return the rows of a ledger with the statements of today and the recorded verdicts and values."""
    recorded = read_verdicts(ROOT / path_of(room))
    for each in LEDGERS[document]():
        if isinstance(each, Claim):
            was = recorded[each.name]
            judged = {"verdict": was.verdict, "ours": was.ours, "count": was.count, "explanation": each.row.explanation}
            yield replace(row_of(each, {}), document=document, **judged)
        else:
            yield replace(each, document=document)


def picture_of(facts, *, is_chart):
    document, name = facts["document"], facts["name"]
    anchor = (anchor_of_chart if is_chart else anchor_of)(document, name)
    # No picture is looked at, but each is wide.
    words = (paragraphs_of(facts["caption"]), "data:,", 600, 300, f"results/figures/{name}.pdf")
    return Picture(document, anchor, name, *words, chart={} if is_chart else None)


@pytest.fixture(scope="module")
def address(default_plan, tmp_path_factory):
    """The address of the default config's page, whose pictures are empty."""
    page = default_plan.results[PAGE]
    spec = json.loads(page.spec)
    tables = {name: {"spec": default_plan.results[TABLE.format(experiment=name)].spec} for name in spec["runs"]}
    contents = contents_of(
        spec["documents"],
        [picture_of(each, is_chart=kind == "charts") for kind in ("figures", "charts") for each in spec[kind]],
        {each.id: [*rows_of(each.id, each.room)] for each in default_plan.documents.values()},
        [experiment_of(metadata, "", spec["runs"][name]) for name, metadata in tables.items()],
        numbers={},
        reduced="",
        **{name: spec[name] for name in ("citation", "glossary", "questions")},
    )
    # The charts' own scripts are not needed.
    read = [path for path in map(ROOT.joinpath, page.inputs["templates"]) if path.parent.name == "templates"]
    path = tmp_path_factory.mktemp("search") / "report.html"
    path.write_text(render([(each.suffix, each.read_text(encoding="utf-8")) for each in read], contents))
    return path.as_uri()


def test_questions_of_students_are_answered_among_the_first_three_hits(browser, address):
    browser.get(address)
    search = browser.find_element(By.NAME, "words")
    found = "return [...document.querySelectorAll('#hits a')].map(({ hash }) => decodeURIComponent(hash.slice(1)))"
    missed = {}
    for question, answers in QUESTIONS.items():
        search.send_keys(Keys.CONTROL, "a", Keys.NULL, question)
        hits = browser.execute_script(found)
        assert len(hits) == len(set(hits)) <= 10
        if "has nothing on" in browser.find_element(By.CSS_SELECTOR, "#search output").text:
            hits.insert(0, "nothing")
        assert ("nothing" in hits) == ("nothing" in answers), question
        if not any(fnmatchcase(hit, answer) for hit in hits[:3] for answer in answers):
            missed[question] = hits[:3]
    assert len(QUESTIONS) == 85 and len(QUESTIONS) - len(missed) >= FEWEST, missed
    assert not set(QUOTED) & missed.keys() and set(QUOTED) <= QUESTIONS.keys()


@pytest.mark.parametrize("width", [380, 1000, 1366])
def test_the_tables_of_all_results_fit_the_window_and_verdicts_filter_them(browser, address, width):
    with browser.look(width=width):
        browser.get(address)
        section = browser.find_element(By.ID, "ledger")
        section.find_element(By.TAG_NAME, "summary").click()
        buttons = section.find_elements(By.CSS_SELECTOR, "[aria-pressed]")
        seen = "return [...document.querySelectorAll('#ledger tbody tr')].filter(row => row.checkVisibility())"
        assert browser.execute_script(f"{seen}.length") == 0
        for button in buttons:
            button.click()
            verdict, _, count = button.text.partition(": ")
            shown = browser.execute_script(f"{seen}.map(row => row.lastChild.textContent.trim())")
            assert len(shown) == int(count) and {each.split(" ", 1)[1] for each in shown} == {verdict}
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width
            button.click()
