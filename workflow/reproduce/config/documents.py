"""Find the documents: each is a folder with a description, figures, charts and claims.

The plan reads the folders as text and imports none of them.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import chain
from typing import Any

from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE
from reproduce.errors import UserError, suggest
from reproduce.records.paths import FIGURE, INTERACTIVE, LEDGER, STYLE, TABLE
from reproduce.records.statements import QUOTE, read_headings, refuse_unpaired

# As the wildcards of the rules allow.
_ID, _NAME = re.compile("[a-z0-9-]+"), re.compile("[a-z0-9_]+")
_REQUIRED = ("title", "source", "about")
# All other constants are texts.
_TUPLES = ("answers", "differences", "glossary", "numbers", "summary", "works")
# The keys of the dictionaries in these tuples.
_KEYS = {
    "works": {"title", "kind", "authors", "year", "url", "notes"},
    "answers": {"question", "sentence", "runs", "figure", "curve", "statement", "change"},
}
# All other values are texts.
_FORMS = {
    "authors": 'tuple of texts, such as ("A. Author",)',
    "change": "tuple of texts: a chart (document/name), its setting, and a sentence",
}
_CURVE = {"panel", "series", "given", "x", "y", "limits", "log"}


@dataclass(frozen=True)
class Document:
    """A document, as the constants of its folder describe it.

    room: the folder; id: the name of its results; title, source: what it is called, and what it is; about: three
    sentences of ours; finding: what it finds in one sentence, with {claim} or {claim/part} for our numbers; equation:
    the central equation, in LaTeX; meaning: what the equation means, and its symbols; opening: the chart that the
    page opens with, if it is of this document; answer: a sentence that answers the page's title, if this document
    summarises the others; answers: the answers of which it consists (`answer_of`); glossary: pairs of a word
    and its meaning; summary: a table of sentences like the finding; the first row names the columns, the first column
    the rows; differences: how
    our runs differ from it; works: the works to cite with its results, each with title, kind, authors, year, url and
    notes; numbers: rows of the README's table, each with what is compared, names of claims ("claim/part" for a part)
    and the form of a number.
    """

    room: str
    id: str
    title: str
    source: str
    about: str
    finding: str = ""
    equation: str = ""
    meaning: str = ""
    opening: str = ""
    answer: str = ""
    answers: tuple[dict, ...] = ()
    summary: tuple[tuple[str, ...], ...] = ()
    glossary: tuple[tuple[str, str], ...] = ()
    differences: tuple[str, ...] = ()
    works: tuple[dict, ...] = ()
    numbers: tuple[tuple[str, tuple[str, ...], str], ...] = ()

    @property
    def words(self) -> dict[str, Any]:
        """The description, as the page needs it."""
        return {name: value for name, value in asdict(self).items() if name not in ("room", "numbers")}


@dataclass(frozen=True)
class TableJob:
    """A job that reads tables: the claims of a document, a figure, or a chart with sliders.

    program: calls the function `entry`. tables: the experiments whose tables it reads.
    paths: the files that it writes. spec: the settings that are neither in the code nor in the inputs.
    sources: the files of the package that it reads too, by name.
    name, caption: of a figure or a chart; the caption is the docstring of its function.
    """

    program: str
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


# The jobs that draw figures or charts, by (document, name).
Drawings = dict[tuple[str, str], TableJob]


def documents_of(package: Package) -> dict[str, Document]:
    """Return the documents by their ids, in order.

    Raises UserError if a folder lacks a constant or has a wrong one, or if two folders have one id.
    """
    found: dict[str, Document] = {}
    for room in package.rooms_in("documents"):
        document = _document_in(package, room)
        if document.id in found:
            raise UserError(
                f"{_init(package, room)}: ID {document.id!r} is that of {found[document.id].room} too; take another"
            )
        found[document.id] = document
    # The page begins with the document that it opens with.
    return dict(sorted(found.items(), key=lambda item: (not item[1].opening, item[0])))


def figures_of(package: Package, experiments: Sequence[str]) -> Drawings:
    """Return the figures that need only the tables of these experiments, by (document, name).

    Raises UserError, one line per fault, for functions that no job can draw, even if the config does not need them.
    """
    return _drawings_of(package, experiments, "figure", _figure)


def charts_of(package: Package, experiments: Sequence[str]) -> Drawings:
    """Return the charts that need only the tables of these experiments, by (document, name); raises as `figures_of`."""
    return _drawings_of(package, experiments, "chart", _chart)


def _figure(package: Package, entry: str, document: str, tables: tuple[str, ...], name: str) -> TableJob:
    base = FIGURE.format(document=document, figure=name).removesuffix("pdf")
    paths = [base + suffix for suffix in ("pdf", "png", "svg", "csv")]
    spec, sources = {"document": document, "figure": name}, {"style": package.file(STYLE)}
    return TableJob("draw", entry, document, tables, paths, spec, sources, name, package.docstring(entry))


def _chart(package: Package, entry: str, document: str, tables: tuple[str, ...], name: str) -> TableJob:
    paths, spec = [INTERACTIVE.format(document=document, chart=name)], {"document": document, "chart": name}
    return TableJob("interact", entry, document, tables, paths, spec, {}, name, package.docstring(entry))


def ledgers_of(package: Package, experiments: Sequence[str]) -> dict[str, TableJob]:
    """Return by document the ledgers that some of these experiments can judge.

    Raises UserError if a document's claims do not name the tables that judge them.
    """
    known = package.rooms_in("experiments")
    found, claims_of = {}, {}
    for document in documents_of(package).values():
        module = f"{SCIENCE}.documents.{document.room}.claims"
        if package.path_of(module) is None:
            continue
        path = package.path_shown(module)
        tables = package.constant(module, "TABLES")
        if not (isinstance(tables, tuple) and tables and set(tables) <= set(known)):
            raise UserError(f"{path}: TABLES names the experiments of the claims; allowed: some of {', '.join(known)}")
        if "decisions" not in package.public_functions(module):
            raise UserError(f"{path}: it needs a function `decisions`, which returns what decides each statement")
        statements = package.file(f"{SCIENCE}/documents/{document.room}/claims.md")
        claims = claims_of[document.id] = package.keys(f"{module}:decisions")
        blocks = read_headings(statements)
        refuse_unpaired(blocks, list(claims), statements)
        words = _init(package, document.room)
        _check_quotes([f"{{{name}}}" for _, names, _ in document.numbers for name in names], claims, words)
        if document.finding and not QUOTE.search(document.finding):
            raise UserError(f"{words}: FINDING quotes no claim; add one, such as {{{next(iter(claims), 'claim')}}}")
        _check_quotes([document.finding, *chain(*document.summary)], claims, words)
        drawn = _drawing_names(package, document.room, "figures")
        for block in blocks:
            _check_quotes([text for name, text in block.fields if name == "explanation"], claims, block.where)
            for figure in (text for name, text in block.fields if name == "figure" and text != "–"):
                if figure not in drawn:
                    raise UserError(
                        f"{block.where}: no figure is called {figure!r}{suggest(figure, drawn)}; allowed: "
                        f"{', '.join(drawn)}"
                    )
        if asked := tuple(table for table in tables if table in experiments):
            paths, spec = [LEDGER.format(document=document.id)], {"document": document.id, "tables": list(asked)}
            sources = {"statements": statements}
            found[document.id] = TableJob("judge", f"{module}:decisions", document.id, asked, paths, spec, sources)
    for document in documents_of(package).values():
        _check_answers(package, document, claims_of)
    return found


def _check_answers(package: Package, document: Document, claims_of: Mapping[str, Mapping[str, type]]) -> None:
    """Raise UserError if an answer quotes an unknown claim or names an unknown figure, or if there is no such chart."""
    path, rooms = _init(package, document.room), {each.id: each.room for each in documents_of(package).values()}
    charts = _drawing_names(package, document.room, "charts")
    if document.opening and document.opening not in charts:
        raise UserError(f"{path}: OPENING: no chart is called {document.opening!r}{suggest(document.opening, charts)}")
    for answer in document.answers:
        for quote in QUOTE.findall(answer["sentence"]):
            owner, _, claim = quote.partition("|")[0].partition("/")
            if owner not in claims_of:
                raise UserError(
                    f"{path}: {{{quote}}}: no document with claims is called {owner!r}{suggest(owner, rooms)}"
                )
            _check_quotes([f"{{{claim}}}"], claims_of[owner], path)
        if set(answer["curve"]) != _CURVE:
            raise UserError(f"{path}: ANSWERS: the keys of a curve are {', '.join(sorted(_CURVE))}")
        owner, _, claim = answer["statement"].partition("/")
        if claim not in claims_of.get(owner, ()):
            raise UserError(f"{path}: ANSWERS: no claim is called {answer['statement']!r}")
        for noun, drawing in (("figure", answer["figure"]), ("chart", answer["change"][0])):
            owner, _, name = drawing.partition("/")
            drawn = _drawing_names(package, rooms[owner], f"{noun}s") if owner in rooms else []
            if name not in drawn:
                raise UserError(f"{path}: ANSWERS: no {noun} is called {drawing!r}{suggest(name, drawn)}")


def _drawing_names(package: Package, room: str, drawings: str) -> list[str]:
    """Return the names of a document's figures or charts, also of those that an underscore hides temporarily."""
    modules = package.modules_in(f"{SCIENCE}/documents/{room}/{drawings}")
    return sorted({name.lstrip("_") for module in modules for name in package.definitions(module)})


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
            if experiment not in package.rooms_in("experiments"):
                raise UserError(f"{package.path_shown(module)}: SIZES names {experiment!r}, which is no experiment")
            if "data" in sizes:
                read = [package.title(f"{SCIENCE}.data.{name}") for name in data.get(experiment, ())]
                sizes = {} if sizes["data"] in read else {"data": [" and ".join(read), sizes["data"]]}
            found.append((document.id, experiment, axes, sizes))
    return found


def _check_quotes(texts: Iterable[str], claims: Mapping[str, type], path: str) -> None:
    """Raise UserError if a text quotes a number that no claim has.

    claims: name → the kind of expression that measures it; a dictionary has a measure for each part.
    path: what contains the texts, for messages.
    """
    for quote in QUOTE.findall(" ".join(texts)):
        claim, _, part = quote.partition("/")
        if claim not in claims:
            raise UserError(f"{path}: {{{quote}}} is no claim of the ledger{suggest(claim, claims)}")
        if issubclass(claims[claim], ast.Dict | ast.DictComp) and not part:
            raise UserError(f"{path}: {{{claim}}} has several parts; quote one of them: {{{claim}/PART}}")
        if issubclass(claims[claim], ast.Tuple) and part:
            raise UserError(f"{path}: {{{quote}}}: the claim has no parts; write {{{claim}}}")


def _document_in(package: Package, room: str) -> Document:
    module = _describing(package, room)
    names = [each.name for each in fields(Document) if each.name != "room"]
    written = package.definitions(module)
    values: dict[str, Any] = {"id": room.replace("_", "-")}
    values |= {name: package.constant(module, name.upper()) for name in names if name.upper() in written}
    if missing := [name.upper() for name in _REQUIRED if name not in values]:
        raise UserError(
            f"{_init(package, room)}: {', '.join(missing)} missing; required: {', '.join(_REQUIRED).upper()}; allowed: "
            f"{', '.join(names).upper()}"
        )
    # `claims.py` has other constants too.
    for name in written if module.endswith(f".{room}") else ():
        if name.isupper() and name.lower() not in names:
            allowed = ", ".join(names).upper()
            raise UserError(
                f"{_init(package, room)}: {name} is no constant of a document{suggest(name, allowed.split(', '))}; "
                f"allowed: {allowed}, and names that begin with an underscore"
            )
    for name, value in values.items():
        kind = tuple if name in _TUPLES else str
        if not isinstance(value, kind):
            raise UserError(f"{_init(package, room)}: {name.upper()} is no {'text' if kind is str else 'tuple'}")
    for name, wanted in _KEYS.items():
        for entry in values.get(name, ()):
            given = set(entry) if isinstance(entry, dict) else set()
            faults = {"lacks": wanted - given, "has the unknown": given - wanted}
            if words := [f"{verb} {', '.join(sorted(keys))}" for verb, keys in faults.items() if keys]:
                raise UserError(
                    f"{_init(package, room)}: an entry of {name.upper()} {' and '.join(words)}; required: "
                    f"{', '.join(sorted(wanted))}"
                )
            for key, value in entry.items():
                texts = value if key in _FORMS else (value,)
                right = isinstance(texts, tuple) and texts and all(isinstance(text, str) for text in texts)
                if not (isinstance(value, dict) if key == "curve" else right):
                    form = "dictionary" if key == "curve" else _FORMS.get(key, "text")
                    raise UserError(f"{_init(package, room)}: {key} of an entry of {name.upper()} is no {form}")
    if not _ID.fullmatch(values["id"]):
        raise UserError(
            f"{_init(package, room)}: ID names folders of results; allowed: small letters, digits and hyphens"
        )
    return Document(room=room, **values)


def _drawings_of(package: Package, experiments: Sequence[str], noun: str, make: Callable[..., TableJob]) -> Drawings:
    """Return a job for each public function of the room that needs only the tables of these experiments."""
    found: Drawings = {}
    faults = []
    for document, module, name in _public_names(package, f"{noun}s"):
        path, entry = package.path_shown(module), f"{module}:{name}"
        if fault := _fault_of(package, module, name, noun):
            faults.append(f"{path}: {name} {fault}")
        elif (document, name) in found:
            other = package.path_shown(found[document, name].entry.partition(":")[0])
            faults.append(f"{path}: {name} is a {noun} of {document} in {other} too; give one of them another name")
        else:
            found[document, name] = make(package, entry, document, tuple(package.arguments(entry)), name)
    if faults:
        raise UserError("\n".join(faults))
    return {key: drawing for key, drawing in found.items() if set(drawing.tables) <= set(experiments)}


def _public_names(package: Package, room: str) -> Iterator[tuple[str, str, str]]:
    """Yield (id of the document, module, name) for each public name of one of its rooms that is not a constant."""
    for document in documents_of(package).values():
        for module in package.modules_in(f"{SCIENCE}/documents/{document.room}/{room}"):
            for name in package.definitions(module):
                if not name.startswith("_") and not name.isupper():
                    yield document.id, module, name


def _fault_of(package: Package, module: str, name: str, noun: str) -> str:
    """Return why no job can draw a figure or chart (`noun`), "" if a job can."""
    if name not in package.public_functions(module):
        return f"is no function; a {noun} must be one (def); other names begin with an underscore or are in capitals"
    if not _NAME.fullmatch(name):
        return "names a file; allowed: small letters, digits and underscores"
    known = package.rooms_in("experiments")
    tables = package.arguments(f"{module}:{name}")
    if not tables:
        return (
            f"takes no table; a {noun}'s arguments name the experiments whose tables it reads, and a "
            f"function that draws no {noun} has a name that begins with an underscore"
        )
    for table in tables:
        if table not in known:
            return (
                f"takes the table {table!r}, but no experiment has this name{suggest(table, known)}; allowed: "
                f"{', '.join(known)}; a function that draws no {noun} has a name that begins with an underscore"
            )
    return ""


def _describing(package: Package, room: str) -> str:
    """Return the module with a document's constants: that of the folder, or else the one of its claims."""
    module = f"{SCIENCE}.documents.{room}"
    return module if package.path_of(module) else f"{module}.claims"


def _init(package: Package, room: str) -> str:
    return package.path_shown(_describing(package, room))
