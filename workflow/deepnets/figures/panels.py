"""Letters by which captions name the panels of a figure, columns of a legend, and the reason for an empty panel."""

from collections.abc import Iterable
from string import ascii_lowercase
from textwrap import fill

import pandas as pd
from matplotlib.axes import Axes


def letter(panels: Iterable[Axes]) -> None:
    """Write a, b, c, … in bold above the left corner of each panel, in the order given."""
    for axis, name in zip(panels, ascii_lowercase, strict=False):
        axis.set_title(name, loc="left", fontweight="bold")


def columns_for(labels: Iterable[str], *, width: float, most: int = 3) -> int:
    """Return in how many columns, `most` at most, the labels of a legend fit into a width (inches)."""
    # Eighteen letters an inch, and five for the line before a label.
    longest = max(len(label.translate(str.maketrans("", "", "${}_\\"))) for label in labels)
    return max(1, min(most, int(18 * width / (longest + 5))))


def say_nothing_to_show(axis: Axes, reason: str) -> None:
    """Write a reason into an empty panel, in place of its scales."""
    axis.tick_params(which="both", length=0, labelbottom=False, labelleft=False)
    text = fill(f"Nothing to show: {reason}", width=24)
    axis.text(0.5, 0.5, text, transform=axis.transAxes, ha="center", va="center", color="0.3", fontsize=7)


def why_nothing(runs: pd.DataFrame, *, step: str = "update") -> str:
    """Return the reason why some runs recorded no value to show.

    runs: all rows of the runs, of all metrics; step: what the experiment counts as its steps.
    """
    if runs.empty:
        return "the config asks for no such runs"
    diverged = runs[runs["metric"] == "diverged"]["step"]
    count = len(runs.drop(columns=["step", "metric", "index", "value"]).drop_duplicates())
    all_runs = "the only run" if count == 1 else f"all {count} runs"
    if diverged.empty:
        return f"{all_runs} recorded no such values"
    first, last = diverged.min(), diverged.max()
    when = f"at {step} {first}" if first == last else f"between {step}s {first} and {last}"
    which = all_runs if len(diverged) == count else f"{len(diverged)} of {count} runs"
    return f"{which} left the finite numbers {when}"
