"""The page as its program writes it: its contents, and that text from inputs stays text."""

import hashlib
import re
from dataclasses import replace
from html import unescape

import pytest
import small_page
from small_page import HOSTILE, ROWS, Elements

from reproduce.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, UNDECIDED
from reproduce.claims.headline import headline
from reproduce.page.anchors import anchor_of
from reproduce.page.citing import bibtex_of
from reproduce.page.contents import Judged, Picture, _make_claim, contents_of, paragraphs_of
from reproduce.page.findings import answer_of, finding_of
from reproduce.page.glossary import linker
from reproduce.page.sparklines import sparkline_of
from reproduce.records.record import Record, record_at

# One worker runs these tests, because bundling the page's scripts takes seconds.
pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def page_path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return small_page.make(folder)


@pytest.fixture(scope="module")
def page(page_path):
    return Elements(page_path.read_text())


HEADLINE = (
    "Of 2 statements about results, 1 is reproduced, 1 cannot be tested here; of 1 main statement, 1 is reproduced. "
    "0 of 1 theorem holds numerically; 1 does not."
)


def read_words(html):
    """Return the text of a piece of a page, in which all space is one blank."""
    return " ".join(unescape(re.sub("<[^>]*>", "", html)).split())


def test_the_headline_begins_with_all_results_and_main_statements(page_path, page):
    (summary,) = re.findall(r'<p class="summary">(<b>.*?)</p>', page_path.read_text())
    assert read_words(summary) == f"{HEADLINE} The documents themselves contain 1 error of substance."
    assert HEADLINE in page.words("000") and "9 of 10 printed numbers are quoted here." in page.words("000")
    rows = re.findall(r'<th scope="row">(\w+)</th>((?:<td>\d*</td>)+)', page_path.read_text())
    counts = {weight: [int(cell or 0) for cell in re.findall(r">(\d*)</td>", cells)] for weight, cells in rows}
    assert counts == {"main": [1, 0, 0, 0], "supporting": [0, 0, 0, 1], "theorems": [0, 0, 1, 0]}
    explained = dict(re.findall("<dfn>([^<]+)</dfn>: ([^.]+)", page_path.read_text()))
    words = {REPRODUCED: "is inside", NOT_REPRODUCED: "is outside", UNDECIDED: "crosses", NOT_TESTABLE: "no such value"}
    assert all(word in explained[verdict.capitalize()] for verdict, word in words.items())


def test_the_headline_tells_theorems_that_fail_from_those_that_were_not_tested():
    verdicts = [REPRODUCED] * 22 + [NOT_REPRODUCED] * 2 + [UNDECIDED] + [NOT_TESTABLE] * 4
    counted = "22 of 29 theorems hold numerically; 1 is undecided, 2 do not, 4 cannot be tested here."
    assert headline(small_page.row("a", each, weight="theorem") for each in verdicts) == [counted]
    assert headline([small_page.row("a", REPRODUCED, weight="theorem", reduced="10 units")] * 2) == [
        "2 of 2 theorems hold numerically."
    ]


def test_a_document_begins_with_its_finding_with_our_numbers_and_their_worst_verdict(page_path):
    (finding,) = re.findall(r'<p class="finding">(.*?)</p>', page_path.read_text(), re.DOTALL)
    assert read_words(finding) == "Accuracy is 60.25 ± 0.62 %, the rate 1.5. ✗ not reproduced"
    assert re.findall('href="([^"]*)"', finding) == ["#claim-000-deeper_is_better", "#claim-000-the_rate"]


def test_the_first_screen_answers_in_whole_sentences(page_path):
    text = page_path.read_text()
    assert text.index("Depth helps.") < text.index('class="answers"') < text.index('class="summary"')
    (answers,) = re.findall(r'<ol class="answers">(.*?)</ol>', text, re.DOTALL)
    first, second = map(read_words, re.findall("<li .*?</li>", answers, re.DOTALL))
    assert first == (
        "Does it help? rank 10,000 1 1 depth 100 Draw your guess, or see what our runs did Yes: 60 %, and 10². "
        "(n = 10; figure) ✓ reproduced 000-classifier: deeper_is_better holds. Try three."
    )
    assert second == (
        "What else? These results lack some of the runs that answer this: noisy nets. The default config has "
        "them all, with the full data sets: snakemake --cores 8 002-noise"
    )
    links = ["#claim-000-deeper_is_better", "#claim-000-the_rate", "#000-rank", "#claim-000-deeper_is_better"]
    links += ["#000-depth-sliders?depth=3"]
    assert re.findall('href="([^"]*)"', answers) == links


def test_the_curve_of_an_answer_is_the_first_line_of_the_figure_with_its_name():
    curve = sparkline_of(small_page.NUMBERS, small_page.CURVE)
    # The frame is 344 by 76 pixels, and axes are logarithmic: 10 is half of the width and a quarter of the height.
    assert curve.ours == "M4 96L176 77L348 39" and curve.mark == (348, 39)
    assert curve.given == "M4 77L348 58"
    assert (curve.ends, curve.limits) == (("1", "100"), ("1", "10,000"))
    linear = sparkline_of(small_page.NUMBERS, {**small_page.CURVE, "log": "", "given": "", "limits": (0, 100)})
    # The frame's upper edge cuts the last point.
    assert linear.ours == "M4 95L35 88L348 20" and linear.given == ""
    assert sparkline_of(small_page.NUMBERS, {**small_page.CURVE, "panel": "b", "series": "their"}) is None


def test_the_first_occurrence_of_a_word_links_to_the_glossary(page):
    link = linker(["rank", "effective rank", "δχ", "χ"])
    word = '<a class="word" href="#word-{}">{}</a>'.format
    assert link("Ranks <b>, rank & rank; effective ranks, ranking") == (
        f"Ranks &lt;b&gt;, {word('rank', 'rank')} &amp; rank; {word('effective-rank', 'effective ranks')}, ranking"
    )
    assert link("χ, δχ") == f"{word('χ', 'χ')}, {word('δχ', 'δχ')}"
    assert linker([])("rank") == "rank"
    assert page.words("word-rank") == "rank How many directions."


def test_an_answer_has_no_statement_that_cannot_be_tested_here():
    rows = {row.claim: row for row in small_page.ROWS}
    untested = {**rows, "deeper_is_better": replace(rows["deeper_is_better"], verdict=NOT_TESTABLE)}
    found = [answer_of(small_page.ANSWERS[0], {"000-classifier": each}, set(), {}) for each in (rows, untested)]
    assert [bool(each.statement) for each in found] == [True, False]


def test_what_did_not_hold_is_listed_with_its_reason(page):
    assert page.words("failures") == (
        "What did not hold, and why The lists contain the statements of the documents, of the works beside them, and "
        "our own. The code has another: 1 1 that is not a main statement 000 ✗ not reproduced the_rate holds."
    )
    claims = [_make_claim(small_page.row("a", verdict)) for verdict in (UNDECIDED, NOT_REPRODUCED)]
    assert [claim.cause for claim in claims] == ["Too few nets, or a value on the border", "Not explained yet"]


def test_a_finding_quotes_the_number_of_a_claim_or_of_its_part():
    ours = "depth 1: 53; depth 2: -6.1 ± 0.2 (n = 10 each)"
    rows = {
        "several": small_page.row("several", REPRODUCED, ours=ours, count="10"),
        "part": small_page.row("part", NOT_TESTABLE, ours="depth 1: 7", count="10"),
        "none": small_page.row("none", NOT_TESTABLE, count="0"),
    }
    found = finding_of("toy", "From {several/depth 1} to {several/depth 2}.", rows)
    assert "".join(text for text, _ in found.pieces) == "From 53 to −6.1 ± 0.2."
    assert found.verdict == "reproduced"
    # A claim that lacks only a part that the sentence does not quote has no say.
    assert finding_of("toy", "From {several/depth 1} to {part/depth 1}.", rows).verdict == "reproduced"
    assert finding_of("toy", "To {part/depth 1}.", rows).verdict == ""
    for lacking in ("{none}", "{several/depth 3} of it"):
        without = finding_of("toy", lacking, rows)
        assert without.missing.startswith("These results lack the runs or the data for this. The default config has")
        assert not without.pieces and not without.verdict and without.command == "snakemake --cores 8 toy"


def test_a_figure_is_followed_by_its_claims_with_both_numbers_and_what_is_not_reproduced_is_explained(page, page_path):
    assert "Not to be shown." not in page_path.read_text()
    inside = page.words("000-accuracy")
    assert "Document: 60.3%. Ours (accuracy, %): 60.25 ± 0.62 (n = 10)." in inside
    assert "✓ reproduced deeper_is_better holds. main statement replayed" in inside
    assert "Main statement, because a title says it" in inside
    assert "the_rate" not in inside
    assert "✗ not reproduced" in page.words("claim-000-the_rate")
    assert "Ours: 1.5. The code has another." in page.words("claim-000-the_rate")
    assert "it is threefold" in page.words("claim-000-the_rate")


def test_a_picture_has_a_description_of_its_origin(page):
    told = page.words("000-accuracy")
    assert "m.figures:accuracy" in told and "cc33" in told and "1" * 64 in told
    # The jobs are twenty runs, their table, the data set and the figure itself.
    assert "Number of jobs 23 " in told
    assert "Number of jobs 23 " in page.words("000-origin")
    again = "snakemake --cores 8 --force results"
    assert f"{again}/figures/000-classifier/accuracy.pdf" in told
    assert f"{again}/interactive/000-classifier/depth.json" in page.words("000-depth-sliders")
    experiment = page.words("experiment-classifier")
    assert "20 runs" in experiment and "classifier.run:run" in experiment and "Data read mnist" in experiment
    assert '- depth: [1, 2]; init: ["normal"]; seed: [[0, 9]]' in experiment


def test_every_link_within_the_page_has_a_target_and_no_other_needs_a_file(page):
    # After a question mark is the setting of a chart.
    targets = {value[1:].partition("?")[0] for name, value in page.attributes if name == "href" and value[0] == "#"}
    assert {"000-accuracy", "claim-000-the_rate", "experiment-classifier", "000-origin"} <= targets <= set(page.texts)
    assert [anchor_of(document, "x") for document in ("000-classifier", "saxe-2013")] == ["000-x", "saxe-2013-x"]
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    links = {value for name, value in page.attributes if name == "href" and not value.startswith("#")}
    # The numbers of figures lie beside the page.
    assert links == {
        "https://x.org",
        "?lecture",
        *(f"figures/000-classifier/{name}.csv" for name in ("accuracy", "rank")),
    }


def test_the_page_loads_nothing_from_elsewhere(page, page_path):
    sources = [value for name, value in page.attributes if name in ("src", "data", "srcset", "action")]
    assert len(sources) == 3
    assert all(source.startswith("data:image/svg+xml,<svg") for source in sources)
    assert "unsafe-eval" not in page_path.read_text()


def test_hostile_texts_stay_text(page, page_path):
    claim = page.words("claim-000-hostile")
    assert claim.count(" ".join(HOSTILE.split())) == 7
    assert " ".join(HOSTILE.split()) in page.words("experiment-classifier")
    # The template itself has three: the chart's data, the libraries, the page's own scripts.
    assert page.tags.count("script") == 3
    assert "onclick" not in {name for name, _ in page.attributes}


def test_a_caption_has_paragraphs_and_its_first_sentence_is_the_alternative_text(page):
    assert ("alt", "Accuracy grows.") in page.attributes
    assert "Deeper nets do better. The bar is the standard error." in page.words("000-accuracy")
    # The first sentence is the title, and the caption does not repeat it.
    assert page.words("000-accuracy").count("Accuracy grows") == 1
    assert paragraphs_of("One\ntwo.\n\n  Three.\n") == ("One two.", "Three.")


def test_the_page_names_the_works_to_cite(page):
    about = page.words("about")
    assert "B. Author: All of it. Software, 2026-11-22." in about and "A. Author: A work, 2019. It." in about
    assert "Licence MIT," in about and "Cost 20 runs, 3 figures and charts." in about
    assert "@misc{author2026all, title = {{All of it}}, author = {B. Author}, year = {2026}," in about
    assert (
        "@misc{author2019a, title = {{A work}}, author = {A. Author}, year = {2019}, note = {It}, url = {https" in about
    )


@pytest.mark.parametrize(
    ("verdict", "weight", "short"),
    [(REPRODUCED, "supporting", True), (REPRODUCED, "main", False), (UNDECIDED, "supporting", False)],
)
def test_a_statement_that_agrees_and_is_not_main_has_one_line(verdict, weight, short):
    assert _make_claim(small_page.row("a", verdict, weight=weight)).is_short == short


def test_bibtex_escapes_signs_and_leaves_out_what_is_unknown():
    work = {"title": "Rank & file_1", "authors": ["Ada B. Lovelace", "C. D."], "year": "", "url": ""}
    assert bibtex_of(work) == (
        "@misc{lovelacerankfile_1,\n  title = {{Rank \\& file\\_1}},\n  author = {Ada B. Lovelace and C. D.},\n}"
    )


def test_a_document_is_described_with_how_our_runs_differ_and_its_findings_quote_claims(page, page_path):
    assert "How our runs differ from the document Our points are fewer." in page.words("000")
    assert all(f"The {name}." in page.words("000") for name in ("title", "source", "about", "meaning"))
    assert "math" in page.tags
    assert "with size more of it ↑ by 60.25 ± 0.62 % less not studied" in page.words("000")
    cells = re.findall('<td data-column="size">(.*?)</td>', page_path.read_text(), re.DOTALL)
    assert ["#claim-000-deeper_is_better" in cell for cell in cells] == [True, False]


def test_the_page_starts_with_the_chart_that_a_document_names(page_path, make):
    text = make(opening="depth").read_text()
    assert text.index('class="answers"') < text.index('id="000-depth-sliders"') < text.index('id="documents"')
    assert page_path.read_text().index('id="000-depth-sliders"') > page_path.read_text().index('id="documents"')


def picture_of(name, caption):
    return Picture(small_page.DOCUMENT, "x", name, (caption,), "", 0, 0, "", Record(), (), 0)


def test_a_document_shows_the_figures_of_main_claims_and_folds_the_rest():
    rows = [
        small_page.row("a", REPRODUCED, figure="one"),
        *(small_page.row(name, NOT_REPRODUCED, figure=name[:-1], weight="main") for name in ("two1", "two2", "four1")),
        small_page.row("alone", UNDECIDED, weight="main"),
    ]
    pictures = [picture_of(name, "A caption.") for name in ("one", "two", "three", "four")]
    documents = [{"id": small_page.DOCUMENT, "opening": "", "summary": [], **small_page.ABOUT}]
    judged = {small_page.DOCUMENT: Judged(rows, "", Record(), (), 0)}
    (part,) = contents_of(documents, pictures, judged, [], numbers={}, reduced="", citation={}).parts
    assert [each.name for each in part.first] == ["two", "four"]
    assert [each.name for each in part.rest] == ["one", "three"]
    assert [claim.claim for claim in part.further_main_claims] == ["alone"] and part.folded_claims == 2


@pytest.mark.parametrize(
    ("sentence", "more", "title"),
    [
        ("Loss by depth (Fig. 2).", " Lines: x.", "Loss by depth"),
        ("Vanilla nets: a is x, b is y (eq. 3).", " More.", "Vanilla nets: a is x, b is y"),
        ("Vanilla nets: x (a) and y (b).", " More.", "Vanilla nets: x (a) and y (b)"),
        (f"Nets: {'long ' * 30}.", " More.", "Nets"),
    ],
)
def test_a_title_is_the_first_sentence_of_a_caption(sentence, more, title):
    picture = picture_of("code_name", sentence + more)
    assert (picture.title, picture.alternative) == (title, sentence)


def test_errata_are_listed_apart_from_claims(page, page_path):
    assert "A sign is wrong." in page.words("claim-000-typing_error") and "Put in 1." in page.texts["000"]
    assert re.search("Errata of substance: 1 .*A sign .*Errata of form: 1 .*A word", page.words("000"))
    claims = sum(each.is_claim for each in ROWS)
    assert claims == len(re.findall('class="claim ', page_path.read_text())) == 3


@pytest.fixture
def make(tmp_path, monkeypatch):
    """A function that makes the page again with some changes."""
    monkeypatch.chdir(tmp_path)
    return lambda **changes: small_page.make(tmp_path, **changes)


def test_the_subset_is_marked(make, page):
    words = "These results are of the first half, not of the full set"
    assert words in make(reduced="first half").read_text()
    assert words not in page.texts[None]


def test_the_page_has_the_recorded_text_and_elements(page_path):
    text = re.sub(r"(?s)<(script|style)\b.*?</\1>|</html>.*", "", page_path.read_text())
    # If it differs, open the page, and record its digest.
    assert hashlib.sha256(text.encode()).hexdigest()[:8] == "bb7503fa", page_path


def test_the_same_inputs_give_the_same_bytes_and_the_record_names_them(make, page_path):
    assert make().read_bytes() == page_path.read_bytes()
    inputs = {"charts", "figures", "ledgers", "numbers", "records", "tables", "templates"}
    assert record_at(page_path).inputs.keys() == inputs
