"""Figures 6B and 6C of Saxe, McClelland and Ganguli 2013: products of random matrices."""

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
    """Singular values σ of products of random matrices, with their laws (Fig. 6B of the paper).

    Columns: the number of N × N matrices in a product. Upper row: density of σ; lower row: density of log₁₀ σ, which
    makes small σ visible. Pink: matrices of normal numbers with standard deviation 1/√N; thin line: the law of these
    products for large N, a quarter circle for one matrix and the Fuss–Catalan law for several; D: the largest
    difference between the cumulative distributions of singular values and law. Orange: orthogonal matrices, whose
    products have only singular values of 1; ±: the largest distance from 1.
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
    """Eigenvalues z of products of random matrices in the complex plane, with their law (Fig. 6C of the paper).

    Columns: the number of N × N matrices in a product. Squares: density in bins of width 0.1, empty for 0. As in the
    paper, the bin around the origin is left out; the titles give its share of the eigenvalues (at 0). For matrices of normal numbers with standard deviation 1/√N, they also
    give this share according to the law for large N, P(|z| < r) = r^(2/depth) up to r = 1. Last row: the share of
    eigenvalues within a radius; dashed: the law; D: the largest difference between this share and the law, beyond the
    radius 0.05.
    """
    sheet = api.Sheet(step="layer")
    runs = sheet.take(random_nets.select_nets(PRODUCTS, spectra, "log_singular_value", "depth", "init"))
    sheet.note(random_nets.describe_nets(runs, noun="product"))
    columns = api.group_by_setting(runs, "init")
    inits = sorted(runs["init"].unique())
    size = (_COLUMN * max(len(columns), 3), 2.2 * len(inits) + 2.0)
    heights = [1.2] * len(inits) + [1]
    axes = sheet.panels(len(inits) + 1, len(columns), figsize=size, height_ratios=heights, squeeze=False)
    for panels, (_, rows) in zip(axes.T, columns, strict=True):
        for axis, init in zip(panels, inits, strict=False):
            _draw_plane(axis, api.runs_of(rows, init=init), init)
        _draw_shares_within(panels[-1], rows)
    for axis in axes[:, 1:].flat:
        axis.set_ylabel("")
    meshes = [mesh for axis in axes[:-1].flat for mesh in axis.collections]
    densities = np.ma.concatenate([mesh.get_array().ravel() for mesh in meshes])
    # The lightest colours, which white nearly equals, are for no density.
    norm = LogNorm(densities.min() / 3, densities.max())
    for mesh in meshes:
        mesh.set_norm(norm)
    sheet.figure.colorbar(meshes[0], ax=axes[:-1], label="density", shrink=0.6, pad=0.01)
    sheet.add_legend(axes[-1], columns=3)
    return sheet.finish()


def mean_log_singular_values(spectra: api.Table) -> Figure:
    """Mean of ln σ over the singular values σ of a product of random matrices, against the number of matrices.

    a: lines are means over nets and seeds; dotted: theory, exact for any size N. For normal numbers with standard
    deviation 1/√N, the mean falls in proportion to depth; for orthogonal matrices, it is 0. b: simulation minus theory;
    bands: one standard error. The legend gives the largest difference, divided by theory's last value unless this value
    is 0.
    """
    sheet = api.Sheet(step="layer")
    runs = sheet.take(random_nets.select_nets(MEAN_LOGS, spectra, "mean_log_singular_value", "size", "init"))
    sheet.note(random_nets.describe_nets(runs, metric="mean_log_singular_value", noun="product"))
    axes = sheet.panels(2, 1, figsize=(3.4, 4.2), sharex=True)
    axes[0].set_ylabel(r"mean $\ln\sigma$")
    axes[1].set(xlabel="matrices multiplied", ylabel="simulation − theory")
    for position, (axes_of_line, rows) in enumerate(api.group_by_setting(runs)):
        measured = api.by_simulation(api.require_curve(rows, "mean_log_singular_value", step="layer"))
        theory = random_nets.predict_mean_logs(rows)[measured.index]
        differences = measured.sub(theory, axis=0)
        mean, error = differences.mean(axis=1), differences.sem(axis=1)
        largest, last = mean.abs().max(), abs(theory[-1])
        off = f"{100 * largest / last:.2f} %" if last > 0 else f"{largest:.0e}"
        name = ", ".join(
            INITS[str(value)].name if axis == "init" else api.label_of(axis, value)
            for axis, value in axes_of_line.items()
        )
        # Because of the dashes, two lines that coincide are both visible.
        style = {"color": INITS[rows["init"].iloc[0]].color, "ls": ("-", (0, (4, 4)))[position % 2]}
        axes[0].plot(measured.mean(axis=1), **style, lw=2.4, label=f"{name}: {off}".lstrip(": "))
        axes[0].plot(measured.index, theory, color="k", ls=":", lw=0.8, label=f"_theory, {name}")
        axes[1].plot(mean, **style, label=f"_{name}")
        axes[1].fill_between(
            mean.index, mean - error, mean + error, color=style["color"], alpha=0.2, lw=0, label=f"_{name}"
        )
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


def _draw_plane(axis: Axes, runs: pd.DataFrame, init: str) -> None:
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
    axis.set_ylabel(f"{INITS[str(init)].name}\n{_label_with_unit('Im $z$', runs)}")
    depth = runs["depth"].iloc[0]
    said = f"at 0: {100 * share:.1f} %"
    if init == "gaussian":
        said += f", law {100 * random_products.eigenvalue_share_in_square(BIN_WIDTH / 2, depth):.1f} %"
    axis.set_title(f"depth {depth}\n{said}", loc="right", fontsize=7)


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
