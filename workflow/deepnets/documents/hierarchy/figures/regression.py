"""The figure of the Bonus of document 003: the analytical solution of a linear regression."""

from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workflow.deepnets.figures.panels import letter, say_nothing_to_show
from workflow.deepnets.figures.rows import rows_of
from workflow.deepnets.figures.which_runs import choose, say_which_runs


def regression_exercise(regression: pd.DataFrame) -> Figure:
    """True weights and weights estimated from noisy samples (Bonus, Coding Exercise 5.3.1).

    a, b: the first seed, with the estimates rounded to 0.1 as the document prints them. c: the errors of all estimates
    of all seeds, in units of the standard error that theory gives them, against the quantiles of a normal distribution.
    The errors of one seed share inputs and noise, so they scatter more around the line than independent ones.
    """
    runs, words = choose(regression)
    figure = plt.figure(figsize=(3.4, 3.9))
    grid = figure.add_gridspec(2, 2, height_ratios=(0.75, 1))
    panels = [figure.add_subplot(place) for place in (grid[0, 0], grid[0, 1], grid[1, :])]
    letter(panels)
    for axis, metric, title in zip(panels, ("true_weight", "estimated_weight"), ("true", "estimated"), strict=False):
        axis.set(title=title)
        _draw_matrix(axis, runs, metric)
    panels[0].set_ylabel("output")
    _draw_errors(panels[2], runs)
    say_which_runs(figure, words)
    return figure


def _draw_matrix(axis: Axes, regression: pd.DataFrame, metric: str) -> None:
    """Draw the first seed's weights as numbers in coloured cells."""
    matrix = _first(regression, metric).to_numpy().reshape(-1, int(_first(regression, "inputs").iloc[0]))
    image = axis.imshow(matrix, cmap="Blues", vmin=0, vmax=2 * max(matrix.max(), 1))
    axis.set(xticks=[], yticks=[], xlabel="input")
    if max(matrix.shape) > 8:
        # Numbers would cover each other.
        axis.figure.colorbar(image, ax=axis, label="weight")
        return
    for (row, place), value in np.ndenumerate(matrix):
        # Adding 0 turns a rounded −0 into 0.
        axis.text(place, row, f"{round(value, 1) + 0:.1f}", ha="center", va="center")


def _draw_errors(axis: Axes, regression: pd.DataFrame) -> None:
    """Draw the sorted errors of all seeds against the quantiles of a normal distribution."""
    keys = ["seed", "index"]
    true, estimated, expected = (
        rows_of(regression, metric).set_index(keys)["value"]
        for metric in ("true_weight", "estimated_weight", "standard_error")
    )
    errors = estimated - true
    axis.set(xlabel="quantile of the normal distribution", ylabel="error (standard errors)")
    # Rounding is no noise: its errors have no such distribution.
    if expected.min() <= np.finfo(float).eps * max(true.max(), 1):
        largest = errors.abs().max()
        say_nothing_to_show(axis, f"without noise the estimates are the true weights but for rounding, {largest:.0e}")
        return
    scores = np.sort((errors / expected).to_numpy())
    quantiles = [NormalDist().inv_cdf((rank + 0.5) / len(scores)) for rank in range(len(scores))]
    axis.axline((0, 0), slope=1, color="0.5", ls=":", label="theory")
    seeds = true.index.get_level_values("seed").nunique()
    axis.plot(
        quantiles, scores, "o", ms=2.5, label=f"{len(scores)} estimates of {seeds} seed{'s' if seeds > 1 else ''}"
    )
    axis.legend()


def _first(regression: pd.DataFrame, metric: str) -> pd.Series:
    """Return a metric's values of the first seed."""
    rows = rows_of(regression, metric)
    return rows.loc[rows["seed"] == rows["seed"].min(), "value"]
