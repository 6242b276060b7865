"""Theory over the simulations of document 003: figures that the document lacks."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from workflow.deepnets.figures._rows import by_seed, main_setting, rows_of

DOCUMENT = "003-hierarchy"


def data_spectrum(hierarchy: pd.DataFrame) -> Figure:
    """Singular values of the sampled data against the tree's closed form √(F λ_l), above, and their ratio, below.

    Points: mean and standard deviation over ten samples of 10,000 features. Sampling parts the modes that the tree
    has equal: within a level the largest lie above the closed form, the smallest below.
    """
    sampled = _by_mode(rows_of(hierarchy, "data_singular_value", **_deep(hierarchy)))
    theory = _by_mode(rows_of(hierarchy, "theory_singular_value", **_deep(hierarchy))).mean(axis=1)
    figure, axes = plt.subplots(2, 1, figsize=(3.4, 3.4), sharex=True)
    for axis, values, expected in ((axes[0], sampled, theory), (axes[1], sampled.div(theory, axis=0), 0 * theory + 1)):
        axis.plot(expected.index + 1, expected, "_", color="k", ms=14, label="closed form")
        axis.errorbar(values.index + 1, values.mean(axis=1), values.std(axis=1, ddof=0), fmt="o", label="samples")
    axes[0].set(ylabel="singular value of the data", ylim=(0, None))
    axes[1].set(xlabel="mode", ylabel="sample / closed form", xticks=theory.index + 1)
    axes[0].legend()
    return figure


def mode_strengths(hierarchy: pd.DataFrame) -> Figure:
    """Singular values of the end-to-end matrix over the epochs, ten seeds, with theory's, which hold no fitted number.

    Dashed: the map of decoupled balanced modes for the tree's singular values, one line per level of the tree.
    """
    figure, axis = plt.subplots(figsize=(3.4, 2.4))
    simulated = rows_of(hierarchy, "singular_value", **_deep(hierarchy))
    for position, (_, values) in enumerate(simulated.groupby(["seed", "index"])):
        axis.plot(values["step"], values["value"], color="C0", lw=0.4, label="simulation" if position == 0 else None)
    theory = _first(rows_of(hierarchy, "theory_mode_strength", **_deep(hierarchy)))
    for position, (_, values) in enumerate(theory.groupby("index")):
        axis.plot(values["step"], values["value"], "k--", lw=1, label="theory" if position == 0 else None)
    axis.set(xlabel="epoch (updates)", ylabel="singular value", ylim=(0, None))
    if axis.lines:
        axis.legend(loc="upper left")
    return figure


def half_times(hierarchy: pd.DataFrame) -> Figure:
    """Updates until each mode has half its singular value: simulation against theory, ten seeds.

    Above: mean and standard deviation over the seeds, with the map of decoupled balanced modes for the tree's singular
    values, and the formula ln(s/2u₀) / (2 ln(1 + λs)), which neglects saturation. Below: what is left when the map is
    given each sample's own singular values. Late modes come later than that: the vectors from which they start are
    not orthogonal in the hidden layer to those of the modes before them (from orthogonal ones nothing is left).
    """
    measured, tree, formula, own = (
        _by_mode(rows_of(hierarchy, metric, **_deep(hierarchy)))
        for metric in ("half_time", "theory_half_time", "half_time_formula", "predicted_half_time")
    )
    figure, axes = plt.subplots(2, 1, figsize=(3.4, 3.8), sharex=True)
    axes[0].plot(tree.index + 1, tree.mean(axis=1), "_", color="k", ms=14, label="map, tree")
    axes[0].plot(formula.index + 1, formula.mean(axis=1), "_", color="C1", ms=14, label="formula, tree")
    axes[0].errorbar(
        measured.index + 1, measured.mean(axis=1), measured.std(axis=1, ddof=0), fmt="o", ms=3, label="simulation"
    )
    axes[0].set_ylabel("half time (updates)")
    axes[0].legend()
    excess = measured - own
    axes[1].axhline(0, color="k", lw=0.6)
    for position, (_, values) in enumerate(excess.items()):
        # Seeds side by side, so that equal values stay apart.
        offset = 0.04 * (position - (excess.shape[1] - 1) / 2)
        axes[1].plot(values.index + 1 + offset, values, "o", color="C0", ms=2, mew=0)
    axes[1].set(xlabel="mode", ylabel="simulation − map,\nown singular values (updates)", xticks=tree.index + 1)
    return figure


def loss_plateaus(hierarchy: pd.DataFrame) -> Figure:
    """Training loss of ten seeds with theory's curve and plateaus, which hold no fitted number.

    Dashed: decoupled balanced modes of the tree. Dotted: 1 − Σ λ/P over the modes learned: what is left of the loss
    after each level of the tree.
    """
    figure, axis = plt.subplots(figsize=(3.4, 2.5))
    plateaus = rows_of(hierarchy, "theory_plateau", **_deep(hierarchy))
    for level, height in plateaus.groupby("index")["value"].mean().items():
        axis.axhline(height, color="0.6", ls=":", lw=0.8, zorder=0)
        name = "none" if level == 0 else "all" if height < 1e-9 else f"level{'s 0–' if level > 1 else ' '}{level - 1}"
        axis.annotate(name, (1.01, height), xycoords=("axes fraction", "data"), va="center", fontsize=7)
    for position, (_, values) in enumerate(by_seed(rows_of(hierarchy, "train_loss", **_deep(hierarchy))).items()):
        axis.plot(values, color="C1", lw=0.5, label="simulation" if position == 0 else None)
    theory = rows_of(hierarchy, "theory_train_loss", **_deep(hierarchy)).groupby("step")["value"].mean()
    axis.plot(theory, "k--", lw=1, label="theory")
    axis.set(xlabel="epoch (updates)", ylabel="mean squared error")
    axis.annotate("learned:", (1.01, 1.08), xycoords=("axes fraction", "data"), fontsize=7)
    axis.legend(loc="lower left")
    return figure


def _deep(hierarchy: pd.DataFrame) -> dict[str, object]:
    """Return the axes of the document's runs; the sliders' runs have other scales and rates."""
    return main_setting(hierarchy, ["scale", "learning_rate"], dataset="plain", depth=2)


def _by_mode(rows: pd.DataFrame) -> pd.DataFrame:
    """Return values at one step: a row per mode, a column per seed."""
    return rows.pivot(index="index", columns="seed", values="value")


def _first(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first seed."""
    return rows[rows["seed"] == rows["seed"].min()]
