"""Measures of document 002: nets, and what their simulations say layer by layer."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from workflow.deepnets.claims.claim import Measure
from workflow.deepnets.claims.evidence import Evidence, NotTestableError
from workflow.deepnets.claims.rows import rows_of
from workflow.deepnets.theory.sensitivity import power_law_exponent, power_law_factor, residual_increment

# The axes of one net in the sizes in which it may stand for the document's, the document's own first.
Net = tuple[dict[str, object], ...]
# A quantity: of the rows of a net, a table of layers × simulations.
Quantity = Callable[[pd.DataFrame], pd.DataFrame]

# The share of the depth from which on laws of growth are told apart: the first layers are still on their way to one.
_FITTED_FROM = 0.1


def net(block: str, arch: str, norm: str, *sizes: tuple[int, int, int, int], **axes: object) -> Net:
    """Return a net by its block; sizes: (kernel, channels, images, depth); axes: those that are not standard."""
    standard = {"activation": "relu", "init": "normal", "gain": 2, "bias": 0}
    return tuple(
        {
            **standard,
            **{"block": block, "arch": arch, "norm": norm},
            **{"kernel": kernel, "width": width, "batch": batch, "depth": depth},
            **axes,
        }
        for kernel, width, batch, depth in sizes
    )


def runs_of(evidence: Evidence, chosen: Net) -> pd.DataFrame:
    """Return the rows of a net in the first of its sizes that the config asks for."""
    for size in chosen:
        try:
            return evidence.runs("propagation", **size)
        except NotTestableError as reason:
            missing = reason
    raise missing


def recorded(metric: str) -> Quantity:
    """Read a metric; a simulation that ended early has no values behind its end."""

    def read(runs: pd.DataFrame) -> pd.DataFrame:
        rows = rows_of(runs, metric)
        # One that ends at once has no χ.
        every = runs.loc[runs["metric"].isin(["chi", "diverged", metric]), ["seed", "index"]].drop_duplicates()
        table = rows.pivot(index="step", columns=["seed", "index"], values="value")
        return table.reindex(columns=pd.MultiIndex.from_frame(every))

    return read


def product(*metrics: str) -> Quantity:
    """Multiply metrics layer by layer."""

    def read(runs: pd.DataFrame) -> pd.DataFrame:
        first, *others = (recorded(metric)(runs) for metric in metrics)
        for other in others:
            first = first * other
        return first

    return read


def change_of(metric: str) -> Quantity:
    """Read by how much a metric has changed since the first linear layer."""

    def read(runs: pd.DataFrame) -> pd.DataFrame:
        table = recorded(metric)(runs)
        return table - table.loc[0]

    return read


def log(quantity: Quantity) -> Quantity:
    """Take the natural logarithm of a quantity."""
    return lambda runs: np.log(quantity(runs))


def log10(quantity: Quantity) -> Quantity:
    """Take the decimal logarithm of a quantity."""
    return lambda runs: np.log10(quantity(runs))


def share_of_variance(runs: pd.DataFrame) -> pd.DataFrame:
    """Return μ₂(x)/ν₂(x), the share of the variance in the mean square: 0 for a signal on a point."""
    return np.exp(recorded("log_mu2_signal")(runs) - recorded("log_nu2_signal")(runs))


def at(chosen: Net, quantity: Quantity, layer: int) -> Measure:
    """Measure a quantity of each simulation behind a layer, counted from the last where negative."""

    def measured(evidence: Evidence) -> np.ndarray:
        table = quantity(runs_of(evidence, chosen))
        if layer < 0:
            return table.iloc[layer].to_numpy()
        if layer not in table.index:
            raise NotTestableError(f"the config records no layer {layer} of this net")
        return table.loc[layer].to_numpy()

    return measured


def over_layers(chosen: Net, quantity: Quantity, reduce: Callable) -> Measure:
    """Measure one number of all recorded layers, from the first on, of each simulation."""

    def measured(evidence: Evidence) -> np.ndarray:
        table = quantity(runs_of(evidence, chosen)).loc[1:]
        # A simulation that ended early says nothing of its later layers, and so nothing of all of them.
        return np.where(table.isna().any(), np.nan, reduce(table, axis=0))

    return measured


def over_lower(chosen: Net, quantity: Quantity, bound: float | Quantity) -> Measure:
    """Measure a quantity in units of a lower bound, at the layer whose mean is least by standard errors above it."""
    return lambda evidence: _nearest(runs_of(evidence, chosen), quantity, bound, side=1)


def over_upper(chosen: Net, quantity: Quantity, bound: float | Quantity) -> Measure:
    """Measure a quantity in units of an upper bound, at the layer whose mean is least by standard errors below it."""
    return lambda evidence: _nearest(runs_of(evidence, chosen), quantity, bound, side=-1)


def _nearest(runs: pd.DataFrame, quantity: Quantity, bound: float | Quantity, *, side: int) -> np.ndarray:
    table = quantity(runs).loc[1:]
    ratios = table / (bound(runs).loc[table.index] if callable(bound) else bound)
    # One simulation has no standard error: there the distance itself counts.
    errors = (ratios.std(axis=1) / np.sqrt(ratios.notna().sum(axis=1))).fillna(1).clip(lower=1e-12)
    return ratios.loc[(side * (ratios.mean(axis=1) - 1) / errors).idxmin()].to_numpy()


def share_within(nets: tuple[Net, ...], quantity: Quantity, least: float, greatest: float) -> Measure:
    """Measure the share of layers and simulations, of several nets, at which a quantity lies between two bounds."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = np.concatenate([quantity(runs_of(evidence, each)).loc[1:].to_numpy().ravel() for each in nets])
        # What is missing lies nowhere.
        return np.array([np.mean((values >= least) & (values <= greatest))])

    return measured


def growth(chosen: Net, quantity: Quantity, *, half: int) -> Measure:
    """Measure by how much a quantity grows per layer over the first or the second half (1, 2) of the depth."""

    def measured(evidence: Evidence) -> np.ndarray:
        return _growth(quantity(runs_of(evidence, chosen)), half)

    return measured


def _growth(table: pd.DataFrame, half: int) -> np.ndarray:
    last = table.index.max()
    middle = table.index[np.abs(table.index - last / 2).argmin()]
    start, end = (table.index.min(), middle) if half == 1 else (middle, last)
    if start == end:
        raise NotTestableError("the config records too few layers of this net for halves of its depth")
    return ((table.loc[end] - table.loc[start]) / (end - start)).to_numpy()


def preference_for_power(chosen: Net) -> Measure:
    """Measure ln(error of an exponential / error of a power law), each fitted to ln χ of a simulation.

    Errors are root mean squares over recorded layers from a tenth of the depth on; positive: a power law fits better.
    """

    def measured(evidence: Evidence) -> np.ndarray:
        table = log(recorded("chi"))(runs_of(evidence, chosen))
        table = table.loc[max(1, _FITTED_FROM * table.index.max()) :]
        if len(table) < 3:
            raise NotTestableError("the config records too few layers of this net to tell laws of growth apart")
        layers = table.index.to_numpy(float)
        exponential, power = (_error_of_line(against, table.to_numpy()) for against in (layers, np.log(layers)))
        return np.log(exponential / power)

    return measured


def _error_of_line(against: np.ndarray, values: np.ndarray) -> np.ndarray:
    design = np.stack([against, np.ones(len(against))], axis=1)
    residuals = values - design @ (np.linalg.pinv(design) @ values)
    return np.sqrt(np.mean(residuals**2, axis=0))


def exponents(runs: pd.DataFrame) -> pd.Series:
    """Return τ of each recorded unit from the mean increment of the first layer in its branch."""
    return power_law_exponent(recorded("delta_chi_layer")(runs).mean(axis=1))


def increment_bound(pick: Callable) -> Quantity:
    """Return (1 + 2τ/(l + 1))^½ for the least or greatest τ (min, max) of any unit, as a table of one column."""

    def bound(runs: pd.DataFrame) -> pd.DataFrame:
        table = recorded("delta_chi")(runs)
        values = residual_increment(table.index.to_numpy(), pick(exponents(runs)))
        return pd.DataFrame(np.outer(values, np.ones(table.shape[1])), table.index, table.columns)

    return bound


def product_of_bounds(pick: Callable) -> Quantity:
    """Return the product of `increment_bound` over all units up to each: the bound of χ over its value at the start."""

    def bound(runs: pd.DataFrame) -> pd.DataFrame:
        table = recorded("delta_chi")(runs)
        units = np.arange(1, table.index.max() + 1)
        values = np.cumprod(residual_increment(units, pick(exponents(runs))))[table.index.to_numpy() - 1]
        return pd.DataFrame(np.outer(values, np.ones(table.shape[1])), table.index, table.columns)

    return bound


def sensitivity_grown(runs: pd.DataFrame) -> pd.DataFrame:
    """Return χ over its value behind the first linear layer."""
    chi = recorded("chi")(runs)
    return chi / chi.loc[0]


def distance_from_power_law(chosen: Net) -> Measure:
    """Measure the largest distance of mean χ from C·l^τ as the authors fit it: τ from the branch, C by least squares.

    Both are taken at all units, those between two recorded ones interpolated.
    """

    def measured(evidence: Evidence) -> np.ndarray:
        runs = runs_of(evidence, chosen)
        chi, increments = (recorded(metric)(runs).loc[1:].mean(axis=1) for metric in ("chi", "delta_chi_layer"))
        units = np.arange(chi.index.min(), chi.index.max() + 1, dtype=float)
        chi, increments = (np.interp(units, each.index, each) for each in (chi, increments))
        exponent = float(power_law_exponent(increments.mean()))
        fit = power_law_factor(units, chi, exponent) * units**exponent
        return np.array([np.abs(fit - chi).max()])

    return measured


def slope_against_depth(chosen: Net, quantity: Quantity) -> Measure:
    """Measure the least-squares slope of a quantity over ln(l + 1), of each simulation."""

    def measured(evidence: Evidence) -> np.ndarray:
        table = quantity(runs_of(evidence, chosen)).loc[1:]
        if len(table) < 2:
            raise NotTestableError("the config records too few layers of this net for a slope")
        return np.polyfit(np.log(table.index.to_numpy(float) + 1), table.to_numpy(), 1)[0]

    return measured


def where(chosen: Net, quantity: Quantity, condition: Quantity, least: float, greatest: float) -> Measure:
    """Measure a quantity at all layers and simulations at which another lies between two bounds."""

    def measured(evidence: Evidence) -> np.ndarray:
        runs = runs_of(evidence, chosen)
        values = quantity(runs).loc[1:]
        other = condition(runs).loc[values.index]
        found = values.to_numpy()[((other >= least) & (other <= greatest)).to_numpy()]
        if not len(found):
            raise NotTestableError("no layer of this net meets the condition")
        return found

    return measured


def crossing(chosen: Net, falling: Quantity, rising: Quantity) -> Measure:
    """Measure the first layer, interpolated, at which the mean of a falling quantity is below that of a rising one."""

    def measured(evidence: Evidence) -> np.ndarray:
        runs = runs_of(evidence, chosen)
        lead = (falling(runs) - rising(runs)).loc[1:].mean(axis=1)
        behind = np.flatnonzero((lead.to_numpy()[1:] < 0) & (lead.to_numpy()[:-1] >= 0))
        if not len(behind):
            return np.array([np.nan])
        place = behind[0]
        return np.array([np.interp(0, -lead.to_numpy()[place : place + 2], lead.index[place : place + 2])])

    return measured


def squared_scatter(chosen: Net, quantity: Quantity, layer: int) -> Measure:
    """Measure the squared distance of each simulation's quantity from their mean; its mean is their variance."""

    def measured(evidence: Evidence) -> np.ndarray:
        values = at(chosen, quantity, layer)(evidence)
        return (values - values.mean()) ** 2 * len(values) / max(len(values) - 1, 1)

    return measured


def pathological(evidence: Evidence, chosen: Net) -> bool:
    """Whether a net has a pathology at its last layer, by the median of its simulations.

    Noise that grows by 5 % a layer over the second half, a signal nearer to a line than to a plane, or one of whose
    mean square less than 1 % is variance.
    """
    runs = runs_of(evidence, chosen)
    rate = np.median(_growth(log(recorded("chi"))(runs), 2))
    rank = recorded("effective_rank_signal")(runs).iloc[-1].median()
    return bool(rate > np.log(1.05) or rank < 1.5 or share_of_variance(runs).iloc[-1].median() < 0.01)


def furthest_from_1(table: pd.DataFrame, axis: int) -> np.ndarray:
    """Return the values along an axis that are furthest from 1."""
    values = table.to_numpy()
    return np.take_along_axis(values, np.abs(values - 1).argmax(axis=axis, keepdims=True), axis=axis).squeeze(axis)
