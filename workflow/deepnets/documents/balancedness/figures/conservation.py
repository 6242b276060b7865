"""The figures on what gradient descent conserves."""

import pandas as pd
from matplotlib.figure import Figure

from deepnets.documents.balancedness.runs import NETS
from deepnets.figures.sheet import Sheet
from deepnets.tables.matrices import by_seed
from deepnets.tables.old_selection import select_settings
from deepnets.tables.rows import last_rows, rows_of

_LINES = {
    ("linear", "matrix_drift"): ("linear net: matrix", "C0", "o-"),
    ("relu", "matrix_drift"): ("ReLU net: matrix", "C1", "s-"),
    ("relu", "neuron_drift"): ("ReLU net: each neuron", "C2", "^-"),
    ("relu", "layer_drift"): ("ReLU net: each layer", "C3", "v:"),
}


def drifts(balancedness: pd.DataFrame) -> Figure:
    """Change of what gradient flow conserves in linear nets, as a share of the norm of the initial balance matrices.

    (a) Against training time, at the smallest learning rate. (b) At the end of training, against the learning rate; the
    dashed line is proportional to it. The matrix is AᵀA − BBᵀ of each hidden layer, with incoming weights A and
    outgoing weights B; “each neuron” is its diagonal, “each layer” its trace, which gradient flow also conserves in
    ReLU nets. Lines and markers: mean over seeds; bands: range over seeds.
    """
    sheet = Sheet()
    runs = sheet.take_counted(select_settings(balancedness, NETS, learning_rate=8, activation=2))
    over_time, over_rate = sheet.panels(1, 2, figsize=(6.9, 2.7)).flat
    rates = sorted(runs["learning_rate"].unique())
    for (activation, metric), (label, color, style) in _LINES.items():
        rows = rows_of(runs, metric, activation=activation)
        if rows.empty:
            continue
        seeds = by_seed(rows_of(rows, metric, learning_rate=rates[0]))
        # At the start nothing has changed yet: 0 has no place on a logarithmic axis.
        seeds = seeds[seeds.index > 0]
        times = seeds.index * rates[0]
        over_time.plot(times, seeds.mean(axis=1), color=color, ls=style[1:], label=label)
        over_time.fill_between(times, seeds.min(axis=1), seeds.max(axis=1), color=color, alpha=0.2, lw=0)
        ends = by_seed(last_rows(rows), down="learning_rate")
        over_rate.plot(ends.index, ends.mean(axis=1), style, color=color, ms=4, mfc="none")
        over_rate.fill_between(ends.index, ends.min(axis=1), ends.max(axis=1), color=color, alpha=0.2, lw=0)
        if metric == "matrix_drift" and activation == "linear":
            guide = ends.mean(axis=1).iloc[0] * 2.5 * ends.index / ends.index[0]
            over_rate.plot(ends.index, guide, "--", color="gray", label="proportional to the learning rate")
    over_time.set(xlabel="training time: learning rate × updates", ylabel="drift, share of the start", yscale="log")
    over_rate.set(xlabel="learning rate", ylabel="drift at the end", xscale="log", yscale="log")
    over_rate.set_xticks(rates, [f"{rate:g}" for rate in rates])
    over_rate.minorticks_off()
    sheet.add_legend()
    return sheet.finish()
