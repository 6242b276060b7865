"""Choosing values of the experiment `spectra` from its table, and what theory says of them."""

import numpy as np
import pandas as pd

from workflow.deepnets.figures.rows import rows_of, runs_of
from workflow.deepnets.theory import random_products, tanh_variance


def recording(spectra: pd.DataFrame, metric: str, **axes: str) -> pd.DataFrame:
    """Return all rows of the runs with the given axes that record a metric, or left the finite numbers before."""
    runs = runs_of(spectra, **axes)
    each = [runs[name] for name in runs.columns if name not in ("step", "metric", "index", "value")]
    found = runs["metric"].isin([metric, "diverged"])
    return runs[found.groupby(each, observed=True).transform("any").astype(bool)]


def of_nets(runs: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return a metric with one value per net and layer: a row per layer, a column per net of any seed."""
    return rows_of(runs, metric).pivot(index="step", columns=["seed", "index"], values="value")


def variances_of(runs: pd.DataFrame) -> dict[float, pd.DataFrame]:
    """Return the variances behind all layers for each variance of the inputs: a row per layer, a column per net."""
    first = rows_of(runs, "input_variance", seed=runs["seed"].min()).sort_values("index")["value"].to_numpy()
    found = of_nets(runs, "variance")
    inputs = found.columns.get_level_values("index") % max(len(first), 1)
    return {variance: found.loc[:, inputs == place] for place, variance in enumerate(first)}


def growth(runs: pd.DataFrame) -> float:
    """Return by how much the gain, of which the runs have one, makes ln σ grow with a layer: ln g."""
    return float(np.log(runs["gain"].iloc[0]))


def mean_logs_in_theory(runs: pd.DataFrame) -> np.ndarray:
    """Return the mean ln σ of the Jacobian behind 0 … depth layers for the runs of one setting, (depth + 1,)."""
    first = runs.iloc[0]
    layers = np.arange(first["depth"] + 1)
    mean_logs = layers * growth(runs)
    if first["init"] == "gaussian":
        mean_logs = mean_logs + random_products.mean_log_singular_value(first["size"], layers)
    if first["activation"] == "tanh":
        slopes = tanh_variance.mean_log_slope(_variances_in_theory(runs)[:-1])
        mean_logs = mean_logs + np.append(0, np.cumsum(slopes))
    return mean_logs


def root_mean_square_in_theory(runs: pd.DataFrame) -> float:
    """Return ln √⟨σ²⟩ of the Jacobian of tanh nets of one setting: ½ Σ ln χ over layers."""
    slopes = tanh_variance.mean_square_slope(_variances_in_theory(runs)[:-1])
    return float(np.sum(2 * growth(runs) + np.log(slopes)) / 2)


def _variances_in_theory(runs: pd.DataFrame) -> np.ndarray:
    first = rows_of(runs, "input_variance").sort_values("index")["value"].iloc[0]
    return tanh_variance.variances(first, runs["gain"].iloc[0], int(runs["depth"].iloc[0]))


def distance(shares: np.ndarray, *, above: float = 0) -> float:
    """Return the largest difference between the share of values up to a bound and a law's (Kolmogorov & Smirnov).

    shares: the law's share up to each value; above: where it gives less, a bound does not count.
    """
    shares, ranks = np.sort(shares), np.arange(len(shares))
    differences = np.maximum(np.abs(shares - ranks / len(shares)), np.abs(shares - (ranks + 1) / len(shares)))
    return float(differences[shares >= above].max(initial=0))
