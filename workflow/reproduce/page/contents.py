"""The contents of the page, for each document. The templates determine the appearance."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from reproduce.claims.claim import MAIN, REASONS, WEIGHTS
from reproduce.claims.claims_in_words import history_of_criteria, with_math_signs
from reproduce.claims.criteria import FAILED, REPRODUCED, UNDECIDED
from reproduce.claims.headline import counted_apart, headline
from reproduce.page.anchors import anchor_of_claim, number_of
from reproduce.page.experiments import ShownExperiment
from reproduce.page.findings import Answer, Finding, answer_of, finding_of
from reproduce.records.ledgers import COVERAGE, SETTING, LedgerRow
from reproduce.records.record import Record
from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM

_BLANK_LINES = re.compile(r"\n\s*\n")
# Not after abbreviations.
_END_OF_SENTENCE = re.compile(r"(?<=[.?!])(?<!vs\.)(?<!eq\.)(?<!al\.)(?<!Fig\.)\s")
# A title is a sentence of at most this length; a longer one ends at its first colon.
_LONGEST_TITLE = 130
# A remark in brackets at the end of a title without other brackets, such as the letters of panels.
_REMARK = re.compile(r"^([^()]*) \([^()]*\)$")


@dataclass(frozen=True, kw_only=True)
class ShownClaim(LedgerRow):
    """A row of a ledger with mathematical signs, and without the explanation of a claim that is reproduced."""

    @property
    def anchor(self) -> str:
        """The anchor of the claim."""
        return anchor_of_claim(self.document, self.claim)

    @property
    def is_short(self) -> bool:
        """Whether readers see only the statement before a click: what is not main and agrees needs no more."""
        return self.weight != MAIN and self.verdict == REPRODUCED

    @property
    def cause(self) -> str:
        """Why the claim does not hold: the reason with which its explanation begins."""
        reasons = (reason.rstrip(".") for reason in REASONS)
        unexplained = "Too few nets, or a value on the border" if self.verdict == UNDECIDED else "Not explained yet"
        return next(filter(self.explanation.startswith, reasons), unexplained)


@dataclass(frozen=True)
class Picture:
    """A figure or a chart with sliders.

    caption: the paragraphs of the caption.
    address: the data address of the picture.
    width, height: in pixels; 0 if the element around the picture determines them.
    path: the picture's file in the workflow's folder, and its record.
    experiments: the experiments whose tables the picture reads.
    jobs: the number of jobs that made the picture.
    claims: the claims that the picture shows, main claims first.
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
    record: Record
    experiments: tuple[str, ...]
    jobs: int
    claims: tuple[ShownClaim, ...] = ()
    chart: Mapping | None = None

    @property
    def title(self) -> str:
        """The title of a chart that has one; otherwise the caption's first sentence, without remarks in brackets."""
        if title := (self.chart or {}).get("title"):
            lines = title["text"] if isinstance(title, Mapping) else title
            return lines if isinstance(lines, str) else " ".join(lines)
        sentence = self.alternative.rstrip(".")
        title = sentence if len(sentence) <= _LONGEST_TITLE else sentence.partition(":")[0]
        return _REMARK.sub(r"\1", title)

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

    @property
    def main_claims(self) -> tuple[ShownClaim, ...]:
        """The main claims that the picture shows."""
        return tuple(claim for claim in self.claims if claim.weight == MAIN)


@dataclass(frozen=True)
class Judged:
    """The ledger of one document. path, record, experiments, jobs: as those of `Picture`."""

    rows: Sequence[LedgerRow]
    path: str
    record: Record
    experiments: tuple[str, ...]
    jobs: int


@dataclass(frozen=True)
class Part:
    """A document's part of the page.

    number: the first part of the document's anchors.
    about: the description in the document's folder (id, title, source, about, equation, meaning, differences, works).
    opening: the chart at the top of the page; None if this chart belongs to a different document.
    claims: the claims that no figure shows.
    errata, errata_of_form: errors in the document itself.
    settings: the settings of the document, with those of the config.
    summary: the rows of the document's table; the first row contains the names of columns.
    headline: a sentence on the number of reproduced claims.
    coverage: a sentence on the number of the document's numbers that the ledger quotes.
    counts: weight → verdict → number of claims, for the weights that occur.
    judged: the ledger, None if these results lack it.
    """

    document: str
    number: str
    about: Mapping[str, Any]
    figures: tuple[Picture, ...]
    charts: tuple[Picture, ...]
    opening: Picture | None
    claims: tuple[ShownClaim, ...]
    errata: tuple[ShownClaim, ...]
    errata_of_form: tuple[ShownClaim, ...]
    settings: tuple[LedgerRow, ...]
    finding: Finding | None
    summary: tuple[tuple[Finding | str, ...], ...]
    headline: str
    coverage: str
    counts: Mapping[str, Counter[str]]
    judged: Judged | None

    @property
    def all_claims(self) -> tuple[ShownClaim, ...]:
        """The claims that figures show, then those that no figure shows."""
        return (*(claim for figure in self.figures for claim in figure.claims), *self.claims)

    @property
    def first(self) -> tuple[Picture, ...]:
        """The picture that is not folded, if there is any: the figure of most main claims, or else the first chart."""
        return (*sorted(self.figures, key=lambda figure: -len(figure.main_claims)), *self.charts)[:1]

    @property
    def rest(self) -> tuple[Picture, ...]:
        """The pictures that are folded."""
        return tuple(each for each in (*self.charts, *self.figures) if each not in self.first)

    @property
    def further_main_claims(self) -> tuple[ShownClaim, ...]:
        """The main claims that no picture of `first` shows."""
        shown = {claim.claim for picture in self.first for claim in picture.claims}
        return tuple(claim for claim in self.all_claims if claim.weight == MAIN and claim.claim not in shown)

    @property
    def drawn(self) -> int:
        """The number of pictures."""
        return len(self.figures) + len(self.charts) + (self.opening is not None)

    @property
    def folded_claims(self) -> int:
        """The number of claims that are folded with `rest`."""
        return len(self.all_claims) - sum(len(picture.claims) for picture in self.first)


@dataclass(frozen=True)
class Contents:
    """All that the page shows.

    aim: what the page is, for whom, and what to do first; answers: to its questions; answer: what they say together.
    headline: sentences that count the claims by verdict; apart: those on claims that count separately.
    history: what was known when the criteria were written.
    errata: the number of errata of substance.
    reduced: as in `Record`.
    glossary: words, and what they mean.
    citation: title, license, date and authors of the workflow.
    """

    aim: str
    answer: str
    answers: tuple[Answer, ...]
    headline: tuple[str, ...]
    apart: tuple[str, ...]
    history: str
    errata: int
    reduced: str
    parts: tuple[Part, ...]
    glossary: tuple[tuple[str, str], ...]
    experiments: tuple[ShownExperiment, ...]
    citation: Mapping[str, Any]

    @property
    def failures(self) -> list[tuple[str, list[tuple[str, ShownClaim]]]]:
        """The claims that are not reproduced or undecided, by cause, each with the number of its document.

        Causes of most main claims come first.
        """
        found = defaultdict(list)
        for part in self.parts:
            for claim in part.all_claims:
                if claim.verdict in FAILED:
                    found[claim.cause].append((part.number, claim))
        main = {cause: sum(claim.weight == MAIN for _, claim in claims) for cause, claims in found.items()}
        return sorted(found.items(), key=lambda item: (-main[item[0]], -len(item[1])))


def paragraphs_of(docstring: str) -> tuple[str, ...]:
    """Return the paragraphs of a caption, each on one line."""
    return tuple(" ".join(part.split()) for part in _BLANK_LINES.split(docstring) if part.strip())


def contents_of(
    documents: Sequence[Mapping[str, Any]],
    pictures: Sequence[Picture],
    ledgers: Mapping[str, Judged],
    experiments: Sequence[ShownExperiment],
    *,
    numbers: Mapping[str, str],
    reduced: str,
    citation: Mapping[str, Any],
) -> Contents:
    """Return the contents of the page.

    ledgers: document id → its ledger. numbers: as in `answer_of`.
    """
    rows = [row for judged in ledgers.values() for row in judged.rows]
    claims = [row for row in rows if row.is_claim]
    by_claim = {name: {row.claim: row for row in judged.rows} for name, judged in ledgers.items()}
    shown = {each.anchor for each in pictures}
    opening = next((each for each in documents if each.get("answers")), {})
    return Contents(
        aim=opening.get("aim", ""),
        answer=opening.get("answer", ""),
        answers=tuple(answer_of(each, by_claim, shown, numbers) for each in opening.get("answers", ())),
        headline=tuple(headline(claims)),
        apart=tuple(counted_apart(claims)),
        history=history_of_criteria(claims),
        errata=sum(row.kind == ERRATUM for row in rows),
        reduced=reduced,
        parts=tuple(_make_part(each, pictures, ledgers.get(each["id"])) for each in documents),
        glossary=tuple(chain.from_iterable(each.get("glossary", ()) for each in documents)),
        experiments=tuple(experiments),
        citation=citation,
    )


def _make_part(about: Mapping[str, Any], pictures: Sequence[Picture], judged: Judged | None) -> Part:
    document = about["id"]
    charts = [each for each in pictures if each.document == document and each.chart]
    figures = [each for each in pictures if each.document == document and not each.chart]
    opening = next((chart for chart in charts if chart.name == about["opening"]), None)
    ledger = judged.rows if judged else ()
    rows = [_make_claim(row) for row in ledger]
    claims = sorted((row for row in rows if row.is_claim), key=lambda claim: WEIGHTS.index(claim.weight))
    names = {figure.name for figure in figures}
    fill = partial(finding_of, document, rows={row.claim: row for row in ledger})
    summary = about["summary"] if judged else ()
    return Part(
        document=document,
        number=number_of(document),
        about=about,
        figures=tuple(
            replace(figure, claims=tuple(claim for claim in claims if claim.figure == figure.name))
            for figure in figures
        ),
        charts=tuple(chart for chart in charts if chart is not opening),
        opening=opening,
        claims=tuple(claim for claim in claims if claim.figure not in names),
        errata=tuple(row for row in rows if row.kind == ERRATUM),
        errata_of_form=tuple(row for row in rows if row.kind == ERRATUM_OF_FORM),
        settings=tuple(row for row in ledger if row.kind == SETTING),
        finding=fill(about["finding"]) if judged and about.get("finding") else None,
        # Cells that quote claims become findings.
        summary=tuple(tuple(fill(cell) if "{" in cell else cell for cell in cells) for cells in summary),
        headline=" ".join(headline(claims)),
        coverage=" ".join(row.statement for row in rows if row.kind == COVERAGE),
        # Sorted by weight.
        counts={
            weight: Counter(claim.verdict for claim in own) for weight, own in groupby(claims, attrgetter("weight"))
        },
        judged=judged,
    )


def _make_claim(row: LedgerRow) -> ShownClaim:
    texts = asdict(row)
    texts |= {name: with_math_signs(texts[name]) for name in ("printed", "ours", "difference", "criterion")}
    texts |= {"explanation": ""} if row.verdict == REPRODUCED else {}
    return ShownClaim(**texts)
