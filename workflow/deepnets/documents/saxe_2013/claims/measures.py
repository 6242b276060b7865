"""Measures of learning times, for several modules of this ledger."""

import numpy as np
import pandas as pd

from deepnets.claims.claim import Measure
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import as_measure, difference, final, updates
from deepnets.claims.section import Runs
from deepnets.tables.axes import run_index
from deepnets.tables.matrices import by_run
from deepnets.tables.rows import NotRecordedError, require_rows

EXPERIMENT = "learning_time"


def with_layers(runs: Runs, layers: int) -> Runs:
    """Return the runs with this number of layers. The config counts matrices, one fewer than layers."""
    return {**runs, "depth": layers - 1}


def measure_time(runs: Runs) -> Measure:
    """Measure learning times in updates. The time is NaN if a net has not learned."""
    return final(EXPERIMENT, "learning_time", **runs)


@as_measure
def measure_time_or_end(evidence: Evidence, runs: Runs) -> np.ndarray:
    """Measure learning times in updates. If a net has not learned, use the run's last update."""
    last = updates(EXPERIMENT, "train_loss", **runs)(evidence)
    try:
        times = measure_time(runs)(evidence)
    except NotRecordedError:
        # No run has learned.
        return last
    return np.where(np.isnan(times), last, times)


def slope_between(shallow: int, deep: int, runs: Runs) -> Measure:
    """Measure the mean increase of the learning time between two numbers of layers, in updates per layer."""
    growth = difference(measure_time(with_layers(runs, deep)), measure_time(with_layers(runs, shallow)))
    return lambda evidence: growth(evidence) / (deep - shallow)


def read_by_depth(evidence: Evidence, metric: str, wanted: Runs) -> pd.DataFrame:
    """Return the last recorded value of a metric in each run, of shape (depths, nets); NaN if there is none."""
    runs = evidence.runs(EXPERIMENT, **wanted)
    depths, nets = sorted(runs["depth"].unique()), run_index(runs.drop(columns="depth"))
    return by_run(require_rows(runs, metric), down="depth").reindex(index=depths, columns=nets)
