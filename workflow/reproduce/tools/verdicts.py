"""Program: compare the verdicts on all claims with those recorded in the documents' folders."""

import argparse
import csv
import sys
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE
from reproduce.config.documents import documents_of, ledgers_of
from reproduce.errors import UserError, run_tool
from reproduce.records.ledgers import LedgerRow, read_ledger
from reproduce.records.paths import LEDGER
from reproduce.records.record import record_at
from reproduce.tools.readme import README, insert_numbers

COLUMNS = ("claim", "kind", "figure", "quantity", "weight", "draw", "verdict", "reduced", "ours", "count", "region")
COLUMNS += ("digest", "criterion", "revised", "remark")
# Claim → row of the ledger. A recorded one has only COLUMNS.
Rows = dict[str, LedgerRow]


def path_of(room: str) -> Path:
    """Return the path of the file of a document's recorded verdicts."""
    return Path("workflow", SCIENCE, "documents", room, "verdicts.csv")


def read_verdicts(path: Path) -> Rows:
    """Return the recorded rows: claim → row."""
    with path.open(encoding="utf-8", newline="") as file:
        rows: list[dict[str, Any]] = [*csv.DictReader(file)]
    for row in rows:
        row["region"] = float(row["region"])
    return {row["claim"]: LedgerRow(**row) for row in rows}


def differences(found: Rows, recorded: Rows) -> list[str]:
    """Return a line for each claim whose verdict differs from the recorded one."""
    verdicts = {
        claim: [rows[claim].verdict if claim in rows else "absent" for rows in (found, recorded)]
        for claim in {**recorded, **found}
    }
    return [f"{claim}: {now}; recorded: {was}" for claim, (now, was) in sorted(verdicts.items()) if now != was]


def record(documents: Collection[str] = ()) -> None:
    """Record the verdicts of some documents, by default of all, and write the numbers to README.md.

    A document keeps its verdicts if its ledger was made without one of its tables, or if other data stood in.
    raises: UserError if a criterion was changed without a reason.
    """
    package, paths, judged = Package(), _paths(), {}
    ledgers = ledgers_of(package, package.rooms_in("experiments"))
    for name, rows in _judged().items():
        made_from = record_at(LEDGER.format(document=name))
        missing = [table for table in ledgers[name].tables if table not in made_from.inputs]
        if missing:
            print(f"{name}: kept its record, as these results lack {', '.join(missing)}; snakemake --cores 8 {name}")
        elif made_from.reduced:
            print(f"{name}: kept its record, as these results are of the {made_from.reduced}")
        elif name in documents or not documents:
            judged[name] = rows
    recorded = {document: read_verdicts(path) for document, path in paths.items() if path.exists()}
    silent = [
        f"the criterion of {document}/{claim} changed; write the reason into `revised`"
        for document, rows in judged.items()
        for claim, was in recorded.get(document, {}).items()
        if claim in rows and rows[claim].criterion != was.criterion and rows[claim].revised == was.revised
    ]
    if silent:
        raise UserError("; ".join(silent))
    # Computed first: if this fails, no file has been written.
    readme = insert_numbers(README.read_text(encoding="utf-8"), {**recorded, **judged}) if README.exists() else ""
    for document, rows in judged.items():
        with paths[document].open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(map(asdict, rows.values()))
    if readme:
        README.write_text(readme, encoding="utf-8")


def compare_with_recorded(documents: Collection[str] = ()) -> tuple[list[str], int, list[str]]:
    """Return a line for each verdict that differs from the recorded one, how many were compared, and what is missing.

    documents: those to compare; by default all
    """
    lines, compared, missing = [], 0, []
    paths = _paths()
    for document, rows in _judged().items():
        if documents and document not in documents:
            continue
        if reduced := record_at(LEDGER.format(document=document)).reduced:
            missing.append(f"{document}: not compared with the recorded verdicts, which are not of the {reduced}")
        elif paths[document].exists():
            lines += [f"{document}/{line}" for line in differences(rows, read_verdicts(paths[document]))]
            compared += len(rows)
        else:
            missing.append(f"{document}: {paths[document]} is missing; python -m reproduce.tools.verdicts --record")
    return lines, compared, missing


def _paths() -> dict[str, Path]:
    return {document.id: path_of(document.room) for document in documents_of(Package()).values()}


def _judged() -> dict[str, Rows]:
    """Return document → the rows of its ledger, for those that were judged here."""
    ledgers = {document: Path(LEDGER.format(document=document)) for document in _paths()}
    read = {document: read_ledger(path) for document, path in ledgers.items() if path.exists()}
    judged = {
        document: {row.claim: row for row in sorted(rows, key=lambda row: row.claim) if row.is_claim}
        for document, rows in read.items()
    }
    if not judged:
        raise UserError("results/claims contains no verdicts; make them first: snakemake --cores 8")
    return judged


def main() -> None:
    """Print each verdict that differs from the recorded one, and exit with status 1 if there is one."""
    parser = argparse.ArgumentParser(description="Compare the verdicts on all claims with those that were recorded.")
    parser.add_argument(
        "--record", action="store_true", help="instead, write the verdicts to the records, and the numbers to README.md"
    )
    if parser.parse_args().record:
        record()
        return
    lines, compared, missing = compare_with_recorded()
    for line in missing:
        print(line)
    print("\n".join(lines) or f"{compared} verdicts, all as recorded")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    run_tool(main)
