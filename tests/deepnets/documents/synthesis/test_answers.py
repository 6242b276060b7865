"""The answers at the top of the page have the numbers of the default tables, and curves and charts of their names."""

import inspect
import re
from urllib.parse import parse_qsl

import pytest

from deepnets.data.mnist import SUBSET
from default_tables import claims_of, default_tables
from drawn_tables import table_of
from entries import CHARTS, FIGURES, PACKAGE
from reproduce.claims.judging import row_of
from reproduce.config.documents import documents_of
from reproduce.figures.drawn import csv_text
from reproduce.page.findings import answer_of
from reproduce.page.sparklines import sparkline_of

ANSWERS = documents_of(PACKAGE)["synthesis"].words["answers"]
# (document, claim) for each number in them.
QUOTED = {*re.findall(r"{([^/}|]*)/([^/}|]*)", str([answer["sentence"] + answer["why"] for answer in ANSWERS]))}
QUOTED |= {tuple(answer["statement"].split("/")) for answer in ANSWERS}


@pytest.mark.parametrize("reduced", ["", SUBSET])
def test_the_answers_at_the_top_of_the_page_have_our_numbers_with_their_errors(reduced):
    ledgers = {document: {} for document, _ in QUOTED}
    for document, name in QUOTED:
        (claim,) = (each for each in claims_of(document) if each.name == name)
        ledgers[document][name] = row_of(claim, default_tables(), reduced)
    answers = [answer_of(answer, ledgers, set(), {}) for answer in ANSWERS]
    said = "".join(text for each in answers for found in (each.finding, each.why) for text, *_ in found.pieces)
    for number in (
        *("from 53 to 78.80 ± 0.76 % on", "from 58.65 ± 0.98 to 83.15 ± 0.96 % in"),
        *("136 ± 17 updates", "is 85 % (000)"),
        *("4.60 ± 0.18 times", "take 11.9 ± 1.3 times", "13.703 ± 0.052 powers of ten", "factor of 35.9 ± 1.3 over"),
        "−1.397 ± 0.021 to first order in the rate, and −1.008 ± 0.030 with",
    ):
        assert number in said, said
    assert answers[0].finding.counts == ("10", "20", "8")


@pytest.mark.usefixtures("off_screen")
@pytest.mark.parametrize("answer", ANSWERS, ids=[answer["figure"] for answer in ANSWERS])
def test_an_answer_has_a_curve_of_its_figure_and_a_setting_of_a_chart(answer):
    draw = FIGURES[answer["figure"].replace("/", "-")]
    drawn = csv_text(draw(*(table_of(each, "whole") for each in inspect.signature(draw).parameters)))
    curve = sparkline_of(drawn, answer["curve"])
    assert curve is not None, f"{answer['figure']} draws no line with these names"
    assert bool(curve.given) == bool(answer["curve"]["given"])
    for chart, setting, _ in answer["changes"]:
        draw = CHARTS[chart.replace("/", "-")]
        made = draw(*(table_of(each, "whole") for each in inspect.signature(draw).parameters)).to_dict()
        controls = [*made["usermeta"].get("controls", []), *made.get("params", [])]
        texts = {each["name"]: each["bind"].get("labels") for each in controls if "bind" in each}
        texts |= made["usermeta"]["labels"]
        assert all(text in texts[name] for name, text in parse_qsl(setting)), texts
