"""The figures of document 002, "On the Inductive Bias of Various Architectures of Deep ReLU Nets"."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from workflow.deepnets.figures._diagnosis import diagnosis, name_of, nets_of, stated
from workflow.deepnets.figures._propagation_rows import by_simulation, narrowest, runs_of, widest
from workflow.deepnets.figures._rows import rows_of
from workflow.deepnets.theory.sensitivity import (
    INCREMENT_BOUNDS,
    NORMAL_INCREMENT,
    log_diffusion,
    power_law_exponent,
    power_law_factor,
    residual_increment,
)

DOCUMENT = "002-propagation"
# The document's three set-ups: He's normal init, ReLU.
_STANDARD = {"activation": "relu", "init": "normal"}
_VANILLA = {**_STANDARD, "arch": "feedforward", "norm": "none"}
_BN_FEEDFORWARD = {**_STANDARD, "arch": "feedforward", "norm": "batch"}
_BN_RESNET = {**_STANDARD, "arch": "residual", "norm": "batch"}
# Noise that is added to the inputs in the pictures, in units of the signal's standard deviation.
_DRAWN_NOISE = 0.05


def one_dimensional_signal(propagation: pd.DataFrame) -> Figure:
    """Pathology of one-dimensional signal: a batch of MNIST pushed through one vanilla net.

    Each panel shows the points along their mean vector and along the direction of most variance orthogonal to it, in
    units of their root mean square. With depth they concentrate on the semi-line that the mean generates: what
    differs between inputs is their length alone. A few points far out, images with a rare pixel, lie beyond the frame.
    """
    return _clouds(widest(propagation, **_VANILLA), noise=0)


def exploding_sensitivity(propagation: pd.DataFrame) -> Figure:
    """Pathology of exploding sensitivity: a batch of MNIST and its corruption in one batch-normalised feedforward net.

    Blue: the signal x, as in the figure before; orange: x + dx, for noise of 5 % of the signal's standard deviation
    at the input, propagated linearly. With depth the signal is drowned in the noise. A few points lie beyond the frame.
    """
    return _clouds(widest(propagation, **_BN_FEEDFORWARD), noise=_DRAWN_NOISE)


def vanilla_histograms(propagation: pd.DataFrame) -> Figure:
    """Vanilla nets: the logarithms of the moments of signal and noise at four depths, over simulations.

    Bars: simulations, of the narrowest nets in the config. Lines: the diffusion N(−5l/2N, 5l/N) of one vector through
    a net of width N, which the one-dimensional signal follows. The noise (dashed) starts in many directions, over which
    its moment averages: its histogram lags behind. The moments become log-normal with depth.
    """
    rows = narrowest(propagation, **_VANILLA)
    figure, axes = plt.subplots(4, 2, figsize=(3.4, 4.6), sharex=True)
    logs = [by_simulation(rows, "log_nu2_signal"), by_simulation(rows, "log_mu2_noise")]
    depths = logs[0].index[logs[0].index > 0]
    chosen = [depths[round(place)] for place in np.linspace(0, len(depths) - 1, min(4, len(depths)))]
    changes = [values.loc[chosen] - values.loc[0] for values in logs] if chosen else []
    limits = (min(map(np.nanmin, changes)) - 1, max(map(np.nanmax, changes)) + 1) if chosen else (-1, 1)
    for row, depth in zip(axes, chosen, strict=False):
        grid = np.linspace(*limits, 300)
        mean, variance = log_diffusion(depth, rows["width"].iloc[0])
        density = np.exp(-((grid - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
        for axis, change, colour, style in zip(row, changes, ("C0", "C1"), ("-", "--"), strict=True):
            axis.hist(change.loc[depth], bins=np.linspace(*limits, 41), density=True, color=colour, alpha=0.5)
            axis.plot(grid, density, color="k", lw=0.9, ls=style)
            axis.set_yticks([])
        row[0].set_ylabel(f"density\nlayer {depth}")
    axes[-1, 0].set_xlabel(r"$\ln\,\nu_2(x^l)-\ln\,\nu_2(x^0)$")
    axes[-1, 1].set_xlabel(r"$\ln\,\mu_2(dx^l)-\ln\,\mu_2(dx^0)$")
    axes[0, 0].set(title="signal", xlim=limits)
    axes[0, 1].set_title("noise")
    return figure


def vanilla(propagation: pd.DataFrame) -> Figure:
    """Vanilla nets: increments of the sensitivity with the bounds 1 and √2, and the effective rank of the signal.

    Lines: mean over simulations; bands: 16th to 84th percentile. Dotted: the increment of a ReLU on normal inputs,
    1.211. Of the two possible evolutions the second is observed: δχ falls to 1 and the signal becomes one-dimensional.
    The bounds hold in expectation; single simulations scatter.
    """
    rows = widest(propagation, **_VANILLA)
    figure, axes = plt.subplots(2, 1, figsize=(3.4, 3.8), sharex=True)
    _draw(axes[0], rows, "delta_chi", "C0", r"$\delta\chi^l$")
    _draw_increment_bounds(axes[0])
    axes[0].set(ylabel=r"increment $\delta\chi^l$", ylim=(0.9, 1.5))
    _draw(axes[1], rows, "effective_rank_signal", "C0", "$x^l$")
    axes[1].axhline(1, color="k", ls="--", lw=0.8)
    axes[1].set(xlabel="layer $l$", ylabel=r"effective rank $r_\mathrm{eff}(x^l)$", ylim=(0, None))
    return figure


def batch_normalized_feedforward(propagation: pd.DataFrame) -> Figure:
    """Batch-normalised feedforward nets: increments, sensitivity, effective ranks and tails against depth.

    Lines: mean over simulations (χ: geometric); bands: 16th to 84th percentile. δ_BN holds the linear layer and its
    normalisation, δ_φ the ReLU; dashed: the bounds 1 and √2; dotted: ReLU on normal inputs, 1.211. μ₄ and ν₁|·| are
    those of batch normalisation's output; dashed there: a normal variable. The sensitivity explodes: the signal has few
    directions of variance left and fat tails.
    """
    rows = widest(propagation, **_BN_FEEDFORWARD)
    figure, axes = plt.subplots(2, 2, figsize=(6.9, 4.4), sharex=True)
    _draw_increments(axes[0, 0], rows, ("linear", "bn"))
    _draw_increment_bounds(axes[0, 0])
    axes[0, 0].set_ylim(0.97, 1.58)
    _draw(axes[0, 1], rows, "chi", "C0", "", logarithmic=True)
    axes[0, 1].set(ylabel=r"normalised sensitivity $\chi^l$", yscale="log")
    _draw_ranks_and_tails(axes[1], rows)
    for axis in axes[1]:
        axis.set_xlabel("layer $l$")
    return figure


def batch_normalized_resnet(propagation: pd.DataFrame) -> Figure:
    """Batch-normalised resnets: increments, sensitivity, effective ranks and tails against depth.

    Lines: mean over simulations (χ: geometric); bands: 16th to 84th percentile. δ_BN, δ_φ and their product with the
    linear layer's increment are those of the first layer in a unit's residual branch. Black: the power law C·l^τ whose
    τ follows from that product, averaged over depth; dashed: the bounds, the products of (1 + 2τ/(l + 1))^½ for its
    least and greatest value at any depth. Many directions of variance are left, and the sensitivity grows as a power of
    depth only.
    """
    rows = widest(propagation, **_BN_RESNET)
    figure, axes = plt.subplots(2, 2, figsize=(6.9, 4.4), sharex=True)
    _draw_increments(axes[0, 0], rows, ("bn",))
    _draw(axes[0, 0], rows, "delta_chi", "k", r"$\delta\chi^l$ of the unit")
    axes[0, 0].axhline(1, color="k", ls="--", lw=0.8)
    _add_legend(axes[0, 0], ncols=2)
    _draw(axes[0, 1], rows, "chi", "C0", "simulated", logarithmic=True)
    _draw_power_law(axes[0, 1], rows)
    axes[0, 1].set_ylabel(r"normalised sensitivity $\chi^l$")
    _add_legend(axes[0, 1], loc="upper left")
    _draw_ranks_and_tails(axes[1], rows)
    for axis in axes[1]:
        axis.set_xlabel("unit $l$")
    return figure


def logarithmic_version(propagation: pd.DataFrame) -> Figure:
    """Batch-normalised resnets are logarithmic versions of batch-normalised feedforward nets.

    The sensitivity of both against depth, on logarithmic axes: a straight line is a power law. Left: against l, the
    feedforward net bends upwards, exponential in depth, while the resnet is straight. Right: the same axis of χ
    against l for the feedforward net and against ln l for the resnet, each on its own scale: both are straight.
    """
    figure, axes = plt.subplots(1, 2, figsize=(6.9, 2.6))
    styles = ((_BN_FEEDFORWARD, "C1", "BN feedforward"), (_BN_RESNET, "C0", "BN resnet"))
    for axes_of_runs, colour, name in styles:
        _draw(axes[0], widest(propagation, **axes_of_runs), "chi", colour, name, logarithmic=True)
    axes[0].set(xscale="log", yscale="log", xlabel="layer or unit $l$", ylabel=r"normalised sensitivity $\chi^l$")
    _add_legend(axes[0], loc="upper left")
    for axes_of_runs, colour, name in styles:
        logs = np.log(by_simulation(widest(propagation, **axes_of_runs), "chi")).mean(axis=1)
        logs = logs[logs.index > 0]
        if logs.empty:
            continue
        position = np.log(logs.index) if colour == "C0" else logs.index
        axes[1].plot(
            position / max(position.max(), 1), logs / max(logs.max(), 1e-9), color=colour, marker=".", label=name
        )
    axes[1].set(xlabel=r"$l/L$ (feedforward), $\ln l/\ln L$ (resnet)", ylabel=r"$\ln\chi^l/\ln\chi^L$")
    return figure


def convolutional_and_fully_connected(propagation: pd.DataFrame) -> Figure:
    """Convolutions of few channels beside wide fully connected nets: sensitivity and effective rank of the signal.

    Lines: mean over simulations (χ: geometric); bands: 16th to 84th percentile. Normalised nets behave alike. Vanilla
    convolutions of 64 channels are too narrow for the document's statement: δχ stays above 1 and χ looks exploding;
    this is the effect of the width, not of the convolution.
    """
    figure, axes = plt.subplots(2, 3, figsize=(6.9, 4.0), sharex="col")
    setups = ((_VANILLA, "vanilla"), (_BN_FEEDFORWARD, "BN feedforward"), (_BN_RESNET, "BN resnet"))
    for column, (axes_of_runs, title) in zip(axes.T, setups, strict=True):
        kernels = sorted(set(runs_of(propagation, **axes_of_runs)["kernel"]))
        for kernel, colour in zip(kernels, ("C0", "C1", "C2"), strict=False):
            rows = widest(propagation, **axes_of_runs, kernel=kernel)
            kind = "full" if kernel == 1 else f"{kernel} × {kernel}"
            name = f"{kind}, {rows['width'].iloc[0]} channels"
            _draw(column[0], rows, "chi", colour, name, logarithmic=True)
            _draw(column[1], rows, "effective_rank_signal", colour, name)
        column[0].set(title=title, yscale="log")
        column[1].set(xlabel="unit $l$" if axes_of_runs is _BN_RESNET else "layer $l$", yscale="log")
        column[1].set_ylim(0.9, max(10, column[1].get_ylim()[1]))
        _label_plainly(column[1])
        if axes_of_runs is _BN_RESNET:
            column[0].set_xscale("log")
            _label_plainly(column[0])
    _add_legend(axes[0, 0])
    axes[0, 0].set_ylabel(r"normalised sensitivity $\chi^l$")
    axes[1, 0].set_ylabel(r"effective rank $r_\mathrm{eff}(x^l)$")
    return figure


def pathologies(propagation: pd.DataFrame) -> Figure:
    """Which net has which pathology: numbers measured at the last layer, medians over simulations.

    Noise: growth of χ per layer (residual: unit) over the second half of the depth, and in brackets the power of depth
    that this is; exploding (shaded) above 2. Line: effective rank of the signal, shaded below 1.5. Point: the share
    μ₂(x)/ν₂(x) of the variance in the mean square, shaded below 2 %. Activations: growth of ν₂(x) per layer, shaded
    above 1.2. Framed: what the slides state; they leave open which of line and point uniform initialisation leads to,
    and place group normalisation between instance and layer normalisation.
    """
    nets = nets_of(propagation)
    columns = (
        "noise: growth of $\\chi$",
        "line: $r_\\mathrm{eff}(x)$",
        r"point: $\mu_2/\nu_2$",
        r"activations: $\nu_2$",
    )
    figure, axis = plt.subplots(figsize=(6.9, 0.5 + 0.24 * len(nets)))
    for row, net in enumerate(nets):
        for column, symptom in enumerate(diagnosis(net)):
            colour = "C4" if symptom.present else "0.94"
            axis.add_patch(Rectangle((column, row + 0.05), 0.97, 0.9, facecolor=colour, lw=0))
            if symptom.pathology in stated(net):
                axis.add_patch(Rectangle((column + 0.01, row + 0.09), 0.95, 0.82, fill=False, ec="k", lw=1))
            axis.text(column + 0.485, row + 0.5, symptom.text, ha="center", va="center", fontsize=7)
    axis.set_yticks(np.arange(len(nets)) + 0.5, [name_of(net) for net in nets])
    axis.set_xticks(np.arange(4) + 0.485, columns)
    axis.tick_params(length=0, labeltop=True, labelbottom=False)
    axis.spines[:].set_visible(False)
    axis.set(xlim=(0, 4), ylim=(max(len(nets), 1), 0))
    return figure


def _draw(axis: Axes, rows: pd.DataFrame, metric: str, colour: str, label: str, *, logarithmic: bool = False) -> None:
    _draw_band(axis, by_simulation(rows, metric), colour, label, logarithmic=logarithmic)


def _draw_band(axis: Axes, values: pd.DataFrame, colour: str, label: str, *, logarithmic: bool = False) -> None:
    """Draw mean and 16th to 84th percentile over simulations, without the first linear layer."""
    values = values[values.index > 0]
    if values.empty:
        return
    mean = np.exp(np.log(values).mean(axis=1)) if logarithmic else values.mean(axis=1)
    axis.plot(mean, color=colour, label=label)
    axis.fill_between(
        values.index, values.quantile(0.16, axis=1), values.quantile(0.84, axis=1), color=colour, alpha=0.2, lw=0
    )


def _draw_increments(axis: Axes, rows: pd.DataFrame, before_activation: tuple[str, ...]) -> None:
    """Draw δ_BN, δ_φ and their product, which are those of a layer."""
    normalization = 1
    for name in before_activation:
        normalization = normalization * by_simulation(rows, f"delta_chi_{name}")
    _draw_band(axis, normalization, "C1", r"$\delta_\mathrm{BN}\chi^l$")
    _draw(axis, rows, "delta_chi_activation", "C2", r"$\delta_\phi\chi^l$")
    whole = "delta_chi_layer" if (rows["arch"] == "residual").any() else "delta_chi"
    _draw(axis, rows, whole, "C0", r"$\delta\chi^l$" if whole == "delta_chi" else r"$\delta\chi^{l,1}$")
    axis.set_ylabel("increments of sensitivity")
    _add_legend(axis, ncols=3)


def _draw_increment_bounds(axis: Axes) -> None:
    for bound in INCREMENT_BOUNDS:
        axis.axhline(bound, color="k", ls="--", lw=0.8)
    axis.axhline(NORMAL_INCREMENT, color="0.5", ls=":", lw=0.8)


def _draw_ranks_and_tails(axes: np.ndarray, rows: pd.DataFrame) -> None:
    _draw(axes[0], rows, "effective_rank_noise", "C1", r"$r_\mathrm{eff}(dx^l)$")
    _draw(axes[0], rows, "effective_rank_signal", "C0", r"$r_\mathrm{eff}(x^l)$")
    axes[0].axhline(1, color="k", ls="--", lw=0.8)
    axes[0].set(yscale="log", ylabel="effective rank")
    axes[0].set_ylim(0.9, max(10, 2.2 * axes[0].get_ylim()[1]))
    _label_plainly(axes[0])
    _add_legend(axes[0], loc="upper right", ncols=2)
    tails = axes[1].twinx()
    tails.spines["right"].set_visible(True)
    _draw(axes[1], rows, "mu4_signal", "C3", r"$\mu_4(z^l)$")
    _draw(tails, rows, "nu1_abs_signal", "C4", r"$\nu_1(|z^l|)$")
    axes[1].axhline(3, color="C3", ls="--", lw=0.8)
    tails.axhline(np.sqrt(2 / np.pi), color="C4", ls="--", lw=0.8)
    axes[1].set(yscale="log", ylabel=r"$\mu_4(z^l)$")
    axes[1].set_ylim(2, max(20, axes[1].get_ylim()[1]))
    _label_plainly(axes[1])
    tails.set(ylabel=r"$\nu_1(|z^l|)$", ylim=(0, 1))
    axes[1].yaxis.label.set_color("C3")
    tails.yaxis.label.set_color("C4")


def _add_legend(axis: Axes, **options: object) -> None:
    """Add a legend where there is anything to name: a grid may be missing from the config."""
    if axis.get_legend_handles_labels()[1]:
        axis.legend(**options)


def _label_plainly(axis: Axes) -> None:
    """Write the values of a logarithmic y axis over few decades as 1, 2, 5, 10 …"""
    if not axis.lines:
        return
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())


def _draw_power_law(axis: Axes, rows: pd.DataFrame) -> None:
    increments = by_simulation(rows, "delta_chi_layer")
    if increments.empty:
        return
    chi = by_simulation(rows, "chi").mean(axis=1)
    start, chi = chi.loc[0], chi[chi.index > 0]
    layers = chi.index.to_numpy(dtype=float)
    # As the authors do it: the ratio of the mean sensitivities behind and before the branch's first layer.
    before = by_simulation(rows, "chi") / by_simulation(rows, "delta_chi")
    ratios = (before * increments).mean(axis=1).dropna() / before.mean(axis=1).dropna()
    exponent = float(power_law_exponent(ratios.mean()))
    factor = power_law_factor(layers, chi.to_numpy(), exponent)
    axis.plot(layers, factor * layers**exponent, color="k", lw=0.9, label=rf"${factor:.2f}\,l^{{\,{exponent:.2f}}}$")
    units = np.arange(1, layers.max() + 1)
    for extreme, label in ((ratios.min(), "bounds"), (ratios.max(), None)):
        bound = np.cumprod(residual_increment(units, float(power_law_exponent(extreme))))
        axis.plot(units, start * bound, color="k", ls="--", lw=0.8, label=label)


def _clouds(rows: pd.DataFrame, *, noise: float) -> Figure:
    rows = rows[rows["seed"] == rows["seed"].min()]
    depths = sorted(set(rows_of(rows, "cloud_signal_1")["step"]))
    figure, axes = plt.subplots(1, max(len(depths), 1), figsize=(6.9, 2.6), squeeze=False)
    for axis, depth in zip(axes[0], depths, strict=False):
        signal, corruption = (
            np.stack([_cloud(rows, f"cloud_{kind}_{place}", depth) for place in (1, 2)]) for kind in ("signal", "noise")
        )
        if noise:
            axis.plot(*(signal + noise * corruption), "o", ms=1.8, color="C1", mew=0, label="$x^l+dx^l$", zorder=1)
        axis.plot(*signal, "o", ms=1.8, color="C0", mew=0, label="$x^l$")
        axis.axhline(0, color="0.8", lw=0.5, zorder=0)
        axis.axvline(0, color="0.8", lw=0.5, zorder=0)
        low, high = np.quantile(signal + noise * corruption, [0.02, 0.98], axis=1)
        # Axes of one scale that hold the origin and all but the outermost points.
        low, high = np.minimum(low, 0), np.maximum(high, 0)
        centre, reach = (low + high) / 2, 0.6 * (high - low).max()
        axis.set(
            title=f"layer {depth}",
            xlabel="along the mean (rms = 1)",
            aspect="equal",
            xlim=(centre[0] - reach, centre[0] + reach),
            ylim=(centre[1] - reach, centre[1] + reach),
        )
    axes[0, 0].set_ylabel("orthogonal to it")
    if noise and depths:
        axes[0, 0].legend(markerscale=3)
    return figure


def _cloud(rows: pd.DataFrame, metric: str, depth: int) -> np.ndarray:
    points = rows_of(rows, metric)
    return points[points["step"] == depth].sort_values("index")["value"].to_numpy()
