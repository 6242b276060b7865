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
    """Write above a figure, and above a legend that stands there, which runs it shows, if there is anything to say."""
    said = [fill(text, width=int(17 * figure.get_figwidth())) for text in words if text]
    if said and figure.legends:
        # A title of the figure and a legend outside its panels would lie on one another.
        (legend,) = figure.legends
        title = legend.get_title()
        legend.set_title("\n".join(filter(None, (*said, title.get_text()))), prop={"size": 7})
        title.set_multialignment("center")
    elif said:
        figure.suptitle("\n".join(said), color="0.3", fontsize=7)
