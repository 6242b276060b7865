import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from deepnets.documents.synthesis.runs import NEURON, SMALL, UNEQUAL, WIDE
from deepnets.theory.mixed_dynamics import mode_rate
from deepnets.theory.unequal_layers import learning_time
from reproduce import api


def one_law(
    unequal_layers: api.Table, one_neuron: api.Table, mixed_dynamics: api.Table, saddle_to_saddle: api.Table
) -> Figure:
    """One law says what imbalance, width and scale do to two linear layers: ds/dt = 2 √(s² + c²) (λ − s).

    A mode has the strength s and the singular value λ. c is half of the imbalance δ, or the variance of the weights times
    the width. a: growth, divided by 2c (λ − s), that of lazy learning; line: the law. b: points: narrow nets, c nearly 0,
    by the scale of their weights, means over seeds; lines: the law with c = 0 and, dashed, with larger c. With small c,
    modes are learned one after another; with large c, all together, and sooner.
    """
    sheet = api.Sheet()
    growths, times = sheet.panels(1, 2, figsize=(6.9, 2.8))
    growths.set(xlabel="s/c", ylabel="growth / growth of lazy learning", xscale="log", yscale="log", xlim=(1e-3, 1e3))
    times.set(xlabel="singular value λ", ylabel="half time (training time)", xscale="log", yscale="log")
    with sheet.part():
        unequal = UNEQUAL.among(unequal_layers)
        strength, growth = (api.require_rows(unequal, metric)["value"].to_numpy() for metric in ("strength", "growth"))
        threshold = api.rows_of(unequal, "strength")["imbalance"].to_numpy() / 2
        # Once it is learned, a mode has no growth to measure.
        left = strength < 0.9
        shares = growth[left] / (1 - strength[left]) / (2 * threshold[left])
        growths.plot((strength / threshold)[left][::3], shares[::3], "C0^", ms=3, label="two weights, c = δ/2")
    with sheet.part():
        ends = np.array([_end_of(run) for _, run in NEURON.among(one_neuron).groupby("imbalance", observed=True)])
        growths.plot(*ends.T, "C1s", ms=5, label="end of a linear neuron, c = δ/2")
    with sheet.part():
        wide = api.first_seed(WIDE.among(mixed_dynamics))
        strength, growth = (api.require_rows(wide, metric) for metric in ("strength", "growth"))
        threshold = strength["size"].astype(float) ** strength["threshold_exponent"].astype(float)
        places = (strength["value"] / threshold).to_numpy()
        growths.plot(places[::7], growth["value"][::7], "C2.", ms=3, zorder=1, label="wide nets, c = width × variance")
    places = np.geomspace(1e-3, 1e3)
    growths.plot(places, mode_rate(places, 1) / 2, "k", lw=0.8, zorder=0, label="_law")
    with sheet.part(times):
        small = sheet.take(SMALL.shown(saddle_to_saddle, "scale", instead=False), name="b")
        values = api.values_by_index(api.require_rows(small, "singular_value")).to_numpy()
        line = np.geomspace(values.min(), values.max())
        scales = sorted(small["scale"].unique())
        for number, scale in enumerate(scales):
            halves = api.require_rows(small, "half_time", scale=scale).groupby("index")["value"].mean()
            halves, color = 2 * small["learning_rate"].iloc[0] * halves, f"C{number + 3}"
            times.plot(
                values[halves.index][::-1], halves[::-1], "o", color=color, ms=4, label=api.label_of("scale", scale)
            )
            times.plot(line, learning_time(line, scale**2, line / 2, 2, 0), color=color, lw=0.8, label="_law, c = 0")
        for threshold in (0.1, 1, 10):
            halves = learning_time(line, scales[-1] ** 2, line / 2, 2, 2 * threshold)
            times.plot(line, halves, "k--", lw=0.8, label=f"c = {threshold:g}")
        times.set_xticks(values, [f"{value:g}" for value in values])
        times.minorticks_off()
        api.label_lines(times)
    growths.legend(loc="upper left")
    return sheet.finish()


def _end_of(run: pd.DataFrame) -> tuple[float, float]:
    """Return 1/c and the rate at which the error along the target decays at the end, divided by 2c, for the target 1."""
    time, product = (
        api.by_seed(api.require_rows(run, metric, index=0)).iloc[:, 0].to_numpy()
        for metric in ("training_time", "second_coefficient")
    )
    logs, imbalance = np.log10(np.maximum(np.abs(1 - product), 1e-300)), run["imbalance"].iloc[0]
    start, end = np.interp([-4, -8], logs[::-1], time[::-1], left=np.nan)
    return 2 / imbalance, np.log(1e4) / (end - start) / imbalance
