"""Join a document's statements, which are prose, with the measures and criteria that decide them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reproduce.claims.claim import Claim
from reproduce.claims.criteria import Criterion, Each
from reproduce.claims.measures import Tested, combine_parts
from reproduce.errors import UserError
from reproduce.records.ledgers import COVERAGE, LedgerRow, row_without_claim
from reproduce.records.statements import ENTRY, ERRATUM, ERRATUM_OF_FORM, FILE, Heading, refuse_unpaired
from reproduce.tables.selection import Selection

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


def join_statements(headings: Iterable[Heading], tests: Tests) -> list[Claim | LedgerRow]:
    """Return the entries of claims.md in its order: claims with their tests, and the rows of all others.

    raises: UserError if an entry has another kind than its test allows, or as `refuse_unpaired` does.
    """
    headings = list(headings)
    refuse_unpaired(headings, tests)
    entries: list[Claim | LedgerRow] = []
    place, shared, common = "", {}, {}
    for heading in headings:
        if heading.level == FILE:
            entries += _coverage_of(heading)
            common = {name: value for name, value in heading.fields if name == "revised"}
        elif heading.level == ENTRY:
            entries.append(_entry_of(heading, place, shared, tests))
        else:
            place, shared = heading.title, common | dict(heading.fields)
    return entries


def number_text(value: float) -> str:
    """Return a number as text, with all of its digits."""
    short = f"{value:g}"
    text = short if float(short) == value else f"{value}"
    return text.replace("-", "−", 1) if value < 0 else text


def _coverage_of(heading: Heading) -> list[LedgerRow]:
    """Return the row that counts the quoted numbers of a document, if claims.md says how many it prints."""
    printed = [int(value) for name, value in heading.fields if name == "printed numbers"]
    reasons = [value.split("; ", 1) for name, value in heading.fields if name == "left out"]
    left_out = f" Left out: {'; '.join(f'{number} ({why})' for number, why in reasons)}." if reasons else ""
    return [
        row_without_claim(
            COVERAGE,
            claim=COVERAGE,
            statement=f"{number - len(reasons)} of {number} printed numbers are quoted here.{left_out}",
        )
        for number in printed
    ]


def _entry_of(heading: Heading, place: str, shared: Mapping[str, str], tests: Tests) -> Claim | LedgerRow:
    """Return an entry. shared: the fields of its section and file."""
    own = dict(heading.fields)
    fields: dict[str, Any] = {**shared, **own, "statement": heading.text}
    kind, *marks = fields.pop("kind", "").split(", ")
    place = ", ".join(filter(None, (place, fields.pop("at", ""))))
    if kind in (ERRATUM, ERRATUM_OF_FORM):
        texts = {"statement": heading.text, "remark": fields["evidence"]}
        return row_without_claim(kind, claim=heading.title, place=place, **texts)
    test = tests[heading.title]
    if isinstance(test, Mapping) and len(test) == 1:
        (test,) = test.values()
    if isinstance(test, Mapping):
        measure = combine_parts({name: part for name, (part, _) in test.items()})
        criterion: Criterion = Each({name: each for name, (_, each) in test.items()})
    else:
        measure, criterion = test
    if not any(each.of_interval for each in criterion.each):
        # A rule of decision is one for intervals.
        fields["revised"] = own.get("revised", "–")
    if kind == "number":
        fields["printed"] = _printed(fields, criterion, heading.where)
    return Claim(
        name=heading.title,
        kind=kind,
        place=place,
        measure=measure,
        criterion=criterion,
        **{name: value for name, value in fields.items() if value != "–"},
        **{mark.replace(" ", "_"): True for mark in marks},
    )


def _printed(fields: Mapping[str, str], criterion: Criterion, where: str) -> str:
    """Return the value as the document prints it: that of the field `printed`, else that of the criterion."""
    values = [each.value for each in criterion.each]
    if "printed" in fields and "{}" not in fields["printed"]:
        return fields["printed"]
    if any(value != value for value in values):
        raise UserError(f"{where}: its criterion has no value of the document; add `- printed: …`")
    return fields.get("printed", "{}").replace("{}", ", ".join(map(number_text, values)))
