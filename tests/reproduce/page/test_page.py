"""The page as its program writes it: its contents, and that text from inputs stays text."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import bibtexparser
import pytest
import small_page
import vl_convert
from small_page import Elements

from reproduce.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, UNDECIDED
from reproduce.page.citing import bibtex_of
from reproduce.page.contents import Picture, contents_of
from reproduce.page.findings import finding_of
from reproduce.page.links import anchor_of, linker
from reproduce.page.sparklines import sparkline_of
from reproduce.records.record import record_at

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


def test_a_finding_quotes_the_number_of_a_claim_or_of_its_part():
    ours = "depth 1: 53; depth 2: -6.1 ± 0.2 (n = 10 each)"
    rows = {
        "several": small_page.row("several", REPRODUCED, ours=ours, count="10"),
        "part": small_page.row(
            "part",
            NOT_TESTABLE,
            ours="depth 1: 7 (n = 2 + 3, from 6 to 8)",
            count="10",
            remark="depth 3: not testable here (no runs)",
        ),
        "none": small_page.row("none", NOT_TESTABLE, count="0"),
    }
    found = finding_of("toy", "From {several/depth 1} to {several/depth 2}.", rows)
    assert "".join(text for text, *_ in found.pieces) == "From 53 to −6.1 ± 0.2."
    # Each number has its own verdict; not one whose claim lacks only a part that the sentence does not quote.
    found = finding_of("toy", "From {several/depth 1} to {part/depth 1}.", rows)
    assert [verdict for *_, verdict in found.pieces] == ["", "reproduced", "", "", ""]
    # A part may have a count of its own.
    assert found.counts == ("10", "2 + 3")
    for lacking in ("{none}", "{part/depth 3} of it"):
        without = finding_of("toy", lacking, rows)
        assert without.missing.startswith("These results lack the runs or the data for this. The default config has")
        assert not without.pieces and without.command == "snakemake --cores 8 toy"


def test_every_link_within_the_page_has_a_target_and_no_other_needs_a_file(page):
    # After a question mark is the setting of a chart.
    targets = {value[1:].partition("?")[0] for name, value in page.attributes if name == "href" and value[0] == "#"}
    assert {"000-accuracy", "claim-000-the_rate"} <= targets <= set(page.texts)
    assert [anchor_of(document, "x") for document in ("000-classifier", "saxe-2013")] == ["000-x", "saxe-2013-x"]
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    links = {value for name, value in page.attributes if name == "href" and not value.startswith("#")}
    # The numbers of figures, and what they come from, lie beside the page.
    assert links == {
        "https://x.org",
        "?lecture",
        *(f"figures/000-classifier/{name}.csv" for name in ("accuracy", "rank")),
        *(f"records/figures/000-classifier/{name}.json" for name in ("accuracy", "rank")),
        *(f"records/{path}/000-classifier{name}.json" for path, name in (("interactive", "/depth"), ("claims", ""))),
    }


def test_the_page_contains_the_licence_of_each_library_in_it(page):
    # vl-convert contains each as a module that begins with its address.
    (compiled,) = Path(vl_convert.__file__).parent.glob("*.so")
    found = {name.decode() for name in re.findall(rb"(?<=/npm/)[\w.-]+@[\d.]+(?=/\+esm)", compiled.read_bytes())}
    versions = [each for each in found if each.startswith("vega-lite@")]
    # The page contains the newest of several.
    embedded = found - {*versions} | {max(versions, key=lambda each: [*map(int, each.partition("@")[2].split("."))])}
    assert len(embedded) > 50
    assert not [each for each in embedded if not re.search(rf"\b{re.escape(each)}(?=[,:]|\s)", page.texts["licences"])]


def test_each_work_has_one_entry_with_a_key_of_its_own_that_a_parser_reads(page):
    work = {"title": "Deep & {100 %} nets", "authors": ["A. One", "B. Two"], "year": "2013", "url": "https://x.org/a_b"}
    same, other = {**work, "notes": "Section 2_1"}, {"title": "Deep nets", "authors": ["C. One"], "year": "2013"}
    read = bibtexparser.parse_string(bibtex_of([work, same, other]))
    assert not read.failed_blocks and [each.key for each in read.entries] == ["one2013deep", "one2013deepa"]
    assert {name: field.value for name, field in read.entries[0].fields_dict.items()} == {
        **{"title": r"{Deep \& \{100 \%\} nets}", "author": "A. One and B. Two", "year": "2013"},
        **{"note": r"Section 2\_1", "url": work["url"]},
    }
    whole = bibtexparser.parse_string(page.texts["bibtex"])
    assert not whole.failed_blocks and [each.key for each in whole.entries] == ["author2026all", "author2019a"]


def picture_of(name, caption):
    return Picture(small_page.DOCUMENT, "x", name, (caption,), "", 0, 0, "")


@pytest.mark.parametrize("title", ["Two lines", ["Two", "lines"], {"text": "Two lines"}, {"text": ["Two", "lines"]}])
def test_a_chart_is_headed_by_its_title_in_each_form_of_vega_lite(title):
    assert replace(picture_of("one", "A caption."), chart={"title": title}).title == "Two lines"
    assert replace(picture_of("one", "A caption."), chart={"mark": "line"}).title == "A caption"


def test_a_document_shows_the_figure_of_most_main_claims_and_folds_the_rest():
    rows = [
        small_page.row("a", REPRODUCED, figure="one"),
        *(small_page.row(name, NOT_REPRODUCED, figure=name[:-1], weight="main") for name in ("two1", "two2", "four1")),
        small_page.row("without_figure", UNDECIDED, weight="main", **dict.fromkeys(("printed", "ours"), "-3e-09")),
    ]
    pictures = [picture_of(name, "A caption.") for name in ("one", "two", "three", "four")]
    documents = [{"id": small_page.DOCUMENT, "opening": "", "summary": [], **small_page.ABOUT}]
    judged = {small_page.DOCUMENT: rows}
    questions = [["Why?", ["001-other"]], ["How?", [small_page.DOCUMENT]]]
    given = {"numbers": {}, "reduced": "", "citation": {}, "glossary": [], "questions": questions}
    (part,) = contents_of(documents, pictures, judged, [], **given).parts
    assert part.questions == [(2, "How?")]
    assert part.first.name == "two"
    assert [each.name for each in part.rest] == ["one", "three", "four"]
    assert [each.claim for each in part.folded] == ["a", "four1", "without_figure"]
    *_, claim = part.folded
    assert (claim.printed, claim.ours) == ("−3·10⁻⁹", "−3·10⁻⁹")


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
    assert hashlib.sha256(text.encode()).hexdigest()[:8] == "31524cae", page_path


def test_the_same_inputs_give_the_same_bytes_and_the_record_names_them(make, page_path):
    assert make().read_bytes() == page_path.read_bytes()
    inputs = {"charts", "figures", "ledgers", "numbers", "records", "tables", "templates"}
    assert record_at(page_path).inputs.keys() == inputs
