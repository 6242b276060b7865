"""Texts on runs for captions, legends, panels and messages: values of axes, counts, divergence, reduced sizes."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from reproduce.tables.axes import axes_of, run_index
from reproduce.tables.rows import divergence_steps, rows_of

# Experiment → its documents' own sizes, each [who has them, axes, sizes]. Runs in which each of `axes` (name → value or
# list of values) has such a value have the axes of `sizes` (name → [size, unit]); "data" → [the data set of the runs,
# the document's].
Sizes = Mapping[str, Iterable]


def text_of(value: object) -> str:
    """Return a value of an axis as text, as in the config; numbers have at most six significant digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def words_of(axis: str) -> str:
    """Return the name of an axis as in prose, for example "learning rate"."""
    return axis.replace("_", " ")


def label_of(axis: str, value: object) -> str:
    """Return the name of an axis and its value, for example "learning rate 0.1"."""
    return f"{words_of(axis)} {text_of(value)}"


def listing(values: Iterable[Any]) -> str:
    """Return the values of an axis as text: a sorted list, or a range if there are more than seven."""
    values = sorted(values)
    if len(values) > 7:
        return f"{len(values)} values from {text_of(values[0])} to {text_of(values[-1])}"
    return ", ".join(map(text_of, values))


def count_text(count: int, noun: str) -> str:
    """Return a count with its noun, for example "1 seed" or "3 seeds"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def runs_text(runs: pd.DataFrame, *axes: str, noun: str = "seed") -> str:
    """Return the values of some axes and the number of seeds per setting, for example "width 100, 3 seeds".

    noun: the reader's word for a seed.
    """
    counts = [rows["seed"].nunique() for _, rows in runs.groupby(axes_of(runs, "seed"), observed=True)]
    fewest = f"{min(counts)} to " if min(counts) < max(counts) else ""
    ends = {axis: dict.fromkeys([text_of(runs[axis].min()), text_of(runs[axis].max())]) for axis in axes}
    words = [label_of(axis, " to ".join(texts)) for axis, texts in ends.items()]
    return ", ".join([*words, fewest + count_text(max(counts), noun)])


def absence_reason(runs: pd.DataFrame, *, step: str = "update") -> str:
    """Return the reason why runs have no value to show.

    runs: all rows of the runs, with all metrics.
    step: the experiment's word for a step.
    """
    diverged, count = divergence_steps(runs), len(run_index(runs))
    all_runs = "the only run" if count == 1 else f"all {count} runs"
    if diverged.empty:
        return f"{all_runs} recorded no such values"
    first, last = diverged.min(), diverged.max()
    when = f"at {step} {first}" if first == last else f"between {step}s {first} and {last}"
    # A run of several nets records each that diverged.
    ended = len(run_index(rows_of(runs, "diverged")))
    which = all_runs if ended == count else f"{ended} of {count} runs"
    return f"{which} left the finite numbers {when}"


def diverged_text(points: pd.DataFrame, diverged: np.ndarray) -> str:
    """Return which of some runs diverged, for example "2 of 6 runs diverged (depth 3; seed 1, 4)"; "" if none did.

    points: the axes of each run; diverged: whether it diverged
    """
    lost = points[diverged]
    named = [axis for axis in points if axis == "seed" or points[axis].nunique() > 1]
    which = "; ".join(label_of(axis, listing(lost[axis].unique())) for axis in named)
    return "" if lost.empty else f"{len(lost)} of {count_text(len(points), 'run')} diverged ({which})"


def divergence_note(runs: pd.DataFrame, *, step: str = "update") -> str:
    """Return a sentence on the runs that diverged, "" if no run diverged. step: as in `absence_reason`."""
    return "" if divergence_steps(runs).empty else f"Here {absence_reason(runs, step=step)}"


def standstill_note(runs: pd.DataFrame) -> str:
    """Return a sentence on the runs of several steps in which no value changed, "" if there is none."""
    axes = axes_of(runs)
    curves = runs.groupby([*axes, "metric", "index"], observed=True, dropna=False)["value"]
    # Not as columns, whose names an axis may have.
    both = curves.size(), curves.nunique()
    records, kinds = (each.groupby(level=axes, observed=True, dropna=False).max() for each in both)
    still = records.index[(records > 1) & (kinds == 1)]
    if still.empty:
        return ""
    first = dict(zip(still.names, still[0], strict=True))
    first = ", ".join(label_of(axis, value) for axis, value in first.items() if axis != "experiment")
    of = count_text(len(records), "run")
    return f"Here nothing changed in {len(still)} of {of} ({first}): all gradients may be 0"


def divergence_suffix(runs: pd.DataFrame, *, step: str = "") -> str:
    """Return ", diverged at 12", with the earliest step at which a run diverged; "" if no run diverged.

    step: the experiment's word for a step; "update" gives ", diverged at update 12".
    """
    steps = divergence_steps(runs)
    return "" if steps.empty else f", diverged at {f'{step} {steps.min()}'.strip()}"


def reduced_sizes(runs: Iterable[tuple[str, pd.DataFrame]], own: Sizes) -> str:
    """Return in words what is smaller in runs than in the documents, or stood in for their data; "" if nothing is.

    runs: pairs of an experiment and the axes of some of its runs, with a row for each run or more
    """
    found: dict[str, set] = {}
    for experiment, rows in runs:
        for who, axes, sizes in own.get(experiment, ()):
            chosen = rows
            for axis, values in axes.items():
                chosen = chosen[chosen[axis].isin(values if isinstance(values, list) else [values])]
            for axis, (size, unit) in sizes.items() if len(chosen) else ():
                if axis == "data":
                    found.setdefault(f"{size}, {who} has {unit}", set())
                elif smaller := chosen[axis][chosen[axis] < size].unique().tolist():
                    found.setdefault(f" {unit}, {who} has {size:,}", set()).update(smaller)
    return "; ".join(" or ".join(map(text_of, sorted(smaller))) + words for words, smaller in found.items())
