import numpy as np
import pandas as pd

from deepnets.documents.saxe_2013.correlations import correlation_coefficients, off_diagonal
from deepnets.documents.saxe_2013.runs import (
    DECOUPLED,
    GAUSSIAN_NETS,
    INPUTS,
    ORTHOGONAL_NETS,
    PRETRAINED_NETS,
    with_layers,
)
from reproduce import api


def time_of(selection: api.Selection) -> api.Measure:
    """Measure learning times in updates. The time is NaN if a net has not learned."""
    return api.final(selection, "learning_time")


def time_or_end(selection: api.Selection) -> api.Measure:
    """Measure learning times in updates. For a net that has not learned, the run's last update is a lower bound."""
    return api.time_or_end(selection, "learning_time")


def time_ratio(shallow: int, deep: int, selection: api.Selection) -> api.Measure:
    """Measure the learning time at one number of layers, divided by that at a smaller one."""
    return time_of(with_layers(selection, deep)) / time_of(with_layers(selection, shallow))


def slope_between(shallow: int, deep: int, selection: api.Selection) -> api.Measure:
    """Measure the mean increase of the learning time between two numbers of layers, in updates per layer."""
    growth = time_of(with_layers(selection, deep)) - time_of(with_layers(selection, shallow))
    return growth / (deep - shallow)


def gap(layers: int) -> api.Measure:
    """Measure the learning time of Gaussian nets, which may be a lower bound, divided by that of orthogonal nets."""
    return time_or_end(with_layers(GAUSSIAN_NETS, layers)) / time_of(with_layers(ORTHOGONAL_NETS, layers))


def gain_in_steps(start: api.Selection, pretrained: api.Selection, step: float) -> api.Measure:
    """Measure the gain by pretraining, its own updates included: the number of whole factors `step` in the ratio."""
    # Layers are pretrained one after another, so their updates add up.
    ratio = time_or_end(start) / (time_of(pretrained) + api.total(pretrained, "pretraining_updates"))
    return ratio.apply(lambda ratios: np.trunc(np.log(ratios) / np.log(step)))


def mean_over_depths(numerator: api.Selection, denominator: api.Selection) -> api.Measure:
    """Measure the ratio of two kinds of nets' learning times, as a geometric mean over depths, for each seed."""

    def compute(*runs: pd.DataFrame) -> np.ndarray:
        above, below = (_read_by_depth(each, "learning_time") for each in runs)
        seeds, theirs = (each.columns.get_level_values("seed") for each in (above, below))
        if not (above.index.equals(below.index) and seeds.equals(theirs)):
            raise api.NotTestableError("the two kinds of nets differ in depths or in seeds")
        return np.exp(np.log(above.to_numpy() / below.to_numpy()).mean(axis=0))

    return api.measure(compute, numerator, denominator)


def largest_over_decoupled() -> api.Measure:
    """Measure learning times of pretrained nets divided by those of decoupled nets, for each seed the largest ratio."""

    def divide(*runs: pd.DataFrame) -> np.ndarray:
        pretrained, decoupled = (_read_by_depth(each, "learning_time") for each in runs)
        both = pretrained.index.intersection(decoupled.index)
        return pretrained.loc[both].div(decoupled.loc[both].iloc[:, 0], axis=0).max(skipna=False).to_numpy()

    return api.measure(divide, PRETRAINED_NETS, DECOUPLED)


def exponent_over_layers(metric: str, selection: api.Selection) -> api.Measure:
    """Measure the exponent of a metric as a power of the number of layers, for each net."""

    def fit(runs: pd.DataFrame) -> np.ndarray:
        values = _read_by_depth(runs, metric)
        if len(values) < 2:
            raise api.NotTestableError("the config contains only one depth of learning_time; a trend needs two")
        return api.fit_power_law(values.index.to_numpy() + 1, values)[0]

    return api.measure(fit, selection)


def need_runs(values: api.Measure, reason: str) -> api.Measure:
    """Return the same measure; without its runs, the reason says which runs it needs."""

    def compute(tables: api.Tables) -> np.ndarray:
        try:
            return values(tables)
        except api.NotTestableError:
            raise api.NotTestableError(reason) from None

    return api.Measure(compute, *values.selections)


def correlation_off_diagonal(metric: str) -> api.Measure:
    """Measure the root mean square of the inputs' correlation coefficients off the diagonal."""

    def measure_root(runs: pd.DataFrame) -> np.ndarray:
        coefficients = correlation_coefficients(runs, metric)
        return np.array([np.sqrt(np.mean(off_diagonal(coefficients) ** 2))])

    return api.measure(measure_root, INPUTS)


def _read_by_depth(runs: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the last recorded value of a metric in each run, of shape (depths, nets); NaN if there is none."""
    depths, nets = sorted(runs["depth"].unique()), api.run_index(runs.drop(columns="depth"))
    return api.by_run(api.require_rows(runs, metric), down="depth").reindex(index=depths, columns=nets)
