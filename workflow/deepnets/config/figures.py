"""The figures that can be drawn: found in their modules, whose functions' arguments name the tables that they read."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.config.paths import FIGURE, LEDGER, TABLE
from workflow.deepnets.config.points import canonical
from workflow.deepnets.errors import UserError

# As the rules' wildcards take them.
_DOCUMENT, _NAME = re.compile("[a-z0-9-]+"), re.compile("[a-z0-9_]+")
# The argument that stands for the ledger of the figure's document, and the name of the figure that takes it.
_CLAIMS = "claims"


@dataclass(frozen=True)
class Figure:
    """One figure: the function that draws it, its document's folder, its tables, and its caption."""

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
        """Canonical JSON of document and figure; all else is in the code and the tables."""
        return canonical({"document": self.document, "figure": self.name})


Drawing = TypeVar("Drawing", bound=Figure)


def figures_of(package: Package, experiments: Sequence[str]) -> dict[tuple[str, str], Figure]:
    """Return the figures that need the tables of these experiments alone, by (document, name).

    Raises UserError, a line per fault, for what no job could draw, whether the config asks for it or not.
    """
    return drawings_of(package, experiments, room="figures", kind=Figure)


def drawings_of(
    package: Package, experiments: Sequence[str], *, room: str, kind: type[Drawing]
) -> dict[tuple[str, str], Drawing]:
    """Return what the public functions of a room draw from the tables of these experiments, by (document, name).

    kind: what each of them is made into. Raises UserError as `figures_of`.
    """
    found: dict[tuple[str, str], Drawing] = {}
    faults = []
    for module in package.modules_in(room):
        document = _document_of(package, module)
        for name in filter(_names_figure, package.module(module).definitions):
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
    return {key: figure for key, figure in found.items() if set(figure.tables) <= set(experiments)}


def figure_of_claims(package: Package, document: str) -> Figure:
    """Return the figure of a document's claims, which is the same function for every document."""
    entry = f"{PACKAGE}.figures._{_CLAIMS}:{_CLAIMS}"
    return Figure(entry, document, _CLAIMS, (_CLAIMS,), package.docstring(entry))


def _document_of(package: Package, module: str) -> str:
    document = package.constant(module, "DOCUMENT")
    if not (isinstance(document, str) and _DOCUMENT.fullmatch(document)):
        raise UserError(
            f"{package.path_in_root(module)}: DOCUMENT names a folder; allowed: small letters, digits and hyphens"
        )
    return document


def _names_figure(name: str) -> bool:
    """Whether a name of a module is that of a figure: it is no constant, and nothing of the module's own."""
    return not name.startswith("_") and not name.isupper()


def _fault_of(package: Package, module: str, name: str, noun: str) -> str:
    """Return why no job could draw a figure, or what else the noun stands for, "" where one can."""
    if name not in package.public_functions(module):
        return f"is no function; a {noun} is one (def), all else begins with an underscore or is in capitals"
    if not _NAME.fullmatch(name):
        return "names a file; allowed: small letters, digits and underscores"
    if name == _CLAIMS:
        return "is the name of the figure of all claims, which every document has; take another"
    known = [each.rpartition(".")[2] for each in package.modules_in("experiments")]
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
