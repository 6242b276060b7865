"""The charts with sliders that can be drawn: found in their modules as figures are, and read tables as these do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from workflow.deepnets.code.modules import Package
from workflow.deepnets.config.figures import Figure, drawings_of
from workflow.deepnets.config.paths import INTERACTIVE
from workflow.deepnets.config.points import canonical


@dataclass(frozen=True)
class Chart(Figure):
    """One chart with sliders: a figure whose one file is a Vega-Lite specification."""

    noun: ClassVar[str] = "chart"

    @property
    def paths(self) -> list[str]:
        """The chart's one file."""
        return [INTERACTIVE.format(document=self.document, chart=self.name)]

    @property
    def spec(self) -> str:
        """Canonical JSON of document and chart; all else is in the code and the tables."""
        return canonical({"chart": self.name, "document": self.document})


def charts_of(package: Package, experiments: Sequence[str]) -> dict[tuple[str, str], Chart]:
    """Return the charts that need the tables of these experiments alone, by (document, name).

    Raises UserError, a line per fault, for what no job could draw, whether the config asks for it or not.
    """
    return drawings_of(package, experiments, room="interactive", kind=Chart)
