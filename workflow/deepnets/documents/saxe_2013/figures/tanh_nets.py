"""Figures 7 and 8 of Saxe, McClelland and Ganguli 2013: random tanh nets."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.saxe_2013 import random_nets
from deepnets.documents.saxe_2013.runs import JACOBIANS, VARIANCES
from deepnets.theory import tanh_variance
from reproduce import api

# The maximum number of lines of Figure 8, which nearly coincide.
_GAINS_OF_MAP = 4
# The range of gains for which the expansion around 1 is drawn.
_NEAR_ONE = (1, 1.5)


def jacobian_singular_values(spectra: api.Table) -> Figure:
    """Below the gain 1 all gradients of random tanh nets vanish; above 1 many singular values σ stay near 1 (Fig. 7).

    σ: of the Jacobian, the derivative of the last layer by the input; histograms contain all nets and seeds. Lines are
    theory for wide nets, whose activities are normal. The text gives the mean of log₁₀ σ ± its standard deviation over
    nets, theory's mean, and the error. Slightly above 1, one singular value of each net is far below all others: it
    mostly belongs to the length of the activities, which the layers bring to a fixed value.
    """
    sheet = api.Sheet(step="layer")
    runs = sheet.take(random_nets.select_nets(JACOBIANS, spectra, "log_singular_value", "gain"))
    sheet.note(random_nets.describe_nets(runs))
    gains = api.group_by_setting(runs)
    axes = sheet.panels(len(gains), 1, figsize=(3.4, 0.8 + 1.1 * max(len(gains), 2)), sharex=True)
    for axis, (_, rows) in zip(axes, gains, strict=True):
        axis.set_ylabel("density")
        axis.set_title(api.label_of("gain", rows["gain"].iloc[0]))
        _draw_jacobian(axis, rows)
    axes[-1].set_xlabel(r"$\log_{10}\sigma$")
    sheet.add_legend(columns=2)
    return sheet.finish()


def variance_map(spectra: api.Table) -> Figure:
    """The variance of activities in wide random tanh nets ends at a fixed point, which is 0 up to the gain 1 (Fig. 8).

    Points: mean and standard deviation over nets. a: after one layer; lines: theory; grey: no change. b: after the last
    layer, from inputs of one variance; near g = 1: the expansion (g − 1) + 4/3 (g − 1)². The titles give the largest
    error of a mean, divided by theory's value after as many layers; in b, only values above 1e-3 count.
    """
    sheet = api.Sheet(step="layer")
    runs = api.drop_diverged(sheet.take(random_nets.select_nets(VARIANCES, spectra, "variance", "gain")))
    sheet.note(random_nets.describe_nets(runs, metric="variance"))
    gains = np.sort(runs["gain"].unique())
    of_map = gains[api.evenly_spaced(len(gains), _GAINS_OF_MAP)]
    if len(of_map) < len(gains):
        sheet.note(f"a: {api.label_of('gain', api.listing(of_map))}")
    axes = sheet.panels(1, 2, figsize=(6.9, 2.8))
    axes[0].set(xlabel="variance of the inputs", ylabel="variance after one layer")
    axes[1].set(xlabel="gain $g$", ylabel="variance after the last layer")
    with sheet.part(axes[0]):
        _draw_map(axes[0], api.runs_of(runs, gain=list(of_map)))
    with sheet.part(axes[1]):
        _draw_ends(axes[1], runs)
    return sheet.finish()


def _draw_jacobian(axis: Axes, runs: pd.DataFrame) -> None:
    values = api.require_rows(runs, "log_singular_value")
    logs = values["value"].to_numpy()
    densities, edges = np.histogram(logs / np.log(10), bins=40, density=True)
    axis.stairs(densities, edges, fill=True, alpha=0.5, color="C0", label="simulation")
    theory, root = random_nets.predict_mean_logs(runs)[-1], random_nets.predict_log_rms(runs)
    axis.axvline(theory / np.log(10), color="k", label=r"mean of $\log_{10}\sigma$")
    axis.axvline(root / np.log(10), color="k", ls="--", label=r"root mean square of $\sigma$")
    # Without subtracting the maximum, the root mean square may overflow.
    measured, top = logs.mean(), 1.08 * densities.max()
    measured_root = logs.max() + np.log(np.mean(np.exp(2 * (logs - logs.max())))) / 2
    axis.plot(measured / np.log(10), top, "v", color="C1", clip_on=False, label="simulated mean")
    axis.plot(
        measured_root / np.log(10), top, "s", color="C1", mfc="none", clip_on=False, label="simulated root mean square"
    )
    of_nets = values.groupby(["seed", values["index"] // runs["size"].iloc[0]])["value"].mean()
    error = 100 * abs(measured / theory - 1)
    said = [each / np.log(10) for each in (measured, of_nets.std(ddof=0), theory)]
    said = "{:.2f} ± {:.2f}\ntheory {:.2f}\n".format(*said) + f"error {error:.1f} %"
    axis.text(0.02, 0.97, said, transform=axis.transAxes, va="top", fontsize=7)


def _draw_map(axis: Axes, runs: pd.DataFrame) -> None:
    errors = []
    for position, (_, rows) in enumerate(api.group_by_setting(runs)):
        api.require_rows(rows, "variance", step=1)
        after_one = {start: nets.loc[1] for start, nets in random_nets.variances_of(rows).items()}
        gain, starts = rows["gain"].iloc[0], np.array(sorted(after_one))
        means = np.array([after_one[start].mean() for start in starts])
        spreads = np.array([after_one[start].std(ddof=0) for start in starts])
        errors.append(np.abs(means / tanh_variance.next_variance(starts, gain) - 1).max())
        fine, colour = np.linspace(0, starts.max(), 200), f"C{position}"
        axis.errorbar(starts, means, spreads, fmt="o", ms=3, color=colour, label=api.label_of("gain", gain))
        axis.plot(fine, tanh_variance.next_variance(fine, gain), color=colour, lw=0.8)
    axis.axline((0, 0), slope=1, color="0.7", lw=0.8, zorder=0)
    axis.set(xlim=(0, None), ylim=(0, None))
    axis.legend()
    _write_largest_error(axis, max(errors))


def _draw_ends(axis: Axes, runs: pd.DataFrame) -> None:
    ends = []
    for _, rows in api.group_by_setting(runs):
        start, nets = next(iter(random_nets.variances_of(rows).items()))
        depth, gain = rows["depth"].iloc[0], rows["gain"].iloc[0]
        api.require_rows(rows, "variance", step=depth)
        ends.append((gain, nets.loc[depth].mean(), nets.loc[depth].std(ddof=0), start))
    gains, means, spreads, starts = (np.array(column) for column in zip(*sorted(ends), strict=True))
    reached = np.array(
        [tanh_variance.variances(start, gain, depth)[-1] for gain, start in zip(gains, starts, strict=True)]
    )
    large = reached > 1e-3
    axis.errorbar(gains, means, spreads, fmt="o", ms=3, color="C0", label="simulation")
    fine = np.linspace(min(gains.min(), 0.9), max(gains.max(), 1.1), 200)
    axis.plot(fine, tanh_variance.fixed_point(fine), color="k", lw=0.8, label="fixed point")
    near = np.linspace(*_NEAR_ONE, 50)
    axis.plot(near, tanh_variance.fixed_point_near_one(near), color="C1", ls=":", label="near $g$ = 1")
    axis.legend()
    if large.any():
        _write_largest_error(axis, np.abs(means / reached - 1)[large].max())


def _write_largest_error(axis: Axes, error: float) -> None:
    axis.set_title(f"largest error {100 * error:.1f} %", loc="right")
