"""Measures of document 002's claims: they turn the quantities of a net into values that a criterion judges."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure
from deepnets.documents.propagation.quantities import LOG_CHI, Bound, Quantity, fit_as_authors, values_of
from deepnets.documents.propagation.runs import Net
from deepnets.tables.estimates import every_layer, fit_line, fitted_layers, growth_per_layer, middle_layer


def rows_of_net(evidence: Evidence, net: Net) -> pd.DataFrame:
    """Return all rows of a net, in the first of its sizes that the config contains."""
    *others, last = net
    for size in others:
        try:
            return evidence.runs("propagation", **size)
        except NotTestableError:
            pass
    return evidence.runs("propagation", **last)


@as_measure
def at_layer(evidence: Evidence, net: Net, quantity: Quantity, layer: int) -> np.ndarray:
    """Measure a quantity after a layer, in each simulation. A negative layer counts from the last recorded one."""
    table = quantity(rows_of_net(evidence, net))
    if layer < 0:
        return table.iloc[layer].to_numpy()
    if layer not in table.index:
        raise NotTestableError(f"the config records no layer {layer} of this net")
    return table.loc[layer].to_numpy()


@as_measure
def over_layers(evidence: Evidence, net: Net, quantity: Quantity, reduce: Callable) -> np.ndarray:
    """Reduce a quantity to one number per simulation, over all recorded layers from layer 1 on."""
    table = quantity(rows_of_net(evidence, net)).loc[1:]
    # A simulation that ended early lacks later layers: its number is NaN.
    return np.where(table.isna().any(), np.nan, reduce(table, axis=0))


def furthest_from_1(table: pd.DataFrame, axis: int) -> np.ndarray:
    """Return the values along an axis that are furthest from 1."""
    values = table.to_numpy()
    return np.take_along_axis(values, np.abs(values - 1).argmax(axis=axis, keepdims=True), axis=axis).squeeze(axis)


@as_measure
def over_bound(
    evidence: Evidence, net: Net, quantity: Quantity, bound: float | Bound, *, upper: bool = False
) -> np.ndarray:
    """Measure quantity / bound, at the layer whose mean is inside the bound by the fewest standard errors."""
    rows = rows_of_net(evidence, net)
    table = quantity(rows).loc[1:]
    ratios = table.div(bound if isinstance(bound, int | float) else bound(rows).loc[table.index], axis=0)
    # With one simulation there is no standard error: use the distance itself.
    errors = (ratios.std(axis=1) / np.sqrt(ratios.notna().sum(axis=1))).fillna(1).clip(lower=1e-12)
    distances = (ratios.mean(axis=1) - 1) / errors
    return ratios.loc[(-distances if upper else distances).idxmin()].to_numpy()


@as_measure
def share_within(
    evidence: Evidence, nets: tuple[Net, ...], quantity: Quantity, least: float, greatest: float
) -> np.ndarray:
    """Measure in which share of layers and simulations, over all nets, a quantity lies between two bounds."""
    values = np.concatenate([quantity(rows_of_net(evidence, net)).loc[1:].to_numpy().ravel() for net in nets])
    # NaN counts as outside.
    return np.array([np.mean((values >= least) & (values <= greatest))])


@as_measure
def growth(evidence: Evidence, net: Net, quantity: Quantity, *, half: int) -> np.ndarray:
    """Measure the growth of a quantity per layer, over the first (1) or the second (2) half of the depth."""
    table = quantity(rows_of_net(evidence, net))
    layers, middle = table.index.to_numpy(), middle_layer(table.index)
    start, end = (layers.min(), middle) if half == 1 else (middle, layers.max())
    if start == end:
        raise NotTestableError("the config records too few layers of this net to halve its depth")
    return growth_per_layer(table, start, end).to_numpy()


@as_measure
def preference_for_power(evidence: Evidence, net: Net) -> np.ndarray:
    """Measure ln(error of an exponential / error of a power law), each fitted to ln χ of one simulation.

    An error is the root mean square over recorded layers from a tenth of the depth on. If the result is positive, the
    power law fits better.
    """
    table = LOG_CHI(rows_of_net(evidence, net))
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


@as_measure
def distance_from_power_law(evidence: Evidence, net: Net) -> np.ndarray:
    """Measure the largest distance over units of mean χ from C·l^τ, fitted as the authors do."""
    rows = rows_of_net(evidence, net)
    chi, increments = (values_of(metric)(rows).loc[1:].mean(axis=1) for metric in ("chi", "delta_chi_layer"))
    exponent, factor = fit_as_authors(chi, increments)
    units = every_layer(chi)
    return np.array([(units - factor * units.index.to_numpy(float) ** exponent).abs().max()])


@as_measure
def slope_against_depth(evidence: Evidence, net: Net, quantity: Quantity) -> np.ndarray:
    """Measure the least-squares slope of a quantity against ln(l + 1), in each simulation."""
    table = quantity(rows_of_net(evidence, net)).loc[1:]
    if len(table) < 2:
        raise NotTestableError("the config records too few layers of this net for a slope")
    return fit_line(np.log(table.index.to_numpy(float) + 1), table.to_numpy())[0]


@as_measure
def values_where(
    evidence: Evidence, net: Net, quantity: Quantity, condition: Quantity, least: float, greatest: float
) -> np.ndarray:
    """Measure a quantity at all layers and simulations where the condition lies between two bounds."""
    rows = rows_of_net(evidence, net)
    values = quantity(rows).loc[1:]
    other = condition(rows).loc[values.index]
    found = values.to_numpy()[((other >= least) & (other <= greatest)).to_numpy()]
    if not len(found):
        raise NotTestableError("no layer of this net meets the condition")
    return found


@as_measure
def crossing(evidence: Evidence, net: Net, falling: Quantity, rising: Quantity) -> np.ndarray:
    """Measure the first layer, interpolated, at which the mean of a falling quantity crosses that of a rising one."""
    rows = rows_of_net(evidence, net)
    lead = (falling(rows) - rising(rows)).loc[1:].mean(axis=1)
    crossed = np.flatnonzero((lead.to_numpy()[1:] < 0) & (lead.to_numpy()[:-1] >= 0))
    if not len(crossed):
        return np.array([np.nan])
    around = lead.iloc[crossed[0] : crossed[0] + 2]
    return np.array([np.interp(0, -around, around.index)])


@as_measure
def squared_scatter(evidence: Evidence, net: Net, quantity: Quantity, layer: int) -> np.ndarray:
    """Measure the squared deviation of each simulation from the mean, scaled so that its mean is the variance."""
    values = at_layer(net, quantity, layer)(evidence)
    return (values - values.mean()) ** 2 * len(values) / max(len(values) - 1, 1)
