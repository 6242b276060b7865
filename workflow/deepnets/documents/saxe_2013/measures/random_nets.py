from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.stats import kurtosis

from deepnets.documents.saxe_2013.printed import BIN_WIDTH
from deepnets.documents.saxe_2013.random_nets import distance_from_law
from deepnets.documents.saxe_2013.runs import GAUSSIAN, VARIANCES
from deepnets.theory import random_products, tanh_variance
from reproduce import api

# Eigenvalues are in the bin around the origin if their real and imaginary parts are both below half of the bin's width.
_HALF_BIN = BIN_WIDTH / 2


def measure_each_run(
    selection: api.Selection, metric: str, function: Callable[[pd.DataFrame], float | np.ndarray]
) -> api.Measure:
    """Measure a function of a metric's rows in each run; NaN if a run diverged before it recorded the metric."""

    def apply(runs: pd.DataFrame) -> np.ndarray:
        recorded = [_rows_of_run(run, metric) for run in api.split_runs(runs)]
        return np.hstack([function(rows) if len(rows) else np.nan for rows in recorded])

    return api.measure(apply, selection)


def distances_from_singular_value_law(depth: int) -> api.Measure:
    """Measure the Kolmogorov–Smirnov distance of singular values from their law, times N."""

    def measure_run(rows: pd.DataFrame) -> float:
        shares = random_products.log_singular_value_shares(rows["value"].to_numpy(), depth)
        return _axis_value(rows, "size") * distance_from_law(shares)

    return measure_each_run(GAUSSIAN.but(depth=depth), "log_singular_value", measure_run)


def distances_from_the_disc(runs: pd.DataFrame) -> np.ndarray:
    """Return, for each run, the Kolmogorov–Smirnov distance of the eigenvalues' moduli from their law, times √N."""
    found = []
    for run in api.split_runs(runs):
        shares = random_products.eigenvalue_shares(_moduli(run).to_numpy(), 1)
        found.append(np.sqrt(_axis_value(run, "size")) * distance_from_law(shares))
    return np.array(found)


def mean_squares(depth: int) -> api.Measure:
    """Measure the mean of σ² of each product."""
    return _of_each_net(GAUSSIAN.but(depth=depth), lambda values: (values**2).mean())


def shares_near_0(depth: int) -> api.Measure:
    """Measure the share of singular values below half of the bin's width, for each product."""
    return _of_each_net(GAUSSIAN.but(depth=depth), lambda values: (values < _HALF_BIN).mean())


def largest_singular_values(selection: api.Selection) -> api.Measure:
    """Measure the largest singular value of each net."""
    return _of_each_net(selection, lambda values: values.max())


def kurtoses(depth: int) -> api.Measure:
    """Measure the kurtosis of all singular values of each run. A normal variable has the kurtosis 3."""
    products = GAUSSIAN.but(depth=depth)
    return measure_each_run(products, "singular_value", lambda rows: kurtosis(rows["value"], fisher=False))


def shares_at_origin(depth: int) -> api.Measure:
    """Measure the percentage of eigenvalues in the bin around the origin, for each product."""

    def compute(runs: pd.DataFrame) -> np.ndarray:
        found = []
        for run in api.split_runs(runs):
            real, imaginary = (
                api.values_by_index(_rows_of_run(run, f"eigenvalue_{part}")).abs() for part in ("real", "imag")
            )
            inside = (real < _HALF_BIN) & (imaginary < _HALF_BIN)
            found.append(100 * inside.groupby(inside.index // _axis_value(run, "size")).mean().to_numpy())
        return np.concatenate(found)

    return api.measure(compute, GAUSSIAN.but(depth=depth))


def shares_near_1(selection: api.Selection) -> api.Measure:
    """Measure the share of singular values from 0.1 to 10, for each net."""
    return _of_each_net(selection, lambda values: values.between(0.1, 10).mean())


def spreads(selection: api.Selection) -> api.Measure:
    """Measure the standard deviation of ln σ, for each net."""
    return _of_each_net(selection, lambda values: values.std(ddof=0), "log_singular_value")


def last_variances(selection: api.Selection) -> api.Measure:
    """Measure the variances of activities after the last layer."""

    def take_last(rows: pd.DataFrame) -> np.ndarray:
        return rows.loc[rows["step"] == rows["depth"], "value"].to_numpy()

    return measure_each_run(selection, "variance", take_last)


def ratios_to_map(runs: pd.DataFrame) -> np.ndarray:
    """Return the variance after one layer, divided by the map; for each net, the mean over inputs."""
    pairs = [_variances_after(run, 1) for run in api.split_runs(runs)]
    ratios = [after / tanh_variance.next_variance(inputs, 1) for inputs, after in pairs]
    return np.concatenate([each.mean(axis=1) for each in ratios])


def ratios_to_fixed_point(gain: float) -> api.Measure:
    """Measure the variance after the last layer, divided by the fixed point; for each net, the mean over inputs."""

    def compute(runs: pd.DataFrame) -> np.ndarray:
        ends = [_variances_after(run, _axis_value(run, "depth"))[1] for run in api.split_runs(runs)]
        return np.concatenate([after.mean(axis=1) for after in ends]) / tanh_variance.fixed_point(gain)

    return api.measure(compute, VARIANCES.but(gain=gain))


def _of_each_net(
    selection: api.Selection, function: Callable[[pd.Series], float], metric: str = "singular_value"
) -> api.Measure:
    """Measure a function of the singular values of each net."""

    def measure_nets(rows: pd.DataFrame) -> np.ndarray:
        return rows.groupby(rows["index"] // _axis_value(rows, "size"))["value"].agg(function).to_numpy()

    return measure_each_run(selection, metric, measure_nets)


def _rows_of_run(run: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the rows of one metric of a run; none if the run diverged before it recorded the metric."""
    return api.require_rows(run, metric) if api.divergence_steps(run).empty else api.rows_of(run, metric)


def _axis_value(rows: pd.DataFrame, axis: str) -> int:
    return int(rows[axis].iloc[0])


def _moduli(run: pd.DataFrame) -> pd.Series:
    real, imaginary = (api.values_by_index(_rows_of_run(run, f"eigenvalue_{part}")) for part in ("real", "imag"))
    return (real**2 + imaginary**2) ** 0.5


def _variances_after(run: pd.DataFrame, layer: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the variances of the inputs, of shape (inputs,), and after a layer, of shape (nets, inputs)."""
    inputs = api.values_by_index(_rows_of_run(run, "input_variance")).to_numpy()
    after = api.values_by_index(api.runs_of(_rows_of_run(run, "variance"), step=layer)).to_numpy()
    return inputs, after.reshape(-1, len(inputs))
