"""The headline of a ledger: counts of claims by verdict, separately for results and for theorems."""

from collections.abc import Iterable, Mapping, Sequence

from deepnets.claims.claim import MAIN, OURS, SUPPORTING, THEOREM
from deepnets.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, WITHIN_NOISE

_WORDS = {
    REPRODUCED: "{} agree{s}",
    WITHIN_NOISE: "{} differ{s} within noise",
    NOT_REPRODUCED: "{} do{es} not agree",
    NOT_TESTABLE: "{} cannot be tested here",
}
# Marks of claims: whether their runs use the document's own random numbers or not.
REPLAYED, OWN = "replayed", "own"


def headline(rows: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the sentences of a headline: on all results and the main ones among them, and on theorems.

    rows: one per claim, with its weight and verdict.
    """
    rows = list(rows)
    results = [row for row in rows if row["weight"] in (MAIN, SUPPORTING)]
    main = [row for row in results if row["weight"] == MAIN]
    theorems = [row for row in rows if row["weight"] == THEOREM]
    sentences = []
    if results:
        of_main = f"; of {_count(main, 'main statement')}, {_counts(main)}" if main else ""
        sentences.append(f"Of {_count(results, 'statement')} about results, {_counts(results)}{of_main}.")
    if theorems:
        holding = sum(row["verdict"] == REPRODUCED for row in theorems)
        sentences.append(f"{holding} of {_count(theorems, 'theorem')} {_holds(len(theorems))} numerically.")
    return sentences


def counted_apart(rows: Iterable[Mapping[str, str]]) -> list[str]:
    """Return sentences on results whose runs replay the document's random numbers, and on statements of our own.

    rows: as in `headline`, with its draw.
    """
    rows = list(rows)
    replayed = [row for row in rows if row["weight"] in (MAIN, SUPPORTING) and row["draw"] == REPLAYED]
    ours = [row for row in rows if row["weight"] == OURS]
    sentences = []
    if replayed:
        sentences.append(
            f"For {_count(replayed, 'result')} the runs replay the document's own random numbers, which tests our code "
            f"rather than the finding: {_counts(replayed)}."
        )
    if ours:
        sentences.append(
            f"{_count(ours, 'statement')} of our own {_be(len(ours))} counted separately: {_counts(ours)}."
        )
    return sentences


def _counts(rows: Sequence[Mapping[str, str]]) -> str:
    """Return the number of rows with each verdict that occurs, in words."""
    verdicts = [row["verdict"] for row in rows]
    counts = [(verdicts.count(verdict), words) for verdict, words in _WORDS.items()]
    parts = [
        words.format(count, s="s" if count == 1 else "", es="es" if count == 1 else "", **{"is": _be(count)})
        for count, words in counts
        if count
    ]
    return ", ".join(parts)


def _holds(count: int) -> str:
    return "holds" if count == 1 else "hold"


def _be(count: int) -> str:
    return "is" if count == 1 else "are"


def _count(rows: Sequence, noun: str) -> str:
    return f"{len(rows)} {noun if len(rows) == 1 else noun + 's'}"
