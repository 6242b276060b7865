"""Measures of document 002's claims: they turn the quantities of a net into values that a criterion judges."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

import numpy as np
import pandas as pd

from deepnets.claims.measures import Measure, Tables, table_of
from deepnets.documents.propagation.diagnosis import is_pathological
from deepnets.documents.propagation.quantities import LOG_CHI, Bound, Quantity, exponents, fit_as_authors, values_of
from deepnets.documents.propagation.runs import in_one_size
from deepnets.tables.estimates import every_layer, fit_line, fitted_layers, growth_per_layer, middle_layer
from deepnets.tables.rows import runs_of
from deepnets.tables.selection import NotTestableError, Selection
from deepnets.theory.sensitivity import residual_increment

_P = ParamSpec("_P")


def _of_net(
    function: Callable[Concatenate[pd.DataFrame, _P], np.ndarray],
) -> Callable[Concatenate[Selection, _P], Measure]:
    """Turn a function of all rows of a net into a function of the net's selection that returns a measure."""

    @wraps(function)
    def measure_net(net: Selection, *args: _P.args, **wanted: _P.kwargs) -> Measure:
        def compute(tables: Tables) -> np.ndarray:
            table = table_of(tables, net)
            return function(in_one_size(net, table).rows(table), *args, **wanted)

        return Measure(compute, net)

    return measure_net


@_of_net
def at_layer(rows: pd.DataFrame, quantity: Quantity, layer: int) -> np.ndarray:
    """Measure a quantity after a layer, in each simulation. A negative layer counts from the last recorded one."""
    return _row_at(quantity(rows), layer)


@_of_net
def over_layers(rows: pd.DataFrame, quantity: Quantity, reduce: Callable) -> np.ndarray:
    """Reduce a quantity to one number per simulation, over all recorded layers from layer 1 on."""
    table = quantity(rows).loc[1:]
    # A simulation that ended early lacks later layers: its number is NaN.
    return np.where(table.isna().any(), np.nan, reduce(table, axis=0))


@_of_net
def over_bound(rows: pd.DataFrame, quantity: Quantity, bound: float | Bound, *, upper: bool = False) -> np.ndarray:
    """Measure quantity / bound, at the layer whose mean is inside the bound by the fewest standard errors."""
    table = quantity(rows).loc[1:]
    ratios = table.div(bound if isinstance(bound, int | float) else bound(rows).loc[table.index], axis=0)
    # With one simulation there is no standard error: use the distance itself.
    errors = (ratios.std(axis=1) / np.sqrt(ratios.notna().sum(axis=1))).fillna(1).clip(lower=1e-12)
    distances = (ratios.mean(axis=1) - 1) / errors
    return ratios.loc[(-distances if upper else distances).idxmin()].to_numpy()


@_of_net
def is_within(rows: pd.DataFrame, quantity: Quantity, least: float, greatest: float) -> np.ndarray:
    """Measure whether a quantity lies between two bounds, in each layer and simulation: 1 or 0."""
    values = quantity(rows).loc[1:].to_numpy().ravel()
    # NaN counts as outside.
    return 1.0 * ((values >= least) & (values <= greatest))


@_of_net
def growth(rows: pd.DataFrame, quantity: Quantity, *, half: int) -> np.ndarray:
    """Measure the growth of a quantity per layer, over the first (1) or the second (2) half of the depth."""
    table = quantity(rows)
    layers, middle = table.index.to_numpy(), middle_layer(table.index)
    start, end = (layers.min(), middle) if half == 1 else (middle, layers.max())
    if start == end:
        raise NotTestableError("the config records too few layers of this net to halve its depth")
    return growth_per_layer(table, start, end).to_numpy()


@_of_net
def preference_for_power(rows: pd.DataFrame) -> np.ndarray:
    """Measure ln(error of an exponential / error of a power law), each fitted to ln χ of one simulation.

    An error is the root mean square over recorded layers from a tenth of the depth on. If the result is positive, the
    power law fits better.
    """
    table = LOG_CHI(rows)
    table = table.loc[fitted_layers(table.index)]
    if len(table) < 3:
        raise NotTestableError("the config records too few layers of this net to compare laws of growth")
    layers = table.index.to_numpy(float)
    exponential, power = (_error_of_line(against, table.to_numpy()) for against in (layers, np.log(layers)))
    return np.log(exponential / power)


def _error_of_line(against: np.ndarray, values: np.ndarray) -> np.ndarray:
    design = np.stack([against, np.ones(len(against))], axis=1)
    residuals = values - design @ (np.linalg.pinv(design) @ values)
    return np.sqrt(np.mean(residuals**2, axis=0))


@_of_net
def distance_from_power_law(rows: pd.DataFrame) -> np.ndarray:
    """Measure the largest distance over units of mean χ from C·l^τ, fitted as the authors do."""
    chi, increments = (values_of(metric)(rows).loc[1:].mean(axis=1) for metric in ("chi", "delta_chi_layer"))
    exponent, factor = fit_as_authors(chi, increments)
    units = every_layer(chi)
    return np.array([(units - factor * units.index.to_numpy(float) ** exponent).abs().max()])


@_of_net
def slope_against_depth(rows: pd.DataFrame, quantity: Quantity) -> np.ndarray:
    """Measure the least-squares slope of a quantity against ln(l + 1), in each simulation."""
    table = quantity(rows).loc[1:]
    if len(table) < 2:
        raise NotTestableError("the config records too few layers of this net for a slope")
    return fit_line(np.log(table.index.to_numpy(float) + 1), table.to_numpy())[0]


@_of_net
def values_where(
    rows: pd.DataFrame, quantity: Quantity, condition: Quantity, least: float, greatest: float
) -> np.ndarray:
    """Measure a quantity at all layers and simulations where the condition lies between two bounds."""
    values = quantity(rows).loc[1:]
    other = condition(rows).loc[values.index]
    found = values.to_numpy()[((other >= least) & (other <= greatest)).to_numpy()]
    if not len(found):
        raise NotTestableError("no layer of this net meets the condition")
    return found


@_of_net
def crossing(rows: pd.DataFrame, falling: Quantity, rising: Quantity) -> np.ndarray:
    """Measure the first layer, interpolated, at which the mean of a falling quantity crosses that of a rising one."""
    lead = (falling(rows) - rising(rows)).loc[1:].mean(axis=1)
    crossed = np.flatnonzero((lead.to_numpy()[1:] < 0) & (lead.to_numpy()[:-1] >= 0))
    if not len(crossed):
        return np.array([np.nan])
    around = lead.iloc[crossed[0] : crossed[0] + 2]
    return np.array([np.interp(0, -around, around.index)])


@_of_net
def squared_scatter(rows: pd.DataFrame, quantity: Quantity, layer: int) -> np.ndarray:
    """Measure the squared deviation of each simulation from the mean, scaled so that its mean is the variance."""
    values = _row_at(quantity(rows), layer)
    return (values - values.mean()) ** 2 * len(values) / max(len(values) - 1, 1)


@_of_net
def cosine_with_mean(rows: pd.DataFrame) -> np.ndarray:
    """Measure the cosine between each recorded point of the last layer and the mean, in the recorded plane."""
    points = runs_of(rows, metric=("cloud_signal_1", "cloud_signal_2"))
    if points.empty:
        raise NotTestableError("the config records no points of this net: set cloud_depths")
    last = runs_of(points, step=points["step"].max()).sort_values(["seed", "index"])
    along, orthogonal = (runs_of(last, metric=f"cloud_signal_{axis}")["value"].to_numpy() for axis in (1, 2))
    return along / np.hypot(along, orthogonal)


@_of_net
def exponent_of_product(rows: pd.DataFrame) -> np.ndarray:
    """Measure (exponent of the product of bounds between units 100 and 500) / τ, for the least and the greatest τ."""
    of_units = exponents(rows)
    ratios = []
    for exponent in (of_units.min(), of_units.max()):
        logs = np.cumsum(np.log(residual_increment(np.arange(1, 501), exponent)))
        ratios.append((logs[499] - logs[99]) / np.log(5) / exponent)
    return np.array(ratios)


@_of_net
def contradicts(rows: pd.DataFrame, *, stated: bool) -> np.ndarray:
    """Measure whether a net has a pathology though none is stated, or none though one is stated: 1 or 0."""
    return np.array([float(is_pathological(rows) != stated)])


def _row_at(table: pd.DataFrame, layer: int) -> np.ndarray:
    if layer < 0:
        return table.iloc[layer].to_numpy()
    if layer not in table.index:
        raise NotTestableError(f"the config records no layer {layer} of this net")
    return table.loc[layer].to_numpy()
