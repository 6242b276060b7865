"""The headline of a ledger: counts of claims by verdict, separately for results and for theorems."""

from collections.abc import Iterable, Mapping, Sequence

from reproduce.claims.claim import BESIDE, MAIN, OURS, REPLAYED, SUPPORTING, THEOREM
from reproduce.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, UNDECIDED
from reproduce.records.ledgers import LedgerRow
from reproduce.tables.words import count_text

_WORDS = {
    REPRODUCED: "{} {is} reproduced",
    UNDECIDED: "{} {is} undecided",
    NOT_REPRODUCED: "{} {is} not",
    NOT_TESTABLE: "{} cannot be tested here",
}


def headline(rows: Iterable[LedgerRow]) -> list[str]:
    """Return the sentences of a headline: on all results and the main ones among them, and on theorems.

    rows: one per claim.
    """
    rows = list(rows)
    results = [row for row in rows if row.weight in (MAIN, SUPPORTING)]
    main = [row for row in results if row.weight == MAIN]
    theorems = [row for row in rows if row.weight == THEOREM]
    sentences = []
    if results:
        of_main = f"; of {count_text(len(main), 'main statement')}, {_counts(main)}" if main else ""
        sentences.append(f"Of {count_text(len(results), 'statement')} about results, {_counts(results)}{of_main}.")
    if theorems:
        others = [row for row in theorems if row.verdict != REPRODUCED]
        hold = "holds" if len(theorems) == 1 else "hold"
        holding = f"{len(theorems) - len(others)} of {count_text(len(theorems), 'theorem')} {hold} numerically"
        words = {**_WORDS, NOT_REPRODUCED: "{} {do} not"}
        sentences.append(f"{holding}; {_counts(others, words)}." if others else f"{holding}.")
    return sentences


def counted_apart(rows: Iterable[LedgerRow]) -> list[str]:
    """Return sentences on replayed results, and on statements that no document makes."""
    rows = list(rows)
    replayed = [row for row in rows if row.weight in (MAIN, SUPPORTING) and row.draw == REPLAYED]
    words = f"For {count_text(len(replayed), 'result')} the runs replay the document's own random numbers, which tests"
    sentences = [f"{words} our code rather than the finding: {_counts(replayed)}."] if replayed else []
    for weight, of in ((BESIDE, "of works beside the documents"), (OURS, "of our own")):
        if found := [row for row in rows if row.weight == weight]:
            sentences.append(
                f"{count_text(len(found), 'statement')} {of} {_be(len(found))} counted apart: {_counts(found)}."
            )
    return sentences


def _counts(rows: Sequence[LedgerRow], words: Mapping[str, str] = _WORDS) -> str:
    """Return the number of rows with each verdict that occurs, in words."""
    verdicts = [row.verdict for row in rows]
    counts = [(verdicts.count(verdict), form) for verdict, form in words.items()]
    parts = [form.format(n, **{"is": _be(n), "do": "does" if n == 1 else "do"}) for n, form in counts if n]
    reduced = sum(row.verdict == REPRODUCED and bool(row.reduced) for row in rows)
    return ", ".join([f"{parts[0]} ({reduced} at reduced size)", *parts[1:]] if reduced else parts)


def _be(count: int) -> str:
    return "is" if count == 1 else "are"
