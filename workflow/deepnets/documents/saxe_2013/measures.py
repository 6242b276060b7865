"""Measures of claims: of learning times by the number of layers, of modes, and of random nets."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.stats import kurtosis

from deepnets.documents.saxe_2013.quantities import correlation_coefficients, off_diagonal, relative_delays
from deepnets.documents.saxe_2013.random_nets import distance_from_law
from deepnets.documents.saxe_2013.runs import BIN_WIDTH, DECOUPLED_TREE
from deepnets.theory import random_products, tanh_variance
from reproduce import api


@api.measured
def mean_ratio(above: pd.DataFrame, below: pd.DataFrame) -> np.ndarray:
    """Measure the ratio of two kinds of nets' learning times, as a geometric mean over depths, for each seed."""
    above, below = (_by_depth(each, "learning_time") for each in (above, below))
    if not (above.index.equals(below.index) and above.columns.equals(below.columns)):
        raise api.NotTestableError("the two kinds of nets differ in depths or in seeds")
    return (above / below).apply(np.log).mean(skipna=False).apply(np.exp).to_numpy()


@api.measured
def largest_ratio(times: pd.DataFrame, of_one_net: pd.DataFrame) -> np.ndarray:
    """Measure learning times divided by those of one net at each depth, for each seed the largest ratio."""
    times, one = _by_depth(times, "learning_time"), _by_depth(of_one_net, "learning_time").iloc[:, 0]
    return times.div(one, axis=0).loc[times.index.intersection(one.index)].max(skipna=False).to_numpy()


@api.measured
def exponent_over_layers(runs: pd.DataFrame, metric: str) -> np.ndarray:
    """Measure the exponent of a metric as a power of the number of layers, for each net."""
    values = _by_depth(runs, metric)
    return api.fit_power_law(values.index.to_numpy() + 1, values)[0]


def _by_depth(runs: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the value of a metric in each run, of shape (depths, seeds); NaN if there is none."""
    depths, seeds = (sorted(runs[axis].unique()) for axis in ("depth", "seed"))
    return api.by_seed(api.require_rows(runs, metric), down="depth").reindex(index=depths, columns=seeds)


@api.measured
def correlation_off_diagonal(runs: pd.DataFrame, metric: str) -> np.ndarray:
    """Measure the root mean square of the inputs' correlation coefficients off the diagonal."""
    return np.array([np.sqrt(np.mean(off_diagonal(correlation_coefficients(runs, metric)) ** 2))])


@api.each_run
def in_plane(run: pd.DataFrame, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Measure a function of the strengths a and b, both of shape (steps, starts)."""
    return function(*(api.recordings(run, f"{layer}_layer")[0] for layer in ("first", "second")))


@api.each_run
def furthest_half_time(run: pd.DataFrame, theory: str) -> float:
    """Measure |half time / theory's half time − 1| of the mode for which it is largest."""
    expected = api.values_by_index(api.require_rows(run, theory))
    ratios = api.values_by_index(api.rows_of(run, "half_time")).reindex(expected.index) / expected
    return (ratios - 1).abs().max(skipna=False)


@api.measured
def delays_in_steps(runs: pd.DataFrame) -> np.ndarray:
    """Measure the delays of half times of decoupled modes, in units of ηs."""
    delays = relative_delays(runs)
    units = DECOUPLED_TREE["learning_rate"] * _constants(runs, "data_singular_value").reindex(delays.index)
    return delays.div(units, axis=0).to_numpy().ravel()


@api.measured
def mean_delay(runs: pd.DataFrame) -> np.ndarray:
    """Measure the delay of half times divided by theory's half time, as a mean over the modes of each net."""
    return relative_delays(runs).mean(skipna=False).to_numpy()


@api.measured
def exponent_of_times(runs: pd.DataFrame) -> np.ndarray:
    """Measure the exponent of the half time as a power of s, for each linear net."""
    times = (relative_delays(runs) + 1).mul(_constants(runs, "theory_half_time"), axis=0)
    return api.fit_power_law(_constants(runs, "data_singular_value").reindex(times.index), times)[0]


@api.measured
def rise(runs: pd.DataFrame) -> np.ndarray:
    """Measure the time from 10 to 90 % of s over that of the plateau before, as a mean over modes; NaN without a mode."""
    shares = _shares_of_modes(runs)
    start, end = ((shares >= bound).idxmax(axis=1).where((shares >= bound).any(axis=1)) for bound in (0.1, 0.9))
    return ((end - start) / start).groupby("run").mean(skipna=False).to_numpy()


@api.measured
def distance_from_the_optimum(runs: pd.DataFrame) -> np.ndarray:
    """Measure the largest relative error of the recorded final strengths, for each net."""
    return (_shares_of_modes(runs).ffill(axis=1).iloc[:, -1] - 1).abs().groupby("run").max(skipna=False).to_numpy()


def _shares_of_modes(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the strengths of modes divided by s: a row per run and mode, a column per step."""
    strengths = api.labelled(runs, "mode_strength").unstack("step")
    modes = strengths.index.get_level_values("index")
    return strengths.div(_constants(runs, "data_singular_value").reindex(modes).to_numpy(), axis=0)


def _constants(runs: pd.DataFrame, metric: str) -> pd.Series:
    """Return the values, by mode, of a metric that is the same in all runs because it depends only on the data."""
    return api.values_by_index(api.rows_of(api.first_seed(runs), metric))


@api.each_run
def of_each_net(
    run: pd.DataFrame, function: Callable[[pd.Series], float], metric: str = "singular_value"
) -> np.ndarray:
    """Measure a function of the singular values of each net of a run."""
    rows = api.require_rows(run, metric)
    return rows["value"].groupby(rows["index"] // _axis(run, "size")).agg(function).to_numpy()


@api.each_run
def kurtoses(run: pd.DataFrame) -> float:
    """Measure the kurtosis of all singular values of each run. A normal variable has the kurtosis 3."""
    return kurtosis(api.require_rows(run, "singular_value")["value"], fisher=False)


@api.each_run
def distance_from_singular_value_law(run: pd.DataFrame) -> float:
    """Measure the Kolmogorov–Smirnov distance of singular values from their law, times N."""
    logs = api.require_rows(run, "log_singular_value")["value"].to_numpy()
    return _axis(run, "size") * distance_from_law(random_products.log_singular_value_shares(logs, _axis(run, "depth")))


@api.each_run
def distance_from_the_disc(run: pd.DataFrame) -> float:
    """Measure the Kolmogorov–Smirnov distance of the eigenvalues' moduli from their law, times √N."""
    real, imaginary = _eigenvalues(run)
    shares = random_products.eigenvalue_shares(np.asarray(np.hypot(real, imaginary)), 1)
    return np.sqrt(_axis(run, "size")) * distance_from_law(shares)


@api.each_run
def share_at_origin(run: pd.DataFrame) -> np.ndarray:
    """Measure the percentage of eigenvalues in the bin around the origin, for each product."""
    real, imaginary = (each.abs() < BIN_WIDTH / 2 for each in _eigenvalues(run))
    return 100 * (real & imaginary).groupby(real.index // _axis(run, "size")).mean().to_numpy()


def _eigenvalues(run: pd.DataFrame) -> list[pd.Series]:
    """Return the real and the imaginary parts."""
    return [api.values_by_index(api.require_rows(run, f"eigenvalue_{part}")) for part in ("real", "imag")]


@api.each_run
def last_variances(run: pd.DataFrame) -> np.ndarray:
    """Measure the variances of activities after the last layer."""
    return api.require_rows(run, "variance", step=_axis(run, "depth"))["value"].to_numpy()


@api.each_run
def ratio_to_map(run: pd.DataFrame) -> np.ndarray:
    """Measure the variance after one layer, divided by the map; for each net, the mean over inputs."""
    inputs, after = _variances_after(run, 1)
    return (after / tanh_variance.next_variance(inputs, 1)).mean(axis=1)


@api.each_run
def ratio_to_fixed_point(run: pd.DataFrame) -> np.ndarray:
    """Measure the variance after the last layer, divided by the fixed point; for each net, the mean over inputs."""
    return _variances_after(run, _axis(run, "depth"))[1].mean(axis=1) / tanh_variance.fixed_point(run["gain"].iloc[0])


def _variances_after(run: pd.DataFrame, layer: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the variances of the inputs, of shape (inputs,), and after a layer, of shape (nets, inputs)."""
    inputs = api.values_by_index(api.require_rows(run, "input_variance")).to_numpy()
    return inputs, api.values_by_index(api.require_rows(run, "variance", step=layer)).to_numpy().reshape(
        -1, len(inputs)
    )


def _axis(run: pd.DataFrame, name: str) -> int:
    return int(run[name].iloc[0])
