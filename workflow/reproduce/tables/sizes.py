"""Where runs are smaller than the nets and samples of the documents that they reproduce."""

from collections.abc import Iterable, Mapping

import pandas as pd

from reproduce.tables.words import text_of

# Experiment → its documents' own sizes, each [who has them, axes, sizes]. Runs in which each of `axes` (name → value or
# list of values) has such a value have the axes of `sizes` (name → [size, unit]); "data" → [the data set of the runs,
# the document's].
Sizes = Mapping[str, Iterable]


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
