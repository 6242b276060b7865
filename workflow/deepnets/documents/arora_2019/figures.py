from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

from deepnets.documents.arora_2019.runs import FEW, FLOW, LEAST_NORM, SMALL
from deepnets.looks import of_depth
from reproduce import api

# Modes whose rates are drawn.
_MODES = 5
# What is drawn of the completed matrix, from top to bottom.
_ENDS = {"test_loss": "relative error", "nuclear_norm": "nuclear norm", "effective_rank": "effective rank\n(entropy)"}


def singular_values(matrix_completion: api.Table) -> Figure:
    """The largest singular values of the end-to-end matrix against updates (Fig 3). Rows: depths; columns: scales.

    Gradient descent completes a matrix from some of its entries. The end-to-end matrix is the product of all factors;
    each factor starts from a multiple of the identity. Strong lines: the first seed; faint lines: the others; dotted:
    the true matrix. Above each panel: the first seed's final effective rank, in brackets that of the true matrix, and
    reconstruction error, which is still falling if the singular values are not yet level.
    """
    sheet = api.Sheet()
    for axis, net in _add_panels(sheet, matrix_completion, "singular value"):
        values = api.require_curve(net, "singular_value")
        for true in api.first_seed(api.rows_of(net, "true_singular_value"))["value"]:
            axis.axhline(true, color="0.6", ls=":", lw=0.6)
        for mode in sorted(values["index"].unique()):
            for position, (_, line) in enumerate(api.by_seed(api.runs_of(values, index=mode)).items()):
                style: dict[str, Any] = {"lw": 0.9} if position == 0 else {"lw": 0.4, "alpha": 0.3}
                axis.plot(line.dropna(), color=f"C{mode % 7}", **style)
        last, true, loss = (
            api.first_seed(api.rows_of(net, metric)).sort_values("step")["value"].iloc[-1]
            for metric in ("effective_rank", "true_effective_rank", "test_loss")
        )
        _write_above(axis, net, f"rank {last:.1f} ({true:.1f}), error {np.sqrt(loss):.2f}")
    return sheet.finish()


def singular_value_flow(matrix_completion: api.Table) -> Figure:
    """Rates of change of the largest singular values against updates: measured (points) and theory (lines).

    Points: central differences over the updates before and after, for the first seed. Lines: dσ_r/dt =
    −N (σ_r²)^{1 − 1/N} ⟨∇L(W), u_r v_rᵀ⟩, for gradient flow on N balanced factors (Theorem 3). Here W is the run's
    end-to-end matrix at that update, σ_r, u_r and v_r its singular values and vectors, L the loss, and t is updates ×
    learning rate. Rows: numbers of factors N; columns: scales of the start. Above each panel: the largest error over
    all recorded values, updates and seeds, relative to the largest rate of the panel; finite steps cause it.
    """
    sheet = api.Sheet()
    for axis, net in _add_panels(sheet, matrix_completion, r"rate $d\sigma/dt$ of the singular value"):
        simulated, theory = (api.require_rows(net, f"{kind}singular_value_rate") for kind in ("", "theory_"))
        for mode in sorted(theory["index"].unique())[:_MODES]:
            flow, points = (
                api.first_seed(api.runs_of(rows, index=mode)).sort_values("step") for rows in (theory, simulated)
            )
            axis.plot(points["step"], points["value"], "o", color=f"C{mode}", ms=2.5, mew=0)
            axis.plot(flow["step"], flow["value"], color="k", lw=0.5)
        both = [rows.set_index(["seed", "step", "index"])["value"] for rows in (simulated, theory)]
        error = (both[0] - both[1]).abs().max() / both[1].abs().max()
        _write_above(axis, net, f"largest error {100 * error:.2g} %")
    return sheet.finish()


def completion_by_scale(matrix_completion: api.Table, least_nuclear_norm: api.Table) -> Figure:
    """The completed matrix against the scale of the initial product (Fig 2): one line per number of factors.

    a: relative error of the completed matrix, the Frobenius norm of the difference from the true matrix, divided by that of the true
    matrix. b: nuclear norm, the sum of the singular values; depth 1 is outside the panel. c: effective rank, the
    exponential of the entropy of the singular values divided by their sum. Points: mean over seeds; bars: from the
    smallest to the largest. Dotted: the true matrix; dashed: the matrix of least nuclear norm with the observed
    entries, found by convex optimisation.
    """
    return _completion_figure(matrix_completion, least_nuclear_norm, "scale", "scale of the initial product", FEW)


def completion_by_entries(matrix_completion: api.Table, least_nuclear_norm: api.Table) -> Figure:
    """The completed matrix against the number of observed entries (Fig 1): one line per number of factors.

    Columns: rank of the true matrix. Rows: relative error; nuclear norm; effective rank. All else is as in the
    figure by scale. The paper draws the least nuclear norm (dashed) in its Figure 2.
    """
    return _completion_figure(matrix_completion, least_nuclear_norm, "entries", "observed entries", SMALL, "rank")


def _completion_figure(
    matrix_completion: api.Table,
    least_nuclear_norm: api.Table,
    across: str,
    label: str,
    described: api.Selection,
    *free: str,
) -> Figure:
    """Draw error, norm and rank of the completed matrix, in a column for each rank of the true matrix."""
    sheet = api.Sheet()
    runs = sheet.take_counted(described.shown(matrix_completion, "depth", across, *free))
    # The least norms of these tasks, at each scale of a run.
    tasks = runs[list(dict.fromkeys(["rank", "entries", across]))].drop_duplicates()
    size = matrix_completion.grids[0]["settings"].get("size")
    least = LEAST_NORM.but(size=size, rank=api.EVERY).among(least_nuclear_norm).merge(tasks)
    ranks = sorted(runs["rank"].unique())
    size = (3.4 if len(ranks) == 1 else 6.6), 5
    axes = sheet.panels(len(_ENDS), len(ranks), figsize=size, sharex="col", squeeze=False)
    for rank, column in zip(ranks, axes.T, strict=True):
        own = api.runs_of(runs, rank=rank)
        if len(ranks) > 1:
            column[0].set_title(api.label_of("rank", rank), loc="right", fontsize=7)
        column[-1].set_xlabel(label)
        for axis, (metric, name) in zip(column, _ENDS.items(), strict=True):
            axis.set_ylabel(name)
            _draw_ends(axis, own, api.runs_of(least, rank=rank), metric, across)
        column[0].set_xscale("log" if across == "scale" else "linear")
        for axis in (column[0], column[2]):
            axis.set_yscale("log")
        # Label ticks with plain numbers, and only a few between powers of ten.
        column[2].yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(2, 0.5)))
        column[2].yaxis.set_major_formatter(LogFormatter())
    sheet.add_legend(axes[1:, 0], columns=2)
    return sheet.finish()


def _draw_ends(axis: Axes, runs: pd.DataFrame, least: pd.DataFrame, metric: str, across: str) -> None:
    """Draw where runs end, one line per depth, the true matrix, and that of least nuclear norm."""
    ends = api.last_rows(api.require_rows(api.drop_diverged(runs), metric))
    # Entries have root mean square 1: the root of the mean squared error is relative to the norm.
    ends = ends.assign(value=np.sqrt(ends["value"])) if metric == "test_loss" else ends
    for depth, net in ends.groupby("depth"):
        values = net.groupby(across)["value"]
        mean = values.mean()
        beyond = [mean - values.min(), values.max() - mean]
        name, colour, marker = of_depth(depth)
        axis.errorbar(mean.index, mean, beyond, marker=marker, color=colour, label=name)
    # All runs of a seed and a rank complete the same matrix, whatever their depth.
    true = api.rows_of(runs, f"true_{metric}") if metric != "test_loss" else runs[:0]
    if not true.empty:
        true = api.runs_of(true, **{axis: true[axis].min() for axis in ("depth", across)})
        axis.axhline(true["value"].mean(), color="0.5", ls=":", label="true matrix")
    norms = api.rows_of(least, metric)
    norms = norms.assign(value=np.sqrt(norms["value"])) if metric == "test_loss" else norms
    if not norms.empty:
        label = f"least nuclear norm (gap ≤ {api.rows_of(least, 'duality_gap')['value'].max():.0e})"
        axis.plot(norms.groupby(across)["value"].mean(), "x--", color="k", lw=0.8, label=label)
    if metric == "nuclear_norm":
        # The norms of depth 1 are twice as large and would hide the differences of the others.
        shown = pd.concat([ends.loc[ends["depth"] > 1, "value"], true["value"], norms["value"]])
        margin = 0.05 * (shown.max() - shown.min())
        axis.set_ylim(shown.min() - margin, shown.max() + margin)


def _add_panels(sheet: api.Sheet, table: api.Table, label: str) -> list[tuple[Axes, pd.DataFrame]]:
    """Add panels, one row per depth and one column per scale, and return each panel with its runs."""
    runs = sheet.take_counted(FLOW.shown(table, "depth", "scale"), "entries")
    depths, scales = (sorted(runs[axis].unique()) for axis in ("depth", "scale"))
    size = 1.9 * max(2, len(scales)), 0.5 + 1.35 * len(depths)
    axes = sheet.panels(len(depths), len(scales), figsize=size, squeeze=False)
    sheet.figure.supylabel(label, fontsize=8)
    sheet.figure.supxlabel("updates (thousands)", fontsize=8)
    nets = [api.runs_of(runs, depth=depth, scale=scale) for depth in depths for scale in scales]
    for axis in axes.flat:
        axis.xaxis.set_major_formatter(lambda step, _: f"{step / 1000:g}")
    return list(zip(axes.flat, nets, strict=True))


def _write_above(axis: Axes, net: pd.DataFrame, words: str) -> None:
    """Write `words` above a panel, and below them the depth and the scale."""
    depth, scale = (api.label_of(name, net[name].iloc[0]) for name in ("depth", "scale"))
    axis.set_title(f"{words}\n{depth}, {scale}", loc="right", fontsize=7)
