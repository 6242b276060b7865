"""The headline of a ledger: how many statements about results agree, and how many checks there are apart from them."""

from collections.abc import Iterable, Mapping, Sequence

from workflow.deepnets.claims.claim import CHECK, MAIN, OURS, SUPPORTING
from workflow.deepnets.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, WITHIN_NOISE

_WORDS = {
    REPRODUCED: "{} agree{s}",
    WITHIN_NOISE: "{} differ{s} within noise",
    NOT_REPRODUCED: "{} do{es} not agree",
    NOT_TESTABLE: "{} cannot be tested here",
}
# How a claim whose runs use the document's own random numbers is marked, and any other.
REPLAYED, OWN = "replayed", "own"


def headline(rows: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the sentences of a headline: all results, main and replayed ones, checks, and statements of our own.

    rows: of claims, with their kind, weight, draw and verdict.
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
            f"{_count(identities, 'identity', 'identities')} and {_count(settings, 'setting')} are checked apart: "
            f"{_counts(checks)}."
        )
    if ours := [row for row in rows if row["weight"] == OURS]:
        sentences.append(f"{_count(ours, 'statement')} of our own {_be(len(ours))} counted apart: {_counts(ours)}.")
    return sentences


def _counts(rows: Sequence[Mapping[str, str]]) -> str:
    """Return how many rows have each verdict, without the verdicts that none has."""
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
