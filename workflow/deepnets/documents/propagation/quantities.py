"""Quantities of one net: tables of layers × simulations, where a simulation is one random net of a run.

Layer 0 is the first linear layer. In residual nets, layers are units.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.tables.estimates import every_layer
from workflow.deepnets.tables.matrices import by_simulation
from workflow.deepnets.tables.rows import require_rows, runs_of
from workflow.deepnets.theory.sensitivity import power_law_exponent, power_law_factor, residual_increment

# From all rows of a net to a table of layers × simulations, and to a value for each layer.
Quantity = Callable[[pd.DataFrame], pd.DataFrame]
Bound = Callable[[pd.DataFrame], pd.Series]


def simulations_of(net: pd.DataFrame, *metrics: str) -> pd.MultiIndex:
    """Return seed and index of each simulation of a net. metrics: of the rows that count besides those of χ."""
    # A simulation that ends at once has no χ.
    rows = runs_of(net, metric=("chi", "diverged", *metrics))
    return pd.MultiIndex.from_frame(rows[["seed", "index"]].drop_duplicates())


def values_of(metric: str) -> Quantity:
    """Read a metric, with NaN after the end of simulations that ended early; raises NotRecordedError without rows."""
    return lambda net: by_simulation(require_rows(net, metric)).reindex(columns=simulations_of(net, metric))


def product(first: str, second: str) -> Quantity:
    """Multiply two metrics layer by layer."""
    return lambda net: values_of(first)(net) * values_of(second)(net)


def change_of(metric: str) -> Quantity:
    """Read by how much a metric has changed since layer 0."""

    def read(net: pd.DataFrame) -> pd.DataFrame:
        values = values_of(metric)(net)
        return values - values.loc[0]

    return read


def log(quantity: Quantity) -> Quantity:
    """Take the natural logarithm of a quantity."""
    return lambda net: quantity(net).apply(np.log)


def log10(quantity: Quantity) -> Quantity:
    """Take the decimal logarithm of a quantity."""
    return lambda net: quantity(net).apply(np.log10)


CHI, INCREMENT, RANK = values_of("chi"), values_of("delta_chi"), values_of("effective_rank_signal")
LOG_CHI = log(CHI)
# δ_BNχ and δ_φχ of a layer of a feedforward net, and δ_φχ of the first layer in a residual branch.
DELTA_BN = product("delta_chi_linear", "delta_chi_bn")
DELTA_RELU = values_of("delta_chi_activation")
DELTA_RELU_OF_BRANCH = product("delta_chi_activation", "delta_chi_linear")


def share_of_variance(net: pd.DataFrame) -> pd.DataFrame:
    """Return μ₂(x)/ν₂(x), the share of the variance in the mean square: 0 for a signal on a point."""
    return (values_of("log_mu2_signal")(net) - values_of("log_nu2_signal")(net)).apply(np.exp)


def relative_sensitivity(net: pd.DataFrame) -> pd.DataFrame:
    """Return χ over its value at layer 0."""
    chi = CHI(net)
    return chi / chi.loc[0]


def branch_increments(net: pd.DataFrame) -> pd.Series:
    """Return δχ^{l,1} of each unit as the authors do: the ratio of mean sensitivities after and before that layer."""
    before = CHI(net) / values_of("delta_chi")(net)
    after = before * values_of("delta_chi_layer")(net)
    return (after.mean(axis=1) / before.mean(axis=1)).dropna()


def fit_as_authors(chi: pd.Series, increments: pd.Series) -> tuple[float, float]:
    """Fit C·l^τ to χ as the authors do: τ from the increments in the branch, C by least squares of χ.

    chi, increments: of the units from 1 on; units between two recorded ones are interpolated.
    returns: τ and C.
    """
    units = every_layer(chi)
    exponent = float(power_law_exponent(every_layer(increments).mean()))
    return exponent, power_law_factor(units.index.to_numpy(), units.to_numpy(), exponent)


def increment_bound(pick: Callable) -> Bound:
    """Return (1 + 2τ/(l + 1))^½ of each unit, for the least or greatest τ (min, max) of any unit."""

    def bound(net: pd.DataFrame) -> pd.Series:
        units = INCREMENT(net).index.to_numpy()
        return pd.Series(residual_increment(units, pick(exponents(net))), units)

    return bound


def product_of_bounds(pick: Callable) -> Bound:
    """Return the product of `increment_bound` over all units up to each: the bound of `relative_sensitivity`."""

    def bound(net: pd.DataFrame) -> pd.Series:
        units = INCREMENT(net).index.to_numpy()
        products = np.cumprod(residual_increment(np.arange(1, units.max() + 1), pick(exponents(net))))
        return pd.Series(products[units - 1], units)

    return bound


def exponents(net: pd.DataFrame) -> np.ndarray:
    """Return τ of each recorded unit, from the mean increment of the first layer in its branch."""
    return power_law_exponent(values_of("delta_chi_layer")(net).mean(axis=1).to_numpy())
