"""Figures 6B, 6C, 7 and 8 of Saxe, McClelland and Ganguli 2013: random products, and Jacobians of random tanh nets."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workflow.deepnets.documents.saxe_2013.spectra_rows import (
    distance,
    growth,
    mean_logs_in_theory,
    of_nets,
    recording,
    root_mean_square_in_theory,
    variances_of,
)
from workflow.deepnets.figures.panels import letter, say_nothing_to_show, why_nothing
from workflow.deepnets.figures.rows import rows_of, runs_of
from workflow.deepnets.figures.which_runs import by_setting, choose, lost, named, say_which_runs
from workflow.deepnets.theory import random_products, tanh_variance

_COLOURS = {"gaussian": "C0", "orthogonal": "C1"}
_NAMES = {"gaussian": "Gaussian"}
# Room for depths in a row, and for gains as panels or lines.
_DEPTHS, _GAINS, _GAINS_OF_MAP = 3, 5, 4
# Fig. 6C: the width of its bins, of which the one around the origin is removed.
_BIN = 0.1
# Gains from theory's expansion around 1 that are drawn.
_NEAR_ONE = (1, 1.5)


def product_singular_values(spectra: pd.DataFrame) -> Figure:
    """Singular values σ of products of random matrices, beside their laws (Fig. 6B of the paper).

    Columns: how many N × N matrices were multiplied. Upper row: density over σ; lower row: density over log₁₀ σ, which
    shows the small ones. Blue: matrices of normal numbers with standard deviation 1/√N; black: their law for large N, a
    quarter circle for one matrix and the Fuss–Catalan law for more. D: the largest difference between the share of
    singular values up to a bound and the law's share. Orange: orthogonal matrices, whose products have singular values
    1; ±: the largest departure from 1. With a gain g, σ is in units of g to the power of the depth.
    """
    runs, words = choose(_products(spectra), depth=_DEPTHS, init=len(_COLOURS))
    columns = by_setting(runs, "init") or [({}, runs)]
    figure, axes = plt.subplots(2, len(columns), figsize=(6.9, 3.9), squeeze=False)
    letter(axes.ravel())
    for panels, (_, rows) in zip(axes.T, columns, strict=True):
        _draw_spectrum(*panels, rows)
    for axis in axes[:, 0]:
        axis.set_ylabel("density")
    _add_legend(figure, axes[0], columns=3)
    say_which_runs(figure, words, lost(runs, step="layer"))
    return figure


def product_eigenvalues(spectra: pd.DataFrame) -> Figure:
    """Eigenvalues z of products of random matrices in the complex plane, beside their law (Fig. 6C of the paper).

    Columns: how many N × N matrices were multiplied. Rows of squares: density over bins of width 0.1, darker where it
    is higher, and white where it is 0. As in the paper, the bin around the origin is left out. Its share is written
    above (at 0); for matrices of normal numbers with standard deviation 1/√N, the share of the law for large N stands
    beside it. The law is P(|z| < r) = r^{2/depth} up to r = 1. Real matrices have more real eigenvalues than the law,
    which prefers no direction. Last row: the share of eigenvalues within a radius; dashed: the law; D: the largest
    difference from it beyond the radius 0.05. Products of orthogonal matrices have all eigenvalues on the unit circle.
    With a gain g, z is in units of g to the power of the depth.
    """
    runs, words = choose(_products(spectra), depth=_DEPTHS, init=len(_COLOURS))
    columns = by_setting(runs, "init") or [({}, runs)]
    inits = [init for init in _COLOURS if (runs["init"] == init).any()]
    size = 6.9, 2.2 * (len(inits) + 1) + 0.4
    figure, axes = plt.subplots(len(inits) + 1, len(columns), figsize=size, squeeze=False)
    letter(axes.ravel())
    for panels, (_, rows) in zip(axes.T, columns, strict=True):
        for axis, init in zip(panels, inits, strict=False):
            _draw_plane(axis, runs_of(rows, init=init), init)
        _draw_shares_within(panels[-1], rows)
    _add_legend(figure, axes[-1], columns=3)
    say_which_runs(figure, words, lost(runs, step="layer"))
    return figure


def mean_log_singular_values(spectra: pd.DataFrame) -> Figure:
    """Mean of ln σ over the singular values σ of a product of random matrices, against the number of matrices.

    a: lines are means over nets and seeds; dotted: theory, exact for any size N. For normal numbers with standard
    deviation 1/√N the mean falls in proportion to depth; for orthogonal matrices it stays 0. b: simulation minus
    theory; bands: one standard error. The legend gives the largest difference, as a share of theory's last value where
    that is not 0.
    """
    products = recording(spectra, "mean_log_singular_value", block="mean_logs", activation="linear")
    runs, words = choose(products, size=2, init=len(_COLOURS))
    figure, axes = plt.subplots(2, 1, figsize=(3.4, 4.2), sharex=True)
    letter(axes)
    axes[0].set_ylabel(r"mean $\ln\sigma$")
    axes[1].set(xlabel="matrices multiplied", ylabel="simulation − theory")
    for position, (axes_of_line, rows) in enumerate(by_setting(runs)):
        measured = of_nets(rows, "mean_log_singular_value")
        if len(measured) < 2:
            continue
        theory = mean_logs_in_theory(rows)[measured.index]
        differences = measured.sub(theory, axis=0)
        mean, error = differences.mean(axis=1), differences.std(axis=1, ddof=0) / np.sqrt(differences.shape[1])
        largest, last = mean.abs().max(), abs(theory[-1])
        off = f"{100 * largest / last:.2f} %" if last > 0 else f"{largest:.0e}"
        name = ", ".join(
            _NAMES.get(value, value) if axis == "init" else named(axis, value) for axis, value in axes_of_line.items()
        )
        # Lines that lie on one another are both seen.
        style = {"color": f"C{position}", "ls": ("-", (0, (4, 4)))[position % 2]}
        axes[0].plot(measured.mean(axis=1), **style, lw=2.4, label=f"{name}: {off}".lstrip(": "))
        axes[0].plot(measured.index, theory, color="k", ls=":", lw=0.8)
        axes[1].plot(mean, **style)
        axes[1].fill_between(mean.index, mean - error, mean + error, color=f"C{position}", alpha=0.2, lw=0)
    if axes[0].has_data():
        axes[0].legend(title="largest error", alignment="left", title_fontsize=7)
    else:
        for axis in axes:
            say_nothing_to_show(axis, why_nothing(runs, step="layer"))
    say_which_runs(figure, words, lost(runs, step="layer"))
    return figure


def jacobian_singular_values(spectra: pd.DataFrame) -> Figure:
    """Singular values σ of the end-to-end Jacobian of deep random tanh nets, one row per gain (Fig. 7 of the paper).

    The Jacobian is the derivative of the last layer by the input. Histograms: over nets and seeds, over log₁₀ σ. Theory
    is that of wide nets, whose activities are normal. Solid line: theory's mean of ln σ; dashed: its root mean square
    of σ; triangle and square: the same of the simulation. Written: the mean of ln σ ± its standard deviation over nets,
    theory's mean, and the error. Below the gain 1 all gradients vanish. Not far above it, many singular values stay
    near 1. There, one singular value of each net lies far below all others: mostly the length of the activities, which
    the layers bring to a fixed value.
    """
    jacobians = recording(spectra, "log_singular_value", block="jacobians", activation="tanh")
    runs, words = choose(jacobians, gain=_GAINS)
    gains = by_setting(runs) or [({}, runs)]
    figure, axes = plt.subplots(
        len(gains), 1, figsize=(3.4, 0.8 + 1.1 * max(len(gains), 2)), squeeze=False, sharex=True
    )
    letter(axes[:, 0])
    for axis, (_, rows) in zip(axes[:, 0], gains, strict=True):
        axis.set_ylabel("density")
        if len(rows):
            axis.set_title(named("gain", rows["gain"].iloc[0]))
        if len(rows_of(rows, "log_singular_value")):
            _draw_jacobian(axis, rows)
        else:
            say_nothing_to_show(axis, why_nothing(rows, step="layer"))
    axes[-1, 0].set_xlabel(r"$\log_{10}\sigma$")
    _add_legend(figure, axes[:, 0], columns=2)
    say_which_runs(figure, words, lost(runs, step="layer"))
    return figure


def variance_map(spectra: pd.DataFrame) -> Figure:
    """Variance of activities in wide random tanh nets: from layer to layer, and where it ends (Fig. 8 of the paper).

    Points: mean and standard deviation over nets. a: variance after one layer against that of the inputs; lines:
    theory; grey: no change. b: variance after the last layer against the gain g, from inputs of one variance. Bars:
    theory after as many layers; solid: the value at which theory stays, 0 up to the gain 1; dotted: the expansion (g −
    1) + 4/3 (g − 1)². Largest error: of a mean, as a share of theory's value after as many layers; in b, only where
    that value is above 1e-3.
    """
    runs, words = choose(recording(spectra, "variance", block="variances", activation="tanh"), gain=10**6)
    of_map, of_gains = choose(runs, gain=_GAINS_OF_MAP)
    figure, axes = plt.subplots(1, 2, figsize=(6.9, 2.8))
    letter(axes)
    _draw_map(axes[0], of_map)
    _draw_ends(axes[1], runs)
    axes[0].set(xlabel="variance of the inputs", ylabel="variance behind one layer")
    axes[1].set(xlabel="gain $g$", ylabel="variance behind the last layer")
    for axis in axes:
        if axis.has_data():
            axis.legend()
        else:
            say_nothing_to_show(axis, why_nothing(runs, step="layer"))
    say_which_runs(figure, words, of_gains and f"a: {of_gains}", lost(runs, step="layer"))
    return figure


def _products(spectra: pd.DataFrame) -> pd.DataFrame:
    return recording(spectra, "log_singular_value", block="products", activation="linear")


def _draw_spectrum(wide: Axes, narrow: Axes, runs: pd.DataFrame) -> None:
    """Draw the singular values of products of one depth, over themselves and over their logarithms."""
    if rows_of(runs, "log_singular_value").empty:
        for axis in (wide, narrow):
            say_nothing_to_show(axis, why_nothing(runs, step="layer"))
        return
    depth, said = runs["depth"].iloc[0], []
    for init, colour in _COLOURS.items():
        logs = rows_of(runs, "log_singular_value", init=init)["value"].to_numpy() - depth * growth(runs)
        if init == "gaussian" and len(logs):
            for axis, values in ((wide, np.exp(logs)), (narrow, logs / np.log(10))):
                densities, edges = np.histogram(values, bins=50, density=True)
                axis.stairs(densities, edges, fill=True, alpha=0.5, color=colour, label=_NAMES.get(init, init))
                if axis is wide:
                    # Bins of less than one value are not to be seen.
                    axis.set(yscale="log", ylim=(0.3 / (len(values) * (edges[1] - edges[0])), None))
            said.append(f"D = {100 * distance(random_products.log_singular_value_shares(logs, depth)):.1f} %")
            _draw_law(wide, narrow, depth, logs.min())
        elif len(logs):
            wide.axvline(np.exp(logs.mean()), color=colour, label=_NAMES.get(init, init))
            narrow.axvline(logs.mean() / np.log(10), color=colour)
            said.append(f"{_NAMES.get(init, init)}: 1 ± {np.abs(np.expm1(logs)).max():.0e}")
    wide.set(title=f"depth {depth}", xlabel=_in_units(r"$\sigma$", runs))
    narrow.set_xlabel(_in_units(r"$\log_{10}\sigma$", runs))
    narrow.text(0.03, 0.97, "\n".join(said), transform=narrow.transAxes, va="top", fontsize=7)


def _draw_law(wide: Axes, narrow: Axes, depth: int, lowest: float) -> None:
    """Draw the law of Gaussian products over σ and over log₁₀ σ, from the lowest ln σ to its edge, dense there."""
    edge = np.log(random_products.singular_value_edge(depth))
    logs = edge - (edge - min(lowest, edge - 1)) * np.linspace(1, 0, 600) ** 2
    density = random_products.log_singular_value_density(logs, depth)
    narrow.plot(logs / np.log(10), density * np.log(10), color="k", lw=0.8)
    inside = logs > edge - 7
    wide.plot(np.exp(logs[inside]), density[inside] / np.exp(logs[inside]), color="k", lw=0.8, label="law")


def _draw_jacobian(axis: Axes, runs: pd.DataFrame) -> None:
    values = rows_of(runs, "log_singular_value")
    logs = values["value"].to_numpy()
    densities, edges = np.histogram(logs / np.log(10), bins=40, density=True)
    axis.stairs(densities, edges, fill=True, alpha=0.5, color="C0", label="simulation")
    theory, root = mean_logs_in_theory(runs)[-1], root_mean_square_in_theory(runs)
    axis.axvline(theory / np.log(10), color="k", label=r"mean of $\ln\sigma$")
    axis.axvline(root / np.log(10), color="k", ls="--", label=r"root mean square of $\sigma$")
    # The root mean square without overflow.
    measured, top = logs.mean(), 1.08 * densities.max()
    measured_root = logs.max() + np.log(np.mean(np.exp(2 * (logs - logs.max())))) / 2
    axis.plot(measured / np.log(10), top, "v", color="C1", clip_on=False)
    axis.plot(measured_root / np.log(10), top, "s", color="C1", mfc="none", clip_on=False)
    of_nets = values.groupby(["seed", values["index"] // runs["size"].iloc[0]])["value"].mean()
    error = 100 * abs(measured / theory - 1)
    said = f"{measured:.2f} ± {of_nets.std(ddof=0):.2f}\ntheory {theory:.2f}\nerror {error:.1f} %"
    axis.text(0.02, 0.97, said.replace("-", "−"), transform=axis.transAxes, va="top", fontsize=7)


def _draw_map(axis: Axes, runs: pd.DataFrame) -> None:
    errors = []
    for position, (_, rows) in enumerate(by_setting(runs)):
        behind_one = {start: nets.loc[1] for start, nets in variances_of(rows).items() if 1 in nets.index}
        if not behind_one:
            continue
        gain, starts = rows["gain"].iloc[0], np.array(sorted(behind_one))
        means = np.array([behind_one[start].mean() for start in starts])
        spreads = np.array([behind_one[start].std(ddof=0) for start in starts])
        errors.append(np.abs(means / tanh_variance.next_variance(starts, gain) - 1).max())
        fine, style = np.linspace(0, starts.max(), 200), {"color": f"C{position}"}
        axis.errorbar(starts, means, spreads, fmt="o", ms=3, **style, label=named("gain", gain))
        axis.plot(fine, tanh_variance.next_variance(fine, gain), **style, lw=0.8)
    if errors:
        axis.axline((0, 0), slope=1, color="0.7", lw=0.8, zorder=0)
        axis.set(xlim=(0, None), ylim=(0, None))
        _say_largest(axis, max(errors))


def _draw_ends(axis: Axes, runs: pd.DataFrame) -> None:
    ends = []
    for _, rows in by_setting(runs):
        start, nets = next(iter(variances_of(rows).items()), (0, pd.DataFrame()))
        depth, gain = rows["depth"].iloc[0], rows["gain"].iloc[0]
        if depth in nets.index:
            reached = nets.loc[depth]
            ends.append((gain, reached.mean(), reached.std(ddof=0), start))
    if not ends:
        return
    gains, means, spreads, starts = (np.array(column) for column in zip(*sorted(ends), strict=True))
    reached = np.array(
        [tanh_variance.variances(start, gain, depth)[-1] for gain, start in zip(gains, starts, strict=True)]
    )
    large = reached > 1e-3
    axis.errorbar(gains, means, spreads, fmt="o", ms=3, color="C0", label="simulation")
    axis.plot(gains, reached, "_", color="k", ms=8, label=f"theory, {depth} layers")
    fine = np.linspace(min(gains.min(), 0.9), max(gains.max(), 1.1), 200)
    axis.plot(fine, tanh_variance.fixed_point(fine), color="k", lw=0.8, label="fixed point")
    near = np.linspace(*_NEAR_ONE, 50)
    axis.plot(near, tanh_variance.fixed_point_near_one(near), color="C1", ls=":", label="near $g$ = 1")
    if large.any():
        _say_largest(axis, np.abs(means / reached - 1)[large].max())


def _say_largest(axis: Axes, error: float) -> None:
    axis.set_title(f"largest error {100 * error:.1f} %", loc="right")


def _eigenvalues(runs: pd.DataFrame) -> np.ndarray:
    """Return the eigenvalues of runs of one depth and gain, over the gain to the power of the depth, where finite."""
    order = ["seed", "index"]
    real, imaginary = (
        rows_of(runs, f"eigenvalue_{part}").sort_values(order)["value"].to_numpy() for part in ("real", "imag")
    )
    if not len(real):
        return real
    with np.errstate(over="ignore", invalid="ignore"):
        values = (real + 1j * imaginary) * np.exp(-runs["depth"].iloc[0] * growth(runs))
    return values[np.isfinite(values)]


def _draw_plane(axis: Axes, runs: pd.DataFrame, init: str) -> None:
    values = _eigenvalues(runs)
    if not len(values):
        say_nothing_to_show(axis, why_nothing(runs, step="layer"))
        return
    # Bins around multiples of their width, of which the one in the middle holds the origin.
    reach = 12.5 * _BIN
    edges = np.linspace(-reach, reach, 26)
    counts, *_ = np.histogram2d(values.real, values.imag, bins=(edges, edges))
    middle = len(counts) // 2
    share, counts[middle, middle] = counts[middle, middle] / len(values), 0
    shown = np.ma.masked_equal(counts.T / (len(values) * _BIN**2), 0)
    axis.pcolormesh(edges, edges, shown, cmap="viridis_r", rasterized=True)
    axis.set(aspect="equal", xlabel=_in_units("Re $z$", runs))
    axis.set_ylabel(f"{_NAMES.get(init, init)}\n{_in_units('Im $z$', runs)}")
    depth = runs["depth"].iloc[0]
    said = f"at 0: {100 * share:.1f} %"
    if init == "gaussian":
        said += f", law {100 * random_products.eigenvalue_share_in_square(_BIN / 2, depth):.1f} %"
    axis.set_title(f"depth {depth}\n{said}", fontsize=7)


def _draw_shares_within(axis: Axes, runs: pd.DataFrame) -> None:
    for init, colour in _COLOURS.items():
        rows = runs_of(runs, init=init)
        radii = np.sort(np.abs(_eigenvalues(rows)))
        if not len(radii):
            continue
        axis.plot(radii, 100 * (np.arange(len(radii)) + 1) / len(radii), color=colour, label=_NAMES.get(init, init))
        if init == "gaussian":
            depth, fine = rows["depth"].iloc[0], np.linspace(0, 1.25, 300)
            law = 100 * random_products.eigenvalue_shares(fine, depth)
            axis.plot(fine, law, color="k", ls="--", lw=0.8, label="law")
            rim = float(random_products.eigenvalue_shares(np.array(_BIN / 2), depth))
            off = distance(random_products.eigenvalue_shares(radii, depth), above=rim)
            axis.text(0.95, 5, f"D = {100 * off:.1f} %", ha="right", fontsize=7)
    if axis.has_data():
        axis.set(xlim=(0, 1.25), ylim=(0, 105), xlabel=_in_units("$|z|$", runs), ylabel="share within (%)")
    else:
        say_nothing_to_show(axis, why_nothing(runs, step="layer"))


def _in_units(symbol: str, runs: pd.DataFrame) -> str:
    gain = runs["gain"].iloc[0]
    return symbol if gain == 1 else f"{symbol}, in units of {gain:g}$^L$"


def _add_legend(figure: Figure, axes: np.ndarray, *, columns: int) -> None:
    """Explain what any of some panels shows, once, above all."""
    handles = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    if handles:
        figure.legend(handles.values(), handles, loc="outside upper center", ncols=columns)
