"""The figure of the Bonus of document 003: the analytical solution of a linear regression."""

from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workflow.deepnets.figures._rows import rows_of

DOCUMENT = "003-hierarchy"


def regression_exercise(regression: pd.DataFrame) -> Figure:
    """True weights and weights estimated from 37 noisy samples (Bonus, Coding Exercise 5.3.1).

    Above: one draw, the estimates rounded to 0.1 as the document prints them. Below: the errors of all estimates over
    ten seeds in units of the standard error that theory gives them, against the quantiles of a normal distribution.
    The nine errors of a seed share inputs and noise, so that they scatter more from the line than ninety free ones.
    """
    figure = plt.figure(figsize=(3.4, 3.7))
    grid = figure.add_gridspec(2, 2, height_ratios=(0.75, 1))
    for column, (metric, title) in enumerate((("true_weight", "true weights"), ("estimated_weight", "estimated"))):
        _draw_matrix(figure.add_subplot(grid[0, column], title=title), regression, metric)
    figure.axes[0].set_ylabel("output")
    _draw_errors(figure.add_subplot(grid[1, :]), regression)
    return figure


def _draw_matrix(axis: Axes, regression: pd.DataFrame, metric: str) -> None:
    """Draw the first seed's weights as numbers in coloured cells."""
    values = _first(regression, metric).to_numpy()
    # An estimate's standard error depends on its input alone.
    matrix = values.reshape(-1, _first(regression, "standard_error").nunique())
    axis.imshow(matrix, cmap="Blues", vmin=0, vmax=2 * max(matrix.max(), 1))
    for (row, place), value in np.ndenumerate(matrix):
        # Adding 0 turns a rounded −0 into 0.
        axis.text(place, row, f"{round(value, 1) + 0:.1f}", ha="center", va="center")
    axis.set(xticks=[], yticks=[], xlabel="input")


def _draw_errors(axis: Axes, regression: pd.DataFrame) -> None:
    """Draw the sorted errors of all seeds against the quantiles of a normal distribution."""
    keys = ["seed", "index"]
    true, estimated, errors = (
        rows_of(regression, metric).set_index(keys)["value"]
        for metric in ("true_weight", "estimated_weight", "standard_error")
    )
    scores = np.sort(((estimated - true) / errors).to_numpy())
    quantiles = [NormalDist().inv_cdf((rank + 0.5) / len(scores)) for rank in range(len(scores))]
    axis.plot([-3, 3], [-3, 3], color="0.5", ls=":", label="theory")
    axis.plot(quantiles, scores, "o", ms=2.5, label=f"{len(scores)} estimates")
    axis.set(xlabel="quantile of the normal distribution", ylabel="error (standard errors)")
    axis.legend()


def _first(regression: pd.DataFrame, metric: str) -> pd.Series:
    """Return a metric's values of the first seed."""
    rows = rows_of(regression, metric)
    return rows.loc[rows["seed"] == rows["seed"].min(), "value"]
