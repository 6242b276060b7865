from dataclasses import replace

from reproduce.claims.criteria import NOT_REPRODUCED, REPRODUCED
from reproduce.claims.headline import REPLAYED
from reproduce.jobs.list_claims import _claim_paragraph
from reproduce.records.ledgers import LedgerRow

EMPTY = LedgerRow(kind="number", verdict=REPRODUCED)
SENTENCES = {
    "remark": "**reproduced** (X): ",
    "figure": "; our figure *X*.",
    "printed": "The document: X.",
    "runs": "Runs: X.",
    "main": "Main statement, because X.",
    "revised": "The criterion was changed after a value had been seen: X",
}


def test_a_paragraph_has_a_sentence_for_each_field_that_is_set():
    for name, sentence in SENTENCES.items():
        assert sentence in _claim_paragraph(replace(EMPTY, **{name: "X"}))
        assert sentence.replace("X", "") not in _claim_paragraph(EMPTY)
    assert ", replayed)" in _claim_paragraph(replace(EMPTY, draw=REPLAYED))
    explained = replace(EMPTY, explanation="Our net is smaller.")
    assert explained.explanation not in _claim_paragraph(explained)
    assert explained.explanation in _claim_paragraph(replace(explained, verdict=NOT_REPRODUCED))
