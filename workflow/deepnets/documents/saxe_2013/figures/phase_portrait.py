"""Figure 2 of Saxe, McClelland and Ganguli 2013: the plane of a single mode's two layers."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.saxe_2013.runs import PLANE
from reproduce import api


def phase_portrait(phase_portrait: api.Table) -> Figure:
    """Gradient descent on one mode follows hyperbolas of constant a² − b² to ab = s (Saxe et al. 2013, Fig. 2).

    a and b are the mode's strengths in the two layers, and s is its singular value. Arrows: direction of gradient
    descent, from several starts (dots); eqs. 23 to 26, with 2s in place of s, are the closed form. Thin: the
    hyperbolas; from the stable manifold a = −b, gradient descent leads to the saddle at 0. The text gives the largest
    distance of a run from the closed form at the same time, the largest change of a² − b², and the largest error of the
    time at which ab = s/2.
    """
    sheet = api.Sheet()
    # One seed is enough, because these runs draw no random numbers.
    runs = sheet.take(PLANE.shown(phase_portrait.pipe(api.first_seed)))
    axis = sheet.panel(figsize=(3.4, 3.7))
    first, second, theory_first, theory_second = (
        api.by_index(api.require_curve(runs, metric))
        for metric in ("first_layer", "second_layer", "theory_first_layer", "theory_second_layer")
    )
    axis.set(xlabel="$a$, first layer", ylabel="$b$, second layer")
    singular_value = api.rows_of(runs, "singular_value")["value"].iloc[0]
    edge = 1.1 * max(first.iloc[0].abs().max(), second.iloc[0].abs().max(), np.sqrt(singular_value))
    _draw_plane(axis, edge, singular_value, first.iloc[0] ** 2 - second.iloc[0] ** 2)
    for start in first:
        label = "gradient descent" if start == first.columns[0] else None
        axis.plot(first[start], second[start], color="C4", lw=2, label=label, zorder=3)
        label = "eqs. 23–26" if start == first.columns[0] else None
        axis.plot(theory_first[start], theory_second[start], color="k", ls="--", lw=0.7, label=label, zorder=4)
    axis.plot(first.iloc[0], second.iloc[0], "o", color="C4", ms=3, zorder=4)
    distances = _describe_distances(singular_value, np.stack([first, second]), np.stack([theory_first, theory_second]))
    said = "\n".join([distances, *_describe_half_times(runs)])
    sheet.add_legend(columns=2, title=said, title_fontsize=7)
    return sheet.finish()


def _draw_plane(axis: Axes, edge: float, singular_value: float, conserved: pd.Series) -> None:
    """Draw what all starts share: directions, ends, stable manifold, and the hyperbolas of given a² − b²."""
    grid = np.linspace(-edge, edge, 15)
    a, b = np.meshgrid(grid, grid)
    slope_a, slope_b = b * (singular_value - a * b), a * (singular_value - a * b)
    speed = np.maximum(np.hypot(slope_a, slope_b), 1e-12 * edge)
    axis.quiver(a, b, slope_a / speed, slope_b / speed, color="C0", alpha=0.5, width=0.004, pivot="mid")
    line = np.linspace(-edge, edge, 401)
    a, b = np.meshgrid(line, line)
    for level in sorted(set(conserved)):
        axis.contour(a, b, a**2 - b**2, levels=[level], colors="0.75", linewidths=0.5, linestyles="solid")
    branch = np.geomspace(singular_value / edge, edge, 100)
    for sign, label in ((1, "$ab = s$"), (-1, None)):
        axis.plot(sign * branch, sign * singular_value / branch, color="0.4", lw=1.5, label=label)
    axis.plot([-edge, edge], [edge, -edge], color="C1", lw=1, label="stable manifold")
    axis.set(xlim=(-edge, edge), ylim=(-edge, edge), aspect="equal")


def _describe_distances(singular_value: float, measured: np.ndarray, theory: np.ndarray) -> str:
    """Describe the distance from theory and the change of a² − b². Both arrays have the shape (2, steps, starts)."""
    with np.errstate(over="ignore", invalid="ignore"):
        distance = np.max(np.linalg.norm(measured - theory, axis=0)) / np.sqrt(singular_value)
        conserved = measured[0] ** 2 - measured[1] ** 2
        change = np.max(np.abs(conserved - conserved[0])) / singular_value
    return f"largest distance {distance:.2g} √s, largest change of $a^2 - b^2$ {change:.2g} s"


def _describe_half_times(runs: pd.DataFrame) -> list[str]:
    measured, theory = (api.values_by_index(api.rows_of(runs, metric)) for metric in ("half_time", "theory_half_time"))
    errors = (measured / theory - 1).abs().dropna()
    return [f"half times at most {100 * errors.max():.2g} % from eq. 26"] if len(errors) else []
