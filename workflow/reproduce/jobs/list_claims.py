"""Program: write claims.md, which lists all claims and their verdicts for readers."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from reproduce.claims.claim import MAIN, WEIGHTS
from reproduce.claims.claims_in_words import history_of_criteria, ours_with_quantity, verdict_in_words, with_math_signs
from reproduce.claims.criteria import FAILED, NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, UNDECIDED, VERDICTS
from reproduce.claims.differences import DIFFERENCES
from reproduce.claims.headline import REPLAYED, counted_apart, headline
from reproduce.jobs.job import Job
from reproduce.records.atomic import replacing
from reproduce.records.digests import guard_inputs
from reproduce.records.ledgers import COVERAGE, SETTING, LedgerRow, read_ledger
from reproduce.records.reduced import merge_reduced
from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM
from reproduce.records.tables import read_metadata

_INTRODUCTION = (
    "A *claim* is one number or one statement of a document. *Results* are numbers, orderings, trends and bounds that "
    "runs could contradict. *Theorems* are counted apart: a document states or proves them, and our numbers obey them "
    "or not. Settings are not judged: a table of each document compares them with ours. "
    "A *main* result is one that a document itself states first: in its abstract, its titles or its summary. "
    "Each claim lists our value, the criterion that compares it with the document, and the reason for this criterion. "
    "A criterion is a region for the true value; ours is an interval: the mean ± Student's t at 90 %, over seeds; for "
    "positive quantities, the geometric mean and the interval of the logarithm. "
    "*Replayed* claims are judged by runs that use the document's own random numbers: they test our code. "
    "± is the standard error over seeds. It does not cover what all seeds share, such as the data set. "
    "For a bound on each value, the ledger lists the most extreme value and how many values keep the bound: “least "
    "79.94 (19 of 20 seeds)”."
)
_MEANING = {
    REPRODUCED: "our interval is inside the criterion's region",
    UNDECIDED: "it crosses the region's border: with these runs, both are possible; the number of nets that would "
    "decide is computed from their mean and spread",
    NOT_REPRODUCED: "it is outside",
    NOT_TESTABLE: "these results contain no such value, for the reason given",
}
_HEAD_OF_FAILURES = ("| statement | verdict | the document | ours | why |", "|---|---|---|---|---|")
# Characters that Markdown uses for emphasis, code, links, tables and escapes. `html.escape` handles those of HTML.
_SIGNS = re.compile(r"[\\`*\[\]|~]|\b_|_\b")
Rows = Sequence[LedgerRow]


def main(job: Job, ledgers: list[Path], output: Path) -> None:
    """Write the claims of the documents, in the order of the ledgers."""
    with replacing(output) as unfinished, guard_inputs({"ledgers": ledgers}) as inputs:
        reduced = merge_reduced(read_metadata(path)["reduced"] for path in ledgers)
        text = ledger_as_markdown({path.stem: read_ledger(path) for path in ledgers}, reduced)
        unfinished.write_text(text, encoding="utf-8")
        job.write_record({output: unfinished}, inputs, reduced)


def ledger_as_markdown(ledgers: Mapping[str, Rows], reduced: str) -> str:
    """Return claims.md: headline, contents, counts, main claims, claims that are not reproduced, and each document.

    Texts of ledgers are escaped, so that Markdown and HTML show them literally.

    reduced: as in `Record`.
    """
    ledgers = {document: [_escape_row(row) for row in rows] for document, rows in ledgers.items()}
    claims = [row for rows in ledgers.values() for row in rows if row.is_claim]
    sections = {
        "Main statements": [_claim_as_item(row) for row in claims if row.weight == MAIN],
        "Not reproduced, or undecided": [_claim_as_row(row) for row in claims if row.verdict in FAILED],
    }
    if failures := sections["Not reproduced, or undecided"]:
        failures[:0] = _HEAD_OF_FAILURES
    sections = {title: lines for title, lines in sections.items() if lines}
    parts = [
        "# What the documents state, and what came out",
        f"**{' '.join(headline(claims))}**",
        *([" ".join(sentences)] if (sentences := counted_apart(claims)) else []),
        *([f"**These results are of the {reduced}**, not of the full set."] if reduced else []),
        "\n".join(f"- [{title}](#{_anchor(title)})" for title in (*sections, *map(_escape, ledgers))),
        _INTRODUCTION,
        history_of_criteria(claims),
        "\n".join(f"- *{verdict}*: {meaning}" for verdict, meaning in _MEANING.items()),
        _count_verdicts(ledgers),
        _list_differences(),
    ]
    for title, lines in sections.items():
        parts += [_heading(title), "\n".join(lines)]
    for document, rows in ledgers.items():
        parts += [_heading(_escape(document)), *_document_paragraphs(rows)]
    return "\n\n".join(parts) + "\n"


def _escape_row(row: LedgerRow) -> LedgerRow:
    return replace(row, **{name: _escape(value) for name, value in asdict(row).items() if isinstance(value, str)})


def _escape(text: str) -> str:
    """Return a text on one line, escaped so that Markdown shows it literally."""
    return _SIGNS.sub(lambda sign: f"\\{sign[0]}", html.escape(" ".join(text.split()), quote=False))


def _anchor(text: str) -> str:
    return re.sub(r"[^\w-]+", "-", text.lower()).strip("-")


def _anchor_of_claim(row: LedgerRow) -> str:
    return _anchor(f"{row.document}-{row.claim}")


def _heading(title: str) -> str:
    return f'## <a id="{_anchor(title)}"></a>{title}'


def _claim_as_item(row: LedgerRow) -> str:
    """Return a claim as a line of a list: verdict, statement, our value, and a link to the whole entry."""
    return f"- **{verdict_in_words(row)}**: [{row.statement}](#{_anchor_of_claim(row)}) {ours_with_quantity(row)}."


def _claim_as_row(row: LedgerRow) -> str:
    """Return a claim that is not reproduced as a line of a table."""
    # The remark on a claim that is undecided says why it is.
    remark = with_math_signs(row.remark)
    reasons = (remark if row.verdict == UNDECIDED or not row.explanation else "", row.explanation)
    cells = (
        f"[{row.statement}](#{_anchor_of_claim(row)})",
        verdict_in_words(row),
        with_math_signs(row.printed),
        f"{row.quantity}: {with_math_signs(row.ours)}".removeprefix(": "),
        ". ".join(filter(None, reasons)),
    )
    return f"| {' | '.join(cells)} |"


def _count_verdicts(ledgers: Mapping[str, Rows]) -> str:
    """Return a table with the number of claims for each document, weight and verdict."""
    lines = [f"| document | weight | {' | '.join(VERDICTS)} |", "|---|---" + "|---:" * len(VERDICTS) + "|"]
    for document, rows in ledgers.items():
        for weight in WEIGHTS:
            given = [row.verdict for row in rows if row.weight == weight]
            counts = " | ".join(str(given.count(each)) for each in VERDICTS)
            lines.append(f"| {_escape(document)} | {weight} | {counts} |")
    return "\n".join(lines)


def _list_differences() -> str:
    """Return the table of the smallest differences that matter."""
    lines = ["| a number agrees if it differs by less than | of | because |", "|---:|---|---|"]
    for kind, each in DIFFERENCES.items():
        size = f"{100 * each.size:g} %" if each.relative else f"{each.size:g}"
        scale = " (compared by logarithms)" if each.positive else ""
        lines.append(f"| {size} | {kind}{scale} | {each.because} |")
    return "\n".join(lines)


def _document_paragraphs(rows: Rows) -> list[str]:
    """Return the paragraphs on a document: headline, claims by weight, errata, and settings."""
    claims = [row for row in rows if row.is_claim]
    parts = [f"**{' '.join(headline(claims))}**"]
    parts += [f"*Coverage.* {row.statement}" for row in rows if row.kind == COVERAGE]
    titles = "Main statements", "Supporting statements", "Theorems", "Works beside the document", "Our own statements"
    for weight, title in zip(WEIGHTS, titles, strict=True):
        found = [_claim_paragraph(row) for row in claims if row.weight == weight]
        parts += [f"### {title}", *found] if found else []
    for kind, title in ((ERRATUM, "Errata of substance"), (ERRATUM_OF_FORM, "Errata of form")):
        errata = [row for row in rows if row.kind == kind]
        found = [f"*{row.claim}* ({row.place}): {row.statement} Evidence: {row.remark}" for row in errata]
        parts += [f"### {title}", *found] if found else []
    if settings := [(row.claim, row.printed, row.ours) for row in rows if row.kind == SETTING]:
        head = ["| setting | the document | our config |", "|---|---|---|"]
        parts += ["### Settings", "\n".join([*head, *(f"| {' | '.join(cells)} |" for cells in settings)])]
    return parts


def _claim_paragraph(row: LedgerRow) -> str:
    remark = f" ({with_math_signs(row.remark)})" if row.remark else ""
    replayed = ", replayed" if row.draw == REPLAYED else ""
    figure = f"; our figure *{row.figure}*" if row.figure else ""
    sentences = [
        f'<a id="{_anchor_of_claim(row)}"></a>**{verdict_in_words(row)}**{remark}: {row.statement}',
        f"({row.kind}{replayed}) *{row.claim}*, {row.place}{figure}.",
        f"The document: {with_math_signs(row.printed)}." if row.printed else "",
        f"{ours_with_quantity(row)}.",
        f"Difference: {with_math_signs(row.difference)}." if row.difference else "",
        row.explanation if row.verdict != REPRODUCED else "",
        f"Runs: {row.runs}." if row.runs else "",
        f"Criterion: {with_math_signs(row.criterion)}. Why: {row.because}",
        f"Main statement, because {row.main}." if row.main else "",
        f"The criterion was changed after a value had been seen: {row.revised}" if row.revised else "",
    ]
    return " ".join(filter(None, sentences))
