"""Findings: one sentence on a document's result, with our numbers and the verdict on them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deepnets.claims.criteria import worst_of
from deepnets.page.claims_in_words import quoted_number
from deepnets.records.statements import QUOTE


@dataclass(frozen=True)
class Finding:
    """A sentence with our numbers.

    pieces: texts in order, each paired with a name: the claim whose number the text is, or "" for words.
    verdict: the worst verdict on the quoted claims.
    """

    pieces: tuple[tuple[str, str], ...]
    verdict: str


def finding_of(sentence: str, rows: Mapping[str, Mapping[str, Any]]) -> Finding:
    """Return a finding of a document, or a cell of its table.

    sentence: contains {claim} in place of our number, or {claim/part} in place of one part's number.
    rows: claim → row of the ledger; the plan has checked the names.
    """
    pieces, verdicts = [], []
    # `split` returns words and names of claims alternately.
    for place, text in enumerate(QUOTE.split(sentence)):
        if place % 2 == 0:
            pieces.append((text, ""))
            continue
        number, verdict = quoted_number(text, rows)
        pieces.append((number, text.partition("/")[0]))
        verdicts.append(verdict)
    return Finding(tuple(piece for piece in pieces if piece[0]), worst_of(verdicts))
