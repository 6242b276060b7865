"""Measures of document 003: of modes, items and weights; of plateaus and drops of the loss; of predictions.

Each has one value per run, NaN where a run lacks it.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from reproduce import api

ITEMS = 8
# The modes of each level of the document's tree: all items, animals and plants, their kinds, single items.
LEVELS = ([0], [1], [2, 3], [4, 5, 6, 7])


@api.measured
def mean_of_level(runs: pd.DataFrame, metric: str, level: int) -> np.ndarray:
    """Measure the mean of a metric over the modes of a level of the tree."""
    return _values_by_mode(runs, metric)[:, LEVELS[level]].mean(axis=1)


@api.measured
def wait_after_level(runs: pd.DataFrame, level: int) -> np.ndarray:
    """Measure the wait from the last mode of a level to the first of the next, by half times (updates)."""
    halves = _values_by_mode(runs, "half_time")
    return halves[:, LEVELS[level + 1]].min(axis=1) - halves[:, LEVELS[level]].max(axis=1)


@api.measured
def scatter_of_last_level(runs: pd.DataFrame, metric: str) -> np.ndarray:
    """Measure the range of a metric over the last level as a share of its distance from the level before."""
    values = _values_by_mode(runs, metric)
    last, before = values[:, LEVELS[-1]], values[:, LEVELS[-2]]
    # Half times of the last level are the largest, its singular values the smallest.
    above, below = (last, before) if metric == "half_time" else (before, last)
    return np.ptp(last, axis=1) / (above.min(axis=1) - below.max(axis=1))


@api.measured
def largest_error(runs: pd.DataFrame, metric: str, expected: str) -> np.ndarray:
    """Measure the relative difference of a metric from an expected one, of the mode that differs most."""
    return _largest_by_size(_values_by_mode(runs, metric) / _values_by_mode(runs, expected) - 1)


@api.measured
def scatter_of_shallow_times(runs: pd.DataFrame) -> np.ndarray:
    """Measure the range of the times at which singular values reach half of their final values (updates)."""
    values = api.recordings(runs, "singular_value")
    times = [[_first_crossing(curve, curve[-1] / 2) for curve in run.T] for run in values]
    return np.ptp(times, axis=1)


@api.measured
def overlap_of_modes(runs: pd.DataFrame, contrast: tuple[int, ...], modes: list[int]) -> np.ndarray:
    """Measure the share of a contrast between items that lies in some of the final hidden modes.

    contrast: one number for each item; modes: of the final similarity matrix, from 0, strongest first.
    """
    matrices = api.recordings(runs, "rsm")[:, -1].reshape(-1, ITEMS, ITEMS)
    vectors = np.linalg.eigh(matrices)[1][:, :, ::-1][:, :, modes]
    return np.sum((contrast @ vectors / np.linalg.norm(contrast)) ** 2, axis=1)


@api.measured
def share_of_cells(runs: pd.DataFrame, picture: tuple[str, ...]) -> np.ndarray:
    """Measure the share of a picture's cells ("1" for yes) that equal the recorded features."""
    features = api.recordings(runs, "feature")[:, 0]
    cells = np.ravel([[2 * int(cell) - 1 for cell in row] for row in picture])
    return np.mean(features == cells, axis=1)


@api.measured
def rounded_errors(runs: pd.DataFrame) -> np.ndarray:
    """Count the estimated weights of a regression that do not round to the true ones at one decimal."""
    true, estimated = (api.recordings(runs, f"{which}_weight")[:, 0] for which in ("true", "estimated"))
    return np.sum(np.round(estimated, 1) != true, axis=1).astype(float)


@api.measured
def count_of_drops(runs: pd.DataFrame) -> np.ndarray:
    """Measure how many drops the loss has; leave out runs that diverged.

    A drop is a series of updates that each lower the loss by at least a tenth of the largest fall in one update.
    """
    losses = _curves(runs, "train_loss")
    counts = np.array([len(_find_drops(loss)) for loss in losses if np.all(np.isfinite(loss))], dtype=float)
    if not len(counts):
        raise api.NotTestableError("all runs of this claim diverged")
    return counts


@api.measured
def unstable_settings(runs: pd.DataFrame, rates: tuple[float, float], scales: tuple[float, float]) -> np.ndarray:
    """Count the settings, within the ranges of two sliders, at which the loss of at least one run rises or diverges.

    Increases of up to a millionth of the initial loss are rounding.

    rates, scales: the ends of the sliders.
    """
    within = runs[runs["learning_rate"].between(*rates) & runs["scale"].between(*scales)]
    losses = _curves(within, "train_loss")
    stable = np.all(np.diff(losses) <= 1e-6 * losses[:, :1], axis=1)
    return np.array([api.run_index(within).droplevel("seed")[~stable].nunique()], dtype=float)


def _on_plateau(runs: pd.DataFrame, number: int, metric: str, index: int = 0) -> np.ndarray:
    """Measure a metric in the middle of a plateau of the loss.

    number: the number of drops before the plateau; with 4, the last update is used.
    """
    values = _curves(runs, metric, index=index)

    def middle(run: int, plateaus: np.ndarray, _: np.ndarray) -> float:
        return values[run, [*plateaus.sum(axis=1) // 2, -1][number]]

    return _by_run(runs, middle)


on_plateau = api.measured(_on_plateau)


@api.measured
def time_of_drop(runs: pd.DataFrame, number: int) -> np.ndarray:
    """Measure when the loss is halfway between two plateaus, in updates. number: of drops before this one."""
    before, after = (_on_plateau(runs, plateau, "train_loss") for plateau in (number, number + 1))
    return _first_crossings(-_curves(runs, "train_loss"), -(before + after) / 2)


def _time_of_prediction(runs: pd.DataFrame, level: float, *, item: int) -> np.ndarray:
    """Measure when the prediction for an item first rises above a level, or falls below a negative one, in updates."""
    sign = -1 if level < 0 else 1
    return _first_crossings(sign * _curves(runs, "illusory_prediction", index=item), abs(level))


time_of_prediction = api.measured(_time_of_prediction)


@api.measured
def mode_of_prediction(runs: pd.DataFrame, level: float, *, item: int) -> np.ndarray:
    """Measure the number, from 1, of the mode whose half time is closest to when a prediction exceeds `level`.

    Modes of one level of the tree count as one.
    """
    times, halves = _time_of_prediction(runs, level, item=item), _values_by_mode(runs, "half_time")
    of_levels = np.stack([halves[:, modes].mean(axis=1) for modes in LEVELS], axis=1)
    distances = np.abs(of_levels - times[:, np.newaxis])
    nearest = np.argmin(np.nan_to_num(distances, nan=np.inf), axis=1) + 1.0
    return np.where(np.isfinite(times), nearest, np.nan)


@api.measured
def plateau_to_drop(runs: pd.DataFrame) -> np.ndarray:
    """Measure the largest ratio of a plateau's length to that of the next drop."""

    def ratio(_: int, plateaus: np.ndarray, drops: np.ndarray) -> float:
        return (np.diff(plateaus) / np.diff(drops)).max()

    return _by_run(runs, ratio)


@api.measured
def gradient_on_plateaus(runs: pd.DataFrame) -> np.ndarray:
    """Measure the least gradient norm on a plateau as a share of the largest norm of the run.

    The result is the larger of two such shares, those on the two longest plateaus before a drop.
    """
    norms = _curves(runs, "gradient_norm")
    if np.isnan(norms).any():
        raise api.NotTestableError(
            "gradient_norm was recorded only at some updates; set record_rsm_every: 1 to record all"
        )

    def share(run: int, plateaus: np.ndarray, _: np.ndarray) -> float:
        longest = sorted(plateaus, key=lambda plateau: -np.ptp(plateau))[:2]
        return max(norms[run, start : end + 1].min() for start, end in longest) / norms[run].max()

    return _by_run(runs, share)


@api.measured
def ratio_to_unexplained(runs: pd.DataFrame) -> np.ndarray:
    """Measure the loss on an inner plateau divided by the share of squared singular values that is not learned yet.

    The result is the ratio of each run that differs most from 1.
    """
    squares = _values_by_mode(runs, "data_singular_value") ** 2
    shares = squares / squares.sum(axis=1, keepdims=True)
    found = [
        _on_plateau(runs, number, "train_loss") / shares[:, np.concatenate(LEVELS[number:])].sum(axis=1) - 1
        for number in range(1, len(LEVELS))
    ]
    return 1 + _largest_by_size(np.stack(found, axis=1))


@api.measured
def cosine_on_plateau(runs: pd.DataFrame, number: int, first: int, second: int) -> np.ndarray:
    """Measure the cosine of two items' hidden activities in the middle of a plateau of the loss."""
    pairs = ((first, second), (first, first), (second, second))
    dot, *squares = (_on_plateau(runs, number, "rsm", index=ITEMS * row + column) for row, column in pairs)
    return dot / np.sqrt(squares[0] * squares[1])


def _curves(runs: pd.DataFrame, metric: str, *, index: int = 0) -> np.ndarray:
    """Return one index of a metric at all steps, (runs, steps), NaN in runs that diverged."""
    diverged = api.run_index(runs).isin(api.run_index(api.rows_of(runs, "diverged")))
    return np.where(diverged[:, np.newaxis], np.nan, api.recordings(runs, metric)[:, :, index])


def _values_by_mode(runs: pd.DataFrame, metric: str) -> np.ndarray:
    """Return a metric of each mode, (runs, modes): the last singular values, or another metric at step 0."""
    values = api.recordings(runs, metric)[:, -1 if metric == "singular_value" else 0]
    return np.pad(values, ((0, 0), (0, ITEMS - values.shape[1])), constant_values=np.nan)


def _largest_by_size(differences: np.ndarray) -> np.ndarray:
    """Return the difference with the largest absolute value in each run, NaN if one is missing; shape (runs,)."""
    # NumPy counts NaN as the largest.
    return differences[np.arange(len(differences)), np.argmax(np.abs(differences), axis=1)]


def _first_crossings(curves: np.ndarray, levels: np.ndarray | float) -> np.ndarray:
    """Return `_first_crossing` of each run. curves: (runs, steps); levels: (runs,), or one for all."""
    return np.array([_first_crossing(*each) for each in zip(curves, np.broadcast_to(levels, len(curves)), strict=True)])


def _first_crossing(curve: np.ndarray, level: float) -> float:
    """Return the update at which a curve first reaches a level, interpolated linearly; NaN if it never does.

    curve: values after 0, 1, … updates.
    """
    after = int(np.argmax(curve >= level))
    if not curve[after] >= level:
        return np.nan
    if after == 0:
        return 0.0
    return after - 1 + (level - curve[after - 1]) / (curve[after] - curve[after - 1])


def _by_run(runs: pd.DataFrame, value: Callable[[int, np.ndarray, np.ndarray], float]) -> np.ndarray:
    """Return a value for each run, NaN unless the loss has one drop for each level of the tree.

    value: a function of the place of the run, the plateaus before the drops, and the drops; both (levels, 2), with the
    first and the last update of each.
    """
    found = []
    for run, loss in enumerate(_curves(runs, "train_loss")):
        drops = _find_drops(loss)
        plateaus = np.concatenate([[0], drops.ravel()[:-1]]).reshape(-1, 2) if len(drops) == len(LEVELS) else None
        found.append(np.nan if plateaus is None else value(run, plateaus, drops))
    return np.array(found)


def _find_drops(loss: np.ndarray) -> np.ndarray:
    """Return the first and the last update of each drop of a loss, as in `count_of_drops`; shape (drops, 2)."""
    falls = -np.diff(loss)
    if not np.all(np.isfinite(falls)) or falls.max(initial=0) <= 0:
        return np.zeros((0, 2), dtype=int)
    fast = np.concatenate([[False], falls >= falls.max() / 10, [False]])
    return np.flatnonzero(fast[1:] != fast[:-1]).reshape(-1, 2)
