"""Program: one page of all claims and their verdicts, for readers."""

from pathlib import Path
from textwrap import fill
from typing import Any

import pandas as pd

from workflow.deepnets.claims.criteria import NOT_REPRODUCED, VERDICTS
from workflow.deepnets.data.mnist import SUBSET, merged_mnist
from workflow.deepnets.page.claims_in_words import ours, summary
from workflow.deepnets.records.atomic import replacing
from workflow.deepnets.records.job import Job
from workflow.deepnets.records.ledgers import ERRATUM
from workflow.deepnets.records.pages import stamped
from workflow.deepnets.records.provenance import unchanged
from workflow.deepnets.records.tables import metadata_of, read_table

_INTRODUCTION = (
    "A *claim* is one number or one statement of a document. Each stands here beside what the runs of this workflow "
    "gave, with the rule by which the two are compared; the rule was written down before our value was looked at. "
    "Intervals are over seeds: ± is the standard error of the mean over runs, which says nothing of what all runs "
    "share, their data set for instance."
)
_MEANING = {
    "reproduced": "the rule holds",
    "reproduced with remark": "it holds but for what the remark says, for instance within the noise of the seeds",
    "not reproduced": "it does not hold",
    "not testable here": "these results cannot tell, for the reason given",
}


def main(job: Job, ledgers: list[Path], output: Path) -> None:
    """Write the page of these documents' claims, in their order."""
    with replacing(output) as unfinished, unchanged({"ledgers": ledgers}) as inputs:
        read = {path.stem: read_table(path) for path in ledgers}
        mnist = merged_mnist([metadata_of(table)["mnist"] for table in read.values()])
        text = as_markdown({document: table.to_pandas() for document, table in read.items()}, subset=mnist == SUBSET)
        unfinished.write_text(stamped(text, job.provenance(inputs, mnist)), encoding="utf-8")


def as_markdown(ledgers: dict[str, pd.DataFrame], *, subset: bool) -> str:
    """Return the page: counts, what was not reproduced, then each document's claims and errata. subset: of MNIST."""
    rows = pd.concat(ledgers.values())
    claims, errata = rows[rows["kind"] != ERRATUM], rows[rows["kind"] == ERRATUM]
    parts = [
        "# What the documents state, and what came out",
        f"**{summary(claims['verdict'])}; {len(errata)} errata.**",
        _INTRODUCTION,
    ]
    if subset:
        parts.append("**These results are of the embedded subset of MNIST**, not of the full set.")
    parts.append("\n".join(f"- *{verdict}*: {meaning}" for verdict, meaning in _MEANING.items()))
    parts.append(_counts(claims))
    failed = claims[claims["verdict"] == NOT_REPRODUCED]
    if len(failed):
        lines = [
            f"- `{row.document}/{row.claim}`: {row.statement} Ours: {ours(row._asdict())}."
            for row in failed.itertuples()
        ]
        parts += ["## Not reproduced", "\n".join(lines)]
    for document, ledger in ledgers.items():
        parts.append(f"## {document}")
        parts += [_of_claim(row) for row in ledger[ledger["kind"] != ERRATUM].itertuples()]
        found = ledger[ledger["kind"] == ERRATUM]
        if len(found):
            parts.append(f"### Errata of {document}")
            parts += [
                f"`{row.claim}` ({row.place}): {row.statement} Evidence: {row.remark}" for row in found.itertuples()
            ]
    return (
        "\n\n".join(
            part if part.startswith(("|", "- ", "#")) else fill(part, 120, break_on_hyphens=False) for part in parts
        )
        + "\n"
    )


def _counts(claims: pd.DataFrame) -> str:
    lines = [f"| document | {' | '.join(VERDICTS)} |", "|---" + "|---:" * len(VERDICTS) + "|"]
    for document, own in claims.groupby("document", sort=False):
        counts = own["verdict"].value_counts()
        lines.append(f"| {document} | {' | '.join(str(counts.get(verdict, 0)) for verdict in VERDICTS)} |")
    return "\n".join(lines)


def _of_claim(row: Any) -> str:
    remark = f" ({row.remark})" if row.remark else ""
    document = f"The document: {row.printed}. " if row.printed else ""
    shown = f"; our figure `{row.figure}`" if row.figure else ""
    revised = f" The rule was changed after a value had been seen: {row.revised}" if row.revised else ""
    return (
        f"**{row.verdict}**{remark}: {row.statement} [{row.kind}] `{row.claim}`, {row.place}{shown}. "
        f"{document}Ours: {ours(row._asdict())}. Rule: {row.rule}. Why: {row.because}{revised}"
    )
