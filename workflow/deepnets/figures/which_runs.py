"""Which runs a figure shows where the config asks for more of them than it has lines, rows or panels for."""

from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.figure import Figure, SubFigure

from workflow.deepnets.figures.panels import why_nothing

# What a table holds beside its axes; seeds repeat one setting.
_NO_AXES = ("seed", "step", "metric", "index", "value")
# Values of an axis that are told one by one.
_TOLD = 7


def choose(runs: pd.DataFrame, *, lines: int = 1, **room: int) -> tuple[pd.DataFrame, str]:
    """Keep as many settings of some runs as a figure has room for, so that it never averages over an axis.

    Return their rows, and words on the values that were kept and on all that there were; "" where none were left out.
    lines: for how many combinations of values; with one of them, of each axis the smallest value is kept.
    room: for how many values of an axis beside them, such as a scale or panels. Of more values those kept are evenly
    spaced; the axes with the fewest values give way first.
    """
    axes = swept(runs)
    free = [axis for axis in axes if axis not in room]
    settings = runs[axes].drop_duplicates() if axes else runs[:1]
    for axis in sorted(axes, key=lambda axis: runs[axis].nunique()):
        values = sorted(settings[axis].unique())
        # Fewer and fewer of them, until no more combinations are left than there is room for.
        for most in range(min(room.get(axis, len(values)), len(values)), 0, -1):
            places = np.linspace(0, len(values) - 1, most).round().astype(int)
            kept = settings[settings[axis].isin([values[place] for place in places])]
            if axis in room or len(kept[free].drop_duplicates()) <= lines:
                break
        settings = kept
    kept = runs[np.logical_and.reduce([runs[axis].isin(settings[axis]) for axis in axes])] if axes else runs
    fewer = [axis for axis in axes if kept[axis].nunique() < runs[axis].nunique()]
    words = ", ".join(f"{axis} {_values(kept[axis])} (of {_values(runs[axis])})" for axis in fewer)
    return kept, f"only {words}" if words else ""


def choose_in_blocks(runs: pd.DataFrame, *, lines: int) -> tuple[pd.DataFrame, str]:
    """Keep as many settings of each block as a figure has room for; return what `choose` does."""
    chosen = {block: choose(rows, lines=lines) for block, rows in runs.groupby("block", observed=True)}
    words = "; ".join(f"{block}: {said}" for block, (_, said) in chosen.items() if said)
    return pd.concat([runs[:0], *(kept for kept, _ in chosen.values())]), words


def swept(runs: pd.DataFrame) -> list[str]:
    """Return the axes of which some runs have several values, in the order of the table."""
    return [axis for axis in runs.columns if axis not in _NO_AXES and runs[axis].nunique() > 1]


def by_setting(runs: pd.DataFrame, *besides: str) -> list[tuple[dict[str, object], pd.DataFrame]]:
    """Return the runs of each setting, in order, each behind its values of the axes in which settings differ.

    besides: axes that tell no settings apart, of which a figure shows all values by other means.
    """
    axes = [axis for axis in swept(runs) if axis not in besides]
    if not axes:
        return [] if runs.empty else [({}, runs)]
    groups = runs.groupby(axes, observed=True)
    return [(dict(zip(axes, values, strict=True)), rows) for values, rows in groups]


def regardless_of_block(runs: pd.DataFrame) -> pd.DataFrame:
    """Take what several blocks hold of one setting once: where both recorded a value, it is the same."""
    runs = runs.drop(columns="block")
    return runs[~runs.drop(columns="value").duplicated()]


def settled(runs: pd.DataFrame, *axes: str) -> pd.DataFrame:
    """Leave out those of some axes that follow from the others: runs of one setting never differ in them.

    A rate that each depth has of its own tells no runs apart that depth does not.
    """
    for axis in axes:
        others = [name for name in runs.columns if name not in (*_NO_AXES, axis)]
        if axis in runs and not runs[[*others, axis]].drop_duplicates().duplicated(others).any():
            runs = runs.drop(columns=axis)
    return runs


def named(axis: str, value: object) -> str:
    """Return an axis with its value, in the words of the config."""
    return f"{axis} {_text(value)}"


def lost(runs: pd.DataFrame, *, step: str = "update") -> str:
    """Return words on the runs that diverged, which a figure shows up to there at most; "" where none did.

    step: what the experiment counts as its steps.
    """
    return f"Here {why_nothing(runs, step=step)}" if (runs["metric"] == "diverged").any() else ""


def say_which_runs(figure: Figure | SubFigure, *words: str) -> None:
    """Write above a figure, and above a legend that stands there, which runs it shows, if there is anything to say."""
    said = [fill(text, int(17 * figure.bbox.width / figure.dpi)) for text in words if text]
    if said and figure.legends:
        # A title of the figure and a legend outside its panels would lie on one another.
        (legend,) = figure.legends
        title = legend.get_title()
        legend.set_title("\n".join(filter(None, (*said, title.get_text()))), prop={"size": 7})
        title.set_multialignment("center")
    elif said:
        figure.suptitle("\n".join(said), color="0.3", fontsize=7)


def _values(column: pd.Series) -> str:
    values = sorted(column.unique())
    if len(values) > _TOLD:
        return f"{len(values)} values from {_text(values[0])} to {_text(values[-1])}"
    return ", ".join(map(_text, values))


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else f"{value}"
