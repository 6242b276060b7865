"""The findings: what a document finds in one sentence, with our numbers, and the verdict on them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workflow.deepnets.claims.criteria import NOT_TESTABLE, worst_of
from workflow.deepnets.errors import UserError
from workflow.deepnets.page.claims_in_words import number_in

_CLAIM = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Finding:
    """A sentence with our numbers.

    pieces: texts in order, each with the name of the claim whose number it is, "" for words; verdict: the worst of
    these claims'.
    """

    pieces: tuple[tuple[str, str], ...]
    verdict: str

    @property
    def text(self) -> str:
        """The sentence."""
        return "".join(text for text, _ in self.pieces)


def finding_of(document: str, sentence: str, rows: Mapping[str, Mapping[str, Any]]) -> Finding:
    """Return the finding of a document. Raises UserError for a number of a claim that the ledger does not contain.

    sentence: with {claim} for our number, {claim/part} for that of one part; rows: of the ledger, by claim.
    """
    # Words and names of claims alternate.
    words = _CLAIM.split(sentence)
    claims = [name.partition("/")[0] for name in words[1::2]]
    if unknown := [name for name in claims if name not in rows]:
        raise UserError(f"FINDING of {document}: {{{unknown[0]}}} is no claim of its ledger")
    pieces = [
        (number_in(rows[claim]["ours"], name.partition("/")[2]).replace("-", "−") or "no value", claim)
        for claim, name in zip(claims, words[1::2], strict=True)
    ]
    every = [
        piece for pair in zip(((text, "") for text in words[::2]), [*pieces, ("", "")], strict=True) for piece in pair
    ]
    verdict = worst_of(rows[claim]["verdict"] for claim in claims) if claims else NOT_TESTABLE
    return Finding(tuple(piece for piece in every if piece[0]), verdict)
