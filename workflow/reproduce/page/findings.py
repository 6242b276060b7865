"""Findings and answers: sentences on results, with our numbers, and with the reason if these results lack a number."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reproduce.claims.claims_in_words import quoted_number
from reproduce.claims.criteria import NOT_TESTABLE
from reproduce.page.links import anchor_of, anchor_of_chart, anchor_of_claim
from reproduce.page.sparklines import Sparkline, sparkline_of
from reproduce.records.ledgers import LedgerRow
from reproduce.records.statements import QUOTE

# Name of a claim → its row of the ledger.
Rows = Mapping[str, LedgerRow]


@dataclass(frozen=True)
class Finding:
    """A sentence with our numbers.

    pieces: texts in order, each with the anchor of the claim whose number the text is, and the verdict on this claim;
        both are "" for words, and the verdict also if another part of the claim cannot be tested.
    missing: if a number is missing, a sentence that says so, in place of the pieces; command: what makes the number.
    counts: the numbers of values behind the quoted numbers, such as "10", each once.
    """

    pieces: tuple[tuple[str, str, str], ...]
    missing: str = ""
    command: str = ""
    counts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """An answer at the top of the page, which readers guess before they see it.

    words: more words that readers may search for.
    figure: the anchor of the figure that shows it, "" if the page lacks it; curve: the line of it that is guessed.
    why: the reason; formula: the same as LaTeX.
    statement: what the document says, as the row of its ledger; None if it cannot be tested here.
    changes: anchors of charts with a setting that shows the reason, and words on each, for the charts of the page.
    """

    question: str
    words: str
    finding: Finding
    why: Finding
    formula: str
    figure: str
    curve: Sparkline | None
    statement: LedgerRow | None
    changes: tuple[tuple[str, str], ...]


def finding_of(document: str, sentence: str, rows: Rows) -> Finding:
    """Return a finding of a document, or a cell of its table.

    sentence: contains {claim} in place of our number, or {claim/part} in place of one part's number.
    rows: of the document's ledger.
    Raises UserError for a claim that the ledger does not contain.
    """
    quoted = QUOTE.sub(lambda found: f"{{{document}/{found[1]}}}", sentence)
    # The remark on the claim names the runs.
    return _fill(quoted, {document: rows}, "the runs or the data for this")


def answer_of(
    entry: Mapping[str, Any], ledgers: Mapping[str, Rows], shown: set[str], numbers: Mapping[str, str]
) -> Answer:
    """Return an answer.

    entry: question, words, figure (document/name), sentence and why, which contain {document/claim} or
        {document/claim/part}, and runs: whose numbers these are, in words; formula: LaTeX; curve: as in `sparkline_of`;
        statement: document/claim; changes: each a chart (document/name), its setting, and words.
    shown: the anchors of all figures and charts of the page. numbers: figure (document/name) → its CSV file.
    Raises UserError for a claim that its ledger does not contain.
    """
    document, _, name = entry["figure"].partition("/")
    figure = anchor_of(document, name)
    changes = [(anchor_of_chart(*chart.split("/")), setting, words) for chart, setting, words in entry["changes"]]
    lacking = f"some of the runs that answer this: {entry['runs']}"
    of, _, claim = entry["statement"].partition("/")
    row = ledgers.get(of, {}).get(claim)
    return Answer(
        question=entry["question"],
        words=entry["words"],
        finding=_fill(entry["sentence"], ledgers, lacking),
        why=_fill(entry["why"], ledgers, lacking),
        formula=entry["formula"],
        figure=figure if figure in shown else "",
        curve=sparkline_of(numbers[entry["figure"]], entry["curve"]) if entry["figure"] in numbers else None,
        statement=row if row and row.verdict != NOT_TESTABLE else None,
        changes=tuple((f"{chart}?{setting}", words) for chart, setting, words in changes if chart in shown),
    )


def _fill(sentence: str, ledgers: Mapping[str, Rows], lacking: str) -> Finding:
    """Return a sentence with the numbers that it quotes. lacking: what the results lack if there is no such number."""
    pieces, counts = [], []
    # `split` returns words and names of claims alternately.
    for place, text in enumerate(QUOTE.split(sentence)):
        if place % 2 == 0:
            pieces.append((text, "", ""))
            continue
        document, _, quoted = text.partition("/")
        claim, _, part = quoted.partition("/")
        number, verdict = quoted_number(quoted, ledgers[document]) if document in ledgers else ("", "")
        if not number:
            missing = f"These results lack {lacking}. The default config has them all, with the full data sets:"
            return Finding((), missing=missing, command=f"snakemake --cores 8 {document}")
        pieces.append((number, anchor_of_claim(document, claim), verdict if verdict != NOT_TESTABLE else ""))
        row = ledgers[document][claim]
        # Parts of a claim may have counts of their own: "rank 2: 24.5 ± 1.0 (n = 20); rank 10: −26.8 ± 2.0 (n = 8)".
        own = re.search(rf"(?:^|; ){re.escape(part)}: [^;]*?\(n = (\d+(?: \+ \d+)*)", row.ours) if part else None
        counts.append(own[1] if own else row.count)
    counts = tuple(count for count in dict.fromkeys(counts) if count not in ("", "0"))
    return Finding(tuple(piece for piece in pieces if piece[0]), counts=counts)
