"""Evidence of a few runs with values that one sees."""

import pandas as pd

from workflow.deepnets.claims.evidence import Evidence


def table(runs):
    """A tidy table of runs: each ({axis: value}, {metric: {(step, index): value}})."""
    rows = [
        {
            "experiment": "toy",
            "depth": 1,
            "init": "none",
            **axes,
            "step": step,
            "metric": metric,
            "index": index,
            "value": value,
        }
        for axes, metrics in runs
        for metric, values in metrics.items()
        for (step, index), value in values.items()
    ]
    return pd.DataFrame(rows)


def evidence(runs, *grids):
    """Evidence of one experiment, `toy`; grids: (axes, settings) each, by default one that holds all runs."""
    frame = table(runs)
    names = [column for column in frame.columns if column not in ("experiment", "step", "metric", "index", "value")]
    every = {name: sorted(frame[name].unique().tolist()) for name in names}
    held = [{"axes": {**every, **axes}, "settings": settings} for axes, settings in grids or [({}, {})]]
    return Evidence({"toy": frame}, {"toy": held})
