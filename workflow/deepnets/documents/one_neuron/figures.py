from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure

from deepnets.documents.one_neuron.claims import FLOW, NOTEBOOK, SAMPLE, curve, moved
from deepnets.theory import one_neuron as theory
from reproduce import api

# The brightest quarter of the scale would be too light for lines.
_COLOURS = ScalarMappable(Normalize(-4, 4), ListedColormap(plt.get_cmap("viridis")(np.linspace(0, 0.75, 256))))


def portrait(one_neuron: api.Table) -> Figure:
    """The lower the imbalance δ of its layers, the longer the product β = a w of a linear neuron keeps its direction.

    a: whitened inputs, from the start (dot) to the target (star) of the notebook's Figure 2. b: one sample (Figure 4b);
    each point of the grey line fits it; crosses: the ends that the formula gives.
    """
    sheet = api.Sheet()
    panels = sheet.panels(1, 2, figsize=(6.9, 3.3), x="first coefficient", y=["second coefficient", ""])
    for axis, selection, name in zip(panels, (FLOW, SAMPLE), "ab", strict=True):
        with sheet.part(axis):
            runs = sheet.take(selection.shown(one_neuron.pipe(api.first_seed), "imbalance", instead=False), name=name)
            for imbalance in runs["imbalance"].unique():
                run = runs[runs["imbalance"] == imbalance]
                first, second = (curve(run, f"{part}_coefficient") for part in ("first", "second"))
                axis.plot(first, second, **_style(imbalance))
                start, target = np.array([first[0], second[0]]), api.rows_of(run, "target")["value"].to_numpy()
                axis.plot(*start, "ko", ms=4, label="_start")
                if name == "a":
                    axis.plot(*target, "k*", ms=8, label="_target")
                else:
                    axis.plot(
                        *theory.end_of_one_sample(imbalance, start[:, np.newaxis], target), "kx", ms=4, label="_end"
                    )
                    axis.axline(target, slope=-target[0] / target[1], color="0.8", zorder=0)
            axis.set_aspect("equal", adjustable="datalim")
    _add_scale(sheet)
    return sheet.finish()


def kernel_distances(one_neuron: api.Table) -> Figure:
    """The kernel turns further the lower δ is, but within a short time, it turns furthest near δ = 0.

    Distance 1 − cos of the kernel from its start. Line: the closed form q²/(2a⁴ + 2 + q²) of the distance after learning.
    """
    sheet = api.Sheet()
    runs = sheet.take(FLOW.shown(one_neuron.pipe(api.first_seed), "imbalance", instead=False))
    runs = runs.groupby("imbalance", observed=True)
    axis = sheet.panel(figsize=(3.4, 2.3), x="imbalance δ", y="distance of the kernel")
    for time, style, label in ((np.inf, "C0o", "after learning"), (1, "C1s-", "at time 1")):
        axis.plot([*runs.groups], [moved(run, time) for _, run in runs], style, ms=4, mfc="none", label=label)
    line = np.linspace(*axis.get_xlim(), 200)
    axis.plot(line, theory.kernel_distance_at_end(line), "C0", lw=1, label="_closed form")
    sheet.add_legend()
    return sheet.finish()


def losses(one_neuron: api.Table) -> Figure:
    """The lower δ, the later a linear neuron has learned; far below 0, its kernel turns after half of the loss is gone.

    a: loss, as a share of its start. b: distance of the kernel from its start, as a share of that after learning; dashed:
    the diagonal.
    """
    sheet = api.Sheet()
    runs = sheet.take(FLOW.shown(one_neuron.pipe(api.first_seed), "imbalance", instead=False))
    labels = ["loss (share)", "distance of the kernel (share)"]
    over_time, over_loss = sheet.panels(1, 2, figsize=(6.9, 2.7), y=labels)
    for imbalance in runs["imbalance"].unique():
        run = runs[runs["imbalance"] == imbalance]
        left = curve(run, "loss") / curve(run, "loss").iloc[0]
        over_time.plot(left[left.index > 0], **_style(imbalance))
        over_loss.plot(1 - left, curve(run, "kernel_distance") / moved(run, np.inf), **_style(imbalance))
    over_loss.plot([0, 1], [0, 1], "k--", lw=0.6, label="_diagonal")
    over_time.set(xlabel="training time", xscale="log", yscale="log", ylim=(1e-6, 2))
    over_loss.set(xlabel="share of the loss that is gone")
    _add_scale(sheet)
    return sheet.finish()


def _style(imbalance: float) -> dict[str, Any]:
    return {"color": _COLOURS.cmap(imbalance / 8 + 0.5), "label": f"_δ = {api.text_of(imbalance)}"}


def _add_scale(sheet: api.Sheet) -> None:
    sheet.figure.colorbar(_COLOURS, ax=sheet.figure.axes, label="imbalance δ", ticks=NOTEBOOK, aspect=40, pad=0.01)
