"""Find the documents: each is a folder with a description, figures, charts and claims.

The plan reads the folders as text and imports none of them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE
from reproduce.config.faults import lines_of
from reproduce.errors import UserError, check_name
from reproduce.records.paths import FIGURE, INTERACTIVE, LEDGER, STYLE, TABLE
from reproduce.records.statements import QUOTE, Statements, read_statements

Texts = Annotated[tuple[str, ...], Field(min_length=1)]


class _Description(BaseModel):
    """A mapping that a document writes: with known keys only, and values of exactly the declared types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Work(_Description):
    """A work to cite with a document's results."""

    title: str
    kind: str
    authors: Texts
    year: str
    url: str = Field(pattern=r"^(https?://\S+)?$")
    notes: str


class Curve(_Description):
    """Which line of a figure a reader draws (panel, series), beside which one (given), and the axes."""

    panel: str
    series: str
    given: str
    x: str
    y: str
    limits: tuple[float, float]
    log: str


class Answer(_Description):
    """An answer of the page (`answer_of`)."""

    question: str
    words: str
    sentence: str
    why: str
    formula: str
    runs: str
    figure: str
    curve: Curve
    statement: str
    changes: tuple[tuple[str, str, str], ...]

    @property
    def documents(self) -> list[str]:
        """The documents whose numbers answer."""
        return sorted({name.partition("/")[0] for name in (*QUOTE.findall(self.sentence), self.figure)})


class Document(_Description):
    """A document, as its folder describes it: a field `title` is the title of claims.md or the constant TITLE.

    room: the folder; id: the name of its results; title, source: what it is called, and what it is; about: three
    sentences of ours; finding: what it finds in one sentence, with {claim} or {claim/part} for our numbers; equation:
    the central equation, in LaTeX; meaning: what the equation means, and its symbols; opening: the chart that the
    page opens with, if it is of this document; aim: what the page is, for whom, and what to do first, if this document
    summarises the others; answers: to its questions; answer: what they say together; left_out: what readers may search
    for in vain; glossary: pairs of a word and its meaning; summary: a table of sentences like the finding; the first
    row names the columns, the first column the rows; differences: how our runs differ from it; works: the works to cite
    with its results; numbers: rows of the README's table, each with what is compared, names of claims ("claim/part" for
    a part) and the form of a number.
    """

    model_config = ConfigDict(alias_generator=str.upper, validate_by_name=True)

    room: str = Field(alias="room")
    # It names folders of results.
    id: str = Field(pattern="^[a-z0-9-]+$")
    title: str
    source: str
    about: str
    finding: str = ""
    equation: str = ""
    meaning: str = ""
    opening: str = ""
    aim: str = ""
    answer: str = ""
    answers: tuple[Answer, ...] = ()
    left_out: str = ""
    summary: tuple[tuple[str, ...], ...] = ()
    glossary: tuple[tuple[str, str], ...] = ()
    differences: tuple[str, ...] = ()
    works: tuple[Work, ...] = ()
    numbers: tuple[tuple[str, tuple[str, ...], str], ...] = ()

    @property
    def words(self) -> dict[str, Any]:
        """The description, as the page needs it."""
        return self.model_dump(exclude={"room", "numbers"})


@dataclass(frozen=True)
class TableJob:
    """A job that reads tables: the claims of a document, a figure, or a chart with sliders.

    entry: the function that its program calls. tables: the experiments whose tables it reads.
    paths: the files that it writes. spec: the settings that are neither in the code nor in the inputs.
    sources: the files of the package that it reads too, by name.
    name, caption: of a figure or a chart; the caption is the docstring of its function.
    """

    entry: str
    document: str
    tables: tuple[str, ...]
    paths: list[str]
    spec: dict[str, Any]
    sources: dict[str, str] = field(default_factory=dict)
    name: str = ""
    caption: str = ""

    @property
    def inputs(self) -> dict[str, tuple[str, ...]]:
        """The files that the job reads, by name."""
        tables = {name: TABLE.format(experiment=name) for name in self.tables}
        return {name: (path,) for name, path in {**tables, **self.sources}.items()}


# The fields of claims.md that may occur several times: their form in words, its pattern, and the entry that they make.
_LISTS: dict[str, tuple[str, str, Callable[[re.Match[str]], Any]]] = {
    "difference": ("text", "(.+)", lambda found: found[1]),
    "work": (
        "Authors: Title (kind, year), URL; notes",
        r"(?P<authors>[^:]+): (?P<title>.+) \((?P<kind>[a-z-]+),? ?(?P<year>\d*)\), (?P<url>\S*); (?P<notes>.+)",
        lambda found: {**found.groupdict(), "authors": tuple(found["authors"].split(", "))},
    ),
    "number": (
        "claim, claim/part as {} %; what is compared",
        "(.+) as (.*{}.*?); (.+)",
        lambda found: (found[3], tuple(found[1].split(", ")), found[2]),
    ),
}
# The jobs that draw figures or charts, by (document, name).
Drawings = dict[tuple[str, str], TableJob]


def documents_of(package: Package) -> dict[str, Document]:
    """Return the documents by their ids, in order.

    Raises UserError if a folder's description lacks a part or has a wrong one, or if two folders have one id.
    """
    found: dict[str, Document] = {}
    for room in package.rooms_in("documents"):
        document = _document_in(package, room)
        if document.id in found:
            place = package.file(f"{SCIENCE}/documents/{room}")
            raise UserError(f"{place}: ID {document.id!r} is that of {found[document.id].room} too; take another")
        found[document.id] = document
    # A summary of ours, to which the page's first chart belongs, comes after the documents.
    return dict(sorted(found.items(), key=lambda item: (bool(item[1].opening), item[0])))


def _document_in(package: Package, room: str) -> Document:
    """Return the document of a folder, described at the top of claims.md and by the constants of its module."""
    module, folder = f"{SCIENCE}.documents.{room}", f"{SCIENCE}/documents/{room}"
    written: dict[str, Any] = {"ID": room.replace("_", "-"), "room": room}
    if (statements := Path(package.file(f"{folder}/claims.md"))).exists():
        written |= _description_of(read_statements(statements))
    if package.path_of(module):
        names = [name for name in package.definitions(module) if name.isupper() and name[0] != "_"]
        written |= {name: package.constant(module, name) for name in names}
    try:
        return Document(**written)
    except ValidationError as error:
        path = package.path_shown(module) if package.path_of(module) else package.file(f"{folder}/claims.md")
        raise UserError("\n".join(lines_of(error, Document, written, path))) from error


def _description_of(top: Statements) -> dict[str, Any]:
    """Return what the top of claims.md contains of its document, by the names of the constants."""
    found: dict[str, Any] = {"TITLE": top.title}
    for name, text in top.fields:
        if name not in _LISTS:
            found[name.upper()] = text
            continue
        form, pattern, parts_of = _LISTS[name]
        if not (parts := re.fullmatch(pattern, text)):
            raise UserError(f"{top.where}: `- {name}: {text}` is malformed; allowed: `- {name}: {form}`")
        found[f"{name.upper()}S"] = (*found.get(f"{name.upper()}S", ()), parts_of(parts))
    return {name: value for name, value in found.items() if name.lower() in Document.model_fields}


def drawings_of(noun: str, package: Package, experiments: Sequence[str]) -> Drawings:
    """Return the figures or charts that need only the tables of these experiments, by (document, name).

    noun: figure or chart
    Raises UserError for a function that no job can draw, even if the config does not need it.
    """
    found: Drawings = {}
    known = package.rooms_in("experiments")
    for document in documents_of(package).values():
        for module in package.modules_in(f"{SCIENCE}/documents/{document.room}/{noun}s"):
            path = package.path_shown(module)
            for name in package.public_functions(module):
                if (document.id, name) in found:
                    raise UserError(f"{path}: {document.id} has two {noun}s {name}; give one of them another name")
                drawing = _drawing(package, noun, document.id, f"{module}:{name}")
                for table in drawing.tables:
                    place = f"{path}: {name} is a {noun} of tables (or call it _{name}): "
                    check_name(table, "experiment", known, place)
                found[document.id, name] = drawing
    return {key: drawing for key, drawing in found.items() if set(drawing.tables) <= set(experiments)}


def _drawing(package: Package, noun: str, document: str, entry: str) -> TableJob:
    """Return the job that draws a figure or a chart."""
    name = entry.partition(":")[2]
    tables, caption = tuple(package.arguments(entry)), package.docstring(entry)
    spec = {"document": document, noun: name}
    paths, sources = [INTERACTIVE.format(document=document, chart=name)], {}
    if noun == "figure":
        base = FIGURE.format(document=document, figure=name).removesuffix("pdf")
        paths, sources = [base + suffix for suffix in ("pdf", "png", "svg", "csv")], {"style": package.file(STYLE)}
    return TableJob(entry, document, tables, paths, spec, sources, name, caption)


def ledgers_of(package: Package, experiments: Sequence[str]) -> dict[str, TableJob]:
    """Return by document the ledgers that some of these experiments can judge."""
    found: dict[str, TableJob] = {}
    for document in documents_of(package).values():
        room = f"{SCIENCE}/documents/{document.room}"
        module = f"{room}/claims".replace("/", ".")
        if package.path_of(module) is None:
            continue
        tables: Any = package.constant(module, "TABLES")
        for table in tables:
            check_name(table, "experiment", package.rooms_in("experiments"), f"{package.path_shown(module)}: TABLES: ")
        if asked := tuple(table for table in tables if table in experiments):
            paths, spec = [LEDGER.format(document=document.id)], {"document": document.id, "tables": list(asked)}
            files = {"statements": "claims.md", "reach": "reach.csv"}
            sources = {
                name: path for name, file in files.items() if Path(path := package.file(f"{room}/{file}")).exists()
            }
            found[document.id] = TableJob(f"{module}:decisions", document.id, asked, paths, spec, sources)
    return found


def sizes_of(package: Package, data: Mapping[str, Iterable[str]]) -> list[tuple[str, str, dict, dict]]:
    """Return the documents' own sizes: document, experiment, axes of the runs, and their sizes, as in `Sizes`.

    data: experiment → the names of the data sets that its runs read
    Raises UserError for sizes of an experiment that does not exist.
    """
    found = []
    for document in documents_of(package).values():
        modules = [f"{SCIENCE}.documents.{document.room}.{name}" for name in ("runs", "claims")]
        module = next(filter(package.path_of, modules), "")
        written = module and "SIZES" in package.definitions(module)
        own: Any = package.constant(module, "SIZES") if written else ()
        for experiment, axes, sizes in own:
            place = f"{package.path_shown(module)}: SIZES: "
            check_name(experiment, "experiment", package.rooms_in("experiments"), place)
            if "data" in sizes:
                read = [package.title(f"{SCIENCE}.data.{name}") for name in data.get(experiment, ())]
                sizes = {} if sizes["data"] in read else {"data": [" and ".join(read), sizes["data"]]}
            found.append((document.id, experiment, axes, sizes))
    return found
