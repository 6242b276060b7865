from collections.abc import Callable

import numpy as np
import pandas as pd

from deepnets.documents.saxe_2013.half_times import relative_delays
from deepnets.documents.saxe_2013.runs import DECOUPLED_TREE, LINEAR_TREE, MNIST_MODES, PLANE
from reproduce import api

_LAYERS = ("first_layer", "second_layer")
# The rise of a mode is its growth from 10 % to 90 % of its singular value.
_RISE_BOUNDS = (0.1, 0.9)


def apply_in_plane(function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> api.Measure:
    """Measure a function of the strengths a and b, both of shape (steps, starts), in each run."""

    def apply(runs: pd.DataFrame) -> np.ndarray:
        strengths = (
            (api.by_index(api.require_rows(run, metric)).to_numpy() for metric in _LAYERS)
            for run in api.split_runs(runs)
        )
        return np.concatenate([function(*each) for each in strengths])

    return api.measure(apply, PLANE)


def largest_change_of_hyperbola(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the largest change of a² − b² from each start."""
    conserved = first**2 - second**2
    return np.abs(conserved - conserved[0]).max(axis=0)


def furthest_half_times(theory: str) -> api.Measure:
    """Measure |half time / theory's half time − 1| of the mode of MNIST for which it is largest, for each net."""

    def compute(runs: pd.DataFrame) -> np.ndarray:
        return np.array([(each - 1).abs().max(skipna=False) for each in _half_time_ratios(runs, theory)])

    return api.measure(compute, MNIST_MODES)


def delays_in_steps() -> api.Measure:
    """Measure the delays of half times of decoupled modes, in units of ηs."""

    def compute(runs: pd.DataFrame) -> np.ndarray:
        delays = relative_delays(runs)
        singular_values = _read_constants(runs, "data_singular_value").reindex(delays.index)
        return delays.div(DECOUPLED_TREE["learning_rate"] * singular_values, axis=0).to_numpy().ravel()

    return api.measure(compute, DECOUPLED_TREE)


def mean_delays(selection: api.Selection) -> api.Measure:
    """Measure the delay of half times divided by theory's half time, as a mean over the modes of each net."""
    return api.measure(lambda runs: relative_delays(runs).mean(skipna=False).to_numpy(), selection)


def rises(runs: pd.DataFrame) -> np.ndarray:
    """Return the duration of a mode's rise divided by that of the plateau before, as a mean over each net's modes.

    The value is NaN if a net has not learned a mode. Each run records the modes of its first net only.
    """
    singular_values = _read_constants(runs, "data_singular_value")
    found = []
    for run in api.split_runs(runs):
        strengths = api.by_index(api.require_rows(run, "mode_strength"))
        shares = strengths / singular_values.reindex(strengths.columns)
        starts, ends = ((shares >= bound).idxmax().where((shares >= bound).any()) for bound in _RISE_BOUNDS)
        found.append(((ends - starts) / starts).mean(skipna=False))
    return np.array(found)


def distances_from_the_optimum(runs: pd.DataFrame) -> np.ndarray:
    """Return the largest relative error of the recorded final strengths, for each net."""
    singular_values = _read_constants(runs, "data_singular_value")
    ends = (api.by_index(api.require_rows(run, "mode_strength")).iloc[-1] for run in api.split_runs(runs))
    return np.array([(end / singular_values.reindex(end.index) - 1).abs().max(skipna=False) for end in ends])


def exponents_of_times() -> api.Measure:
    """Measure the exponent of the half time as a power of s, for each linear net."""

    def fit(runs: pd.DataFrame) -> np.ndarray:
        times = (relative_delays(runs) + 1).mul(_read_constants(runs, "theory_half_time"), axis=0)
        return api.fit_power_law(_read_constants(runs, "data_singular_value").reindex(times.index), times)[0]

    return api.measure(fit, LINEAR_TREE)


def _half_time_ratios(runs: pd.DataFrame, theory: str) -> list[pd.Series]:
    """Return, for each run and mode, half time / theory's half time; NaN for modes that do not reach half of s."""
    found = []
    for run in api.split_runs(runs):
        expected = api.values_by_index(api.rows_of(run, theory))
        expected = expected[np.isfinite(expected)]
        if expected.empty:
            raise api.NotTestableError(f"the runs recorded no {theory}")
        found.append(api.values_by_index(api.rows_of(run, "half_time")).reindex(expected.index) / expected)
    return found


def _read_constants(runs: pd.DataFrame, metric: str) -> pd.Series:
    """Return the values, by mode, of a metric that is the same in all runs because it depends only on the data."""
    return api.values_by_index(api.rows_of(api.first_seed(runs), metric))
