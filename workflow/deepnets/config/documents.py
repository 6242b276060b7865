"""The documents: each is a folder that says what it is, and holds its figures, its charts and its claims.

A plan reads the folders as text, and imports none of them.
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import ClassVar, TypeVar

from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.config.points import canonical
from workflow.deepnets.errors import UserError
from workflow.deepnets.records.paths import FIGURE, INTERACTIVE, LEDGER, TABLE

# As the rules' wildcards take them.
_ID, _NAME = re.compile("[a-z0-9-]+"), re.compile("[a-z0-9_]+")
# The argument that stands for the ledger of the figure's document, and the name of the figure that takes it.
_CLAIMS = "claims"


@dataclass(frozen=True)
class Document:
    """What a document is.

    room: its folder; id: names its results; title, source: what it is called, and what it is; about: three sentences of
    ours; equation: LaTeX of what its figures hang on; meaning: what the equation says, and its symbols; works: what a
    reader of its results cites, each with title, kind, authors, year, url and notes.
    """

    room: str
    id: str
    title: str
    source: str
    about: str
    equation: str = ""
    meaning: str = ""
    works: tuple[dict, ...] = ()

    @property
    def words(self) -> dict[str, str]:
        """What the page is to say of the document."""
        return {name: value for name, value in asdict(self).items() if name not in ("room", "works")}


@dataclass(frozen=True)
class Figure:
    """One figure: the function that draws it, its document, its tables, and its caption."""

    entry: str
    document: str
    name: str
    tables: tuple[str, ...]
    caption: str
    # What messages call it.
    noun: ClassVar[str] = "figure"

    @property
    def paths(self) -> list[str]:
        """The figure's files, one per format."""
        pdf = FIGURE.format(document=self.document, figure=self.name)
        return [pdf.removesuffix("pdf") + suffix for suffix in ("pdf", "png", "svg")]

    @property
    def inputs(self) -> dict[str, str]:
        """The file behind each argument."""
        ledger = LEDGER.format(document=self.document)
        return {name: ledger if name == _CLAIMS else TABLE.format(experiment=name) for name in self.tables}

    @property
    def spec(self) -> str:
        """Canonical JSON of document and name; all else is in the code and the tables."""
        return canonical({"document": self.document, self.noun: self.name})


@dataclass(frozen=True)
class Chart(Figure):
    """One chart with sliders: a figure whose one file is a Vega-Lite specification."""

    noun: ClassVar[str] = "chart"

    @property
    def paths(self) -> list[str]:
        """The chart's one file."""
        return [INTERACTIVE.format(document=self.document, chart=self.name)]


Drawing = TypeVar("Drawing", bound=Figure)


@dataclass(frozen=True)
class Ledger:
    """The claims of one document: the function that lists them, its document, and the tables that judge them."""

    entry: str
    document: str
    tables: tuple[str, ...]

    @property
    def spec(self) -> str:
        """Canonical JSON of document and tables; all else is in the code and the tables themselves."""
        return canonical({"document": self.document, "tables": list(self.tables)})


def documents_of(package: Package) -> dict[str, Document]:
    """Return the documents by their ids, in order.

    Raises UserError where a folder does not say what it needs to, or two of them have one id.
    """
    found: dict[str, Document] = {}
    for room in package.rooms_in("documents"):
        document = _document_in(package, room)
        if document.id in found:
            raise UserError(
                f"{_init(package, room)}: ID {document.id!r} is that of {found[document.id].room} too; take another"
            )
        found[document.id] = document
    return dict(sorted(found.items()))


def figures_of(package: Package, experiments: Sequence[str]) -> dict[tuple[str, str], Figure]:
    """Return the figures that need only the tables of these experiments, by (document, name).

    Raises UserError, a line per fault, for what no job could draw, whether the config asks for it or not.
    """
    return _drawings_of(package, experiments, room="figures", kind=Figure)


def charts_of(package: Package, experiments: Sequence[str]) -> dict[tuple[str, str], Chart]:
    """Return the charts that need only the tables of these experiments, by (document, name); raises as `figures_of`."""
    return _drawings_of(package, experiments, room="charts", kind=Chart)


def figure_of_claims(package: Package, document: str) -> Figure:
    """Return the figure of a document's claims, which is the same function for every document."""
    entry = f"{PACKAGE}.figures.{_CLAIMS}:{_CLAIMS}"
    return Figure(entry, document, _CLAIMS, (_CLAIMS,), package.docstring(entry))


def ledgers_of(package: Package, experiments: Sequence[str]) -> dict[str, Ledger]:
    """Return by document the ledgers that some of these experiments can judge.

    Raises UserError where a document's claims do not say which tables judge them.
    """
    known = package.rooms_in("experiments")
    found = {}
    for document in documents_of(package).values():
        module = f"{PACKAGE}.documents.{document.room}.claims.ledger"
        if package.path_of(module) is None:
            continue
        path = package.path_in_root(module)
        tables = package.constant(module, "TABLES")
        if not (isinstance(tables, tuple) and tables and set(tables) <= set(known)):
            raise UserError(f"{path}: TABLES names the experiments of the claims; allowed: some of {', '.join(known)}")
        if package.public_functions(module) != ["ledger"]:
            raise UserError(f"{path}: its one public function is `ledger`, which lists claims and errata")
        if asked := tuple(table for table in tables if table in experiments):
            found[document.id] = Ledger(f"{module}:ledger", document.id, asked)
    return found


def _document_in(package: Package, room: str) -> Document:
    module = f"{PACKAGE}.documents.{room}"
    said = {
        each.name: package.constant(module, each.name.upper())
        for each in fields(Document)
        if each.name != "room" and each.name.upper() in package.module(module).definitions
    }
    if missing := [name.upper() for name in ("id", "title", "source", "about") if name not in said]:
        raise UserError(
            f"{_init(package, room)}: {', '.join(missing)} missing; a document says its ID, TITLE, SOURCE and ABOUT, "
            "and may say its EQUATION, MEANING and WORKS"
        )
    texts = {name: value for name, value in said.items() if name != "works"}
    if wrong := [name.upper() for name, value in texts.items() if not isinstance(value, str)]:
        raise UserError(f"{_init(package, room)}: {', '.join(wrong)}: no text")
    if not _ID.fullmatch(texts["id"]):
        raise UserError(
            f"{_init(package, room)}: ID names folders of results; allowed: small letters, digits and hyphens"
        )
    return Document(room=room, **said)


def _drawings_of(
    package: Package, experiments: Sequence[str], *, room: str, kind: type[Drawing]
) -> dict[tuple[str, str], Drawing]:
    """Return what the public functions of each document's room draw from the tables of these experiments."""
    found: dict[tuple[str, str], Drawing] = {}
    faults = []
    for document, module in _modules_of(package, room):
        for name in filter(_names_drawing, package.module(module).definitions):
            path = package.path_in_root(module)
            if fault := _fault_of(package, module, name, kind.noun):
                faults.append(f"{path}: {name} {fault}")
            elif (document, name) in found:
                other = package.path_in_root(found[document, name].entry.partition(":")[0])
                faults.append(
                    f"{path}: {name} is a {kind.noun} of {document} in {other} too; give one of them another name"
                )
            else:
                entry = f"{module}:{name}"
                tables = tuple(package.arguments(entry))
                found[document, name] = kind(entry, document, name, tables, package.docstring(entry))
    if faults:
        raise UserError("\n".join(faults))
    return {key: drawing for key, drawing in found.items() if set(drawing.tables) <= set(experiments)}


def _modules_of(package: Package, room: str) -> Iterator[tuple[str, str]]:
    """Yield the id of each document with each module of one of its rooms."""
    for document in documents_of(package).values():
        for module in package.modules_in(f"documents/{document.room}/{room}"):
            yield document.id, module


def _names_drawing(name: str) -> bool:
    """Whether a module-level name is that of a figure: public, and not a constant."""
    return not name.startswith("_") and not name.isupper()


def _fault_of(package: Package, module: str, name: str, noun: str) -> str:
    """Return why no job could draw a figure, or what else the noun stands for, "" where one can."""
    if name not in package.public_functions(module):
        return f"is no function; a {noun} is one (def), all else begins with an underscore or is in capitals"
    if not _NAME.fullmatch(name):
        return "names a file; allowed: small letters, digits and underscores"
    if name == _CLAIMS:
        return "is the name of the figure of all claims, which every document has; take another"
    known = package.rooms_in("experiments")
    tables = package.arguments(f"{module}:{name}")
    if not tables:
        return (
            f"takes no table; a {noun}'s arguments name the experiments whose tables it reads, and what draws no "
            f"{noun} begins with an underscore"
        )
    for table in tables:
        if table not in known:
            close = difflib.get_close_matches(table, known, n=1)
            meant = f" (did you mean {close[0]!r}?)" if close else ""
            return (
                f"asks for the table {table!r}, which no experiment fills{meant}; allowed: {', '.join(known)}; "
                f"what draws no {noun} begins with an underscore"
            )
    return ""


def _init(package: Package, room: str) -> str:
    return str(package.path_in_root(f"{PACKAGE}.documents.{room}"))
