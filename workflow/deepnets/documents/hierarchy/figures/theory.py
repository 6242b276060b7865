"""Theory over the simulations of document 003: figures that the document lacks."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from workflow.deepnets.documents.hierarchy.panels import nothing_to_show, shades_of
from workflow.deepnets.documents.hierarchy.rows import setting_of, tree_of
from workflow.deepnets.figures.panels import letter, say_nothing_to_show, why_nothing
from workflow.deepnets.figures.rows import rows_of, runs_of
from workflow.deepnets.figures.which_runs import choose, say_which_runs


def data_spectrum(hierarchy: pd.DataFrame) -> Figure:
    """Singular values of the sampled data against the formula for the tree, √(F λ_l), and their ratio.

    F is the number of features and λ_l the eigenvalue of level l. Points: mean and standard deviation over the samples
    of all seeds, coloured by level of the tree. a: singular values. b: their ratio to the formula. A finite sample
    splits the modes of a level, which the tree has equal: the largest lie above the formula, the smallest below.
    """
    runs, words = choose(runs_of(hierarchy, block="main"))
    if runs.empty:
        return nothing_to_show(runs, words)
    sampled, theory = _by_mode(runs, "data_singular_value"), _by_mode(runs, "theory_singular_value").mean(axis=1)
    # Modes that a tree without flips does not have.
    theory = theory.where(theory > 0)
    figure, axes = plt.subplots(2, 1, figsize=(3.4, 3.6), sharex=True)
    letter(axes)
    for axis, values, expected in ((axes[0], sampled, theory), (axes[1], sampled.div(theory, axis=0), theory / theory)):
        axis.plot(expected.index + 1, expected, "_", color="k", ms=14, label="closed form")
        means, spreads, shades = values.mean(axis=1), values.std(axis=1, ddof=0), shades_of(tree_of(runs))
        for level in range(len(shades)):
            modes = np.flatnonzero(tree_of(runs).level_of_modes == level)
            axis.errorbar(modes + 1, means[modes], spreads[modes], fmt="o", color=shades[level], label=f"level {level}")
    axes[0].set(ylabel="singular value of the data", ylim=(0, None))
    axes[1].set(xlabel="mode", ylabel="sample / closed form")
    axes[1].xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, title=_seeds(sampled))
    say_which_runs(figure, words)
    return figure


def half_times(hierarchy: pd.DataFrame) -> Figure:
    """Updates until each mode has half its singular value: simulation against theory.

    a: points are means over the seeds, bars standard deviations. Lines: the theory in which each mode grows without the
    others by gradient descent, and the formula ln(s/2u₀) / (2 ln(1 + λs)), where s is the singular value, u₀ the
    strength at the start and λ the rate. The formula leaves out that growth slows down towards the end. b: what
    remains, seed by seed, when the theory takes the singular values of each sample. Late modes come later than that: in
    the hidden layer, the vectors from which they start are not orthogonal to those of earlier modes.
    """
    runs, words = choose(runs_of(hierarchy, block="main"))
    figure, axes = plt.subplots(2, 1, figsize=(3.4, 4.2), sharex=True)
    letter(axes)
    measured, tree, formula, own = (
        _by_mode(runs, metric)
        for metric in ("half_time", "theory_half_time", "half_time_formula", "predicted_half_time")
    )
    axes[0].set_ylabel("half time (updates)")
    axes[1].set(xlabel="mode", ylabel="simulation − map,\nown singular values (updates)")
    axes[1].xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    if measured.empty:
        for axis in axes:
            say_nothing_to_show(axis, why_nothing(runs) if runs.empty else "no mode reached half its singular value")
        say_which_runs(figure, words)
        return figure
    for theory, colour, name in ((tree, "k", "map, tree"), (formula, "C1", "formula, tree")):
        axes[0].plot(theory.index + 1, theory.mean(axis=1), "_", color=colour, ms=14, label=name)
    spreads = measured.std(axis=1, ddof=0)
    axes[0].errorbar(measured.index + 1, measured.mean(axis=1), spreads, fmt="o", ms=3, label="simulation")
    figure.legend(loc="outside upper center", ncols=3, title=f"{setting_of(runs)}, {_seeds(measured)}")
    say_which_runs(figure, words)
    excess = measured - own
    axes[1].axhline(0, color="k", lw=0.6)
    for position, (_, values) in enumerate(excess.items()):
        # Seeds side by side, so that equal values stay apart.
        offset = 0.04 * (position - (excess.shape[1] - 1) / 2)
        axes[1].plot(values.index + 1 + offset, values, "o", color="C0", ms=2, mew=0)
    return figure


def _by_mode(runs: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return values at one step: a row per mode, a column per seed."""
    return rows_of(runs, metric).pivot(index="index", columns="seed", values="value")


def _seeds(by_seed: pd.DataFrame) -> str:
    count = len(by_seed.columns)
    return f"{count} seed{'s' if count > 1 else ''}"
