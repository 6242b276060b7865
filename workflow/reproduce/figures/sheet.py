"""A sheet: a figure with the runs that it shows, its panels, its legend, and notes above it."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from string import ascii_lowercase
from textwrap import fill
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from reproduce.claims.claims_in_words import with_math_signs
from reproduce.tables.rows import NotRecordedError
from reproduce.tables.words import absence_reason, divergence_note, runs_text

# The attribute of a figure with the runs that it shows.
_RUNS = "_reproduce_runs"


class Sheet:
    """A builder of a figure: `take` runs, add `panels`, draw, `add_legend`, `finish`.

    step: the experiment's word for a step.
    note_divergence: whether a note names the runs that diverged; False if the panels mark these runs.
    """

    # Set by `add_panels`.
    figure: Figure

    def __init__(self, *, step: str = "update", note_divergence: bool = True) -> None:
        self._step, self._note_divergence = step, note_divergence
        # With the name of the panels or nets that show them.
        self._taken: list[tuple[str, pd.DataFrame]] = []
        # Each note with the names of the panels or nets that it describes; "" for all.
        self._notes: dict[str, list[str]] = {}
        self._panels: list[Axes] = []

    def take(self, selection: tuple[pd.DataFrame, str], *, name: str = "") -> pd.DataFrame:
        """Return the runs of a selection; if values are left out, note the kept values.

        selection: the result of `Selection.shown`. name: the name of the panels or nets that show these runs.
        """
        runs, left_out = selection
        self._taken.append((name, runs))
        self._notes.setdefault(left_out, []).extend(name.split(", "))
        return runs

    def note(self, *notes: str) -> None:
        """Add notes above the figure, each on its own lines; "" adds none."""
        for note in notes:
            self._notes.setdefault(note, []).append("")

    @contextmanager
    def part(self, *panels: Axes) -> Generator[None]:
        """Draw a part of a figure; if its runs lack what it needs, write the reason into its panels, and go on.

        panels: those that only this part fills; none for one of several nets in a panel, which is then left out.
        """
        try:
            yield
        except NotRecordedError as reason:
            _write_absence(panels, str(reason))

    def take_counted(
        self, selection: tuple[pd.DataFrame, str], *axes: str, noun: str = "seed", name: str = ""
    ) -> pd.DataFrame:
        """Return the runs of a selection as `take` does, and note the values of some axes and the number of seeds.

        axes, noun: as in `runs_text`.
        """
        runs, left_out = selection
        words = runs_text(runs, *axes, noun=noun)
        return self.take((runs, f"{words}; {left_out}" if left_out else words), name=name)

    def panel(self, **layout: Any) -> Axes:
        """Add a figure with a single panel. layout: arguments of `plt.subplots`."""
        return self.panels(lettered=False, **layout)[0]

    def panels(
        self,
        rows: int = 1,
        columns: int = 1,
        *,
        lettered: bool = True,
        x: str = "",
        y: str | Sequence[str] = "",
        **layout: Any,
    ) -> np.ndarray:
        """Add a figure with lettered panels; return them as a 1-D array, or 2-D if there are several rows and columns.

        x: the label of all x axes, written once below each column if the panels share them.
        y: the label of all y axes, or one for each panel or row; a shared one is at the first panel of each row.
        layout: arguments of `plt.subplots`.
        """
        figure, axes = plt.subplots(rows, columns, **layout)
        axes = np.atleast_1d(axes)
        grid = axes.reshape(rows, columns)
        for axis in grid[-1] if layout.get("sharex") else axes.flat:
            axis.set_xlabel(x)
        labelled = grid[:, 0] if (layout.get("sharey") if isinstance(y, str) else len(y) == rows) else axes.ravel()
        for axis, label in zip(labelled, [y] * len(labelled) if isinstance(y, str) else y, strict=True):
            axis.set_ylabel(label)
        self.add_panels(figure, axes.flat, lettered=lettered)
        return axes

    def add_panels(self, figure: Figure, panels: Iterable[Axes], *, lettered: bool = True) -> list[Axes]:
        """Add a figure with panels that `plt.subplots` cannot make, lettered in the given order."""
        self.figure, added = figure, list(panels)
        if lettered:
            for axis, name in zip(added, ascii_lowercase, strict=False):
                axis.set_title(name, loc="left", fontweight="bold")
        self._panels.extend(added)
        return added

    def add_legend(
        self, panels: Iterable[Axes] | None = None, *, columns: int | None = None, most: int = 3, **style: Any
    ) -> None:
        """Add a legend above the figure that contains each label of some panels once, if there are labels.

        panels: all panels if omitted.
        columns: the number of columns; if omitted, as many as fit, up to `most`.
        style: arguments of `figure.legend`.
        """
        handles: dict[str, Artist] = {}
        for axis in self._panels if panels is None else panels:
            for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
                handles.setdefault(label, handle)
        if handles:
            # 18 letters per inch; the line before a label takes the width of five letters.
            longest = max(len(label.translate(str.maketrans("", "", "${}_\\"))) for label in handles)
            columns = columns or max(1, min(most, int(18 * self.figure.get_figwidth() / (longest + 5))))
            style = {"loc": "outside upper center", "ncols": columns, **style}
            self.figure.legend(list(handles.values()), list(handles), **style)

    def finish(self) -> Figure:
        """Write into each panel without data why it is empty, write the notes, and return the figure."""
        if empty := [axis for axis in self._panels if not axis.has_data() and not axis.texts]:
            _write_absence(empty, absence_reason(pd.concat([runs for _, runs in self._taken]), step=self._step))
        for name, runs in self._taken if self._note_divergence else []:
            self._notes.setdefault(divergence_note(runs, step=self._step), []).extend(name.split(", "))
        named = {note: ", ".join(sorted({*names})) for note, names in self._notes.items() if note and all(names)}
        _write_notes(self.figure, [f"{named[note]}: {note}" if note in named else note for note in self._notes])
        for text in self.figure.findobj(Text):
            text.set_text(with_math_signs(text.get_text()))
        vars(self.figure)[_RUNS] = [runs for _, runs in self._taken]
        return self.figure


def runs_in(figure: Figure) -> list[tuple[str, pd.DataFrame]]:
    """Return the experiments and the rows that a finished figure shows; none for one that explains their absence."""
    taken = [runs for runs in vars(figure).get(_RUNS, ()) if len(runs) and "experiment" in runs]
    return [(str(runs["experiment"].iloc[0]), runs) for runs in taken]


def draw_or_explain(draw: Callable[[], Figure]) -> Figure:
    """Return the figure that a function draws, or a figure with the reason if its runs lack what it needs."""
    before = plt.get_fignums()
    try:
        return draw()
    except NotRecordedError as reason:
        for number in set(plt.get_fignums()) - set(before):
            plt.close(number)
        figure, axis = plt.subplots(figsize=(3.4, 2.2))
        _write_absence([axis], str(reason))
        return figure


def _write_absence(panels: Iterable[Axes], reason: str) -> None:
    """Hide the ticks of empty panels, and write into each why there is nothing to show."""
    for axis in panels:
        axis.tick_params(which="both", length=0, labelbottom=False, labelleft=False)
        text = fill(f"Nothing to show: {reason}", width=24)
        axis.text(0.5, 0.5, text, transform=axis.transAxes, ha="center", va="center", color="0.3", fontsize=7)


def _write_notes(figure: Figure, notes: Iterable[str]) -> None:
    """Write notes above a figure, or into the title of its legend if it has one."""
    # 17 letters per inch.
    lines = [fill(note, int(17 * figure.bbox.width / figure.dpi)) for note in notes if note]
    # Figures have room for four lines. Each further one makes the figure taller, so that its panels keep their size.
    if (further := "\n".join(lines).count("\n") + 1 - 4) > 0:
        figure.set_figheight(figure.get_figheight() + further * 0.125)
    if lines and figure.legends:
        # A title of the figure would cover the legend.
        (legend,) = figure.legends
        title = legend.get_title()
        legend.set_title("\n".join(filter(None, (*lines, title.get_text()))), prop=FontProperties(size=7))
        title.set_multialignment("center")
    elif lines:
        figure.suptitle("\n".join(lines), color="0.3", fontsize=7)
