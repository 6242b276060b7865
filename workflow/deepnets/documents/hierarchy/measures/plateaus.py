"""Measures of document 003 on plateaus and drops of the loss."""

from typing import Any

import numpy as np

from deepnets.claims.claim import Measure
from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure
from deepnets.documents.hierarchy.measures.recordings import (
    ITEMS,
    LEVELS,
    curves,
    largest_by_size,
    values_by_mode,
)
from deepnets.tables.axes import run_index


@as_measure
def count_of_drops(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure how many drops the loss of each run has; leave out runs that diverged."""
    losses = curves(evidence, "train_loss", wanted)
    counts = np.array([len(_find_drops(loss)) for loss in losses if np.all(np.isfinite(loss))], dtype=float)
    if not len(counts):
        raise NotTestableError("all runs of this claim diverged")
    return counts


@as_measure
def unstable_settings(
    evidence: Evidence, rates: tuple[float, float], scales: tuple[float, float], **wanted: Any
) -> np.ndarray:
    """Count the settings, within the ranges of two sliders, at which the loss of at least one run rises or diverges.

    Increases of up to a millionth of the initial loss are rounding.

    rates, scales: the ends of the sliders.
    """
    within = {
        axis: [value for value in _axis_values(evidence, axis, wanted) if least <= value <= greatest]
        for axis, (least, greatest) in {"learning_rate": rates, "scale": scales}.items()
    }
    losses = curves(evidence, "train_loss", {**wanted, **within})
    settings = run_index(evidence.runs("hierarchy", **wanted, **within)).droplevel("seed")
    stable = np.all(np.diff(losses) <= 1e-6 * losses[:, :1], axis=1)
    return np.array([settings[~stable].nunique()], dtype=float)


@as_measure
def on_plateau(evidence: Evidence, number: int, metric: str, *, index: int = 0, **wanted: Any) -> np.ndarray:
    """Measure a metric in the middle of a plateau of each run's loss, NaN unless each level of the tree has one drop.

    number: the number of drops before the plateau; with 4, the last update is used.
    """
    losses = curves(evidence, "train_loss", wanted)
    values = curves(evidence, metric, wanted, index=index)
    return np.array([_value_on_plateau(each, loss, number) for each, loss in zip(values, losses, strict=True)])


@as_measure
def time_of_drop(evidence: Evidence, number: int, **wanted: Any) -> np.ndarray:
    """Measure when the loss of each run is halfway between two plateaus, in updates.

    number: the number of drops before this one.
    """
    times = []
    for loss in curves(evidence, "train_loss", wanted):
        before, after = (_value_on_plateau(loss, loss, each) for each in (number, number + 1))
        times.append(first_crossing(-loss, -(before + after) / 2))
    return np.array(times)


@as_measure
def time_of_prediction(
    evidence: Evidence, level: float, *, item: int, falling: bool = False, **wanted: Any
) -> np.ndarray:
    """Measure when each run's prediction for an item first rises above `level`, or falls below it, in updates."""
    sign = -1 if falling else 1
    predictions = curves(evidence, "illusory_prediction", wanted, index=item)
    return np.array([first_crossing(sign * curve, sign * level) for curve in predictions])


@as_measure
def times_on_first_data(evidence: Evidence, times: Measure, level: int, **wanted: Any) -> np.ndarray:
    """Measure when a level of the tree is learned, as if all runs had the data of seed 2021.

    Theory predicts when a mode is half learned, for the run's own data and for those of seed 2021. We add the
    difference, so that only the init still differs between runs.
    """
    predicted = values_by_mode(evidence, "predicted_half_time", wanted)[:, LEVELS[level]].mean(axis=1)
    first = values_by_mode(evidence, "predicted_half_time", {**wanted, "seed": 2021})[:, LEVELS[level]].mean(axis=1)
    return times(evidence) - predicted + first


@as_measure
def mode_of_prediction(evidence: Evidence, level: float, *, item: int, **wanted: Any) -> np.ndarray:
    """Measure the number, from 1, of the mode whose half time is closest to when a prediction exceeds `level`.

    Modes of one level of the tree count as one.
    """
    times = time_of_prediction(level, item=item, **wanted)(evidence)
    halves = values_by_mode(evidence, "half_time", wanted)
    of_levels = np.stack([halves[:, modes].mean(axis=1) for modes in LEVELS], axis=1)
    distances = np.abs(of_levels - times[:, np.newaxis])
    nearest = np.argmin(np.nan_to_num(distances, nan=np.inf), axis=1) + 1.0
    return np.where(np.isfinite(times), nearest, np.nan)


@as_measure
def plateau_to_drop(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the largest ratio of a plateau's length to that of the next drop, in each run.

    NaN unless there is one drop for each level.
    """
    found = []
    for loss in curves(evidence, "train_loss", wanted):
        drops = _drops_of_levels(loss)
        waits = [end - start for start, end in _plateaus_before(drops)]
        ratios = (wait / (end - start) for wait, (start, end) in zip(waits, drops, strict=True))
        found.append(max(ratios, default=np.nan))
    return np.array(found)


@as_measure
def gradient_on_plateaus(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the least gradient norm on a plateau as a share of the largest norm of the run, in each run.

    The result is the larger of two such shares, those on the two longest plateaus before a drop; NaN unless each level
    of the tree has one drop.
    """
    losses = curves(evidence, "train_loss", wanted)
    norms = curves(evidence, "gradient_norm", wanted)
    if np.isnan(norms).any():
        raise NotTestableError("gradient_norm was recorded only at some updates; set record_rsm_every: 1 to record all")
    found = []
    for loss, norm in zip(losses, norms, strict=True):
        longest = sorted(_plateaus_before(_drops_of_levels(loss)), key=lambda plateau: plateau[0] - plateau[1])[:2]
        found.append(max((norm[start : end + 1].min() for start, end in longest), default=np.nan) / norm.max())
    return np.array(found)


@as_measure
def unexplained_on_plateaus(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the loss on an inner plateau minus the share of squared singular values that is not learned yet.

    The result is the largest such difference of each run.
    """
    squares = values_by_mode(evidence, "data_singular_value", wanted) ** 2
    shares = squares / squares.sum(axis=1, keepdims=True)
    found = []
    for number in range(1, len(LEVELS)):
        left = np.concatenate(LEVELS[number:])
        found.append(on_plateau(number, "train_loss", **wanted)(evidence) - shares[:, left].sum(axis=1))
    return largest_by_size(np.stack(found, axis=1))


@as_measure
def cosine_on_plateau(evidence: Evidence, number: int, first: int, second: int, **wanted: Any) -> np.ndarray:
    """Measure the cosine of two items' hidden activities in the middle of a plateau of the loss."""
    dots = [
        on_plateau(number, "rsm", index=ITEMS * row + column, **wanted)(evidence)
        for row, column in ((first, second), (first, first), (second, second))
    ]
    return dots[0] / np.sqrt(dots[1] * dots[2])


def _axis_values(evidence: Evidence, axis: str, wanted: dict[str, Any]) -> list[float]:
    return np.array(evidence.values("hierarchy", axis, **wanted), dtype=float).tolist()


def _find_drops(loss: np.ndarray) -> list[tuple[int, int]]:
    """Return the drops (first, last update). Within a drop, each update falls by a tenth of the largest fall or "
    "more."""
    falls = -np.diff(loss)
    if not np.all(np.isfinite(falls)) or falls.max(initial=0) <= 0:
        return []
    fast = np.concatenate([[False], falls >= falls.max() / 10, [False]])
    edges = np.flatnonzero(fast[1:] != fast[:-1])
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _drops_of_levels(loss: np.ndarray) -> list[tuple[int, int]]:
    """Return the drops (first, last update) of a loss if it has one for each level of the tree, otherwise none."""
    drops = _find_drops(loss)
    return drops if len(drops) == len(LEVELS) else []


def _plateaus_before(drops: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the plateau (first, last update) before each drop."""
    return [(end, start) for (_, end), (start, _) in zip([(0, 0), *drops], drops, strict=False)]


def _value_on_plateau(values: np.ndarray, loss: np.ndarray, number: int) -> float:
    """Return the value in the middle of a plateau of the loss; after all drops, the last value.

    NaN unless there is one drop for each level.
    """
    middles = [(start + end) // 2 for start, end in _plateaus_before(_drops_of_levels(loss))]
    return values[[*middles, len(loss) - 1][number]] if middles else np.nan


def first_crossing(curve: np.ndarray, level: float) -> float:
    """Return the update at which a curve first reaches a level, interpolated linearly; NaN if it never does.

    curve: values after 0, 1, … updates.
    """
    after = int(np.argmax(curve >= level))
    if not curve[after] >= level:
        return np.nan
    if after == 0:
        return 0.0
    return after - 1 + (level - curve[after - 1]) / (curve[after] - curve[after - 1])
