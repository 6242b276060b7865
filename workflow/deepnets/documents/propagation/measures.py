from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import pandas as pd

from deepnets.documents.propagation import quantities
from deepnets.documents.propagation.diagnosis import severities
from deepnets.documents.propagation.quantities import Bound, Quantity
from deepnets.documents.propagation.runs import in_one_size
from reproduce import api


def _of_net(function: Callable[..., Any]) -> Callable[..., api.Measure]:
    """Turn a function of all rows of a net into a function of the net's selection that returns a measure."""

    @wraps(function)
    def measure_net(net: api.Selection, *args: object, **wanted: object) -> api.Measure:
        def compute(tables: api.Tables) -> np.ndarray | api.Estimate:
            table = api.table_of(tables, net)
            return function(in_one_size(net, table).rows(table), *args, **wanted)

        return api.Measure(compute, net)

    return measure_net


@_of_net
def at_layer(rows: pd.DataFrame, quantity: Quantity, layer: int) -> np.ndarray:
    """Measure a quantity after a layer, in each simulation. A negative layer counts from the last recorded one."""
    return _row_at(quantity(rows), layer)


@_of_net
def at_end(rows: pd.DataFrame, quantity: Quantity) -> np.ndarray:
    """Measure the mean of a quantity over the recorded layers of the last fifth of the depth, in each simulation."""
    table = quantity(rows)
    layers = table.index.to_numpy()
    return table[layers >= 0.8 * layers.max()].mean(skipna=False).to_numpy()


@_of_net
def over_layers(rows: pd.DataFrame, quantity: Quantity, reduce: Callable) -> np.ndarray:
    """Reduce a quantity to one number per simulation, over all recorded layers from layer 1 on."""
    table = quantity(rows).loc[1:]
    # A simulation that ended early lacks later layers: its number is NaN.
    return np.where(table.isna().any(), np.nan, reduce(table, axis=0))


@_of_net
def over_bound(
    rows: pd.DataFrame, quantity: Quantity, bound: float | Bound, *, upper: bool = False, layers: int = 10
) -> np.ndarray:
    """Measure quantity / bound in each simulation, at the layers where its mean over simulations is least (greatest).

    upper: greatest; layers: the number of neighbouring recorded layers over which we take means. The theory bounds
    expectations, and the least value of a single simulation is below its expectation.
    """
    table = quantity(rows).loc[1:]
    ratios = table.div(bound if isinstance(bound, int | float) else bound(rows).loc[table.index], axis=0)
    means = ratios.rolling(min(layers, len(ratios))).mean()
    over_nets = means.mean(axis=1)
    closest = means.loc[over_nets.idxmax() if upper else over_nets.idxmin()]
    return closest.where(ratios.notna().all()).to_numpy()


@_of_net
def growth(rows: pd.DataFrame, quantity: Quantity, *, half: int) -> np.ndarray:
    """Measure the growth of a quantity per layer, over the first (1) or the second (2) half of the depth."""
    table = quantity(rows)
    layers, middle = table.index.to_numpy(), quantities.middle_layer(table.index)
    start, end = (layers.min(), middle) if half == 1 else (middle, layers.max())
    if start == end:
        raise api.NotTestableError("too few layers of this net were recorded to halve its depth")
    return quantities.growth_per_layer(table, start, end).to_numpy()


@_of_net
def slope(
    rows: pd.DataFrame,
    quantity: Quantity,
    *,
    against: Callable[[np.ndarray], np.ndarray] = np.asarray,
    start: float = 0,
) -> np.ndarray:
    """Measure the least-squares slope of a quantity against a function of depth, in each simulation.

    start: the share of the depth from which on layers count, layer 0 excepted.
    """
    table = _fitted(quantity(rows), start)
    return api.fit_line(against(table.index.to_numpy(float)), table.to_numpy())[0]


@_of_net
def preference_for_power(rows: pd.DataFrame) -> np.ndarray:
    """Measure ln(error of an exponential / error of a power law), each fitted to ln χ of one simulation.

    An error is the root mean square over recorded layers from a tenth of the depth on. If the result is positive, the
    power law fits better.
    """
    table = _fitted(quantities.LOG_CHI(rows))
    layers = table.index.to_numpy(float)
    exponential, power = (_error_of_line(against, table.to_numpy()) for against in (layers, np.log(layers)))
    return np.log(exponential / power)


def _fitted(table: pd.DataFrame, start: float = quantities.TRANSIENT) -> pd.DataFrame:
    """Return the layers to which laws of growth are fitted."""
    table = table.loc[quantities.fitted_layers(table.index, start)]
    if len(table) < 3:
        raise api.NotTestableError("too few layers of this net were recorded to fit laws of growth")
    return table


def _error_of_line(against: np.ndarray, values: np.ndarray) -> np.ndarray:
    design = np.stack([against, np.ones(len(against))], axis=1)
    residuals = values - design @ (np.linalg.pinv(design) @ values)
    return np.sqrt(np.mean(residuals**2, axis=0))


@_of_net
def distance_from_power_law(rows: pd.DataFrame) -> np.ndarray:
    """Measure the largest distance over units of χ from C·l^τ, fitted as the authors do, in each simulation."""
    chi, increments = (quantities.values_of(metric)(rows).loc[1:] for metric in ("chi", "delta_chi_layer"))
    distances = []
    for simulation in chi:
        exponent, factor = quantities.fit_as_authors(chi[simulation], increments[simulation])
        units = quantities.every_layer(chi[simulation])
        distances.append((units - factor * units.index.to_numpy(float) ** exponent).abs().max())
    return np.array(distances)


@_of_net
def mean_where(
    rows: pd.DataFrame, quantity: Quantity, condition: Quantity, least: float, greatest: float
) -> np.ndarray:
    """Measure the mean of a quantity over the layers where a condition lies between two bounds, in each simulation."""
    values = quantity(rows).loc[1:]
    other = condition(rows).loc[values.index]
    there = (other >= least) & (other <= greatest)
    if not there.any(axis=None):
        raise api.NotTestableError("no layer of this net meets the condition")
    return values.where(there).mean().to_numpy()


@_of_net
def crossing(rows: pd.DataFrame, falling: Quantity, rising: Quantity) -> np.ndarray:
    """Measure the layer, interpolated, at which a falling quantity crosses a rising one, in each simulation."""
    leads = (falling(rows) - rising(rows)).loc[1:]
    return np.array([_crossing(leads[simulation]) for simulation in leads])


def _crossing(lead: pd.Series) -> float:
    """Return the layer at which a lead turns negative, of several that up to which the lead's integral is greatest.

    Because of noise, a lead turns negative several times. The first time is too early, and the last is too late.
    """
    layers, values = lead.index.to_numpy(float), lead.to_numpy()
    crossed = np.flatnonzero((values[1:] < 0) & (values[:-1] >= 0))
    if not len(crossed):
        return np.nan
    places = [float(np.interp(0, -values[each : each + 2], layers[each : each + 2])) for each in crossed]
    integrals = [
        np.trapezoid([*values[: each + 1], 0], [*layers[: each + 1], place])
        for each, place in zip(crossed, places, strict=True)
    ]
    return places[int(np.argmax(integrals))]


@_of_net
def squared_scatter(rows: pd.DataFrame, quantity: Quantity, layer: int) -> np.ndarray:
    """Measure the squared deviation of each simulation from the mean, scaled so that its mean is the variance."""
    values = _row_at(quantity(rows), layer)
    return (values - values.mean()) ** 2 * len(values) / max(len(values) - 1, 1)


@_of_net
def log_variance(rows: pd.DataFrame, quantity: Quantity, layer: int) -> api.Estimate:
    """Estimate ln of the variance over simulations after a layer.

    With f degrees of freedom, ln of the variance of normal values has a mean that is too small by 1/f, and a variance
    of 2/f, up to 1/f² (Fisher's z). Squared deviations from one mean are not independent.
    """
    values = _row_at(quantity(rows), layer)
    if (free := len(values) - 1) < 1:
        raise api.NotTestableError("one simulation does not show how much simulations differ")
    return api.Estimate(float(np.log(values.var(ddof=1)) + 1 / free), float(np.sqrt(2 / free)), (len(values),), free)


@_of_net
def cosine_with_mean(rows: pd.DataFrame) -> np.ndarray:
    """Measure the mean, for each seed, of the cosine between a point of the last layer and the mean of all points."""
    points = api.runs_of(rows, metric=("cloud_signal_1", "cloud_signal_2"))
    if points.empty:
        raise api.NotTestableError("the config records no points of this net: set cloud_depths")
    last = api.runs_of(points, step=points["step"].max())
    along, orthogonal = (api.by_simulation(api.runs_of(last, metric=f"cloud_signal_{axis}")) for axis in (1, 2))
    return (along / np.hypot(along, orthogonal)).iloc[0].groupby("seed").mean().to_numpy()


@_of_net
def pathology(rows: pd.DataFrame, *pathologies: str) -> np.ndarray:
    """Measure the greatest of the severities of some pathologies (by default all), in each simulation."""
    found = severities(rows)
    return np.max([found[each] for each in pathologies or found], axis=0)


@_of_net
def greatest_pathology(rows: pd.DataFrame) -> np.ndarray:
    """Measure the greatest severity of any pathology at any depth from a tenth of the net's on, in each simulation."""
    depths = quantities.fitted_layers(quantities.LOG_CHI(rows).index)
    return np.max([list(severities(rows[rows["step"] <= depth]).values()) for depth in depths], axis=(0, 1))


def share_amplifying(*nets: api.Selection) -> api.Measure:
    """Measure 1 for each simulation of all nets with χ ≥ 1 at all layers from 1 on, 0 for the others: a share."""
    least = [over_layers(net, quantities.CHI, np.min) for net in nets]

    def compute(tables: api.Tables) -> np.ndarray:
        values = np.concatenate([each(tables) for each in least])
        return np.where(np.isnan(values), np.nan, values >= 1)

    return api.Measure(compute, *nets)


def _row_at(table: pd.DataFrame, layer: int) -> np.ndarray:
    if layer < 0:
        return table.iloc[layer].to_numpy()
    if layer not in table.index:
        raise api.NotTestableError(f"no simulation of this net recorded layer {layer}")
    return table.loc[layer].to_numpy()
