"""Read claims.md, a document's statements as prose.

The form of the file, in the order of the document (docs/adding.md shows an example):

    # Title
    - id, source, about, finding, equation, meaning, number, difference, work: see `Document` in config/documents.py
    - printed numbers: how many numbers about data, settings and results the document contains
    - revised: that of all claims about means that have no other
    ## Place in the document
    - figure, quantity, printed, because, revised: those of the claims below, if they have no others
    ### name (kind, marks; place in the section)
    The statement, in one sentence or two.
    - because: why this criterion; an erratum has instead: evidence
    - figure, quantity, printed, main, revised, explanation: see `Claim`
    ## Errata of form
    - name (place): what is wrong. Evidence: how a reader can check it.
    ## Left out
    - a number that no entry quotes, with its place; the reason

The kind is number, ordering, trend, bound, theorem or erratum (of substance); the marks are replayed, no draws, full
data, beside and ours. Most entries have no marks and no place. Fields, statements and items may take several lines.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten

from reproduce.errors import UserError, check_name

# The kinds of an erratum, of substance or only of form, and its verdict.
ERRATUM, ERRATUM_OF_FORM = "erratum", "erratum of form"
KINDS = ("number", "ordering", "trend", "bound", "theorem", ERRATUM)
# Words after the kind: each sets the field of `Claim` of its name.
MARKS = ("replayed", "no draws", "full data", "beside", "ours")
# The levels of headings.
FILE, SECTION, ENTRY = 1, 2, 3
# In a finding: a claim, or CLAIM/PART, in place of its number.
QUOTE = re.compile(r"\{([^{}]+)\}")
# The sections that are lists.
_ERRATA, _LEFT_OUT = "Errata of form", "Left out"
# Forms of lines: a pattern, and its description for messages.
_HEADING = re.compile(r"(#{1,3}) (.+)"), "`# Title`, `## Place in the document`, `### name (kind, marks; place)`"
_ENTRY = re.compile(r"### (\w+) \(([^;]+?)(?:; (.+))?\)"), "`### name (kind)`, `### name (kind, marks; place)`"
_ERRATUM = (
    re.compile(r"- (\w+) \((.+?)\): (.+) Evidence: (.+)"),
    "`- name (place): what is wrong. Evidence: how a reader can check it.`",
)
_NUMBER = re.compile(r"- (.+?; .+)"), "`- the number, with its place; why no entry quotes it`"
_FIELD = re.compile(r"- ([a-z ]+): (.+)"), "`- name: text`"
_FIELDS = {
    FILE: (
        *("id", "source", "about", "finding", "equation", "meaning", "opening", "answer", "number", "difference"),
        *("work", "printed numbers", "revised"),
    ),
    SECTION: ("figure", "quantity", "printed", "because", "revised"),
    ENTRY: ("figure", "quantity", "printed", "because", "main", "revised", "explanation", "evidence"),
}


@dataclass
class Heading:
    """A heading of claims.md with the text and the fields below it, or an erratum of the list.

    title: for an entry only its name; kind and place are fields.
    where: file, line and title, for messages.
    """

    level: int
    title: str
    where: str
    text: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)


def read_headings(path: Path | str) -> list[Heading]:
    """Return the headings of claims.md and its list of errata in order, with texts and fields.

    The first heading also has a field `left out` for each number that no entry quotes.

    raises: UserError if the file is missing, if a line has another form, or if an entry lacks a field.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        raise UserError(f"{path} is missing; it contains the statements of a document") from None
    headings: list[Heading] = []
    section = ""
    for number, line in _join_lines(lines):
        where = f"{path}:{number}"
        signs, title = _split(line, _HEADING, where) if line.startswith("#") else ("", "")
        level = len(signs)
        if level in (FILE, SECTION):
            section = title
            # Items of lists have their own places.
            headings.append(Heading(level, "" if title in (_ERRATA, _LEFT_OUT) else title, f"{where}: {title}"))
        elif not headings:
            raise UserError(f"{where}: the file begins with its title, `# Title`")
        elif section == _ERRATA:
            name, place, text, evidence = _split(line, _ERRATUM, where)
            fields = [("kind", ERRATUM_OF_FORM), ("at", place), ("evidence", evidence)]
            headings.append(Heading(ENTRY, name, f"{where}: {name}", text, fields))
        elif section == _LEFT_OUT:
            (number_and_reason,) = _split(line, _NUMBER, where)
            headings[0].fields.append(("left out", number_and_reason))
        elif level == ENTRY:
            name, kind, place = _split(line, _ENTRY, where)
            if kind == ERRATUM_OF_FORM:
                raise UserError(f"{where}: {name}: list errata of form at the end of the file, below `## {_ERRATA}`")
            headings.append(Heading(ENTRY, name, f"{where}: {name}", fields=[("kind", kind), ("at", place)]))
        elif line.startswith("- "):
            headings[-1].fields.append(_read_field(line, where, _FIELDS[headings[-1].level]))
        else:
            headings[-1].text = line
    _check_entries(headings)
    return headings


def _check_entries(headings: Iterable[Heading]) -> None:
    """Raise UserError for an entry without a sentence or a reason, or with an unknown kind or mark."""
    section: dict[str, str] = {}
    for heading in headings:
        fields = dict(heading.fields)
        if not fields.get("printed numbers", "0").isdecimal():
            raise UserError(
                f"{heading.where}: `- printed numbers: {fields['printed numbers']}` is not a count, such as 12"
            )
        if heading.level != ENTRY:
            section = fields
            continue
        kind, *marks = fields["kind"].split(", ")
        found = {**section, **fields, "statement": heading.text}
        needed = ("statement", "evidence" if kind in (ERRATUM, ERRATUM_OF_FORM) else "because")
        if missing := [name for name in needed if not found.get(name)]:
            raise UserError(f"{heading.where}: {', '.join(missing)} missing")
        if kind not in (*KINDS, ERRATUM_OF_FORM):
            raise UserError(f"{heading.where}: {kind!r} is no kind; allowed: {', '.join(KINDS)}")
        if unknown := [mark for mark in marks if mark not in MARKS]:
            raise UserError(f"{heading.where}: {unknown[0]!r} is no mark; allowed: {', '.join(MARKS)}")


def _join_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield each heading, statement, field and item on one line, with the number of its first line."""
    first, joined = 0, ""
    for number, line in enumerate(lines, 1):
        if line.startswith(("#", "- ")) or joined.startswith("#") or not joined:
            if joined:
                yield first, joined
            first, joined = number, line.strip()
        else:
            joined = f"{joined} {line.strip()}".strip()
    if joined:
        yield first, joined


def _split(line: str, form: tuple[re.Pattern[str], str], where: str) -> tuple[str, ...]:
    """Return the parts of a line, "" for a missing one; raise UserError if the line has another form."""
    pattern, description = form
    if found := pattern.fullmatch(line):
        return found.groups(default="")
    raise UserError(f"{where}: {shorten(line, 60, placeholder=' …')!r} is malformed; allowed: {description}")


def _read_field(line: str, where: str, allowed: Iterable[str]) -> tuple[str, str]:
    name, text = _split(line, _FIELD, where)
    if name not in allowed:
        raise UserError(f"{where}: no field is called {name!r} here; allowed: {', '.join(allowed)}")
    return name, text


def refuse_unpaired(headings: Iterable[Heading], tested: Iterable[str]) -> None:
    """Raise UserError if two entries have one name, or if a statement has no measure or a measure no statement.

    tested: the names of the measures.
    """
    entries = {}
    for heading in (each for each in headings if each.level == ENTRY):
        if heading.title in entries:
            raise UserError(f"{heading.where}: another entry has this name; give one of them another")
        entries[heading.title] = heading
    stated = {name: each for name, each in entries.items() if not dict(each.fields)["kind"].startswith(ERRATUM)}
    if without := [each.where for name, each in stated.items() if name not in tested]:
        raise UserError(f"{without[0]}: claims.py does not measure it; it measures {', '.join(sorted(tested))}")
    for name in tested:
        check_name(name, "statement of claims.md", stated, "claims.py: ")
