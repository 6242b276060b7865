"""Measures of document 003 on plateaus and drops of the loss, and on predictions during training.

Each function takes the rows of some runs and returns one value per run. A value on a plateau is NaN unless the loss has
one drop for each level of the tree.
"""

import numpy as np
import pandas as pd

from deepnets.documents.hierarchy import measures
from reproduce import api


def count_of_drops(runs: pd.DataFrame) -> np.ndarray:
    """Measure how many drops the loss has; leave out runs that diverged.

    A drop is a series of updates that each lower the loss by at least a tenth of the largest fall in one update.
    """
    losses = measures.curves(runs, "train_loss")
    counts = np.array([len(_find_drops(loss)) for loss in losses if np.all(np.isfinite(loss))], dtype=float)
    if not len(counts):
        raise api.NotTestableError("all runs of this claim diverged")
    return counts


def unstable_settings(runs: pd.DataFrame, rates: tuple[float, float], scales: tuple[float, float]) -> np.ndarray:
    """Count the settings, within the ranges of two sliders, at which the loss of at least one run rises or diverges.

    Increases of up to a millionth of the initial loss are rounding.

    rates, scales: the ends of the sliders.
    """
    within = runs[runs["learning_rate"].between(*rates) & runs["scale"].between(*scales)]
    losses = measures.curves(within, "train_loss")
    stable = np.all(np.diff(losses) <= 1e-6 * losses[:, :1], axis=1)
    return np.array([api.run_index(within).droplevel("seed")[~stable].nunique()], dtype=float)


def on_plateau(runs: pd.DataFrame, number: int, metric: str, *, index: int = 0) -> np.ndarray:
    """Measure a metric in the middle of a plateau of each run's loss.

    number: the number of drops before the plateau; with 4, the last update is used.
    """
    losses, values = measures.curves(runs, "train_loss"), measures.curves(runs, metric, index=index)
    return np.array([_value_on_plateau(each, loss, number) for each, loss in zip(values, losses, strict=True)])


def time_of_drop(runs: pd.DataFrame, number: int) -> np.ndarray:
    """Measure when the loss of each run is halfway between two plateaus, in updates.

    number: the number of drops before this one.
    """
    halves = -(on_plateau(runs, number, "train_loss") + on_plateau(runs, number + 1, "train_loss")) / 2
    losses = measures.curves(runs, "train_loss")
    return np.array([measures.first_crossing(-loss, half) for loss, half in zip(losses, halves, strict=True)])


def time_of_prediction(runs: pd.DataFrame, level: float, *, item: int, falling: bool = False) -> np.ndarray:
    """Measure when each run's prediction for an item first rises above `level`, or falls below it, in updates."""
    sign = -1 if falling else 1
    predictions = measures.curves(runs, "illusory_prediction", index=item)
    return np.array([measures.first_crossing(sign * curve, sign * level) for curve in predictions])


def mode_of_prediction(runs: pd.DataFrame, level: float, *, item: int) -> np.ndarray:
    """Measure the number, from 1, of the mode whose half time is closest to when a prediction exceeds `level`.

    Modes of one level of the tree count as one.
    """
    times, halves = time_of_prediction(runs, level, item=item), measures.values_by_mode(runs, "half_time")
    of_levels = np.stack([halves[:, modes].mean(axis=1) for modes in measures.LEVELS], axis=1)
    distances = np.abs(of_levels - times[:, np.newaxis])
    nearest = np.argmin(np.nan_to_num(distances, nan=np.inf), axis=1) + 1.0
    return np.where(np.isfinite(times), nearest, np.nan)


def plateau_to_drop(runs: pd.DataFrame) -> np.ndarray:
    """Measure the largest ratio of a plateau's length to that of the next drop."""
    found = []
    for loss in measures.curves(runs, "train_loss"):
        drops = _drops_of_levels(loss)
        waits = [end - start for start, end in _plateaus_before(drops)]
        ratios = (wait / (end - start) for wait, (start, end) in zip(waits, drops, strict=True))
        found.append(max(ratios, default=np.nan))
    return np.array(found)


def gradient_on_plateaus(runs: pd.DataFrame) -> np.ndarray:
    """Measure the least gradient norm on a plateau as a share of the largest norm of the run.

    The result is the larger of two such shares, those on the two longest plateaus before a drop.
    """
    losses, norms = measures.curves(runs, "train_loss"), measures.curves(runs, "gradient_norm")
    if np.isnan(norms).any():
        raise api.NotTestableError(
            "gradient_norm was recorded only at some updates; set record_rsm_every: 1 to record all"
        )
    found = []
    for loss, norm in zip(losses, norms, strict=True):
        longest = sorted(_plateaus_before(_drops_of_levels(loss)), key=lambda plateau: plateau[0] - plateau[1])[:2]
        found.append(max((norm[start : end + 1].min() for start, end in longest), default=np.nan) / norm.max())
    return np.array(found)


def ratio_to_unexplained(runs: pd.DataFrame) -> np.ndarray:
    """Measure the loss on an inner plateau divided by the share of squared singular values that is not learned yet.

    The result is the ratio of each run that differs most from 1.
    """
    squares = measures.values_by_mode(runs, "data_singular_value") ** 2
    shares = squares / squares.sum(axis=1, keepdims=True)
    found = [
        on_plateau(runs, number, "train_loss") / shares[:, np.concatenate(measures.LEVELS[number:])].sum(axis=1) - 1
        for number in range(1, len(measures.LEVELS))
    ]
    return 1 + measures.largest_by_size(np.stack(found, axis=1))


def cosine_on_plateau(runs: pd.DataFrame, number: int, first: int, second: int) -> np.ndarray:
    """Measure the cosine of two items' hidden activities in the middle of a plateau of the loss."""
    pairs = ((first, second), (first, first), (second, second))
    dot, *squares = (on_plateau(runs, number, "rsm", index=measures.ITEMS * row + column) for row, column in pairs)
    return dot / np.sqrt(squares[0] * squares[1])


def _find_drops(loss: np.ndarray) -> list[tuple[int, int]]:
    """Return the drops (first, last update) of a loss, as in `count_of_drops`."""
    falls = -np.diff(loss)
    if not np.all(np.isfinite(falls)) or falls.max(initial=0) <= 0:
        return []
    fast = np.concatenate([[False], falls >= falls.max() / 10, [False]])
    edges = np.flatnonzero(fast[1:] != fast[:-1])
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _drops_of_levels(loss: np.ndarray) -> list[tuple[int, int]]:
    """Return the drops (first, last update) of a loss with one drop per level of the tree, [] for any other loss."""
    drops = _find_drops(loss)
    return drops if len(drops) == len(measures.LEVELS) else []


def _plateaus_before(drops: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the plateau (first, last update) before each drop."""
    return [(end, start) for (_, end), (start, _) in zip([(0, 0), *drops], drops, strict=False)]


def _value_on_plateau(values: np.ndarray, loss: np.ndarray, number: int) -> float:
    """Return the value in the middle of a plateau of the loss; after all drops, the last value.

    NaN unless there is one drop for each level.
    """
    middles = [(start + end) // 2 for start, end in _plateaus_before(_drops_of_levels(loss))]
    return values[[*middles, len(loss) - 1][number]] if middles else np.nan
