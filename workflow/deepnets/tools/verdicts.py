"""Program: compare the verdicts on all claims with those that were recorded, for tests and reviews."""

import argparse
import csv
import sys
from pathlib import Path

from workflow.deepnets.errors import UserError, exit_plainly
from workflow.deepnets.records.ledgers import ERRATUM
from workflow.deepnets.records.tables import read_table

_RECORD, _LEDGERS = Path("tests/verdicts.csv"), Path("results/claims")


def differences(found: dict[tuple[str, str], str], recorded: dict[tuple[str, str], str]) -> list[str]:
    """Return a line for each claim, by (document, claim), that has another verdict than was recorded, or none."""
    lines = []
    for document, claim in sorted(found.keys() | recorded.keys()):
        was, now = (verdicts.get((document, claim), "absent") for verdicts in (recorded, found))
        if was != now:
            lines.append(f"{document}/{claim}: {now}; recorded: {was}")
    return lines


def _rows() -> list[dict]:
    paths = sorted(_LEDGERS.glob("*.parquet"))
    if not paths:
        raise UserError(f"{_LEDGERS} holds no verdicts; make them first: snakemake --cores 8")
    rows = [row for path in paths for row in read_table(path).to_pylist()]
    return sorted((row for row in rows if row["kind"] != ERRATUM), key=_key)


def _key(row: dict) -> tuple[str, str]:
    return row["document"], row["claim"]


def main() -> None:
    """Print each verdict that differs from the recorded one, and end with status 1 where one does."""
    parser = argparse.ArgumentParser(description="Compare the verdicts on all claims with those that were recorded.")
    parser.add_argument("--record", action="store_true", help=f"write today's verdicts and rules to {_RECORD} instead")
    rows = _rows()
    if parser.parse_args().record:
        with _RECORD.open("w", encoding="utf-8", newline="") as file:
            # The rules stand beside: none is changed without a trace.
            columns = ("document", "claim", "verdict", "rule")
            record = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
            record.writeheader()
            record.writerows(rows)
        return
    with _RECORD.open(encoding="utf-8", newline="") as file:
        recorded = {_key(row): row["verdict"] for row in csv.DictReader(file)}
    different = differences({_key(row): row["verdict"] for row in rows}, recorded)
    print("\n".join(different) or f"{len(rows)} verdicts, all as recorded in {_RECORD}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    exit_plainly(main)
