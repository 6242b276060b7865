"""Random nets of the experiment `spectra`: theoretical predictions, and distances from theoretical distributions."""

import numpy as np
import pandas as pd

from deepnets.theory import random_products, tanh_variance
from reproduce import api


def select_nets(selection: api.Selection, spectra: api.Table, metric: str, *free: str) -> tuple[pd.DataFrame, str]:
    """Return what `Selection.shown` does, of the nets that recorded a metric or diverged earlier.

    Theory is for the selection's activation, so nets of others are not drawn, and the note names them.
    """
    recorded = spectra.pipe(api.runs_with_metric, metric, "diverged").pipe(api.runs_of, block=selection["block"])
    others = {*recorded.frame["activation"].unique()} - {selection["activation"]}
    runs, note = selection.shown(recorded.pipe(api.runs_of, activation=selection["activation"]), *free)
    return runs, "; ".join(filter(None, (note, f"not drawn: activation {api.listing(others)}" if others else "")))


def variances_of(runs: pd.DataFrame) -> dict[float, pd.DataFrame]:
    """Return, for each variance of the inputs, the variances after each layer, of shape (layers, nets)."""
    inputs = api.values_by_index(api.rows_of(api.first_seed(runs), "input_variance"))
    found = api.by_simulation(api.rows_of(runs, "variance"))
    of_input = found.columns.get_level_values("index") % len(inputs)
    return {variance: found.loc[:, of_input == place] for place, variance in enumerate(inputs)}


def describe_nets(runs: pd.DataFrame, *, metric: str = "log_singular_value", noun: str = "net") -> str:
    """Describe the size of random nets and the number of nets of each setting that recorded a metric.

    metric: a metric with one value per singular value, per variance of the inputs, or per net; noun: the word for a
    net.
    """
    rows = api.last_rows(api.require_rows(runs, metric))
    values = {"log_singular_value": rows["size"], "variance": api.rows_of(runs, "input_variance")["index"].max() + 1}
    shares = rows.assign(value=1 / values.get(metric, 1))
    counts = shares.groupby(api.axes_of(rows, "seed"), observed=True)["value"].sum().round().astype(int)
    sizes, counts = (" to ".join(dict.fromkeys((str(each.min()), str(each.max())))) for each in (rows["size"], counts))
    return f"size {sizes}, {counts} {noun}{'' if counts == '1' else 's'} of each setting"


def log_gain(runs: pd.DataFrame) -> float:
    """Return ln g, the increase of ln σ per layer due to the gain g. All runs must have the same gain."""
    return float(np.log(runs["gain"].iloc[0]))


def predict_mean_logs(runs: pd.DataFrame) -> np.ndarray:
    """Return theory's mean ln σ of the Jacobian after 0, 1, … depth layers; shape (depth + 1,).

    runs: all of the same setting.
    """
    first = runs.iloc[0]
    layers = np.arange(first["depth"] + 1)
    mean_logs = layers * log_gain(runs)
    if first["init"] == "gaussian":
        mean_logs = mean_logs + random_products.mean_log_singular_value(first["size"], layers)
    if first["activation"] == "tanh":
        slopes = tanh_variance.mean_log_slope(_predict_variances(runs)[:-1])
        mean_logs = mean_logs + np.append(0, np.cumsum(slopes))
    return mean_logs


def predict_log_rms(runs: pd.DataFrame) -> float:
    """Return theory's ln √⟨σ²⟩ for the Jacobian of tanh nets of one setting: ½ Σ ln χ, summed over layers."""
    slopes = tanh_variance.mean_square_slope(_predict_variances(runs)[:-1])
    return float(np.sum(2 * log_gain(runs) + np.log(slopes)) / 2)


def distance_from_law(shares: np.ndarray, *, above: float = 0) -> float:
    """Return the Kolmogorov–Smirnov distance of values from a theoretical distribution (a law).

    shares: the law's cumulative distribution function at each value; above: ignore values whose share is smaller.
    """
    shares, ranks = np.sort(shares), np.arange(len(shares))
    differences = np.maximum(np.abs(shares - ranks / len(shares)), np.abs(shares - (ranks + 1) / len(shares)))
    return float(differences[shares >= above].max(initial=0))


def _predict_variances(runs: pd.DataFrame) -> np.ndarray:
    first = api.values_by_index(api.rows_of(runs, "input_variance")).iloc[0]
    return tanh_variance.variances(first, runs["gain"].iloc[0], int(runs["depth"].iloc[0]))
