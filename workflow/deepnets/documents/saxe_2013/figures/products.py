"""Figures 6B and 6C of Saxe, McClelland and Ganguli 2013: products of random matrices."""

from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from deepnets.documents.saxe_2013 import random_nets
from deepnets.documents.saxe_2013.runs import BIN_WIDTH, MEAN_LOGS, PRODUCTS
from deepnets.looks import INITS
from deepnets.theory import random_products
from reproduce import api

# The width of a column, in inches.
_COLUMN = 2.3


def product_singular_values(spectra: api.Table) -> Figure:
    """Most singular values of a product of many Gaussian matrices vanish; those of orthogonal ones stay 1 (Fig. 6B).

    Columns: the number of N × N matrices in a product. Upper row: density of the singular values σ; lower row: of log₁₀
    σ, which makes small σ visible. Gaussian: normal numbers with standard deviation 1/√N; law: of these products for
    large N, a quarter circle for one matrix and the Fuss–Catalan law for several; D: the largest difference between the
    cumulative distributions of singular values and law. Orthogonal, ±: the largest distance from 1.
    """
    sheet = api.Sheet(step="layer")
    runs = sheet.take(random_nets.select_nets(PRODUCTS, spectra, "log_singular_value", "depth", "init"))
    sheet.note(random_nets.describe_nets(runs, noun="product"))
    columns = api.group_by_setting(runs, "init")
    axes = sheet.panels(2, len(columns), figsize=(_COLUMN * max(len(columns), 3), 3.9), squeeze=False)
    for panels, (_, rows) in zip(axes.T, columns, strict=True):
        _draw_spectrum(*panels, rows)
    for axis in axes[:, 0]:
        axis.set_ylabel("density")
    sheet.add_legend(axes[0], columns=3)
    return sheet.finish()


def product_eigenvalues(spectra: api.Table) -> Figure:
    """The more Gaussian matrices are multiplied, the more eigenvalues of the product are near 0 (Fig. 6C of the paper).

    Columns: the number of N × N matrices in a product. Upper row: density of the eigenvalues z in bins of width 0.1,
    empty for 0. As in the paper, the bin around the origin is left out; the titles give its share of the eigenvalues
    (at 0), and that of the law for large N, P(|z| < r) = r^(2/depth) up to r = 1. Lower row: share of eigenvalues
    within a radius; D: its largest difference from the law, beyond the radius 0.05. Those of orthogonal matrices are on
    the unit circle.
    """
    sheet = api.Sheet(step="layer")
    runs = sheet.take(random_nets.select_nets(PRODUCTS, spectra, "log_singular_value", "depth", "init"))
    sheet.note(random_nets.describe_nets(runs, noun="product"))
    columns = api.group_by_setting(runs, "init")
    size = (_COLUMN * max(len(columns), 3), 4.2)
    axes = sheet.panels(2, len(columns), figsize=size, height_ratios=[1.2, 1], squeeze=False)
    for (plane, shares), (_, rows) in zip(axes.T, columns, strict=True):
        _draw_plane(plane, api.runs_of(rows, init="gaussian"))
        _draw_shares_within(shares, rows)
    for axis in axes[:, 1:].flat:
        axis.set_ylabel("")
    meshes = [mesh for axis in axes[0] for mesh in axis.collections]
    densities = np.ma.concatenate([mesh.get_array().ravel() for mesh in meshes])
    # The lightest colours, which white nearly equals, are for no density.
    norm = LogNorm(densities.min() / 3, densities.max())
    for mesh in meshes:
        mesh.set_norm(norm)
    sheet.figure.colorbar(meshes[0], ax=axes[0], label="density", pad=0.01)
    sheet.add_legend(axes[1], columns=3)
    return sheet.finish()


def mean_log_singular_values(spectra: api.Table) -> Figure:
    """The mean of ln σ of a product of Gaussian matrices falls in proportion to their number, faster if they are small.

    σ are singular values; the matrices contain normal numbers with standard deviation 1/√N. a: circles are means over
    nets and seeds; lines: theory, exact for any size N. b: simulation minus theory; bands: one standard error. The
    legend gives the largest difference, divided by theory's last value.
    """
    sheet = api.Sheet(step="layer")
    runs = sheet.take(random_nets.select_nets(MEAN_LOGS, spectra, "mean_log_singular_value", "size"))
    sheet.note(random_nets.describe_nets(runs, metric="mean_log_singular_value", noun="product"))
    axes = sheet.panels(2, 1, figsize=(3.4, 4.2), sharex=True)
    axes[0].set_ylabel(r"mean $\ln\sigma$")
    axes[1].set(xlabel="matrices multiplied", ylabel="simulation − theory")
    for colour, (axes_of_line, rows) in zip(cycle(("C0", "C1")), api.group_by_setting(runs), strict=False):
        measured = api.by_simulation(api.require_curve(rows, "mean_log_singular_value", step="layer"))
        theory = random_nets.predict_mean_logs(rows)[measured.index]
        differences = measured.sub(theory, axis=0)
        mean, error = differences.mean(axis=1), differences.sem(axis=1)
        name = ", ".join(api.label_of(axis, value) for axis, value in axes_of_line.items())
        label = f"{name}: {100 * mean.abs().max() / abs(theory[-1]):.2f} %".lstrip(": ")
        every = measured.mean(axis=1).iloc[::10]
        axes[0].plot(measured.index, theory, color=colour, lw=0.8, label=f"_theory, {name}")
        axes[0].plot(every, "o", color=colour, mfc="none", label=label)
        axes[1].plot(mean, color=colour, label=f"_{name}")
        axes[1].fill_between(mean.index, mean - error, mean + error, color=colour, alpha=0.2, lw=0, label=f"_{name}")
    axes[0].legend(title="largest error", alignment="left", title_fontsize=7)
    return sheet.finish()


def _draw_spectrum(wide: Axes, narrow: Axes, runs: pd.DataFrame) -> None:
    depth, lines = runs["depth"].iloc[0], []
    for init, rows in api.require_rows(runs, "log_singular_value").groupby("init", observed=True):
        logs, colour = rows["value"].to_numpy() - depth * random_nets.log_gain(runs), INITS[str(init)].color
        if init == "gaussian":
            for axis, values in ((wide, np.exp(logs)), (narrow, logs / np.log(10))):
                densities, edges = np.histogram(values, bins=50, density=True)
                axis.stairs(densities, edges, fill=True, alpha=0.5, color=colour, label=INITS[str(init)].name)
                if axis is wide:
                    # Hide densities that correspond to less than one value per bin.
                    axis.set(yscale="log", ylim=(0.3 / (len(values) * (edges[1] - edges[0])), None))
            distance = random_nets.distance_from_law(random_products.log_singular_value_shares(logs, depth))
            lines.append(f"D = {100 * distance:.1f} %")
            _draw_law(wide, narrow, depth, logs.min())
        else:
            wide.axvline(np.exp(logs.mean()), color=colour, label=INITS[str(init)].name)
            narrow.axvline(logs.mean() / np.log(10), color=colour)
            lines.append(f"{INITS[str(init)].name}: 1 ± {np.abs(np.expm1(logs)).max():.0e}")
    wide.set(title=f"depth {depth}", xlabel=_label_with_unit(r"$\sigma$", runs))
    narrow.set_xlabel(_label_with_unit(r"$\log_{10}\sigma$", runs))
    narrow.text(0.03, 0.97, "\n".join(lines), transform=narrow.transAxes, va="top", fontsize=7)


def _draw_law(wide: Axes, narrow: Axes, depth: int, lowest: float) -> None:
    """Draw the law of Gaussian products, as densities of σ and of log₁₀ σ, from the lowest ln σ to the upper edge."""
    edge = np.log(random_products.singular_value_edge(depth))
    logs = edge - (edge - min(lowest, edge - 1)) * np.linspace(1, 0, 600) ** 2
    density = random_products.log_singular_value_density(logs, depth)
    narrow.plot(logs / np.log(10), density * np.log(10), color="k", lw=0.8)
    inside = logs > edge - 7
    wide.plot(np.exp(logs[inside]), density[inside] / np.exp(logs[inside]), color="k", lw=0.8, label="law")


def _eigenvalues(runs: pd.DataFrame) -> np.ndarray:
    """Return the finite eigenvalues of runs of one depth and gain, divided by the gain to the power of the depth.

    raises: NotRecordedError if there is none.
    """
    order = ["seed", "index"]
    real, imaginary = (
        api.require_rows(runs, f"eigenvalue_{part}").sort_values(order)["value"].to_numpy() for part in ("real", "imag")
    )
    with np.errstate(over="ignore", invalid="ignore"):
        values = (real + 1j * imaginary) * np.exp(-runs["depth"].iloc[0] * random_nets.log_gain(runs))
    if not np.isfinite(values).any():
        raise api.NotRecordedError("no eigenvalue is finite")
    return values[np.isfinite(values)]


def _draw_plane(axis: Axes, runs: pd.DataFrame) -> None:
    values = _eigenvalues(runs)
    # Bins are centred on multiples of the bin width; the middle bin contains the origin.
    reach = 12.5 * BIN_WIDTH
    edges = np.linspace(-reach, reach, 26)
    counts, *_ = np.histogram2d(values.real, values.imag, bins=(edges, edges))
    middle = len(counts) // 2
    share, counts[middle, middle] = counts[middle, middle] / len(values), 0
    shown = np.ma.masked_equal(counts.T / (len(values) * BIN_WIDTH**2), 0)
    axis.pcolormesh(edges, edges, shown, cmap="viridis_r", rasterized=True)
    axis.set(aspect="equal", xlabel=_label_with_unit("Re $z$", runs))
    axis.set_ylabel(_label_with_unit("Im $z$", runs))
    depth = runs["depth"].iloc[0]
    law = random_products.eigenvalue_share_in_square(BIN_WIDTH / 2, depth)
    axis.set_title(f"depth {depth}\nat 0: {100 * share:.1f} %, law {100 * law:.1f} %", loc="right", fontsize=7)


def _draw_shares_within(axis: Axes, runs: pd.DataFrame) -> None:
    for init, rows in runs.groupby("init", observed=True):
        radii = np.sort(np.abs(_eigenvalues(rows)))
        shares = 100 * (np.arange(len(radii)) + 1) / len(radii)
        axis.plot(radii, shares, color=INITS[str(init)].color, label=INITS[str(init)].name)
        if init == "gaussian":
            depth, fine = rows["depth"].iloc[0], np.linspace(0, 1.25, 300)
            law = 100 * random_products.eigenvalue_shares(fine, depth)
            axis.plot(fine, law, color="k", ls="--", lw=0.8, label="law")
            rim = float(random_products.eigenvalue_shares(np.array(BIN_WIDTH / 2), depth))
            off = random_nets.distance_from_law(random_products.eigenvalue_shares(radii, depth), above=rim)
            axis.text(0.95, 5, f"D = {100 * off:.1f} %", ha="right", fontsize=7)
    axis.set(xlim=(0, 1.25), ylim=(0, 105), xlabel=_label_with_unit("$|z|$", runs), ylabel="share within (%)")


def _label_with_unit(symbol: str, runs: pd.DataFrame) -> str:
    gain = runs["gain"].iloc[0]
    return symbol if gain == 1 else f"{symbol}, in units of {gain:g}$^L$"
