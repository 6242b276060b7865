"""Rows of a table: those of one metric, and those of each run."""

import pandas as pd

from workflow.deepnets.claims.evidence import NotTestableError, axes_of


def rows_of(runs: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the rows of a metric; raises NotTestableError where there is none."""
    rows = runs[runs["metric"] == metric]
    if rows.empty:
        raise NotTestableError(f"the runs recorded no {metric}")
    return rows


def each_run(runs: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the rows of each run, in the order of the table."""
    return [rows for _, rows in runs.groupby(axes_of(runs), observed=True, sort=False)]


def by_step(run: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return what one run recorded of a metric, steps × indices; raises NotTestableError where it recorded nothing."""
    return rows_of(run, metric).pivot(index="step", columns="index", values="value")
