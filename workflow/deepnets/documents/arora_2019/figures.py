import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

from deepnets.documents.arora_2019.claims import FEW, FIGURE_3, FLOW, LEAST_NORM, SMALL
from deepnets.looks import of_depth
from reproduce import api

# What is drawn of the completed matrix, from top to bottom.
_ENDS = {"test_loss": "relative error", "nuclear_norm": "nuclear norm", "effective_rank": "effective rank\n(entropy)"}


def singular_values(matrix_completion: api.Table) -> Figure:
    """The more factors and the smaller the start, the fewer singular values of the completed matrix are large (Fig 3).

    Gradient descent completes a matrix from some of its entries, as a product of factors that start from a multiple of
    the identity. Colours: the five largest singular values of the product; grey: the next ones; strong lines: the first
    seed; faint lines: the others; dotted: the true matrix. Above each panel: the first seed's final effective rank, in
    brackets that of the true matrix, and reconstruction error, which is still falling if the singular values are not
    yet level.
    """
    sheet, panels = _panels(matrix_completion, "singular value", "scale")
    for axis, net in panels:
        first, curves = api.first_seed(net), api.require_curve(net, "singular_value")
        for true in api.rows_of(first, "true_singular_value")["value"]:
            axis.axhline(true, color="0.6", ls=":", lw=0.6, label="_true matrix")
        for mode in sorted(curves["index"].unique()):
            for place, (_, curve) in enumerate(api.by_seed(api.runs_of(curves, index=mode)).items()):
                width, opacity = (0.4, 0.3) if place else (0.9, None)
                colour, name = f"C{mode}" if mode < 5 else "0.6", f"_singular value {mode + 1}"
                axis.plot(curve.dropna(), color=colour, lw=width, alpha=opacity, label=name)
        last, true, loss = (
            api.last_rows(api.rows_of(first, metric))["value"].iloc[0]
            for metric in ("effective_rank", "true_effective_rank", "test_loss")
        )
        _write_above(axis, net, f"rank {last:.1f} ({true:.1f}), error {np.sqrt(loss):.2f}")
    return sheet.finish()


def singular_value_flow(matrix_completion: api.Table) -> Figure:
    """Singular values of products of one to three factors change at the rates of Theorem 3 (black lines).

    Points, one colour for each of the five largest: central differences over the updates before and after, for the
    first seed. Lines: dσ/dt = −N σ^(2 − 2/N) ⟨∇L(W), u vᵀ⟩, for gradient flow on N balanced factors. Here W is the
    run's product at that update, σ a singular value with its vectors u and v, L the loss, and t is updates × learning
    rate. Above each panel: the largest error over all recorded values, updates and seeds, relative to the largest rate
    of the panel; finite steps cause it.
    """
    sheet, panels = _panels(matrix_completion, r"rate $d\sigma/dt$")
    for axis, net in panels:
        simulated, theory = (api.labelled(net, f"{kind}singular_value_rate") for kind in ("", "theory_"))
        points, flow = (each[0].unstack("index") for each in (simulated, theory))
        for mode in flow.columns[:5]:
            axis.plot(flow[mode], color="k", lw=0.5, label=f"_theory, singular value {mode + 1}")
            label = f"_measured, singular value {mode + 1}"
            axis.plot(points[mode].iloc[::2], "o", color=f"C{mode}", ms=2.5, mew=0, label=label)
        error = (simulated - theory).abs().max() / theory.abs().max()
        _write_above(axis, net, f"largest error {100 * error:.2g} %")
    return sheet.finish()


def completion_by_scale(matrix_completion: api.Table, least_nuclear_norm: api.Table) -> Figure:
    """From small starts, deep factorisations complete a matrix at low rank, not at the least nuclear norm (Fig 2).

    a: Frobenius norm of the difference from the true matrix, divided by that of the true matrix. b: sum of the singular
    values; depth 1 is outside the panel. c: exponential of the entropy of the singular values divided by their sum.
    Points: mean over seeds; bars: from the smallest to the largest. Least nuclear norm: of all matrices with the
    observed entries, found by convex optimisation.
    """
    return _draw_completion(matrix_completion, least_nuclear_norm, FEW, "scale", "scale of the initial product")


def completion_by_entries(matrix_completion: api.Table, least_nuclear_norm: api.Table) -> Figure:
    """Deeper factorisations complete a matrix more accurately from few entries (Fig 1).

    Columns: rank of the true matrix. Lines, points and bars are as in the figure by scale.
    """
    return _draw_completion(matrix_completion, least_nuclear_norm, SMALL, "entries", "observed entries", "rank")


def _panels(table: api.Table, y: str, *free: str) -> tuple[api.Sheet, list[tuple[Axes, pd.DataFrame]]]:
    """Return a sheet with a row of panels per depth and a column per scale, and each panel with its runs.

    free: "scale"; without it, the document's scale, in a single row.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted((FLOW if free else FIGURE_3).shown(table, "depth", *free), "entries")
    depths, scales = (sorted(runs[axis].unique()) for axis in ("depth", "scale"))
    rows, columns = (len(depths), len(scales)) if free else (1, len(depths))
    size = max(3.8, 2.2 * columns), 0.5 + 1.4 * rows
    panels = sheet.panels(rows, columns, squeeze=False, figsize=size).flat
    sheet.figure.supylabel(y, fontsize=8)
    sheet.figure.supxlabel("updates (thousands)", fontsize=8)
    for axis in panels:
        axis.xaxis.set_major_formatter(lambda step, _: f"{step / 1000:g}")
    nets = [api.runs_of(runs, depth=depth, scale=scale) for depth in depths for scale in scales]
    return sheet, list(zip(sheet.figure.axes, nets, strict=True))


def _write_above(axis: Axes, net: pd.DataFrame, words: str) -> None:
    setting = ", ".join(api.label_of(name, net[name].iloc[0]) for name in ("depth", "scale"))
    axis.set_title(f"{words}\n{setting}", loc="right", fontsize=7)


def _draw_completion(
    runs: api.Table, least: api.Table, described: api.Selection, across: str, label: str, *free: str
) -> Figure:
    """Draw error, norm and rank of the completed matrix; with ranks of the true matrix (free), errors in columns."""
    sheet = api.Sheet()
    shown = sheet.take_counted(described.shown(runs, "depth", across, *free))
    # The least norms of these tasks, at each scale of a run.
    tasks = shown[[*{"rank": 0, "entries": 0, across: 0}]].drop_duplicates()
    norms = LEAST_NORM.but(size=runs.grids[0]["settings"].get("size"), rank=api.EVERY).among(least).merge(tasks)
    columns = [
        (rank, *(api.runs_of(each, rank=rank) for each in (shown, norms))) for rank in sorted(set(tasks["rank"]))
    ]
    ends = list(_ENDS.items())[: 1 if free else None]
    size = max(3.4, 3.3 * len(columns)), 2.8 if free else 5
    axes = sheet.panels(len(ends), len(columns), figsize=size, sharex="col", squeeze=False)
    for (rank, nets, convex), column in zip(columns, axes.T, strict=True):
        for axis, (metric, name) in zip(column, ends, strict=True):
            axis.set_ylabel(name)
            _draw_ends(axis, nets, convex, metric, across)
            axis.set_yscale("linear" if metric == "nuclear_norm" else "log")
        column[0].set(title=api.label_of("rank", rank) if free else "", xscale="log" if across == "scale" else "linear")
        column[-1].set(xlabel=label, xticks=sorted(nets[across].unique()))
        if not free:
            # Label ticks with plain numbers, and only a few between powers of ten.
            column[-1].yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(2, 0.5)))
            column[-1].yaxis.set_major_formatter(LogFormatter())
    sheet.add_legend(columns=2 + bool(free))
    return sheet.finish()


def _draw_ends(axis: Axes, nets: pd.DataFrame, convex: pd.DataFrame, metric: str, across: str) -> None:
    """Draw where runs end, one line per depth, the true matrix, and that of least nuclear norm."""
    ends = api.last_rows(api.require_rows(api.drop_diverged(nets), metric))
    # All runs of a seed and a rank complete the same matrix, whatever their depth.
    true = (nets[:0] if metric == "test_loss" else api.rows_of(nets, f"true_{metric}")).drop_duplicates("seed")
    norms = api.rows_of(convex, metric)
    if metric == "test_loss":
        # Entries have root mean square 1: the root of the mean squared error is relative to the norm.
        ends, norms = (each.assign(value=np.sqrt(each["value"])) for each in (ends, norms))
    for depth, net in ends.groupby("depth"):
        api.draw_bars(axis, api.by_seed(net, down=across), api.extremes, **of_depth(depth).style)
    if len(true):
        axis.axhline(true["value"].mean(), color="0.5", ls=":", label="true matrix")
    if len(norms):
        label = f"least nuclear norm (gap ≤ {api.rows_of(convex, 'duality_gap')['value'].max():.0e})"
        axis.plot(norms.groupby(across)["value"].mean(), "x--", color="k", lw=0.8, label=label)
    if metric == "nuclear_norm":
        # The norms of depth 1 are twice as large and would hide the differences of the others.
        within = pd.concat([ends.loc[ends["depth"] > 1, "value"], true["value"], norms["value"]])
        margin = 0.05 * np.ptp(within)
        axis.set_ylim(within.min() - margin, within.max() + margin)
