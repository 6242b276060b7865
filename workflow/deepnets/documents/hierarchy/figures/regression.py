from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from deepnets.documents.hierarchy import panels
from deepnets.documents.hierarchy.runs import FROM_SMALL, MAIN, REGRESSION, TOLERANCE, ZERO_DEPTH
from deepnets.looks import of_depth
from reproduce import api


def regression_exercise(regression: api.Table) -> Figure:
    """True weights, and weights estimated from noisy samples (Bonus, Coding Exercise 5.3.1).

    a, b: the first seed, with the estimates rounded to 0.1 as in the document. c: the errors of all estimates of all
    seeds, in units of their theoretical standard errors, against the quantiles of a normal distribution. The errors of
    one seed share inputs and noise, so that they scatter around the line more than independent errors would.
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
    """Training of the network without a hidden layer, which has no plateaus ("Linear Regression vs. DLNN").

    a: loss; the lines of all seeds coincide. Dashed: theory, in which each update multiplies the loss by (1 − λ)²,
    where λ = 2·rate/(items·features). b: singular values from a small start, in the colours of the tree's levels: all
    rise together, unlike those of the deep network. Strong lines: the first seed; faint lines: the others.
    """
    sheet, runs = panels.begin_sheet(hierarchy, ZERO_DEPTH)
    labels = ("mean squared error", "singular value")
    loss, modes = sheet.panels(2, 1, figsize=(3.4, 4.2), sharex=True, x="epoch (updates)", y=labels)
    panels.draw_seeds(loss, runs, "train_loss", panels.LOSS)
    panels.draw_theory(loss, runs, "theory_train_loss")
    panels.limit_scale(loss, runs, 1)
    loss.legend(title=panels.setting_text(runs))
    with sheet.part(modes):
        small = sheet.take(FROM_SMALL.shown(hierarchy), name="b")
        panels.draw_modes(modes, small)
        panels.limit_scale(modes, small, api.rows_of(small, "data_singular_value")["value"].max())
        title = f"b: {panels.setting_text(small)}, {api.runs_text(small)}"
        sheet.add_legend([modes], columns=2, title=title, loc="outside lower center")
    return sheet.finish()


def weights_compared(hierarchy: api.Table) -> Figure:
    """Weights of linear regression, of the network without a hidden layer and of the deep network ("… vs. DLNN").

    a–c: the weights from the items to the last features, for the first seed. d: the largest difference of any weight
    from that of the regression, against epochs. Strong lines: the first seed; faint lines: other seeds. Dotted: the
    document's tolerance for equal weights. The document trains both networks on another sample of the tree.
    """
    sheet, figure = api.Sheet(note_divergence=False), plt.figure(figsize=(3.4, 4.6))
    described = {"zero depth": ZERO_DEPTH, "deep": MAIN}
    nets = [(name, sheet.take(net.shown(hierarchy), name=name)) for name, net in described.items()]
    (upper,), (lower,) = figure.subfigures(2, 1, squeeze=False, height_ratios=(0.6, 1))
    *squares, bottom = sheet.add_panels(figure, [*upper.subplots(1, 3), lower.add_subplot()])
    _draw_weights(upper, squares, nets)
    _draw_weight_differences(lower, bottom, nets)
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


def _draw_weights(figure: SubFigure, axes: list[Axes], nets: list[tuple[str, pd.DataFrame]]) -> None:
    shown = [("regression", "least_squares_weight", nets[-1][1]), *((name, "weight", runs) for name, runs in nets)]
    for axis, (title, metric, runs) in zip(axes, shown, strict=True):
        axis.set(xticks=[], yticks=[], title=title)
        rows = api.first_seed(api.require_rows(runs, metric))
        weights = rows["value"].to_numpy().reshape(len(panels.features_of(runs)), -1)
        image = axis.imshow(weights, cmap="cividis", vmin=-1, vmax=1)
        if axis is axes[0]:
            axis.set_yticks(range(len(weights)), panels.item_names(len(weights)), fontsize=7)
    axes[1].set_xlabel("feature")
    figure.colorbar(image, ax=axes, location="bottom", label="weight", ticks=[-1, 0, 1], shrink=0.5, aspect=15)


def _draw_weight_differences(figure: SubFigure, axis: Axes, nets: list[tuple[str, pd.DataFrame]]) -> None:
    for name, runs in nets:
        differences = api.rows_of(runs, "weight_difference")
        final = api.runs_of(differences, step=differences["step"].max())["value"].max()
        label = f"{name}, at the end ≤ {final:.1e}\n{panels.setting_text(runs)}"
        panels.draw_seeds(axis, runs, "weight_difference", of_depth(runs["depth"].iloc[0]).color, label=label)
    axis.axhline(TOLERANCE, color="0.4", ls=":", label="tolerance of the document")
    axis.set(yscale="log", xlabel="epoch (updates)", ylabel="largest difference\nfrom regression")
    figure.legend(loc="outside upper center")
