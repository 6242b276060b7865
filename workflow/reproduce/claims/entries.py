"""Join a document's statements, which are prose, with what decides them, and its settings with those of the config."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reproduce.claims.claim import Claim
from reproduce.claims.criteria import Criterion, Each
from reproduce.claims.measures import Tested, combine_parts
from reproduce.claims.scopes import read_reach, scope_text
from reproduce.errors import UserError, check_name
from reproduce.records.ledgers import COVERAGE, SETTING, LedgerRow, row_without_claim
from reproduce.records.statements import Entry, Statements
from reproduce.tables.rows import NotRecordedError
from reproduce.tables.selection import EVERY, Selection
from reproduce.tables.table import Table
from reproduce.tables.words import text_of

# What decides each claim: a measure with its criterion, or several by the names of their parts.
Tests = Mapping[str, Tested | Mapping[str, Tested]]


@dataclass(frozen=True)
class Decisions:
    """What decides the statements of a document.

    tests: name of a statement → its measure and criterion, or those of its parts.
    settings: the runs that the document describes: its settings stand beside those of the config.
    """

    tests: Tests
    settings: tuple[Selection, ...] = ()


def join_statements(statements: Statements, tests: Tests, reach: Sequence[Path] = ()) -> list[Claim | LedgerRow]:
    """Return the entries of claims.md in its order: claims with their tests, and the rows of all others.

    reach: the document's reach.csv if there is one; a statement ends with its scope

    raises: UserError if a statement has no test or a test no statement, or if an entry has another kind than its test
        allows.
    """
    stated = {each.name: each.where for each in statements.entries if not each.is_erratum}
    if without := [where for name, where in stated.items() if name not in tests]:
        raise UserError(f"{without[0]}: claims.py does not measure it; it measures {', '.join(sorted(tests))}")
    for name in tests:
        check_name(name, "statement of claims.md", stated, "claims.py: ")
    steps = [row for path in reach for row in read_reach(path)]
    return [*_coverage_of(statements), *(_entry_of(each, tests, steps) for each in statements.entries)]


def number_text(value: float) -> str:
    """Return a number as text, with all of its digits."""
    short = f"{value:g}"
    text = short if float(short) == value else f"{value}"
    return text.replace("-", "−", 1) if value < 0 else text


def _coverage_of(statements: Statements) -> list[LedgerRow]:
    """Return the row that counts the quoted numbers of a document, if claims.md says how many it prints."""
    if not (count := dict(statements.fields).get("printed numbers")):
        return []
    reasons = [each.split("; ", 1) for each in statements.left_out]
    left_out = f" Left out: {'; '.join(f'{number} ({why})' for number, why in reasons)}." if reasons else ""
    quoted = f"{int(count) - len(reasons)} of {count} printed numbers are quoted here.{left_out}"
    return [row_without_claim(COVERAGE, claim=COVERAGE, statement=quoted)]


def _entry_of(entry: Entry, tests: Tests, steps: list[dict[str, str]]) -> Claim | LedgerRow:
    if entry.is_erratum:
        texts = {"place": entry.place, "statement": entry.statement, "remark": entry.fields["evidence"]}
        return row_without_claim(entry.kind, claim=entry.name, **texts)
    fields: dict[str, Any] = {**entry.fields}
    test = tests[entry.name]
    if isinstance(test, Mapping) and len(test) == 1:
        (test,) = test.values()
    if isinstance(test, Mapping):
        measure = combine_parts({name: part for name, (part, _) in test.items()})
        criterion: Criterion = Each({name: each for name, (_, each) in test.items()})
    else:
        measure, criterion = test
    if not any(each.of_interval for each in criterion.each):
        # A rule of decision is one for intervals.
        fields["revised"] = entry.fields.maps[0].get("revised", "–")
    if entry.kind == "number":
        fields["printed"] = _printed(fields, criterion, entry.where)
    return Claim(
        name=entry.name,
        kind=entry.kind,
        place=entry.place,
        statement=entry.statement + scope_text(entry.name, fields.pop("scope", "").split(", "), steps),
        measure=measure,
        criterion=criterion,
        **{name: text for name, text in fields.items() if text != "–"},
        **{mark.replace(" ", "_"): True for mark in entry.marks},
    )


def _printed(fields: Mapping[str, str], criterion: Criterion, where: str) -> str:
    """Return the value as the document prints it: that of the field `printed`, else that of the criterion."""
    values = [each.value for each in criterion.each]
    if "printed" in fields and "{}" not in fields["printed"]:
        return fields["printed"]
    if any(value != value for value in values):
        raise UserError(f"{where}: its criterion has no value of the document; add `- printed: …`")
    return fields.get("printed", "{}").replace("{}", ", ".join(map(number_text, values)))


def compare_settings(selections: Iterable[Selection], tables: Mapping[str, Table]) -> list[LedgerRow]:
    """Return a row for each setting: its name, the document's value, and those of the config.

    selections: the runs that the document describes. A setting that several of them name has one row, with each of
        their values.
    """
    # Name, ours → the printed values.
    found: dict[tuple[str, str], dict[str, None]] = {}
    for selection in selections:
        grids = selection.only(*(name for name in ("block",) if name in selection.wanted))
        where = ", ".join([selection.experiment, *map(_text, grids.wanted.values())])
        for name, value in selection.wanted.items():
            # Axes of ours name a grid of the config, and repeat it.
            if name in ("block", "seed") or value is EVERY:
                continue
            printed, ours = _text(value), "–"
            if selection.experiment in tables:
                try:
                    ours = ", ".join(map(_text, grids.settings(tables[selection.experiment], name)))
                except NotRecordedError as reason:
                    ours = str(reason)
            found.setdefault((f"{where}: {name}", ours), {})[printed] = None
    return [
        row_without_claim(SETTING, claim=name, printed="; ".join(printed), ours=ours)
        for (name, ours), printed in found.items()
    ]


def _text(value: object) -> str:
    """Return a value of a setting: lists and mappings as they stand in the config."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(each)}" for name, each in value.items())
    return ", ".join(map(_text, value)) if isinstance(value, list | tuple) else text_of(value)
