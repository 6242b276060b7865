"""Build a page of two figures, a chart with a slider and three claims, with the page's own program."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa

from conftest import ROOT
from reproduce.jobs.interact import chart_text
from reproduce.jobs.job import Job
from reproduce.jobs.page import main
from reproduce.records.ledgers import COVERAGE, LedgerRow, row_without_claim, write_ledger
from reproduce.records.paths import FIGURE, INTERACTIVE, LEDGER, PAGE, TABLE, TEMPLATES
from reproduce.records.record import Record, record_of, write_record
from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM
from reproduce.records.tables import write_table

DOCUMENT = "000-classifier"
ABOUT = {name: f"The {name}." for name in ("title", "source", "about", "meaning")} | {
    "equation": r"x^2 \text{for <script>i<j} \href{javascript:alert(1)}{x}"
}
HOSTILE = "</script><script>document.title = 'taken'</script> <b onclick=\"x\">{{ 7 * 7 }} 'q' & <!-- ü"
SVG = (
    '<?xml version="1.0"?>\n<svg width="360pt" height="180pt" viewBox="0 0 360 180" xmlns="http://www.w3.org/2000/svg">'
    '<path d="M 10 10 L 350 170" style="stroke: #0072B2"/></svg>\n'
)
CAPTION = "Accuracy grows. Deeper nets do better: their rank is low.\n\nThe bar is the standard error."
CHART = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "description": "Accuracy at one depth.",
    "data": {"name": "points"},
    "datasets": {
        "points": [{"depth": depth, "accuracy": 50 + 5 * depth} for depth in (1, 2, 3)],
        "texts": [{"depth": [1, 2], "words": 'a "net"'}],
    },
    "params": [{"name": "place_depth", "value": 0, "bind": {"input": "range", "min": 0, "max": 2, "step": 1}}],
    "usermeta": {"labels": {"place_depth": ["1", "2", "3"]}},
    "transform": [{"filter": "datum.depth == place_depth + 1"}],
    "mark": "point",
    "encoding": {"x": {"field": "depth", "type": "quantitative"}, "y": {"field": "accuracy", "type": "quantitative"}},
}

# A line with one step, and a line of a second seed with the same name.
NUMBERS = """panel,kind,series,run,x,y
a: nets,line,ours,1,1,1
a: nets,line,ours,1,10,10
a: nets,line,ours,1,100,1000
a: nets,line,ours,2,100,5
a: nets,band,ours,1,1,5
a: nets,line,theirs,1,1,10
a: nets,line,theirs,1,100,100
b,line,,1,1,7
"""
CURVE = {"panel": "a", "series": "our", "given": "their", "x": "depth", "y": "rank", "limits": [1, 1e4], "log": "xy"}
ANSWERS = [
    {
        "question": "Does it help?",
        "words": "benefit",
        "sentence": "Yes: {000-classifier/deeper_is_better} %, and {000-classifier/the_rate}.",
        "why": "It is {000-classifier/the_rate} times as strong.",
        "formula": "s^2",
        "runs": "two nets",
        "figure": "000-classifier/rank",
        "curve": CURVE,
        "statement": "000-classifier/deeper_is_better",
        "changes": [["000-classifier/depth", "depth=3", "Try three."]],
    },
    {
        "question": "What else?",
        "words": "",
        "sentence": "Noise is {002-noise/it}.",
        "why": "It has no reason.",
        "formula": "x",
        "runs": "noisy nets",
        "figure": "002-noise/it",
        "curve": CURVE,
        "statement": "002-noise/it",
        "changes": [["002-noise/it", "", "Try it."]],
    },
]


def row(claim, verdict, **changes):
    """Return one row of a ledger."""
    usual = {"kind": "number", "weight": "supporting", "draw": "own", "statement": f"{claim} holds."}
    return LedgerRow(**{**usual, "document": DOCUMENT, "claim": claim, "verdict": verdict, **changes})


ROWS = [
    row(
        "deeper_is_better",
        "reproduced",
        **{"weight": "main", "main": "a title says it", "draw": "replayed", "figure": "accuracy", "kind": "ordering"},
        **{"quantity": "accuracy, %", "ours": "60.25 ± 0.62 (n = 10)", "count": "10", "printed": "60.3%"},
        explanation="Not to be shown.",
    ),
    row(
        "the_rate",
        "not reproduced",
        **{"kind": "theorem", "weight": "theorem", "ours": "1.5", "criterion": "it is threefold"},
        # Longer than a line.
        reduced="; ".join(f"{units} units, the document has {2 * units}" for units in range(100, 106)),
        explanation="The code has another.",
    ),
    row(
        "hostile",
        "not testable here",
        **dict.fromkeys(("statement", "printed", "place", "criterion", "remark", "quantity", "runs"), HOSTILE),
    ),
    *(
        row_without_claim(kind, document=DOCUMENT, claim=claim, statement=statement, remark=remark)
        for kind, claim, statement, remark in (
            (ERRATUM, "typing_error", "A sign is wrong.", "Put in 1."),
            (ERRATUM_OF_FORM, "spelling", "A word is wrong.", "Read it."),
            (COVERAGE, COVERAGE, "9 of 10 printed numbers are quoted here.", ""),
        )
    ),
]


class Elements(HTMLParser):
    """The elements of a page by their ids, with all text inside, and all attributes."""

    VOID = ("meta", "img", "input", "br")

    def __init__(self, page):
        super().__init__()
        self.texts, self.attributes, self.tags, self._open = {}, [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self._space(tag)
        named = dict(attributes)
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in self.VOID:
            self._open.append((tag, named.get("id")))
            self.texts.setdefault(named.get("id"), "")

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self._open.pop()[0] == tag
        self._space(tag)

    def _space(self, tag):
        if tag not in ("a", "b", "span"):
            self.handle_data(" ")

    def handle_data(self, data):
        for _, name in self._open:
            self.texts[name] += data

    def words(self, name):
        return " ".join(self.texts[name].split())


def make(folder: Path, *, reduced: str = "") -> Path:
    """Write all inputs of a page and the page itself below `folder`, the working folder; return the page's path."""
    table, ledger = TABLE.format(experiment="classifier"), LEDGER.format(document=DOCUMENT)
    pdfs = [FIGURE.format(document=DOCUMENT, figure=name) for name in ("accuracy", "rank")]
    figures = [path.replace(".pdf", ".svg") for path in pdfs]
    chart = INTERACTIVE.format(document=DOCUMENT, chart="depth")
    for path in (table, ledger, *figures, chart):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
    grids = [{"axes": {"depth": [1, 2], "init": ["normal"], "seed": [[0, 9]]}, "settings": {"note": HOSTILE}}]
    spec = json.dumps({"experiment": "classifier", "grids": grids})
    write_table(table, pa.table({"step": [0]}), spec, reduced)
    write_ledger(ledger, ROWS, "{}", "")
    for path in figures:
        (folder / path).write_text(SVG)
    (folder / chart).write_text(chart_text(CHART))
    drawn = (*figures, chart)
    for path in drawn:
        write_record(record_of(path), Record("{}", "m:f@cc33", outputs={Path(path).name: "0"}))
    shown = [
        {"document": DOCUMENT, "name": "accuracy", "caption": CAPTION},
        {"document": DOCUMENT, "name": "rank", "caption": "Ranks: all of them (Fig. 2)."},
    ]
    asked = {
        "figures": shown,
        "charts": [{"document": DOCUMENT, "name": "depth", "caption": "Move the depth."}],
        "runs": {"classifier": {"entry": "m.experiments.classifier.run:run", "data": ["mnist"]}},
        "documents": [
            {
                **ABOUT,
                "id": DOCUMENT,
                "finding": "Accuracy is {deeper_is_better} %, the rate {the_rate}.",
                "opening": "",
                "aim": "For students.",
                "answer": "Depth helps.",
                "answers": ANSWERS,
                "left_out": "weight decay, SGD (once)",
                "summary": [["with", "size"], ["more of it", "↑ by {deeper_is_better} %"], ["less", "not studied"]],
                "differences": ["Our points are fewer."],
                "works": [
                    {"title": "A work", "authors": ["A. Author"], "year": "2019", "url": "https://x.org", "notes": "It"}
                ],
            }
        ],
        "glossary": [
            ["rank", "How many directions."],
            ["effective rank", "How many matter: entropy, Lyapunov."],
        ],
        "questions": [["Does it help?", [DOCUMENT]], ["What else?", ["002-noise"]]],
        "citation": {"title": "All of it", "license": "MIT", "date": "2026-11-22", "authors": ["B. Author"]},
    }
    job = Job(json.dumps(asked), "m.jobs.page:main", Path(record_of(PAGE)))
    templates = [ROOT / "workflow" / name for name in (*TEMPLATES, "reproduce/page/templates/licences.txt")]
    numbers = pdfs[1].replace(".pdf", ".csv")
    (folder / numbers).write_text(NUMBERS)
    inputs = (figures, [chart], [ledger], [table], [numbers], map(record_of, drawn), templates)
    read = ([Path(path) for path in paths] for paths in inputs)
    main(job, *read, Path(PAGE))
    return folder / PAGE
