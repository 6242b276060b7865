"""Learning times of deep linear nets on MNIST: figures 4, 5 and 6A of Saxe, McClelland and Ganguli 2013."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.saxe_2013.printed import BEST_RATE
from deepnets.documents.saxe_2013.runs import CURVES, DEPTHS
from deepnets.looks import INITS
from reproduce import api


def learning_times(learning_time: api.Table) -> Figure:
    """Updates until deep linear nets have learned whitened MNIST, each at its fastest rate, against depth.

    Markers: mean and standard deviation over seeds. a: nets whose modes start decoupled; each mode has the same small
    strength in all layers; line: theory in continuous time at the best rate; dotted: the limit of theory for infinitely
    many layers; crosses: gradient descent on the strength of a single mode. The text gives the errors of theory and of
    this single mode. b: all kinds of initial weights; dashed: pretrained nets, with the updates of the pretraining
    added. Upward triangles are lower bounds: some seeds had not learned; for these, the mean uses the last update of
    the run.
    """
    sheet = api.Sheet()
    selected, note = DEPTHS.shown(learning_time, "depth", "init")
    runs = sheet.take_counted((selected, note), "width")
    # A note needs additional height.
    axes = sheet.panels(2, 1, figsize=(3.4, 6.0 if note else 5.2))
    for axis in axes:
        axis.set(xlabel="layers", ylabel="learning time (updates)")
    _draw_decoupled(axes[0], api.runs_of(runs, init="decoupled"))
    for init, own in _by_init(runs):
        _draw_times(axes[1], own, *INITS[init])
    axes[1].set(xscale="log", yscale="log")
    sheet.add_legend(axes[1:], columns=2, loc="outside lower center")
    return sheet.finish()


def best_rates(learning_time: api.Table) -> Figure:
    """The rate at which deep linear nets learn fastest, against the number of layers.

    Markers: geometric mean and its standard deviation over the seeds that learned. Neighbouring rates differ by a fixed
    factor, by default 19 % for nets that start decoupled; theory's rate is one of the tried rates, and “1.00 × theory”
    means only that no neighbouring rate is faster. Open markers: for some seed, the fastest rate was the first or the
    last that we tried; the best rate may be outside. Dashed: 1.9/λ for decoupled nets, where λ is the largest
    eigenvalue of the Hessian at the optimum. The paper states that the best rate is proportional to 1/λ; we chose the
    factor 1.9, just below 2, where gradient descent becomes unstable.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(DEPTHS.shown(learning_time, "depth", "init"), "width")
    axis = sheet.panel(figsize=(3.4, 2.9))
    axis.set(xlabel="layers", ylabel="best learning rate")
    for init, own in _by_init(runs):
        name, colour, marker = INITS[init]
        times = _sum_per_seed(own, "learning_time")
        rates, edges = (
            _sum_per_seed(own, metric).reindex_like(times).where(times.notna())
            for metric in ("best_learning_rate", "best_at_edge")
        )
        logarithms = np.log(rates)
        means, spreads = logarithms.mean(axis=1).dropna(), logarithms.std(axis=1, ddof=0)
        if means.empty:
            axis.plot([], [], marker, color=colour, mfc="white", label=f"{name}: none learned")
            continue
        values = np.exp(means)
        bounds = values - np.exp(means - spreads[means.index]), np.exp(means + spreads[means.index]) - values
        axis.errorbar(means.index + 1, values, bounds, fmt="none", color=colour)
        label = _label_with_ratio(name, init, own, values)
        axis.plot(means.index + 1, values, color=colour, marker=marker, lw=0.6, label=label)
        open_ones = values[edges.max(axis=1)[means.index] > 0]
        axis.plot(open_ones.index + 1, open_ones, marker, color=colour, mfc="white")
    # Theory's rate is the same for all runs of a depth.
    theory = api.rows_of(runs, "theory_best_learning_rate").groupby("depth")["value"].first()
    axis.plot(theory.index + 1, theory, "--", color="k", lw=0.8, zorder=4, label=rf"theory, ${BEST_RATE}/\lambda$")
    axis.set(xscale="log", yscale="log")
    sheet.add_legend(columns=2)
    return sheet.finish()


def learning_curves(learning_time: api.Table) -> Figure:
    """Training error of deep linear nets from small random weights and after greedy pretraining, each at its best rate.

    One line per seed. Pretraining prepares the layers one after another; each of its updates changes only one layer and
    its decoder. The lines of pretrained nets begin after these updates. A net has learned when its error stays below
    the dashed line. The legend gives the mean number of pretraining updates, plus the mean number of updates until the
    net has learned; “at least” if some have not learned, which count with their last update.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(CURVES.shown(learning_time, "init"), "width")
    axis = sheet.panel(figsize=(3.4, 2.6))
    axis.set(xlabel="updates", ylabel="mean squared error")
    for init, own in _by_init(runs):
        name, colour, _ = INITS[init]
        curves = api.by_seed(api.rows_of(own, "train_loss"))
        delays = _sum_per_seed(own, "pretraining_updates").sum()
        for position, (seed, losses) in enumerate(curves.items()):
            label = None if position else _label_with_times(name, own, delays)
            losses = losses.dropna()
            axis.plot(losses.index + delays.get(seed, 0), losses, color=colour, lw=0.8, marker=".", ms=2, label=label)
    axis.axhline(api.rows_of(runs, "target_loss")["value"].iloc[0], color="0.5", ls="--", lw=0.8)
    axis.set(yscale="log", xlim=(0, None))
    sheet.add_legend(columns=1, title=f"{runs['depth'].iloc[0] + 1} layers; updates:")
    return sheet.finish()


def _sum_per_seed(runs: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the values of a metric, summed over indices, for runs of one init; shape (depths, seeds)."""
    return api.rows_of(runs, metric).pivot_table(index="depth", columns="seed", values="value", aggfunc="sum")


def _by_init(runs: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the inits of the runs, in the order of legends, each with its runs."""
    return [(init, api.runs_of(runs, init=init)) for init in INITS if (runs["init"] == init).any()]


def _draw_decoupled(axis: Axes, runs: pd.DataFrame) -> None:
    times, theory, limit, mapped = (
        _sum_per_seed(api.require_rows(runs, f"{kind}learning_time"), f"{kind}learning_time")
        for kind in ("", "theory_", "limit_", "map_")
    )
    axis.plot(theory.index + 1, theory.mean(axis=1), color="k", lw=0.8, label="theory, continuous time")
    axis.axhline(limit.mean(axis=None), color="k", ls=":", lw=0.8, label="its limit, infinite depth")
    errors = (times.mean(axis=1) - theory.mean(axis=1)).dropna()
    relative = (100 * errors / theory.mean(axis=1)).dropna()
    axis.errorbar(
        times.index + 1,
        times.mean(axis=1),
        times.std(axis=1, ddof=0),
        fmt="o",
        color=INITS["decoupled"].color,
        label="nets",
    )
    axis.plot(mapped.index + 1, mapped.mean(axis=1), "x", color="C4", ms=3, zorder=4, label="map of a mode")
    lines = [
        f"nets − theory: {errors.min():.1f} to {errors.max():.1f} updates,",
        ", ".join(f"{relative[depth]:.1f} % at {depth + 1} layers" for depth in dict.fromkeys(errors.index[[0, -1]])),
        f"loss, nets − map: {api.rows_of(runs, 'map_difference')['value'].max():.0e} at most",
    ]
    axis.set_ylim(0, None)
    axis.legend(title="\n".join(lines), loc="lower right", alignment="left", title_fontsize=7)


def _draw_times(axis: Axes, runs: pd.DataFrame, name: str, colour: str, marker: str) -> None:
    ends = _last_steps(runs)
    times = _sum_per_seed(runs, "learning_time").reindex(index=ends.index, columns=ends.columns)
    means = times.fillna(ends).mean(axis=1)
    all_learned = (times.notna() | ends.isna()).all(axis=1)
    done, bounds = means[all_learned], means[~all_learned]
    axis.plot(done.index + 1, done, color=colour, lw=0.6)
    # Lower bounds get no line, because a line would look like measured times.
    axis.errorbar(done.index + 1, done, times.std(axis=1, ddof=0)[done.index], fmt=marker, color=colour, label=name)
    if len(bounds):
        axis.plot(bounds.index + 1, bounds, "^", color=colour, mfc="white", label=f"{name}, at least")
    updates = _sum_per_seed(runs, "pretraining_updates")
    if not updates.empty:
        total = (updates + times).mean(axis=1, skipna=False).dropna()
        axis.plot(total.index + 1, total, "--", color=colour, lw=0.8, label=f"{name}, with pretraining")


def _last_steps(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the last update of each run that did not diverge, of shape (depths, seeds)."""
    return api.rows_of(runs, "train_loss").pivot_table(index="depth", columns="seed", values="step", aggfunc="max")


def _label_with_ratio(name: str, init: str, runs: pd.DataFrame, rates: pd.Series) -> str:
    if init != "decoupled":
        return name
    ratios = rates / _sum_per_seed(runs, "theory_best_learning_rate").mean(axis=1)[rates.index]
    low, high = f"{ratios.min():.2f}", f"{ratios.max():.2f}"
    return f"{name}, {low} × theory" if low == high else f"{name}, {low} to {high} × theory"


def _label_with_times(name: str, runs: pd.DataFrame, delays: pd.Series) -> str:
    ends, times = _last_steps(runs), _sum_per_seed(runs, "learning_time")
    times = times.reindex(index=ends.index, columns=ends.columns)
    bound = "at least " if times.isna().any(axis=None) else ""
    learned = f"{bound}{times.fillna(ends).mean(axis=None):.0f}"
    return f"{name}: {f'{delays.mean():.0f} + ' if len(delays) else ''}{learned}"
