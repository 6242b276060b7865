"""Figure 3 of Saxe, McClelland and Ganguli 2013: modes of hierarchical data over time, and their delays."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from deepnets.documents.saxe_2013.quantities import relative_delays
from deepnets.documents.saxe_2013.runs import DECOUPLED_TREE, RANDOM_TREE
from deepnets.looks import ACTIVATIONS
from reproduce import api

_STARTS = ((RANDOM_TREE, "random start", "o"), (DECOUPLED_TREE, "decoupled start", "x"))


def mode_strengths(mode_dynamics: api.Table) -> Figure:
    """Modes of the tree's features are learned one by one, later than theory predicts (Fig. 3, left).

    Small random initial weights; strong lines: one net of the first seed; faint lines: one net of each further seed.
    Dashed: eq. 12, the closed form for a linear net. A mode's strength is its entry on the diagonal of Uᵀ Σ₃₁ V, where
    Σ₃₁ is the correlation of the net's outputs with its inputs, and U and V are the singular vectors of the data. The
    text gives the error of the closed form's half times for the worst mode: as a mean over all nets of all seeds, and
    in a single net.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(RANDOM_TREE.shown(mode_dynamics, "activation"))
    activations = [name for name in ACTIVATIONS if (runs["activation"] == name).any()]
    size = 3.4, 1 + 1.7 * len(activations)
    axes = sheet.panels(len(activations), 1, figsize=size, sharex=True, y="mode strength")
    for axis, activation in zip(axes, activations, strict=True):
        axis.set_title(f"{activation} hidden layer")
        _draw_modes(axis, api.runs_of(runs, activation=activation))
    axes[-1].set_xlabel("updates")
    return sheet.finish()


def learning_delay(mode_dynamics: api.Table) -> Figure:
    """From random weights, modes are learned later than eq. 11 predicts: weak modes more so, and most in tanh nets.

    Delay of half times, in per cent of the closed form's (Saxe et al. 2013, Fig. 3, right). Points and bars: mean and
    standard deviation over nets. Crosses: modes that start decoupled, each in its own direction of the hidden layer.
    The legend gives the range of the means.
    """
    sheet = api.Sheet()
    axis = sheet.panel(figsize=(3.4, 3.0))
    axis.set(xlabel="mode", ylabel="delay of the half time (%)")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    for described, name, marker in _STARTS:
        runs = sheet.take(described.shown(mode_dynamics, "activation"))
        for activation in (name for name in ACTIVATIONS if (runs["activation"] == name).any()):
            delays = relative_delays(api.runs_of(runs, activation=activation))
            reached = delays.dropna(how="all")
            means, nets = 100 * reached.mean(axis=1), reached.shape[1]
            label = f"{activation}, {name}: {api.count_text(nets, 'net')}, {means.min():.3g} to {means.max():.3g} %"
            # A single net has no standard deviation.
            spreads = 100 * reached.std(axis=1, ddof=0) if nets > 1 else None
            colour = ACTIVATIONS[activation].color
            axis.errorbar(means.index + 1, means, spreads, fmt=marker, color=colour, ms=3, lw=0.8, label=label)
            if missing := delays.isna().sum(axis=None):
                sheet.note(f"{activation}, {name}: {missing} half times are after the end of their runs")
    axis.axhline(0, color="k", lw=0.6)
    sheet.add_legend(columns=1)
    return sheet.finish()


def _draw_modes(axis: Axes, runs: pd.DataFrame) -> None:
    strengths = api.require_curve(runs, "mode_strength")
    modes = sorted(strengths["index"].unique())
    singular_values = api.values_by_index(api.rows_of(api.first_seed(runs), "data_singular_value"))
    theory = api.rows_of(api.first_seed(runs), "theory_mode_strength")
    shades = plt.get_cmap("viridis")(np.linspace(0, 0.72, len(modes)))
    for mode, shade in zip(modes, shades, strict=True):
        for position, (_, values) in enumerate(api.runs_of(strengths, index=mode).groupby("seed")):
            width, alpha = (0.5, 0.4) if position else (1.4, None)
            label = f"_mode {mode + 1}"
            axis.plot(values["step"], values["value"], color=shade, lw=width, alpha=alpha, label=label)
        expected = api.runs_of(theory, index=mode)
        axis.plot(expected["step"], expected["value"], color="k", ls="--", lw=0.7, label="_eq. 12", zorder=4)
        # The two weakest modes are close to each other.
        end, side = strengths["step"].max(), "top" if mode == modes[-1] else "center"
        strength = singular_values[mode]
        axis.text(1.02 * end, strength, f"mode {mode + 1}", color=shade, va=side, fontsize=7)
    # Delays of all modes, as in `learning_delay`.
    delays = relative_delays(runs)
    axis.set_ylim(-0.05 * singular_values.max(), 1.25 * singular_values.max())
    mean, single = delays.mean(axis=1).abs().max(), delays.abs().max(axis=None)
    nets = api.count_text(delays.shape[1], "net")
    text = f"half times of {nets} off eq. 11:\nmean ≤ {100 * mean:.3g} %, a net ≤ {100 * single:.3g} %"
    axis.text(0.98, 0.99, text, transform=axis.transAxes, ha="right", va="top", fontsize=7)
