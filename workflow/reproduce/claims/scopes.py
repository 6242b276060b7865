"""Scopes: what a claim's runs share, and beyond which its verdict changes, as reach.csv of a document records."""

import csv
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from reproduce.claims.criteria import NOT_TESTABLE, VERDICTS
from reproduce.tables.words import words_of

# Of a step: the claim, the axis or setting, its value, the step in words, the new value, "knob" for a setting of the
# computation, the claim's verdict, that after the step, and its remark.
COLUMNS = ("claim", "name", "own", "step", "new", "knob", "was", "verdict", "remark")


def read_reach(path: Path | str) -> list[dict[str, str]]:
    """Return the rows of reach.csv."""
    with open(path, encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def is_flip(row: Mapping[str, str]) -> bool:
    """Return whether a step changes the verdict; a claim that cannot be tested then has none."""
    return row["verdict"] in VERDICTS and row["verdict"] not in (row["was"], NOT_TESTABLE)


def scope_text(claim: str, names: Collection[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Return the confirmed scope of a claim, such as " Scope: threshold 0.4, not 0.2." names: those of its `scope`"""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row["claim"] == claim and row["name"] in names and is_flip(row):
            # Vectors would be long: only the step.
            own, new = ("", row["step"]) if row["own"][:1] == "[" else (f" {row['own']}", row["new"])
            found.setdefault(f"{words_of(row['name'])}{own}", []).append(new)
    parts = (f"{own}, not {' or '.join(others)}".replace('"', "") for own, others in found.items())
    return f" Scope: {'; '.join(parts)}." if found else ""
