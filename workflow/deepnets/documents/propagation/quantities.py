"""Quantities of one net, as tables of layers × simulations. A simulation is one random net of a run.

Layer 0 is the first linear layer, from which growth is counted. In residual nets, layers are units. The column `step`
of a net's rows contains the layer.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from deepnets.theory.sensitivity import power_law_exponent, power_law_factor, residual_increment
from reproduce import api

# A quantity maps all rows of a net to a table of layers × simulations, a bound maps them to one value per layer.
Quantity = Callable[[pd.DataFrame], pd.DataFrame]
Bound = Callable[[pd.DataFrame], pd.Series]
# Laws of growth are fitted to layers after this share of the depth, when the transient is over.
TRANSIENT = 0.1


def simulations_of(net: pd.DataFrame, *metrics: str) -> pd.MultiIndex:
    """Return seed and index of each simulation of a net. metrics: find simulations in their rows too.

    A simulation that diverges at once has no χ, so that rows of `diverged` count.
    """
    rows = api.runs_of(net, metric=("chi", "diverged", *metrics))
    return pd.MultiIndex.from_frame(rows[["seed", "index"]].drop_duplicates())


def values_of(metric: str) -> Quantity:
    """Read a metric, with NaN after a simulation diverged. Without rows, the quantity raises NotRecordedError."""
    return lambda net: api.by_simulation(api.require_rows(net, metric)).reindex(columns=simulations_of(net, metric))


def multiply_metrics(first: str, second: str) -> Quantity:
    """Multiply two metrics layer by layer."""
    return lambda net: values_of(first)(net) * values_of(second)(net)


def change_of(metric: str) -> Quantity:
    """Read the change of a metric since layer 0."""

    def subtract_start(net: pd.DataFrame) -> pd.DataFrame:
        values = values_of(metric)(net)
        return values - values.loc[0]

    return subtract_start


def log(quantity: Quantity) -> Quantity:
    """Take the natural logarithm of a quantity."""
    return lambda net: quantity(net).apply(np.log)


def log10(quantity: Quantity) -> Quantity:
    """Take the decimal logarithm of a quantity."""
    return lambda net: quantity(net).apply(np.log10)


CHI, INCREMENT, RANK = values_of("chi"), values_of("delta_chi"), values_of("effective_rank_signal")
LOG_CHI = log(CHI)
# δ_BNχ and δ_φχ of a layer of a feedforward net, and δ_φχ of the first layer in a residual branch.
DELTA_BN = multiply_metrics("delta_chi_linear", "delta_chi_bn")
DELTA_RELU = values_of("delta_chi_activation")
DELTA_RELU_OF_BRANCH = multiply_metrics("delta_chi_activation", "delta_chi_linear")


def share_of_variance(net: pd.DataFrame) -> pd.DataFrame:
    """Return μ₂(x)/ν₂(x), the share of the variance in the mean square: 0 for a signal on a point."""
    return (values_of("log_mu2_signal")(net) - values_of("log_nu2_signal")(net)).apply(np.exp)


def excess_rank(rank: Quantity) -> Quantity:
    """Subtract the effective rank of a line, 1, from a rank: it cannot be less."""
    return lambda net: rank(net) - 1


def relative_sensitivity(net: pd.DataFrame) -> pd.DataFrame:
    """Return χ over its value at layer 0."""
    chi = CHI(net)
    return chi / chi.loc[0]


def branch_increments(net: pd.DataFrame) -> pd.Series:
    """Return δχ^{l,1} of each unit: the ratio of mean sensitivities after and before this layer, as the authors do."""
    before = CHI(net) / values_of("delta_chi")(net)
    after = before * values_of("delta_chi_layer")(net)
    return (after.mean(axis=1) / before.mean(axis=1)).dropna()


def fit_as_authors(chi: pd.Series, increments: pd.Series) -> tuple[float, float]:
    """Fit C·l^τ to χ as the authors do: τ from the increments in the branch, C by least squares of χ.

    chi, increments: for units from 1 on; units that were not recorded are interpolated.
    returns: τ and C.
    """
    units = every_layer(chi)
    exponent = float(power_law_exponent(every_layer(increments).mean()))
    return exponent, power_law_factor(units.index.to_numpy(), units.to_numpy(), exponent)


def unit_exponents(net: pd.DataFrame) -> pd.DataFrame:
    """Return τ of each unit l from its increment, δχ = (1 + 2τ/(l + 1))^½."""
    increments = INCREMENT(net)
    return (increments**2 - 1).mul((increments.index.to_numpy() + 1) / 2, axis=0)


def exponent_bound(pick: Callable) -> Bound:
    """Return the least or the greatest τ of all units, from the first layer of their branches. pick: min or max."""
    return lambda net: pd.Series(pick(exponents(net)), INCREMENT(net).index)


def product_of_bounds(pick: Callable) -> Bound:
    """Return the product of (1 + 2τ/(l + 1))^½ over units l, with the least or the greatest τ of all units."""

    def multiply_bounds(net: pd.DataFrame) -> pd.Series:
        units = INCREMENT(net).index.to_numpy()
        products = np.cumprod(residual_increment(np.arange(1, units.max() + 1), pick(exponents(net))))
        return pd.Series(products[units - 1], units)

    return multiply_bounds


def exponents(net: pd.DataFrame) -> np.ndarray:
    """Return τ of each recorded unit, from the mean increment of the first layer in its branch."""
    return power_law_exponent(values_of("delta_chi_layer")(net).mean(axis=1).to_numpy())


def middle_layer(layers: pd.Index) -> int:
    """Return the recorded layer that is closest to half of the depth."""
    recorded = layers.to_numpy()
    return int(recorded[np.abs(recorded - recorded.max() / 2).argmin()])


def growth_per_layer(values: pd.DataFrame, start: int, end: int) -> pd.Series:
    """Return each column's mean increase per layer between two recorded layers; 0 if the two layers are the same.

    values: layers × simulations; if they are logarithms, the result is the logarithm of the growth factor.
    """
    return (values.loc[end] - values.loc[start]) / max(end - start, 1)


def every_layer(values: pd.Series, *, against: Callable[[np.ndarray], np.ndarray] = np.asarray) -> pd.Series:
    """Return a value for every layer from the first to the last recorded one, to give all depths equal weight.

    against: a function of the layer number; values are interpolated linearly in this function, for example np.log.
    """
    recorded = values.index.to_numpy()
    layers = np.arange(recorded.min(), recorded.max() + 1)
    return pd.Series(np.interp(against(layers), against(recorded), values), index=layers)


def fitted_layers(layers: pd.Index, start: float = TRANSIENT) -> pd.Index:
    """Return the layers to which laws are fitted: from a share of the depth on, by default a tenth, without layer 0."""
    recorded = layers.to_numpy()
    return layers[recorded >= max(1, start * recorded.max())]
