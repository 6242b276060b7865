"""Small tables of the experiment `propagation` with known numbers."""

import pandas as pd

AXES = {
    **{"block": "vanilla", "arch": "feedforward", "norm": "none", "activation": "relu", "init": "normal", "gain": 2.0},
    **{"bias": 0.0, "width": 512, "kernel": 3, "batch": 64, "depth": 200, "seed": 0, "dataset": "cifar10"},
}
TEXTS = ["metric", "dataset", "block", "arch", "norm", "activation", "init"]


def net(metrics, **axes):
    """Return the rows of one net from {metric: {layer: [value of each simulation, or of each point]}}."""
    rows = [
        (step, metric, index, value)
        for metric, layers in metrics.items()
        for step, values in layers.items()
        for index, value in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=["step", "metric", "index", "value"]).assign(**{**AXES, **axes})


def table(*nets):
    """Return several nets in one table, with texts as categories, as in a table's file."""
    return pd.concat(nets, ignore_index=True).astype(dict.fromkeys(TEXTS, "category"))
