"""The quantities that the synthesis compares: last values, and effective ranks at the end and at half the loss."""

import numpy as np
import pandas as pd

from deepnets.networks.linear import effective_rank
from reproduce import api


def ranks_at_end(runs: pd.DataFrame) -> pd.Series:
    """Return the effective rank of the trained matrix for each run that did not diverge, indexed by axes."""
    values = api.last_rows(api.rows_of(api.drop_diverged(runs), "singular_value"))
    ranks = values.groupby(api.axes_of(values), observed=True)["value"].agg(
        lambda each: effective_rank(each.to_numpy())
    )
    return pd.Series(ranks)


def last_values(runs: pd.DataFrame, metric: str) -> pd.Series:
    """Return the last value of a metric for each run that did not diverge, indexed by axes."""
    rows = api.last_rows(api.rows_of(api.drop_diverged(runs), metric))
    return rows.set_index(api.axes_of(rows))["value"]


def ranks_halfway(runs: pd.DataFrame, metric: str) -> pd.Series:
    """Return each run's effective rank when the loss has halved, indexed by axes; NaN if the loss never halves.

    metric: singular values, or strengths of modes. If a run records no loss, the loss is the sum over modes of
    (strength − singular value of the data)².
    """
    points = runs.groupby(api.axes_of(runs), observed=True, sort=True)
    # The index has its levels even if there is no run.
    index = points.size().index
    return pd.Series([_rank_halfway(run, metric) for _, run in points], index, dtype=float)


def _rank_halfway(run: pd.DataFrame, metric: str) -> float:
    strengths = api.by_index(api.rows_of(run, metric))
    losses = api.rows_of(run, "train_loss").set_index("step")["value"].sort_index()
    if losses.empty and len(strengths):
        targets = api.rows_of(run, "data_singular_value").set_index("index")["value"]
        losses = ((strengths - targets) ** 2).sum(axis=1)
    losses = losses.reindex(strengths.index)
    halved = losses.index[losses <= losses.iloc[0] / 2] if len(losses) else []
    return effective_rank(strengths.loc[halved[0]].to_numpy()) if len(halved) else np.nan
