import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.propagation import curves, quantities, runs
from deepnets.theory import sensitivity as theory
from reproduce import api

_DEPTHS_OF_HISTOGRAMS, _BINS = 4, 20
# The height of a panel divided by the greatest sensitivity in it.
_ROOM_FOR_BOUNDS = 1.6


def vanilla_histograms(propagation: api.Table) -> Figure:
    """In vanilla nets, the sizes of signal (a) and noise (b) spread over orders of magnitude with the depth l.

    Histograms over simulations of feedforward nets without normalisation, each row with its own scale of density: the
    natural logarithm of the signal's mean square ν₂(x), or of the noise's variance μ₂(dx), minus its value at the first
    layer; on the left, mean and standard deviation. Thin lines: the normal law N(−5l/2N, 5l/N) for one vector in a net
    of N channels, which also holds for a signal on a line; noise in many directions has no such law. The document has
    1,024 images in a batch, and 10,000 simulations.
    """
    sheet = api.Sheet()
    axes = sheet.panels(2, 1, figsize=(3.4, 4.2), sharex=True)
    net = curves.take_net(sheet, runs.HISTOGRAMS, propagation)
    axes[0].set(title="signal")
    axes[1].set(title="noise")
    axes[0].set_xlabel(r"$\ln\,\nu_2(x^l)-\ln\,\nu_2(x^0)$")
    axes[1].set_xlabel(r"$\ln\,\mu_2(dx^l)-\ln\,\mu_2(dx^0)$")
    changes = [quantities.change_of(metric)(net) for metric in ("log_nu2_signal", "log_mu2_noise")]
    layers = changes[0].loc[1:].index.to_numpy()
    chosen = layers[api.evenly_spaced(len(layers), _DEPTHS_OF_HISTOGRAMS)]
    changes = [change.loc[chosen] for change in changes]
    low, high = min(change.min().min() for change in changes), max(change.max().max() for change in changes)
    # Leave room for the text on the left.
    limits = low - 0.25 * (high - low), high + 1
    _draw_ridges(axes[0], changes[0], limits, width=net["width"].iloc[0])
    _draw_ridges(axes[1], changes[1], limits)
    axes[0].set_xlim(limits)
    return sheet.finish()


def _draw_ridges(axis: Axes, change: pd.DataFrame, limits: tuple[float, float], *, width: int = 0) -> None:
    """Draw a histogram for each layer, the deepest at the bottom, each on its own scale, with mean and deviation.

    change: a row per layer, a column per simulation; width: draw the normal law of nets of this width too, unless 0.
    """
    # Signal and noise have bins of their own: the noise moves less.
    edges, grid = np.linspace(change.min().min(), change.max().max(), _BINS + 1), np.linspace(*limits, 300)
    for row, layer in enumerate(change.index.to_numpy()):
        values = change.iloc[row].dropna()
        densities, _ = np.histogram(values, edges, density=True)
        law = np.zeros_like(grid)
        if width:
            mean, variance = theory.log_diffusion(layer, width)
            law = np.exp(-((grid - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
        # A histogram is a little lower than the distance to the next row.
        unit = 0.85 / max(densities.max(), law.max())
        axis.stairs(
            unit * densities - row, edges, baseline=-row, fill=True, color="C0", alpha=0.5, label=f"_layer {layer}"
        )
        axis.axhline(-row, color="0.8", lw=0.5, zorder=0, label="_zero")
        if width:
            axis.plot(grid, unit * law - row, color="k", lw=0.7, label=f"_normal law, layer {layer}")
        said = f"${values.mean():.1f} \\pm {values.std():.1f}$"
        axis.text(0.01, -row + 0.45, said, transform=axis.get_yaxis_transform(), va="center", fontsize=7)
    axis.set_yticks(-np.arange(len(change)), [f"$l$ = {layer}" for layer in change.index])
    axis.tick_params(axis="y", length=0)
    axis.tick_params(axis="x", labelbottom=True)


def vanilla(propagation: api.Table) -> Figure:
    """In vanilla nets, noise soon hardly grows (a), the signal falls on a line (b), and layers become linear (c).

    δχ is the growth of the ratio of noise to signal in one layer. The effective rank is the sum of the variances in all
    directions divided by the largest. c: the squared error of a linear map in place of the ReLU, as a share of the mean
    square of its outputs. Lines: median over simulations; bands: 16th to 84th percentile; dashed: bounds, which in a
    hold for means over simulations. The document has 64 images in a batch, and shows means of 1,000 simulations.
    """
    sheet = api.Sheet()
    labels = (r"increment $\delta\chi^l$", r"effective rank $r_\mathrm{eff}(x^l)$", "error of a linear map")
    axes = sheet.panels(3, 1, figsize=(3.4, 5.4), sharex=True, x="layer $l$", y=labels)
    net = curves.take_net(sheet, runs.VANILLA, propagation)
    curves.draw_metric(axes[0], net, "delta_chi", "C0", "_median")
    _draw_increment_bounds(axes[0])
    axes[0].legend(loc="center right", bbox_to_anchor=(1, 0.72))
    curves.draw_metric(axes[1], net, "effective_rank_signal", "C0", "_median")
    curves.draw_reference(axes[1], 1, "one direction", side="below")
    axes[1].set_ylim(bottom=0)
    curves.draw_metric(axes[2], net, "linear_residual", "C0", "_median")
    axes[2].set_yscale("log")
    return sheet.finish()


def batch_normalized_feedforward(propagation: api.Table) -> Figure:
    """In batch-normalised feedforward nets, noise grows exponentially (b), and the signal loses directions (c).

    The sensitivity χ is the growth of the ratio of noise to signal since the input. Its growth in one layer, δχ, is the
    product of δ_BN (linear layer and normalisation) and δ_φ (ReLU). The effective rank is the sum of the variances in
    all directions divided by the largest. In d, μ₄ is the fourth moment and ν₁|·| the mean absolute value of the
    normalised signal z. Lines: median over simulations; bands: 16th to 84th percentile; the document has 512 channels,
    in which noise has more directions, and shows means of 1,000 simulations.
    """
    sheet = api.Sheet()
    increments, sensitivity, ranks, tails = _four_panels(sheet, "layer $l$")
    net = curves.take_net(sheet, runs.BN_FF, propagation)
    curves.draw_band(increments, quantities.DELTA_BN(net), "C1", r"$\delta_\mathrm{BN}\chi^l$", ls="-.")
    curves.draw_metric(increments, net, "delta_chi_activation", "C2", r"$\delta_\phi\chi^l$", ls=(0, (5, 1)))
    curves.draw_metric(increments, net, "delta_chi", "C0", r"$\delta\chi^l$")
    _draw_increment_bounds(increments)
    increments.set_ylim(0.97, 1.62)
    increments.legend(ncols=2, loc="upper center")
    curves.draw_metric(sensitivity, net, "chi", "C0", "_median")
    sensitivity.set_yscale("log")
    curves.draw_metric(ranks, net, "effective_rank_noise", "C1", r"$r_\mathrm{eff}(dx^l)$", ls=":")
    curves.draw_metric(ranks, net, "effective_rank_signal", "C0", r"$r_\mathrm{eff}(x^l)$")
    _scale_ranks(ranks)
    _draw_tails(tails, net, "z^l")
    tails.set_yscale("log")
    curves.label_plainly(tails)
    return sheet.finish()


def batch_normalized_resnet(propagation: api.Table) -> Figure:
    """In batch-normalised resnets, noise grows as a power of depth (b), and the signal keeps many directions (c).

    The index l,1 is the first layer in the residual branch of unit l: δ_BN is the growth of χ by its normalisation, δ_φ
    by its ReLU and linear layer, and δχ their product; δχ of the unit includes the skip connection. The signal is z
    before this ReLU and x after it. In b, τ of the power C·l to the τ follows from δχ of the branches, averaged over
    all units; bounds: the products of √(1 + 2τ/(l + 1)) for the least and the greatest τ of any unit. Everything else
    is as in the figure of nets without skips. The document has 512 channels and 64 images in a batch, and shows means
    of 1,000 simulations.
    """
    sheet = api.Sheet()
    increments, sensitivity, ranks, tails = _four_panels(sheet, "unit $l$")
    net = curves.take_net(sheet, runs.BN_RES, propagation)
    curves.draw_metric(increments, net, "delta_chi_bn", "C1", r"$\delta_\mathrm{BN}\chi^{l,1}$", ls="-.")
    curves.draw_band(increments, quantities.DELTA_RELU_OF_BRANCH(net), "C2", r"$\delta_\phi\chi^{l,1}$", ls=(0, (5, 1)))
    curves.draw_metric(increments, net, "delta_chi_layer", "C0", r"$\delta\chi^{l,1}$")
    curves.draw_metric(increments, net, "delta_chi", "k", r"$\delta\chi^l$ of the unit", lw=0.8)
    curves.draw_reference(increments, 1, "")
    increments.set_ylim(0.98, 1.45)
    increments.legend(ncols=2, loc="upper center")
    curves.draw_metric(sensitivity, net, "chi", "C0", "simulated")
    _draw_power_law(sensitivity, net)
    sensitivity.legend(loc="upper left", bbox_to_anchor=(0.1, 1.03))
    curves.draw_metric(ranks, net, "effective_rank_noise_branch", "C1", r"$r_\mathrm{eff}(dx^{l,1})$", ls=":")
    curves.draw_metric(ranks, net, "effective_rank_signal_branch", "C0", r"$r_\mathrm{eff}(x^{l,1})$")
    _scale_ranks(ranks)
    _draw_tails(tails, net, "z^{l,1}")
    tails.set_ylim(0, max(7, tails.get_ylim()[1]))
    return sheet.finish()


def _four_panels(sheet: api.Sheet, depth: str) -> list[Axes]:
    names = ("increments of sensitivity", r"normalised sensitivity $\chi^l$", "effective rank", r"moments of $z$")
    return list(sheet.panels(2, 2, figsize=(6.9, 4.6), sharex=True, x=depth, y=names).flat)


def _draw_increment_bounds(axis: Axes) -> None:
    for bound, name in zip(theory.INCREMENT_BOUNDS, ("1", r"$\sqrt{2}$"), strict=True):
        curves.draw_reference(axis, bound, name)
    axis.axhline(theory.NORMAL_INCREMENT, color="k", ls=":", lw=0.8, zorder=1, label="ReLU on normal inputs")


def _scale_ranks(axis: Axes) -> None:
    curves.draw_reference(axis, 1, "one direction")
    axis.set_yscale("log")
    # Leave room for the legend above the curves.
    axis.set_ylim(0.9, max(10, 5 * axis.get_ylim()[1]))
    curves.label_plainly(axis)
    axis.legend(loc="upper right", ncols=2)


def _draw_tails(axis: Axes, net: pd.DataFrame, signal: str) -> None:
    curves.draw_metric(axis, net, "mu4_signal", "C3", rf"$\mu_4({signal})$", ls=":")
    curves.draw_metric(axis, net, "nu1_abs_signal", "C4", rf"$\nu_1(|{signal}|)$")
    curves.draw_reference(axis, 3, r"$\mu_4$ of a normal variable", side="below")
    curves.draw_reference(axis, np.sqrt(2 / np.pi), r"$\nu_1$ of a normal variable")
    axis.legend(loc="upper right", bbox_to_anchor=(1, 0.8), ncols=2)


def _draw_power_law(axis: Axes, net: pd.DataFrame) -> None:
    chi, increments = quantities.CHI(net).median(axis=1), quantities.branch_increments(net)
    exponent, factor = quantities.fit_as_authors(chi.loc[1:], increments)
    units = np.arange(1, chi.index.to_numpy().max() + 1)
    axis.plot(
        units, factor * units**exponent, color="k", ls="--", lw=0.8, label=rf"${factor:.2f}\,l^{{\,{exponent:.2f}}}$"
    )
    for extreme, label in ((increments.min(), "lower bound"), (increments.max(), "upper bound")):
        bound = chi.loc[0] * np.cumprod(theory.residual_increment(units, float(theory.power_law_exponent(extreme))))
        style = ":" if label == "lower bound" else "-."
        axis.plot(units, bound, color="k", ls=style, lw=0.8, label=f"{label}: {bound[-1]:.2g} at the end")
    # The bound of the greatest τ, at the first unit, is far above the curve.
    axis.set_ylim(0, _ROOM_FOR_BOUNDS * chi.max())
