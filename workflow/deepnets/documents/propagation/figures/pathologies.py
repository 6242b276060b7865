from collections.abc import Iterable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from deepnets.documents.propagation.curves import rows_shown, write_notes
from deepnets.documents.propagation.diagnosis import alternative_pathologies, diagnose, stated_pathologies
from deepnets.documents.propagation.nets import describe_net, kind_of, name_of, nets_by_size, require_layers
from deepnets.documents.propagation.quantities import simulations_of
from deepnets.documents.propagation.runs import BN_FF, LAYER_NORM, VANILLA
from reproduce import api

# Size of the noise in the pictures, in units of the standard deviation over all pixels.
_DRAWN_NOISE = 0.05
# The histograms record few layers, and nets of other widths and data have their own figures.
_NOT_DIAGNOSED = ("vanilla_histograms", "widths", "data_sets")


def clouds(propagation: api.Table) -> Figure:
    """With depth, a batch of images falls on a line (a–d), drowns in noise (e–h), or falls on a point (i–l).

    Each row shows feedforward nets of one kind, without normalisation, with batch and with layer normalisation; each
    panel, the points along their mean vector and along the orthogonal direction of most variance, in units of the
    signal's root mean square. Blue: the signal x; orange: x + dx, where dx is noise of 5 % of the images' standard
    deviation over all pixels, propagated linearly. The text gives the error of this linear propagation for a noise of a
    thousandth of the standard deviation, as a share of the noise.
    """
    sheet = api.Sheet()
    axes, notes = sheet.panels(3, 4, figsize=(6.9, 5.8)), []
    for row, described in zip(axes, (VANILLA, BN_FF, LAYER_NORM), strict=True):
        with sheet.part(*row):
            notes.append(_draw_clouds(row, propagation, described, noise=_DRAWN_NOISE if described is BN_FF else 0))
    for axis in axes[-1]:
        axis.set_xlabel("along the mean")
    write_notes(sheet, *notes)
    return sheet.finish()


def pathologies(propagation: api.Table) -> Figure:
    """At its last layer, every net but the normalised resnets has a pathology (shaded).

    Medians over simulations. Noise: growth of the sensitivity χ per layer (in residual nets per unit) over the second
    half of the depth, and in brackets the power of the depth l with the same growth, shaded above 2. Line: effective
    rank of the signal x, shaded below 1.5; point: the share μ₂(x)/ν₂(x) of the variance in its mean square, shaded
    below 1 %; activations: growth of ν₂(x) per layer, shaded above 1.2. We placed the limits of noise and activations
    in the gaps of these results. Framed: pathologies that the slides state for wide nets; dashed: they state one of
    two, depending on the gain and the biases. A dash: signal or noise vanished or overflowed.
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


def _draw_clouds(row: Iterable[Axes], propagation: api.Table, described: api.Selection, *, noise: float) -> str:
    """Draw the points of the first simulation of a net at as many layers as there are panels; return words about it."""
    net, note = rows_shown(described, propagation)
    first, panels = api.first_seed(net), list(row)
    points = api.rows_of(first, "cloud_signal_1").groupby("step").size()
    if points.empty:
        raise api.NotRecordedError("the config records no points of this net")
    layers = points.index[api.evenly_spaced(len(points), len(panels))]
    reach = 1.0
    for axis, layer in zip(panels, layers, strict=False):
        signal, corruption = (
            np.stack([api.values_by_index(api.rows_of(first, f"cloud_{kind}_{place}", step=layer)) for place in (1, 2)])
            for kind in ("signal", "noise")
        )
        # Rounding decides the sign of the second axis: draw the furthest point above the first axis.
        upwards = 1 if signal[1].max() >= -signal[1].min() else -1
        signal[1] *= upwards
        corruption[1] *= upwards
        if noise:
            axis.plot(*(signal + noise * corruption), "o", ms=1.8, color="C1", mew=0, label="$x^l+dx^l$", zorder=1)
        axis.plot(*signal, "o", ms=1.8, color="C0", mew=0, label="$x^l$")
        reach = max(reach, np.abs(signal + noise * corruption).max())
        error = api.rows_of(first, "finite_noise_error", step=layer)["value"]
        if noise and len(error):
            said = f"linear within {100 * error.mean():.0f} %"
            axis.text(0.5, 0.02, said, transform=axis.transAxes, ha="center", fontsize=7)
        axis.set_title(f"layer {layer}", fontsize=7)
    for axis in panels:
        axis.set_visible(axis.has_data())
        axis.axhline(0, color="0.8", lw=0.5, zorder=0)
        axis.axvline(0, color="0.8", lw=0.5, zorder=0)
        axis.set(xlim=(-1.1 * reach, 1.1 * reach), ylim=(-1.1 * reach, 1.1 * reach), aspect="equal")
    if noise:
        panels[0].legend(markerscale=2, handlelength=0.5, loc="lower left")
    panels[0].set_ylabel(f"{kind_of(net)}\northogonal")
    return "; ".join(filter(None, (describe_net(net, shown=f"one simulation, {points.max()} points"), note)))
