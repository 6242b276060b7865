"""Program: compare the verdicts on all claims with those on record in the documents' folders, for tests and reviews."""

import argparse
import csv
import sys
from collections.abc import Mapping
from pathlib import Path

from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.config.documents import documents_of
from workflow.deepnets.errors import UserError, exit_plainly
from workflow.deepnets.records.ledgers import ERRATUM
from workflow.deepnets.records.paths import LEDGER
from workflow.deepnets.records.tables import read_table


def record_of(room: str) -> Path:
    """Return the file in a document's folder that records verdicts and rules by claim."""
    return Path(*PACKAGE.split("."), "documents", room, "verdicts.csv")


def read_record(path: Path) -> dict[str, dict[str, str]]:
    """Return the recorded rows by claim: claim, verdict, rule."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["claim"]: row for row in csv.DictReader(file)}


def differences(found: Mapping[str, str], recorded: Mapping[str, str]) -> list[str]:
    """Return a line for each claim that has another verdict than was recorded, or none."""
    verdicts = ((claim, found.get(claim, "absent"), recorded.get(claim, "absent")) for claim in {**recorded, **found})
    return [f"{claim}: {now}; recorded: {before}" for claim, now, before in sorted(verdicts) if now != before]


def _judged(path: Path) -> dict[str, dict[str, str]]:
    """Return the rows of a ledger by claim, in the order of their names."""
    rows = [row for row in read_table(path).to_pylist() if row["kind"] != ERRATUM]
    return {row["claim"]: row for row in sorted(rows, key=lambda row: row["claim"])}


def _write(record: Path, rows: Mapping[str, Mapping[str, str]]) -> None:
    with record.open("w", encoding="utf-8", newline="") as file:
        # With the rules: none is changed without a trace.
        writer = csv.DictWriter(file, ("claim", "verdict", "rule"), extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())


def main() -> None:
    """Print each verdict that differs from the recorded one, and end with status 1 where one does."""
    parser = argparse.ArgumentParser(description="Compare the verdicts on all claims with those that were recorded.")
    parser.add_argument("--record", action="store_true", help="write today's verdicts and rules to the records instead")
    recording = parser.parse_args().record
    ledgers = {
        document.id: (path, record_of(document.room))
        for document in documents_of(Package()).values()
        if (path := Path(LEDGER.format(document=document.id))).exists()
    }
    if not ledgers:
        raise UserError("results/claims holds no verdicts; make them first: snakemake --cores 8")
    lines, compared = [], 0
    for document, (path, record) in ledgers.items():
        judged = _judged(path)
        if recording:
            _write(record, judged)
        elif record.exists():
            found, recorded = (
                {claim: row["verdict"] for claim, row in rows.items()} for rows in (judged, read_record(record))
            )
            lines += [f"{document}/{line}" for line in differences(found, recorded)]
            compared += len(judged)
        else:
            print(f"{document}: {record} is missing; to record its verdicts, add --record")
    if not recording:
        print("\n".join(lines) or f"{compared} verdicts, all as recorded")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    exit_plainly(main)
