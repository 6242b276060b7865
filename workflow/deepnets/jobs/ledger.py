"""Program: one page of all claims and their verdicts, for readers."""

from pathlib import Path
from textwrap import fill
from typing import Any

import pandas as pd

from workflow.deepnets.claims.claim import MAIN, WEIGHTS
from workflow.deepnets.claims.criteria import (
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    SAME_ORDER,
    VERDICTS,
    WITHIN_NOISE,
)
from workflow.deepnets.claims.headline import REPLAYED, headline
from workflow.deepnets.data.mnist import SUBSET, merged_mnist
from workflow.deepnets.page.claims_in_words import history, with_quantity
from workflow.deepnets.records.atomic import replacing
from workflow.deepnets.records.job import Job
from workflow.deepnets.records.ledgers import COVERAGE, ERRATUM, ERRATUM_OF_FORM, NO_CLAIMS
from workflow.deepnets.records.pages import stamped
from workflow.deepnets.records.provenance import unchanged
from workflow.deepnets.records.tables import metadata_of, read_table

_INTRODUCTION = (
    "A *claim* is one number or one statement of a document. *Results* are numbers, orderings, trends and bounds that "
    "runs could contradict; *checks* are settings and identities, which no run could contradict, and are counted apart. "
    "A *main* result is what a document itself puts first: in its abstract, its titles or its summary. "
    "Beside each claim you find our value, the criterion that compares the two, and why this criterion. "
    "*Replayed* claims are judged by runs that use the document's own random numbers: they test our code. "
    "± is the standard error over seeds. It does not cover what all seeds share, such as the data set."
)
_MEANING = {
    REPRODUCED: "the criterion holds",
    WITHIN_NOISE: "it does not hold, but the seeds' noise could explain that",
    SAME_ORDER: "the document's number is of other nets or data, and ours is within a factor of two of it",
    NOT_REPRODUCED: "it does not hold",
    NOT_TESTABLE: "these results cannot decide, for the reason given",
}


def main(job: Job, ledgers: list[Path], output: Path) -> None:
    """Write the page of these documents' claims, in their order."""
    with replacing(output) as unfinished, unchanged({"ledgers": ledgers}) as inputs:
        read = {path.stem: read_table(path) for path in ledgers}
        mnist = merged_mnist([metadata_of(table)["mnist"] for table in read.values()])
        text = as_markdown({document: table.to_pandas() for document, table in read.items()}, subset=mnist == SUBSET)
        unfinished.write_text(stamped(text, job.provenance(inputs, mnist)), encoding="utf-8")


def as_markdown(ledgers: dict[str, pd.DataFrame], *, subset: bool) -> str:
    """Return the page: headline, counts, main claims, what was not reproduced, then each document. subset: of MNIST."""
    rows = pd.concat(ledgers.values())
    claims = rows[~rows["kind"].isin(NO_CLAIMS)]
    parts = [
        "# What the documents state, and what came out",
        f"**{' '.join(headline(claims.to_dict('records')))}**",
        _INTRODUCTION,
        history(claims.to_dict("records")),
    ]
    if subset:
        parts.append("**These results are of the embedded subset of MNIST**, not of the full set.")
    parts.append("\n".join(f"- *{verdict}*: {meaning}" for verdict, meaning in _MEANING.items()))
    parts += [_counts(claims), "## Main statements", _list(claims[claims["weight"] == MAIN])]
    failed = claims[claims["verdict"].isin((NOT_REPRODUCED, WITHIN_NOISE))]
    if len(failed):
        parts += ["## Not reproduced", _list(failed)]
    for document, ledger in ledgers.items():
        parts += [f"## {document}", *_of_document(ledger)]
    return (
        "\n\n".join(
            part if part.startswith(("|", "- ", "#")) else fill(part, 120, break_on_hyphens=False) for part in parts
        )
        + "\n"
    )


def _list(claims: pd.DataFrame) -> str:
    """Return claims as a list: verdict, statement, our value, and what explains it if it is not reproduced."""
    return "\n".join(
        f"- **{row.verdict}**: {row.statement} {with_quantity(row._asdict())}."
        + (f" {row.explanation}" if row.explanation and row.verdict != REPRODUCED else "")
        + f" `{row.document}/{row.claim}`"
        for row in claims.itertuples()
    )


def _counts(claims: pd.DataFrame) -> str:
    """Return a table of verdicts: for each document its results, those of them that are main, and its checks."""
    lines = [f"| document | weight | {' | '.join(VERDICTS)} |", "|---|---" + "|---:" * len(VERDICTS) + "|"]
    for document, own in claims.groupby("document", sort=False):
        for weight in WEIGHTS:
            counts = own.loc[own["weight"] == weight, "verdict"].value_counts()
            lines.append(f"| {document} | {weight} | {' | '.join(str(counts.get(each, 0)) for each in VERDICTS)} |")
    return "\n".join(lines)


def _of_document(ledger: pd.DataFrame) -> list[str]:
    """Return the paragraphs on a document: its headline, its results, the main ones first, its checks and errata."""
    claims = ledger[~ledger["kind"].isin(NO_CLAIMS)]
    parts = [
        f"**{' '.join(headline(claims.to_dict('records')))}**",
        *(f"*Coverage.* {each}" for each in ledger.loc[ledger["kind"] == COVERAGE, "statement"]),
    ]
    for weight, title in zip(WEIGHTS, ("Main statements", "Supporting statements", "Checks"), strict=True):
        found = claims[claims["weight"] == weight]
        parts += [f"### {title}", *(_of_claim(row) for row in found.itertuples())] if len(found) else []
    for kind, title in ((ERRATUM, "Errata of substance"), (ERRATUM_OF_FORM, "Errata of form")):
        found = ledger[ledger["kind"] == kind]
        parts += [f"### {title}", *(_of_erratum(row) for row in found.itertuples())] if len(found) else []
    return parts


def _of_erratum(row: Any) -> str:
    return f"`{row.claim}` ({row.place}): {row.statement} Evidence: {row.remark}"


def _of_claim(row: Any) -> str:
    sentences = [
        f"**{row.verdict}**{f' ({row.remark})' if row.remark else ''}: {row.statement}",
        f"[{', '.join([row.kind, *(['replayed'] if row.draw == REPLAYED else [])])}] `{row.claim}`, {row.place}"
        f"{f'; our figure `{row.figure}`' if row.figure else ''}.",
        f"The document: {row.printed}." if row.printed else "",
        f"{with_quantity(row._asdict())}.",
        row.explanation if row.verdict != REPRODUCED else "",
        f"Runs: {row.runs}." if row.runs else "",
        f"Criterion: {row.criterion}. Why: {row.because}",
        f"Main statement, since {row.main}." if row.main else "",
        f"The criterion was changed after a value had been seen: {row.revised}" if row.revised else "",
    ]
    return " ".join(filter(None, sentences))
