"""Selection of settings for a figure or chart with limited room, and notes on the settings that are left out."""

import numpy as np
import pandas as pd

from deepnets.tables.axes import swept_axes
from deepnets.tables.rows import Runs, runs_of
from deepnets.tables.words import label_of, text_of

# A note lists at most this number of values of an axis; for more values, it gives their range.
_LISTED = 7


def evenly_spaced(count: int, most: int) -> np.ndarray:
    """Return at most `most` of the places 0 … count − 1, in order: first, last, and evenly spaced places in between.

    With most=1, return only the first place.
    """
    return np.linspace(0, count - 1, min(most, count)).round().astype(int)


def thin_steps(steps: np.ndarray, most: int) -> np.ndarray:
    """Return at most `most` of the distinct steps, in order, as `evenly_spaced` chooses them."""
    steps = np.unique(steps)
    return steps[evenly_spaced(len(steps), most)]


def select_settings(runs: pd.DataFrame, /, *described: Runs, lines: int = 1, **room: int) -> tuple[pd.DataFrame, str]:
    """Select as many settings as there is room for. Figures then need not average over an axis.

    described: the runs that the document describes, as in its claims: axis → value or list of values.
    lines: the largest number of combinations of the swept axes that are not in `room`.
    room: the largest number of values of each axis that has its own panels, scale or slider.
    returns: the rows of the selected settings; and a note that lists the kept values, "" if all were kept.

    Axes with the fewest values lose values first. On each axis, the document's values are kept first, then evenly
    spaced values.
    """
    axes = swept_axes(runs)
    if not axes:
        return runs, ""
    sharing = [axis for axis in axes if axis not in room]
    settings = runs[axes].drop_duplicates()
    for axis in sorted(axes, key=lambda axis: runs[axis].nunique()):
        first = [value for each in described if axis in each for value in _as_list(each[axis])]
        if axis in room:
            settings = _thin(settings, axis, room[axis], first)
        else:
            settings = _thin_to_lines(settings, axis, sharing, lines, first)
    kept = runs[np.logical_and.reduce([runs[axis].isin(settings[axis]) for axis in axes])]
    return kept, _describe_lost_values(kept, runs, axes)


def select_values(runs: pd.DataFrame, /, **axes: object) -> tuple[pd.DataFrame, str]:
    """Select the runs that have given values of some axes; return their rows and a note, as `select_settings` does.

    axes: as in `runs_of`.
    """
    kept = runs_of(runs, **axes)
    return kept, _describe_lost_values(kept, runs, list(axes))


def select_settings_in_blocks(runs: pd.DataFrame, /, *described: Runs, lines: int) -> tuple[pd.DataFrame, str]:
    """Select settings in each block of the config; return the rows of all blocks and a note, as `select_settings` does.

    described: as in `select_settings`, each with its block or a list of blocks.
    lines: the largest number of settings of one block.
    """
    selected = {}
    for block, rows in runs.groupby("block", observed=True):
        own = [each for each in described if block in _as_list(each["block"])]
        selected[str(block)] = select_settings(rows, *own, lines=lines)
    words = "; ".join(f"{block}: {note}" for block, (_, note) in selected.items() if note)
    return pd.concat([runs[:0], *(kept for kept, _ in selected.values())]), words


def _thin(settings: pd.DataFrame, axis: str, most: int, first: list[object]) -> pd.DataFrame:
    """Return the settings with at most `most` values of an axis. first: the values to keep first."""
    values = sorted(settings[axis].unique())
    kept: list[object] = []
    for group in ([value for value in values if value in first], [value for value in values if value not in first]):
        kept += [group[place] for place in evenly_spaced(len(group), most - len(kept))]
    return settings[settings[axis].isin(kept)]


def _thin_to_lines(
    settings: pd.DataFrame, axis: str, sharing: list[str], lines: int, first: list[object]
) -> pd.DataFrame:
    """Keep as many values of an axis as possible, at least one, while the settings have at most `lines` combinations.

    sharing: the axes whose combinations are counted; first: as in `_thin`.
    """
    for most in range(settings[axis].nunique(), 1, -1):
        kept = _thin(settings, axis, most, first)
        if len(kept[sharing].drop_duplicates()) <= lines:
            return kept
    return _thin(settings, axis, 1, first)


def _as_list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _describe_lost_values(kept: pd.DataFrame, runs: pd.DataFrame, axes: list[str]) -> str:
    """Return a note that lists the kept values of each axis that lost values, "" if no axis did."""
    fewer = [axis for axis in axes if kept[axis].nunique() < runs[axis].nunique()]
    words = ", ".join(f"{label_of(axis, _listing(kept[axis]))} (of {_listing(runs[axis])})" for axis in fewer)
    return f"only {words}" if words else ""


def _listing(column: pd.Series) -> str:
    """Return the values of an axis as text: a list, a range if there are many, "none" if there are none."""
    values = sorted(column.unique()) or ["none"]
    if len(values) > _LISTED:
        return f"{len(values)} values from {text_of(values[0])} to {text_of(values[-1])}"
    return ", ".join(map(text_of, values))
