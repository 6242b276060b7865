from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from deepnets.documents.propagation.curves import rows_shown, write_notes
from deepnets.documents.propagation.diagnosis import alternative_pathologies, diagnose, stated_pathologies
from deepnets.documents.propagation.nets import describe_net, name_of, nets_by_size, require_layers
from deepnets.documents.propagation.quantities import simulations_of
from deepnets.documents.propagation.runs import BN_FF, LAYER_NORM, VANILLA
from reproduce import api

# Size of the noise in the pictures, in units of the standard deviation over all pixels.
_DRAWN_NOISE = 0.05
# The histograms record few layers, and nets of other widths and data have their own figures.
_NOT_DIAGNOSED = ("vanilla_histograms", "widths", "data_sets")


def one_dimensional_signal(propagation: api.Table) -> Figure:
    """One-dimensional signal: a batch of images at several layers of one vanilla net.

    Each panel shows the points along their mean vector and along the orthogonal direction of most variance, in units of
    their root mean square. The grey lines cross at the origin. With depth, the points concentrate on the half-line from
    the origin through their mean, so that they differ only in length.
    """
    return _draw_clouds(propagation, VANILLA, noise=0)


def exploding_sensitivity(propagation: api.Table) -> Figure:
    """Exploding sensitivity: images with and without noise at several layers of one batch-normalised feedforward net.

    Each panel shows the points along their mean vector and along the orthogonal direction of most variance, in units of
    the signal's root mean square. The grey lines cross at the origin. Blue: the signal x; orange: x + dx, where dx is
    noise of 5 % of the images' standard deviation over all pixels, propagated linearly. One title gives the
    error of this linear propagation for a noise of a thousandth of the standard deviation, as a share of the noise. With
    depth, the signal drowns in the noise.
    """
    return _draw_clouds(propagation, BN_FF, noise=_DRAWN_NOISE)


def zero_dimensional_signal(propagation: api.Table) -> Figure:
    """Zero-dimensional signal: a batch of images at several layers of one feedforward net with layer normalisation.

    Each panel shows the points along their mean vector and along the orthogonal direction of most variance, in units of
    their root mean square. The grey lines cross at the origin. With depth, the points concentrate at a single point, so
    that different inputs become hardly distinguishable.
    """
    return _draw_clouds(propagation, LAYER_NORM, noise=0)


def pathologies(propagation: api.Table) -> Figure:
    """The pathologies of each net at its last layer, medians over simulations.

    Noise: growth of the sensitivity χ per layer (in residual nets per unit) over the second half of the depth, and in
    brackets the power of the depth l with the same growth; a power above 2 is shaded and counts as exploding. Line:
    effective rank of the signal, shaded below 1.5; point: the share μ₂(x)/ν₂(x) of the variance in the mean square of
    the signal x, shaded below 1 %; activations: growth of ν₂(x) per layer, shaded above 1.2. We placed the limits of
    noise and activations in the gaps of these results. Framed: pathologies that the slides state for wide nets; dashed:
    the slides state one of two, depending on the gain and the biases. A dash: signal or noise vanished or overflowed;
    the pictures' nets are 3 × 3 convolutions of 512 channels.
    """
    sizes = nets_by_size(require_layers(api.runs_except(propagation.frame, block=_NOT_DIAGNOSED)))
    columns = r"noise: growth of $\chi$", r"line: $r_\mathrm{eff}(x)$", r"point: $\mu_2/\nu_2$", r"activations: $\nu_2$"
    # The name of a size takes a row.
    count = sum(1 + len(nets) for nets in sizes.values())
    sheet = api.Sheet()
    axis = sheet.panel(figsize=(6.9, 0.5 + 0.22 * max(count, 4)))
    axis.set(xlim=(0, len(columns)), ylim=(max(count, 4), 0))
    axis.spines[:].set_visible(False)
    counts = sorted({len(simulations_of(net)) for nets in sizes.values() for net in nets})
    several = f"{counts[0]}" + f" to {counts[-1]}" * (len(counts) > 1)
    write_notes(sheet, f"images of CIFAR-10, {several} simulations of each net")
    names, row = [], 0
    for size, nets in sizes.items():
        names.append(size)
        for place, net in enumerate(nets, start=row + 1):
            names.append(name_of(net))
            _draw_diagnosis(axis, place, net)
        row += 1 + len(nets)
    axis.set_yticks(np.arange(count) + 0.5, names)
    for label in axis.get_yticklabels():
        label.set_fontweight("bold" if label.get_text() in sizes else "normal")
    axis.set_xticks(np.arange(len(columns)) + 0.485, columns)
    axis.tick_params(length=0, labeltop=True, labelbottom=False)
    return sheet.finish()


def _draw_diagnosis(axis: Axes, row: int, net: pd.DataFrame) -> None:
    for column, symptom in enumerate(diagnose(net)):
        colour = "C4" if symptom.present else "0.94"
        axis.add_patch(Rectangle((column, row + 0.05), 0.97, 0.9, facecolor=colour, lw=0))
        axis.text(column + 0.485, row + 0.5, symptom.text, ha="center", va="center", fontsize=7)
        for said, style in ((stated_pathologies(net), "-"), (alternative_pathologies(net), (0, (3, 2)))):
            if symptom.pathology in said:
                frame = Rectangle((column + 0.01, row + 0.09), 0.95, 0.82, fill=False, ec="k", lw=1, ls=style)
                axis.add_patch(frame)


def _draw_clouds(propagation: api.Table, described: api.Selection, *, noise: float) -> Figure:
    net, note = rows_shown(described, propagation)
    first = api.first_seed(net)
    points = api.rows_of(first, "cloud_signal_1").groupby("step").size()
    if points.empty:
        raise api.NotRecordedError("the config records no points of this net")
    sheet = api.Sheet()
    # All panels have equal scales.
    shape: dict[str, Any] = {"figsize": (6.9, 2.5), "sharex": True, "sharey": True, "layout": "compressed"}
    axes = sheet.panels(1, len(points), x="along the mean\n(rms = 1)", y="orthogonal", **shape)
    write_notes(sheet, describe_net(net, shown=f"one simulation, {points.max()} points"), note)
    for axis, layer in zip(axes, points.index, strict=True):
        signal, corruption = (
            np.stack([api.values_by_index(api.rows_of(first, f"cloud_{kind}_{place}", step=layer)) for place in (1, 2)])
            for kind in ("signal", "noise")
        )
        # Rounding decides the sign of the second axis: draw the furthest point above the first axis.
        upwards = 1 if signal[1].max() >= -signal[1].min() else -1
        signal[1] *= upwards
        corruption[1] *= upwards
        axis.axhline(0, color="0.8", lw=0.5, zorder=0)
        axis.axvline(0, color="0.8", lw=0.5, zorder=0)
        if noise:
            axis.plot(*(signal + noise * corruption), "o", ms=1.8, color="C1", mew=0, label="$x^l+dx^l$", zorder=1)
        axis.plot(*signal, "o", ms=1.8, color="C0", mew=0, label="$x^l$")
        error = api.rows_of(first, "finite_noise_error", step=layer)["value"]
        departs = f"\nlinear within {100 * error.mean():.0f} %" if noise and len(error) else ""
        axis.set(title=f"layer {layer}{departs}", aspect="equal")
    if noise:
        axes[:2][-1].legend(markerscale=2, loc="lower left")
    # Fit the height to the points, so that no margin is left above and below them.
    (left, right), (low, high) = axes[0].get_xlim(), axes[0].get_ylim()
    sheet.figure.set_figheight(1.1 + 6.2 / len(axes) * min(1, (high - low) / (right - left)))
    return sheet.finish()
