from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.hierarchy import panels
from deepnets.documents.hierarchy.runs import FROM_SMALL, MAIN, REGRESSION, TOLERANCE, ZERO_DEPTH
from deepnets.looks import of_depth
from reproduce import api


def regression_exercise(regression: api.Table) -> Figure:
    """Estimated from noisy samples and rounded, the weights are the true ones (Coding Exercise 5.3.1).

    a, b: the first seed. c: the errors of all estimates of all seeds, in units of their theoretical standard errors.
    The errors of one seed share inputs and noise, so that they scatter around the line more than independent ones
    would.
    """
    sheet, figure = api.Sheet(note_divergence=False), plt.figure(figsize=(3.4, 3.9))
    runs = sheet.take(REGRESSION.shown(regression))
    grid = figure.add_gridspec(2, 2, height_ratios=(0.75, 1))
    places = (grid[0, 0], grid[0, 1], grid[1, :])
    true, estimated, errors = sheet.add_panels(figure, [figure.add_subplot(place) for place in places])
    true.set(title="true", ylabel="output")
    _draw_matrix(true, runs, "true_weight")
    estimated.set(title="estimated")
    _draw_matrix(estimated, runs, "estimated_weight")
    _draw_errors(errors, runs)
    return sheet.finish()


def zero_depth_loss(hierarchy: api.Table) -> Figure:
    """Without a hidden layer, there are no plateaus, and all modes rise together ("Linear Regression vs. DLNN").

    a: loss from torch's start; dashed: theory, in which each update multiplies the loss by (1 − λ)², where λ =
    2·rate/(items·features). b: singular values from a small start, as shares of the data's largest. Strong lines: the
    first seed; faint lines: others.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(ZERO_DEPTH.shown(hierarchy), name="a")
    labels = ("mean squared error", "singular value (share)")
    loss, modes = sheet.panels(2, 1, figsize=(3.4, 4), sharex=True, x="epoch (updates)", y=labels)
    panels.draw_seeds(loss, runs, "train_loss", panels.LOSS)
    panels.draw_theory(loss, runs, "theory_train_loss")
    panels.limit_scale(loss, runs, 1)
    loss.set_title(panels.setting_text(runs), loc="right", fontsize=7)
    with sheet.part(modes):
        small = sheet.take_counted(FROM_SMALL.shown(hierarchy), name="b")
        panels.draw_modes(modes, small)
        panels.limit_scale(modes, small, 1)
        modes.set_title(panels.setting_text(small), loc="right", fontsize=7)
        api.label_lines(modes)
    return sheet.finish()


def weights_compared(hierarchy: api.Table) -> Figure:
    """The nets with and without a hidden layer arrive at the weights of linear regression ("… vs. DLNN").

    Largest difference of any weight from that of the regression. Strong lines: the first seed; faint lines: others.
    Dotted: the document's tolerance for equal weights. The document trains both nets on another sample of the tree.
    """
    sheet = api.Sheet()
    axis = sheet.panel(figsize=(3.4, 2.6), x="epoch (updates)", y="largest difference\nfrom regression")
    for name, described in (("no hidden layer", ZERO_DEPTH), ("one hidden layer", MAIN)):
        runs = sheet.take_counted(described.shown(hierarchy), name=name)
        panels.draw_seeds(axis, runs, "weight_difference", of_depth(runs["depth"].iloc[0]).color, label=name)
    axis.axhline(TOLERANCE, color="0.4", ls=":", label="_tolerance of the document")
    axis.set_yscale("log")
    api.label_lines(axis)
    return sheet.finish()


def _draw_matrix(axis: Axes, regression: pd.DataFrame, metric: str) -> None:
    """Draw the first seed's weights as numbers in coloured cells."""
    weights, inputs = (
        api.values_by_index(api.first_seed(api.rows_of(regression, name))) for name in (metric, "inputs")
    )
    matrix = weights.to_numpy().reshape(-1, int(inputs[0]))
    axis.imshow(matrix, cmap="Blues", vmin=0, vmax=2 * max(matrix.max(), 1))
    axis.set(xticks=[], yticks=[], xlabel="input")
    for (row, place), value in np.ndenumerate(matrix):
        # Adding 0 turns a rounded −0 into 0.
        axis.text(place, row, f"{round(value, 1) + 0:.1f}", ha="center", va="center")


def _draw_errors(axis: Axes, regression: pd.DataFrame) -> None:
    """Draw the sorted errors of all seeds against the quantiles of a normal distribution."""
    keys = ["seed", "index"]
    true, estimated, expected = (
        api.rows_of(regression, metric).set_index(keys)["value"]
        for metric in ("true_weight", "estimated_weight", "standard_error")
    )
    axis.set(xlabel="quantile of the normal distribution", ylabel="error (standard errors)")
    if expected.min() <= np.finfo(float).eps * max(true.max(), 1):
        raise api.NotRecordedError("without noise there are only rounding errors, which are not normal")
    scores = np.sort(((estimated - true) / expected).to_numpy())
    quantiles = [NormalDist().inv_cdf((rank + 0.5) / len(scores)) for rank in range(len(scores))]
    axis.axline((0, 0), slope=1, color="0.5", ls=":", label="theory")
    seeds = api.count_text(true.index.get_level_values("seed").nunique(), "seed")
    axis.plot(quantiles, scores, "o", ms=2.5, label=f"{len(scores)} estimates of {seeds}")
    axis.legend()
