import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from deepnets.documents.balancedness.claims import LINEAR, SLOW
from deepnets.looks import ACTIVATIONS
from reproduce import api

_LINES = {
    ("linear", "matrix_drift"): ("linear net: matrix", ACTIVATIONS["linear"].color, "o-"),
    ("relu", "matrix_drift"): ("ReLU net: matrix", ACTIVATIONS["relu"].color, "s-"),
    ("relu", "neuron_drift"): ("ReLU net: each neuron", "C2", "^-"),
    ("relu", "layer_drift"): ("ReLU net: each layer", "C3", "v:"),
}


def drifts(balancedness: api.Table) -> Figure:
    """Quantities that gradient flow conserves drift in proportion to the rate; the matrix of a ReLU net changes at any rate.

    Drift as a share of the norm of the initial matrices: (a) at the smallest learning rate, (b) at the end of training.
    The matrix is AᵀA − BBᵀ of each hidden layer, with incoming weights A and outgoing weights B; “each neuron” is its
    diagonal, “each layer” its trace. Lines and markers: mean over seeds; bands, but for each layer: range over seeds.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(LINEAR.shown(balancedness, "learning_rate", "activation"))
    over_time, over_rate = sheet.panels(1, 2, figsize=(6.9, 2.7)).flat
    rates = sorted(runs["learning_rate"].unique())
    ended = api.drop_diverged(runs)
    for (activation, metric), (label, color, style) in _LINES.items():
        rows = api.require_rows(ended, metric, activation=activation)
        seeds = api.by_seed(api.rows_of(rows, metric, learning_rate=rates[0]))
        # At the start nothing has changed yet: 0 has no place on a logarithmic axis.
        seeds = seeds[seeds.index > 0]
        times = seeds.set_axis(seeds.index * rates[0])
        # The bands of neurons and of layers coincide.
        look = {"color": color, "ls": style[1:], "alpha": 0 if metric == "layer_drift" else 0.2}
        api.draw_band(over_time, times, api.extremes, label=label, **look)
        ends = api.by_seed(api.last_rows(rows), down="learning_rate")
        api.draw_band(over_rate, ends, api.extremes, marker=style[0], ms=4, mfc="none", **look)
        if metric == "matrix_drift" and activation == "linear":
            guide = ends.mean(axis=1).iloc[0] * 2.5 * ends.index / ends.index[0]
            over_rate.plot(ends.index, guide, "--", color="gray", label="proportional to the learning rate")
    over_time.set(xlabel="training time: learning rate × updates", ylabel="drift, share of the start", yscale="log")
    over_rate.set(xlabel="learning rate", ylabel="drift at the end", xscale="log", yscale="log")
    over_rate.set_xticks(rates, [f"{rate:g}" for rate in rates])
    over_rate.minorticks_off()
    sheet.add_legend()
    return sheet.finish()


def strengths(unequal_layers: api.Table) -> Figure:
    """With equal layers (imbalance λ = 0) a mode learns fastest midway, with very unequal ones at the start.

    (a) Strength in a two-layer linear net, as a share of its target. (b) Its growth per unit of training time, divided
    by λ + 2. Lines: closed forms of gradient flow, in b √(λ² + 4s²) (1 − s) at the strength s; circles: gradient
    descent.
    """
    sheet = api.Sheet()
    runs = sheet.take(SLOW.shown(unequal_layers, "imbalance"))
    over_time, over_strength = sheet.panels(1, 2, figsize=(6.9, 2.7)).flat
    for position, imbalance in enumerate(sorted(runs["imbalance"].unique())):
        time, strength, closed_form, growth = (
            api.by_seed(api.rows_of(runs, metric, imbalance=imbalance)).iloc[:, 0].to_numpy()
            for metric in ("training_time", "strength", "closed_form", "growth")
        )
        color = f"C{position}"
        over_time.plot(time[1:], closed_form[1:], color=color, lw=1, label=f"λ = {imbalance:g}")
        # As many circles in each part of the logarithmic axis.
        shown = sorted({round(1.25**power) for power in range(26)} & set(range(len(time))))
        over_time.plot(time[shown], strength[shown], "o", color=color, ms=3, mfc="none")
        expected = (imbalance**2 + 4 * closed_form**2) ** 0.5 * (1 - closed_form)
        over_strength.plot(closed_form, expected / (imbalance + 2), color=color, lw=1)
        # At high rates the strength oscillates, so a value may be beyond its end.
        even = np.searchsorted(strength, np.linspace(strength[0], strength[-1], 16)).clip(max=len(strength) - 1)
        over_strength.plot(strength[even], growth[even] / (imbalance + 2), "o", color=color, ms=3, mfc="none")
    over_time.set(xlabel="training time: learning rate × updates", ylabel="strength", xscale="log")
    # The labels of more ticks would run together if training is short.
    over_time.xaxis.set_minor_locator(LogLocator(subs=(2, 5)))
    over_strength.set(xlabel="strength", ylabel="growth / (λ + 2)")
    sheet.add_legend()
    return sheet.finish()
