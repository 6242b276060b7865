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
    - figure, quantity, printed, main, revised, explanation: see `LedgerRow` in records/ledgers.py
    - scope: axes and settings beyond whose values it does not hold, which the sentence does not name (claims/scopes.py)
    ## Errata of form
    - name (place): what is wrong. Evidence: how a reader can check it.
    ## Left out
    - a number that no entry quotes, with its place; the reason

The kind is number, ordering, trend, bound, theorem or erratum (of substance); the marks are replayed, no draws, full
data, beside and ours. Most entries have no marks and no place. Fields, statements and items may take several lines.
"""

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten

from reproduce.errors import UserError

# The kinds of an erratum, of substance or only of form, and its verdict.
ERRATUM, ERRATUM_OF_FORM = "erratum", "erratum of form"
KINDS = ("number", "ordering", "trend", "bound", "theorem", ERRATUM)
# Words after the kind: each sets the argument of `Claim` of its name.
MARKS = ("replayed", "no draws", "full data", "beside", "ours")
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
# The fields below a title, a place and a name.
_OF_FILE = ("id", "source", "about", "finding", "equation", "meaning", "opening", "answer", "number", "difference")
_OF_FILE += ("work", "printed numbers", "revised")
_OF_SECTION = ("figure", "quantity", "printed", "because", "revised")
_OF_ENTRY = (*_OF_SECTION, "main", "explanation", "scope")


@dataclass
class Entry:
    """A statement of claims.md, or an erratum.

    place: in the document; where: file, line and name, for messages.
    fields: its own, in the first of the maps, then those of its section, and the file's `revised`.
    """

    name: str
    kind: str
    marks: list[str]
    place: str
    where: str
    fields: ChainMap[str, str]
    statement: str = ""

    @property
    def is_erratum(self) -> bool:
        """Whether the entry is an error in the document, which needs no measure."""
        return self.kind in (ERRATUM, ERRATUM_OF_FORM)


@dataclass
class Statements:
    """The content of claims.md.

    where: file and line of the title, for messages.
    fields: below the title, as pairs, since some occur several times.
    left_out: the numbers that no entry quotes, each with its reason.
    """

    title: str
    where: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


def read_statements(path: Path | str) -> Statements:
    """Return the title of claims.md with the fields below it, and the entries in their order.

    raises: UserError if the file is missing, if a line has another form, or if an entry lacks a field.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        raise UserError(f"{path} is missing; it contains the statements of a document") from None
    (first, top), *rest = [*_join_lines(lines)] or [(1, "")]
    if not top.startswith("# "):
        raise UserError(f"{path}:{first}: the file begins with its title, `# Title`")
    found = Statements(top[2:], f"{path}:{first}: {top[2:]}")
    section, shared = "", ChainMap[str, str]()
    entry: Entry | None = None
    # The fields of the last title, place or name, and what they may be.
    own, allowed = dict[str, str](), _OF_FILE
    for number, line in rest:
        where = f"{path}:{number}"
        signs, title = _split(line, _HEADING, where) if line.startswith("#") else ("", "")
        if signs in ("#", "##"):
            section, entry, own, allowed = title, None, {}, _OF_SECTION
            shared = ChainMap(own, {name: text for name, text in found.fields if name == "revised"})
        elif section == _ERRATA:
            name, place, text, evidence = _split(line, _ERRATUM, where)
            fields = ChainMap({"evidence": evidence})
            found.entries.append(Entry(name, ERRATUM_OF_FORM, [], place, f"{where}: {name}", fields, text))
        elif section == _LEFT_OUT:
            found.left_out += _split(line, _NUMBER, where)
        elif signs == "###":
            name, kinds, at = _split(line, _ENTRY, where)
            kind, *marks = kinds.split(", ")
            if kind == ERRATUM_OF_FORM:
                raise UserError(f"{where}: {name}: list errata of form at the end of the file, below `## {_ERRATA}`")
            own, allowed = {}, ("evidence",) if kind == ERRATUM else _OF_ENTRY
            place = ", ".join(filter(None, (section, at)))
            entry = Entry(name, kind, marks, place, f"{where}: {name}", shared.new_child(own))
            found.entries.append(entry)
        elif line.startswith("- "):
            name, text = _split(line, _FIELD, where)
            if name not in allowed:
                raise UserError(f"{where}: no field is called {name!r} here; allowed: {', '.join(allowed)}")
            own[name] = text
            if allowed is _OF_FILE:
                found.fields.append((name, text))
        elif entry:
            entry.statement = line
    _check(found)
    return found


def _check(found: Statements) -> None:
    """Raise UserError for an entry without a sentence or a reason, of an unknown kind or mark, or with a taken name."""
    for name, text in found.fields:
        if name == "printed numbers" and not text.isdecimal():
            raise UserError(f"{found.where}: `- {name}: {text}` is not a count, such as 12")
    names: set[str] = set()
    for entry in found.entries:
        present = {"statement": entry.statement, **entry.fields}
        needed = ("statement", "evidence" if entry.is_erratum else "because")
        if missing := [name for name in needed if not present.get(name)]:
            raise UserError(f"{entry.where}: {', '.join(missing)} missing")
        if entry.kind not in (*KINDS, ERRATUM_OF_FORM):
            raise UserError(f"{entry.where}: {entry.kind!r} is no kind; allowed: {', '.join(KINDS)}")
        if unknown := [mark for mark in entry.marks if mark not in MARKS]:
            raise UserError(f"{entry.where}: {unknown[0]!r} is no mark; allowed: {', '.join(MARKS)}")
        if entry.name in names:
            raise UserError(f"{entry.where}: another entry has this name; give one of them another")
        names.add(entry.name)


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
