"""The contents of the page, for each document. The templates determine the appearance."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from reproduce.claims.claim import MAIN, REASONS, WEIGHTS
from reproduce.claims.claims_in_words import with_math_signs
from reproduce.claims.criteria import FAILED, REPRODUCED, UNDECIDED
from reproduce.page.experiments import ShownExperiment
from reproduce.page.findings import Answer, Finding, answer_of, finding_of
from reproduce.page.links import number_of
from reproduce.records.ledgers import LedgerRow

# Not after abbreviations.
_END_OF_SENTENCE = re.compile(r"(?<=[.?!])(?<!vs\.)(?<!eq\.)(?<!al\.)(?<!Fig\.)\s")


@dataclass(frozen=True)
class Picture:
    """A figure or a chart with sliders.

    caption: the paragraphs of the caption.
    address: the data address of the picture.
    width, height: in pixels; 0 if the element around the picture determines them.
    path: the picture's file in the workflow's folder.
    chart: the Vega-Lite specification that the browser draws, None for a figure.
    """

    document: str
    anchor: str
    name: str
    caption: tuple[str, ...]
    address: str
    width: int
    height: int
    path: str
    chart: Mapping | None = None

    @property
    def title(self) -> str:
        """The title of a chart that has one; otherwise the caption's first sentence, without remarks in brackets."""
        if title := (self.chart or {}).get("title"):
            lines = title["text"] if isinstance(title, Mapping) else title
            return lines if isinstance(lines, str) else " ".join(lines)
        sentence = self.alternative.rstrip(".")
        # A longer sentence ends at its first colon.
        title = sentence if len(sentence) <= 130 else sentence.partition(":")[0]
        # Without a remark in brackets at the end, such as the letters of panels.
        return re.sub(r"^([^()]*) \([^()]*\)$", r"\1", title)

    @property
    def alternative(self) -> str:
        """The first sentence of the caption, for readers who do not see the picture."""
        return _END_OF_SENTENCE.split(self.caption[0])[0] if self.caption else self.name.replace("_", " ")

    @property
    def text(self) -> tuple[str, ...]:
        """The caption, without the title at its start: of the first sentence, only a remark in brackets is left."""
        if not self.alternative.startswith(self.title):
            return self.caption
        remark = self.alternative.removeprefix(self.title).strip(" ():.")
        rest = self.caption[0].removeprefix(self.alternative).strip()
        first = f"{remark[0].upper()}{remark[1:]}. {rest}".strip() if remark else rest
        return (*filter(None, [first]), *self.caption[1:])


@dataclass(frozen=True)
class Part:
    """A document's part of the page.

    number: the first part of the document's anchors.
    questions: the questions of the page that the document answers, with their numbers.
    about: the description in the document's folder (id, title, source, about, equation, meaning, differences, works).
    opening: the chart at the top of the page; None if this chart belongs to a different document.
    claims: in the order of the figures that show them, main claims first, with mathematical signs.
    entries: kind → the ledger's rows of errata, settings and coverage.
    summary: the rows of the document's table; the first row contains the names of columns.
    """

    number: str
    questions: Sequence[tuple[int, str]]
    about: Mapping[str, Any]
    figures: Sequence[Picture]
    charts: Sequence[Picture]
    opening: Picture | None
    claims: Sequence[LedgerRow]
    entries: Mapping[str, Sequence[LedgerRow]]
    finding: Finding | None
    summary: Sequence[Sequence[Finding | str]]

    @property
    def first(self) -> Picture | None:
        """The picture that is not folded, if there is any: the figure of most main claims, or else the first chart."""
        main = [claim.figure for claim in self.claims if claim.weight == MAIN]
        return next(iter((*sorted(self.figures, key=lambda figure: -main.count(figure.name)), *self.charts)), None)

    @property
    def rest(self) -> list[Picture]:
        """The pictures that are folded."""
        return [each for each in (*self.charts, *self.figures) if each is not self.first]

    @property
    def folded(self) -> list[LedgerRow]:
        """The claims that are folded with `rest`."""
        shown = [figure.name for figure in self.figures if figure is self.first]
        return [claim for claim in self.claims if claim.figure not in shown]


@dataclass(frozen=True)
class Contents:
    """All that the page shows.

    aim: what the page is, for whom, and what to do first; answers: to its questions; answer: what they say together;
    left_out: what it does not treat, between commas.
    reduced: what stands in for a document's own data or size.
    glossary: words, and what they mean.
    citation: title, license, date and authors of the workflow.
    """

    aim: str
    answer: str
    answers: Sequence[Answer]
    left_out: str
    reduced: str
    parts: Sequence[Part]
    glossary: Sequence[tuple[str, str]]
    experiments: Sequence[ShownExperiment]
    citation: Mapping[str, Any]

    @property
    def claims(self) -> list[LedgerRow]:
        """The claims of all documents."""
        return [claim for part in self.parts for claim in part.claims]

    @property
    def failures(self) -> list[tuple[str, list[LedgerRow]]]:
        """The claims that are not reproduced or undecided, by cause. Causes of most main claims come first."""
        found = defaultdict(list)
        reasons = [reason.rstrip(".") for reason in REASONS]
        for claim in self.claims:
            if claim.verdict in FAILED:
                cause = "Too few nets, or a value on the border" if claim.verdict == UNDECIDED else "Not explained yet"
                # An explanation begins with its reason.
                found[next(filter(claim.explanation.startswith, reasons), cause)].append(claim)
        main = {cause: sum(claim.weight == MAIN for claim in claims) for cause, claims in found.items()}
        return sorted(found.items(), key=lambda item: (-main[item[0]], -len(item[1])))


def paragraphs_of(docstring: str) -> tuple[str, ...]:
    """Return the paragraphs of a caption, each on one line."""
    return tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", docstring) if part.strip())


def contents_of(
    documents: Sequence[Mapping[str, Any]],
    pictures: Sequence[Picture],
    ledgers: Mapping[str, Sequence[LedgerRow]],
    experiments: Sequence[ShownExperiment],
    *,
    numbers: Mapping[str, str],
    reduced: str,
    citation: Mapping[str, Any],
    glossary: Sequence[tuple[str, str]],
    questions: Sequence[tuple[str, Sequence[str]]],
) -> Contents:
    """Return the contents of the page.

    ledgers: document id → its ledger. numbers: as in `answer_of`. questions: each with the documents that answer it.
    """
    by_claim = {name: {row.claim: row for row in rows} for name, rows in ledgers.items()}
    shown = {each.anchor for each in pictures}
    opening = next((each for each in documents if each.get("answers")), {})
    return Contents(
        aim=opening.get("aim", ""),
        answer=opening.get("answer", ""),
        answers=[answer_of(each, by_claim, shown, numbers) for each in opening.get("answers", ())],
        left_out=opening.get("left_out", ""),
        reduced=reduced,
        parts=[_make_part(each, pictures, ledgers.get(each["id"]), questions) for each in documents],
        glossary=glossary,
        experiments=experiments,
        citation=citation,
    )


def _make_part(
    about: Mapping[str, Any],
    pictures: Sequence[Picture],
    rows: Sequence[LedgerRow] | None,
    questions: Sequence[tuple[str, Sequence[str]]],
) -> Part:
    document = about["id"]
    charts = [each for each in pictures if each.document == document and each.chart]
    figures = [each for each in pictures if each.document == document and not each.chart]
    opening = next((chart for chart in charts if chart.name == about["opening"]), None)
    names = [figure.name for figure in figures]
    claims, entries = [], defaultdict(list)
    for row in rows or ():
        if row.is_claim:
            signs = {name: with_math_signs(vars(row)[name]) for name in ("printed", "ours", "difference", "criterion")}
            explanation = "" if row.verdict == REPRODUCED else row.explanation
            claims.append(replace(row, **signs, explanation=explanation))
        else:
            entries[row.kind].append(row)

    def order(claim: LedgerRow) -> tuple[int, int]:
        place = names.index(claim.figure) if claim.figure in names else len(names)
        return place, WEIGHTS.index(claim.weight)

    fill = partial(finding_of, document, rows={row.claim: row for row in rows or ()})
    return Part(
        number=number_of(document),
        questions=[(place, text) for place, (text, answering) in enumerate(questions, 1) if document in answering],
        about=about,
        figures=figures,
        charts=[chart for chart in charts if chart is not opening],
        opening=opening,
        claims=sorted(claims, key=order),
        entries=entries,
        finding=fill(about["finding"]) if rows and about.get("finding") else None,
        # Cells that quote claims become findings.
        summary=[[fill(cell) if "{" in cell else cell for cell in cells] for cells in about["summary"] if rows],
    )
