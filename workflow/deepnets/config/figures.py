"""The figures that can be drawn: found in their modules, whose functions' arguments name the tables that they read."""

from collections.abc import Sequence
from dataclasses import dataclass

from workflow.deepnets.code.modules import Package
from workflow.deepnets.config.paths import FIGURE
from workflow.deepnets.config.points import canonical


@dataclass(frozen=True)
class Figure:
    """One figure: the function that draws it, its document's folder, its tables, and its caption."""

    entry: str
    document: str
    name: str
    tables: tuple[str, ...]
    caption: str

    @property
    def paths(self) -> list[str]:
        """The figure's files, one per format."""
        pdf = FIGURE.format(document=self.document, figure=self.name)
        return [pdf, pdf.removesuffix("pdf") + "png"]

    @property
    def spec(self) -> str:
        """Canonical JSON of document and figure; all else is in the code and the tables."""
        return canonical({"document": self.document, "figure": self.name})


def figures_of(package: Package, experiments: Sequence[str]) -> dict[tuple[str, str], Figure]:
    """Return the figures that need the tables of these experiments alone, by (document, name)."""
    found = {}
    for module in package.modules_in("figures"):
        document = str(package.constant(module, "DOCUMENT"))
        for name in package.public_functions(module):
            entry = f"{module}:{name}"
            tables = tuple(package.arguments(entry))
            if set(tables) <= set(experiments):
                found[document, name] = Figure(entry, document, name, tables, package.docstring(entry))
    return found
