"""Join a document's statements, which are prose, with the measures and criteria that decide them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reproduce.claims.claim import Claim, Coverage, Erratum
from reproduce.claims.criteria import Criterion, Each
from reproduce.claims.measures import Measure, combine_parts
from reproduce.errors import UserError
from reproduce.records.statements import ERRATUM, ERRATUM_OF_FORM, MARKS, Heading
from reproduce.tables.selection import Selection

# What decides a claim: a measure with its criterion, or several by the names of their parts.
Test = tuple[Measure, Criterion]
Tests = Mapping[str, Test | Mapping[str, Test]]


@dataclass(frozen=True)
class Decisions:
    """What decides the statements of a document.

    tests: name of a statement → its measure and criterion, or those of its parts.
    settings: the runs that the document describes: its settings stand beside those of the config.
    """

    tests: Tests
    settings: tuple[Selection, ...] = ()


def join_statements(blocks: Iterable[Heading], tests: Tests) -> list[Claim | Erratum | Coverage]:
    """Return the entries of claims.md in its order, with the tests of its claims.

    raises: UserError if an entry has another kind than its test allows.
    """
    entries: list[Claim | Erratum | Coverage] = []
    place, shared, common = "", {}, {}
    for block in blocks:
        if block.level == 1:
            entries += _coverage_of(block)
            common = {name: value for name, value in block.fields if name == "revised"}
        elif block.level == 2:
            place, shared = block.title, common | dict(block.fields)
        else:
            entries.append(_entry_of(block, place, shared, tests))
    return entries


def number_text(value: float) -> str:
    """Return a number as text, with all of its digits."""
    short = f"{value:g}"
    text = short if float(short) == value else f"{value}"
    return text.replace("-", "−", 1) if value < 0 else text


def _coverage_of(block: Heading) -> list[Coverage]:
    printed = [value for name, value in block.fields if name == "printed numbers"]
    left_out = [value for name, value in block.fields if name == "left out"]
    if not printed:
        return []
    return [Coverage(int(printed[0]), dict(each.split("; ", 1) for each in left_out))]


def _entry_of(block: Heading, place: str, shared: Mapping[str, str], tests: Tests) -> Claim | Erratum:
    fields: dict[str, Any] = {**shared, **dict(block.fields), "statement": block.text}
    kind, *marks = fields.pop("kind", "").split(", ")
    place = ", ".join(filter(None, (place, fields.pop("at", ""))))
    if kind in (ERRATUM, ERRATUM_OF_FORM):
        return Erratum(block.title, place, fields["statement"], fields["evidence"], form=kind == ERRATUM_OF_FORM)
    test = tests[block.title]
    if isinstance(test, Mapping) and len(test) == 1:
        (test,) = test.values()
    if isinstance(test, Mapping):
        measure = combine_parts({name: part for name, (part, _) in test.items()})
        criterion: Criterion = Each({name: each for name, (_, each) in test.items()})
    else:
        measure, criterion = test
    if kind == "number":
        fields["printed"] = _printed(fields, criterion, block.where)
    return Claim(
        name=block.title,
        kind=kind,
        place=place,
        measure=measure,
        criterion=criterion,
        **{name: value for name, value in fields.items() if value != "–"},
        **{MARKS[mark]: True for mark in marks},
    )


def _printed(fields: Mapping[str, str], criterion: Criterion, where: str) -> str:
    """Return the value as the document prints it: that of the field `printed`, else that of the criterion."""
    values = [each.value for each in (criterion.parts.values() if isinstance(criterion, Each) else [criterion])]
    if "printed" in fields and "{}" not in fields["printed"]:
        return fields["printed"]
    if any(value != value for value in values):
        raise UserError(f"{where}: its criterion has no value of the document; add `- printed: …`")
    return fields.get("printed", "{}").replace("{}", ", ".join(map(number_text, values)))
