"""Which runs a figure shows where the config asks for more of them than it has lines for."""

from textwrap import fill

import pandas as pd
from matplotlib.figure import Figure

from workflow.deepnets.figures._panels import why_nothing


def smallest(runs: pd.DataFrame, *axes: str) -> tuple[pd.DataFrame, str]:
    """Keep the runs with the smallest value of each axis; return them and words on what there was to choose from.

    So an axis that a figure does not show is never averaged over.
    """
    taken = []
    for axis in axes:
        values = sorted(runs[axis].unique())
        if len(values) > 1:
            runs = runs[runs[axis] == values[0]]
            taken.append(f"{axis} {values[0]} (of {', '.join(map(str, values))})")
    return runs, f"Shown: {', '.join(taken)}" if taken else ""


def lost(runs: pd.DataFrame) -> str:
    """Return words on the runs that diverged, which a figure shows up to there at most; "" where none did."""
    return f"Here {why_nothing(runs)}" if (runs["metric"] == "diverged").any() else ""


def say_which_runs(figure: Figure, *words: str) -> None:
    """Write above a figure which runs it shows, if there is anything to say."""
    if any(words):
        lines = (fill(text, width=int(17 * figure.get_figwidth())) for text in words if text)
        figure.suptitle("\n".join(lines), color="0.3", fontsize=7)
