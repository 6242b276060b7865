"""Measures of document 003, of each run: modes, items and weights; plateaus and drops of the loss; predictions.

The value is NaN in a run that diverged, if the measure needs its training, and in one without a mode or drop.
"""

from collections.abc import Callable
from functools import wraps

import numpy as np
import pandas as pd

from reproduce import api

ITEMS = 8
# The modes of each level of the document's tree: all items, animals and plants, their kinds, single items.
LEVELS = ([0], [1], [2, 3], [4, 5, 6, 7])


def _of_plateaus(function: Callable[..., float]) -> Callable[..., api.Measure]:
    """Turn a function of one run and the plateaus of its loss into a measure.

    plateaus: the first and the last update of each, shape (levels + 1, 2); the drops are between them.
    returns: the measure; its value is NaN unless the loss has one drop for each level of the tree.
    """

    @wraps(function)
    def of_run(run: pd.DataFrame, **arguments: object) -> float:
        loss = _curve(run, "train_loss")
        plateaus = np.concatenate([[0], _find_drops(loss).ravel(), [len(loss) - 1]]).reshape(-1, 2)
        return function(run, plateaus, **arguments) if len(plateaus) == len(LEVELS) + 1 else np.nan

    return api.each_run(of_run)


@api.each_run
def mean_of_level(run: pd.DataFrame, metric: str, level: int) -> float:
    """Measure the mean of a metric over the modes of a level of the tree."""
    return _modes(run, metric)[LEVELS[level]].mean()


@api.each_run
def wait_after_level(run: pd.DataFrame, level: int) -> float:
    """Measure the wait from the last mode of a level to the first of the next, by half times (updates)."""
    halves = _modes(run, "half_time")
    return halves[LEVELS[level + 1]].min() - halves[LEVELS[level]].max()


@api.each_run
def scatter_of_last_level(run: pd.DataFrame, metric: str) -> float:
    """Measure the range of a metric over the last level as a share of its distance from the level before."""
    last, before = (_modes(run, metric)[modes] for modes in LEVELS[:-3:-1])
    # Half times of the last level are the largest, its singular values the smallest.
    above, below = (last, before) if metric == "half_time" else (before, last)
    return np.ptp(last) / (above.min() - below.max())


@api.each_run
def largest_error(run: pd.DataFrame, metric: str, expected: str) -> float:
    """Measure the relative difference of a metric from an expected one, of the mode that differs most."""
    return _largest(_modes(run, metric) / _modes(run, expected) - 1)


@api.each_run
def scatter_of_shallow_times(run: pd.DataFrame) -> float:
    """Measure the range of the times at which singular values reach half of their final values (updates)."""
    return np.ptp([_first_crossing(curve, curve[-1] / 2) for curve in _training(run, "singular_value").to_numpy().T])


@api.each_run
def overlap_of_modes(run: pd.DataFrame, contrast: tuple[int, ...], modes: list[int]) -> float:
    """Measure the share of a contrast between items that lies in some of the final hidden modes.

    contrast: one number for each item; modes: of the final similarity matrix, from 0, strongest first.
    """
    matrix = _training(run, "rsm").to_numpy()[-1].reshape(ITEMS, ITEMS)
    vectors = np.linalg.eigh(matrix)[1][:, ::-1][:, modes]
    return np.sum((contrast @ vectors / np.linalg.norm(contrast)) ** 2)


@api.each_run
def share_of_cells(run: pd.DataFrame, picture: tuple[str, ...]) -> float:
    """Measure the share of a picture's cells ("1" for yes) that equal the recorded features."""
    cells = np.ravel([[2 * int(cell) - 1 for cell in row] for row in picture])
    return (_at_start(run, "feature") == cells).mean()


@api.each_run
def rounded_errors(run: pd.DataFrame) -> float:
    """Count the estimated weights of a regression that do not round to the true ones at one decimal."""
    return float(np.sum(np.round(_at_start(run, "estimated_weight"), 1) != _at_start(run, "true_weight")))


@api.measured
def count_of_drops(runs: pd.DataFrame) -> np.ndarray:
    """Measure how many drops the loss has; leave out runs that diverged.

    A drop is a series of updates that each lower the loss by at least a tenth of the largest fall in one update.
    """
    losses = api.recordings(api.drop_diverged(runs), "train_loss")[:, :, 0]
    return np.array([len(_find_drops(loss)) for loss in losses], dtype=float)


@api.measured
def unstable_settings(runs: pd.DataFrame, rates: tuple[float, float], scales: tuple[float, float]) -> np.ndarray:
    """Count the settings, within the ranges of two sliders, at which the loss of at least one run rises or diverges.

    Increases of up to a millionth of the initial loss are rounding.

    rates, scales: the ends of the sliders.
    """
    within = runs[runs["learning_rate"].between(*rates) & runs["scale"].between(*scales)]
    losses, every = api.recordings(within, "train_loss")[:, :, 0], api.run_index(within)
    rising = ~np.all(np.diff(losses) <= 1e-6 * losses[:, :1], axis=1)
    rising |= every.isin(api.run_index(api.rows_of(within, "diverged")))
    return np.array([every.droplevel("seed")[rising].nunique()], dtype=float)


def _on_plateau(run: pd.DataFrame, plateaus: np.ndarray, *, number: int, metric: str, index: int = 0) -> float:
    """Measure a metric in the middle of a plateau of the loss.

    number: the number of drops before the plateau; after the last drop, the last update is used.
    """
    return _curve(run, metric, index)[[*plateaus[:-1].sum(axis=1) // 2, -1][number]]


on_plateau = _of_plateaus(_on_plateau)


@_of_plateaus
def time_of_drop(run: pd.DataFrame, plateaus: np.ndarray, number: int) -> float:
    """Measure when the loss is halfway between two plateaus, in updates. number: of drops before this one."""
    before, after = (_on_plateau(run, plateaus, number=each, metric="train_loss") for each in (number, number + 1))
    return _first_crossing(-_curve(run, "train_loss"), -(before + after) / 2)


def _time_of_prediction(run: pd.DataFrame, level: float, *, item: int) -> float:
    """Measure when the prediction for an item first rises above a level, or falls below a negative one, in updates."""
    return _first_crossing(np.sign(level) * _curve(run, "illusory_prediction", item), abs(level))


time_of_prediction = api.each_run(_time_of_prediction)


@api.each_run
def mode_of_prediction(run: pd.DataFrame, level: float, *, item: int) -> float:
    """Measure the number, from 1, of the mode whose half time is closest to when a prediction exceeds `level`.

    Modes of one level of the tree count as one.
    """
    time, halves = _time_of_prediction(run, level, item=item), _modes(run, "half_time")
    distances = np.abs([halves[modes].mean() - time for modes in LEVELS])
    return np.argmin(np.nan_to_num(distances, nan=np.inf)) + 1.0 if np.isfinite(time) else np.nan


@_of_plateaus
def plateau_to_drop(run: pd.DataFrame, plateaus: np.ndarray) -> float:
    """Measure the largest ratio of a plateau's length to that of the next drop."""
    lengths = np.diff(plateaus.ravel())[:-1].reshape(-1, 2)
    return (lengths[:, 0] / lengths[:, 1]).max()


@_of_plateaus
def gradient_on_plateaus(run: pd.DataFrame, plateaus: np.ndarray) -> float:
    """Measure the least gradient norm on a plateau as a share of the largest norm of the run.

    The result is the larger of two such shares, those on the two longest plateaus before a drop.
    """
    norms, longest = _curve(run, "gradient_norm"), sorted(plateaus[:-1].tolist(), key=lambda ends: ends[0] - ends[1])
    return max(norms[start : end + 1].min() for start, end in longest[:2]) / norms.max()


@_of_plateaus
def ratio_to_unexplained(run: pd.DataFrame, plateaus: np.ndarray) -> float:
    """Measure the loss on an inner plateau divided by the share of squared singular values that is not learned yet.

    The result is the ratio that differs most from 1.
    """
    squares = _modes(run, "data_singular_value") ** 2
    shares = squares / squares.sum()
    found = [
        _on_plateau(run, plateaus, number=number, metric="train_loss") / shares[np.concatenate(LEVELS[number:])].sum()
        for number in range(1, len(LEVELS))
    ]
    return 1 + _largest(np.array(found) - 1)


@_of_plateaus
def cosine_on_plateau(run: pd.DataFrame, plateaus: np.ndarray, number: int, first: int, second: int) -> float:
    """Measure the cosine of two items' hidden activities in the middle of a plateau of the loss."""
    pairs = ((first, second), (first, first), (second, second))
    indices = (ITEMS * row + column for row, column in pairs)
    dot, *squares = (_on_plateau(run, plateaus, number=number, metric="rsm", index=index) for index in indices)
    return dot / np.sqrt(squares[0] * squares[1])


def _curve(run: pd.DataFrame, metric: str, index: int = 0) -> np.ndarray:
    """Return one index of a metric after 0, 1, … updates.

    raises: NotTestableError if it was recorded only at some of them; as `_training`
    """
    curve = _training(run, metric)[index].to_numpy()
    if len(curve) <= run["step"].max():
        raise api.NotTestableError(f"{metric} was recorded only at some updates; set record_rsm_every: 1 to record all")
    return curve


def _training(run: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the values of a metric, steps × indices; raise NotRecordedError if the run diverged."""
    finished = run if api.rows_of(run, "diverged").empty else run[:0]
    return api.by_index(api.require_rows(finished, metric))


def _at_start(run: pd.DataFrame, metric: str) -> pd.Series:
    return api.values_by_index(api.require_rows(run, metric, step=0))


def _modes(run: pd.DataFrame, metric: str) -> np.ndarray:
    """Return a metric of each mode, NaN for those without: the last singular values, or another metric at step 0."""
    values = _training(run, metric).iloc[-1] if metric == "singular_value" else _at_start(run, metric)
    return values.reindex(np.arange(ITEMS)).to_numpy()


def _largest(differences: np.ndarray) -> float:
    """Return the difference with the largest absolute value, NaN if one is missing."""
    # NumPy counts NaN as the largest.
    return differences[np.argmax(np.abs(differences))]


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


def _find_drops(loss: np.ndarray) -> np.ndarray:
    """Return the first and the last update of each drop of a loss, as in `count_of_drops`; shape (drops, 2)."""
    falls = -np.diff(loss)
    if falls.max(initial=0) <= 0:
        return np.zeros((0, 2), dtype=int)
    fast = np.concatenate([[False], falls >= falls.max() / 10, [False]])
    return np.flatnonzero(fast[1:] != fast[:-1]).reshape(-1, 2)
