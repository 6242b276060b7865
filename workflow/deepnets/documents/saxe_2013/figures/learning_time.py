"""Learning times of deep linear nets on MNIST: figures 4, 5 and 6A of Saxe, McClelland and Ganguli 2013."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.saxe_2013.runs import BEST_RATE, CURVES, DEPTHS
from deepnets.looks import INITS, Look
from reproduce import api

# Pretrained nets nearly coincide with orthogonal ones, which are drawn before them.
_SIZES = {"orthogonal": 5, "pretrained": 2.5}


def learning_times(learning_time: api.Table) -> Figure:
    """From orthogonal and pretrained layers depth costs some learning time, from Gaussian ones far more.

    Updates until nets have learned whitened MNIST, each at its fastest rate; markers: mean and standard deviation over
    seeds. a: nets whose modes start decoupled, each with the same small strength in all layers; theory at the best
    rate. The text gives its errors, and those of gradient descent on the strength of a single mode (map). Upward
    triangles are lower bounds: some seeds had not learned; for these, the mean uses the last update of the run.
    """
    sheet = api.Sheet()
    shown = DEPTHS.shown(learning_time, "depth", "init")
    runs = sheet.take_counted(shown, "width")
    # A note needs additional height.
    size = 3.4, 6.0 if shown[1] else 5.2
    alone, every = sheet.panels(2, 1, figsize=size, x="layers", y="learning time (updates)")
    _draw_decoupled(alone, api.runs_of(runs, init="decoupled"))
    for look, own in _by_init(runs):
        _draw_times(every, own, look)
    every.set(xscale="log", yscale="log")
    sheet.add_legend([every], columns=2, loc="outside lower center")
    return sheet.finish()


def best_rates(learning_time: api.Table) -> Figure:
    """The rate at which deep linear nets learn fastest falls with depth, from decoupled starts as 1.9/λ (black).

    Markers: geometric mean and its standard deviation over the seeds that learned. Neighbouring rates differ by a fixed
    factor, by default 19 % for nets that start decoupled; theory's rate is one of the tried rates, and “1.00 × theory”
    means only that no neighbouring rate is faster. λ is the largest eigenvalue of the Hessian at the optimum. The paper
    states that the best rate is proportional to 1/λ; gradient descent becomes unstable at 2/λ.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(DEPTHS.shown(learning_time, "depth", "init"), "width")
    axis = sheet.panel(figsize=(3.4, 2.9), x="layers", y="best learning rate")
    for (name, color, marker), own in _by_init(runs):
        times = _by_layers(own, "learning_time")
        rates, edges, theory = (
            _by_layers(own, metric).reindex_like(times).where(times.notna())
            for metric in ("best_learning_rate", "best_at_edge", "theory_best_learning_rate")
        )
        rates, style = rates.dropna(how="all"), dict[str, Any](color=color, marker=marker, ms=_SIZES.get(name))
        if rates.empty:
            axis.plot([], [], **style, ls="", mfc="white", label=f"{name}: none learned")
            continue
        logs = np.log(rates)
        values, factor = np.exp(logs.mean(axis=1)), np.exp(logs.std(axis=1, ddof=0))
        bounds = values - values / factor, values * factor - values
        axis.errorbar(values.index, values, bounds, fmt="none", color=color)
        ratios = values / theory.mean(axis=1)[values.index]
        low, high = f"{ratios.min():.2f}", f"{ratios.max():.2f}"
        range_text = f", {low} × theory" if low == high else f", {low} to {high} × theory"
        decoupled = name == "decoupled"
        # The line of theory joins the markers of decoupled nets.
        axis.plot(values, **style, lw=0 if decoupled else 0.6, label=name + range_text * decoupled)
        outer = values[edges.max(axis=1)[values.index] > 0]
        label = "first or last rate that was tried" if len(outer) else None
        axis.plot(outer, **style, ls="", mfc="white", label=label)
    # Theory's rate is the same for all runs of a depth.
    theory = api.rows_of(runs, "theory_best_learning_rate").groupby("depth")["value"].first()
    axis.plot(theory.index + 1, theory, color="k", lw=0.8, zorder=1, label=rf"theory, ${BEST_RATE}/\lambda$")
    axis.set(xscale="log", yscale="log")
    sheet.add_legend(columns=2)
    return sheet.finish()


def learning_curves(learning_time: api.Table) -> Figure:
    """A pretrained net learns faster than one from small weights, but pretraining takes the updates that it saves.

    One line per seed, each net at its best rate. Pretraining prepares the layers one after another; each of its updates
    changes only one layer and its decoder. The lines of pretrained nets begin after these updates. A net has learned
    when its error stays below the dashed line. The legend gives mean numbers of updates: of the pretraining, plus those
    until the net has learned.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(CURVES.shown(learning_time, "init"), "width")
    axis = sheet.panel(figsize=(3.4, 2.6), x="updates", y="mean squared error")
    for (name, color, _), own in _by_init(runs):
        delays = _by_layers(own, "pretraining_updates").sum()
        times, ends, bound = _times_and_ends(own)
        learned = f"{'at least ' if bound.any(axis=None) else ''}{times.fillna(ends).mean(axis=None):.0f}"
        label = f"{name}: {f'{delays.mean():.0f} + ' if len(delays) else ''}{learned}"
        for position, (seed, losses) in enumerate(api.by_seed(api.rows_of(own, "train_loss")).items()):
            losses = losses.dropna()
            style = dict[str, Any](color=color, lw=0.8, marker=".", ms=2, label=None if position else label)
            axis.plot(losses.index + delays.get(seed, 0), losses, **style)
    axis.axhline(api.rows_of(runs, "target_loss")["value"].iloc[0], color="0.5", ls="--", lw=0.8, label="_target")
    axis.set(yscale="log", xlim=(0, None))
    sheet.add_legend(columns=1, title=f"{runs['depth'].iloc[0] + 1} layers; updates:")
    return sheet.finish()


def _draw_decoupled(axis: Axes, runs: pd.DataFrame) -> None:
    times, theory, limit = (
        _by_layers(api.require_rows(runs, f"{kind}learning_time"), f"{kind}learning_time")
        for kind in ("", "theory_", "limit_")
    )
    axis.plot(theory.mean(axis=1), color="k", lw=0.8, label="theory, continuous time")
    axis.axhline(limit.mean(axis=None), color="k", ls=":", lw=0.8, label="its limit, infinite depth")
    api.draw_bars(axis, times, api.deviation, fmt="o", color=INITS["decoupled"].color, label="nets")
    errors = (times.mean(axis=1) - theory.mean(axis=1)).dropna()
    relative = (100 * errors / theory.mean(axis=1)).dropna()
    lines = [
        f"nets − theory: {errors.min():.1f} to {errors.max():.1f} updates,",
        ", ".join(f"{relative[layers]:.1f} % at {layers} layers" for layers in dict.fromkeys(errors.index[[0, -1]])),
        f"loss, nets − map: {api.rows_of(runs, 'map_difference')['value'].max():.0e} at most",
    ]
    axis.set_ylim(0, None)
    axis.legend(title="\n".join(lines), loc="lower right", alignment="left", title_fontsize=7)


def _draw_times(axis: Axes, runs: pd.DataFrame, look: Look) -> None:
    name, color, marker = look
    times, ends, bound = _times_and_ends(runs)
    means, learned = times.fillna(ends).mean(axis=1), ~bound.any(axis=1)
    axis.plot(means[learned], color=color, lw=0.6, label=f"_{name}")
    # Lower bounds get no line, because a line would look like measured times.
    api.draw_bars(axis, times[learned], api.deviation, fmt=marker, color=color, label=name, ms=_SIZES.get(name))
    if not learned.all():
        axis.plot(means[~learned], "^", color=color, mfc="white", label=f"{name}, at least")
    total = (_by_layers(runs, "pretraining_updates") + times).mean(axis=1, skipna=False).dropna()
    if len(total):
        axis.plot(total, "--", color=color, lw=0.8, label=f"{name}, with pretraining")


def _by_layers(runs: pd.DataFrame, metric: str, column: str = "value", by: str = "sum") -> pd.DataFrame:
    """Return the values of a metric, summed over indices, for runs of one init; shape (layers, seeds)."""
    table = api.rows_of(runs, metric).pivot_table(index="depth", columns="seed", values=column, aggfunc=by)
    return table.set_axis(table.index + 1)


def _times_and_ends(runs: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return learning times, the last updates of runs that did not diverge, and which of these are lower bounds."""
    ends = _by_layers(runs, "train_loss", "step", "max")
    times = _by_layers(runs, "learning_time").reindex(index=ends.index, columns=ends.columns)
    return times, ends, times.isna() & ends.notna()


def _by_init(runs: pd.DataFrame) -> list[tuple[Look, pd.DataFrame]]:
    """Return the looks of the runs' inits, in the order of legends, each with its runs."""
    return [(look, api.runs_of(runs, init=init)) for init, look in INITS.items() if (runs["init"] == init).any()]
