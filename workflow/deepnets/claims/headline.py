"""The headline of a ledger: counts of claims by verdict, separately for results and for checks."""

from collections.abc import Iterable, Mapping, Sequence

from deepnets.claims.claim import CHECK, MAIN, OURS, SUPPORTING
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
    """Return the sentences of a headline: on all, main and replayed results, on checks, and on our own statements.

    rows: one per claim, with its kind, weight, draw and verdict.
    """
    rows = list(rows)
    results = [row for row in rows if row["weight"] in (MAIN, SUPPORTING)]
    main = [row for row in results if row["weight"] == MAIN]
    replayed = [row for row in results if row["draw"] == REPLAYED]
    checks = [row for row in rows if row["weight"] == CHECK]
    sentences = [f"Of {_count(results, 'statement')} about results, {_counts(results)}."] if results else []
    if main:
        sentences.append(f"Of {_count(main, 'main statement')}, {_counts(main)}.")
    if replayed:
        sentences.append(
            f"For {_count(replayed, 'result')} the runs replay the document's own random numbers, which tests our code "
            f"rather than the finding: {_counts(replayed)}."
        )
    if checks:
        settings = [row for row in checks if row["kind"] == "setting"]
        identities = [row for row in checks if row["kind"] != "setting"]
        sentences.append(
            f"{_count(identities, 'identity', 'identities')} and {_count(settings, 'setting')} are checked separately: "
            f"{_counts(checks)}."
        )
    if ours := [row for row in rows if row["weight"] == OURS]:
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


def _be(count: int) -> str:
    return "is" if count == 1 else "are"


def _count(rows: Sequence, noun: str, plural: str = "") -> str:
    return f"{len(rows)} {noun if len(rows) == 1 else plural or noun + 's'}"
