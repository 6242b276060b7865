import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.one_neuron.claims import FLOW, NOTEBOOK, SAMPLE, curve, moved
from deepnets.theory import one_neuron as theory
from reproduce import api


def portrait(one_neuron: api.Table) -> Figure:
    """Paths of the product β = a w of a linear neuron, one colour per imbalance δ of its layers.

    (a) Whitened inputs: from the start of the notebook's Figure 2 (dot) to the target (star). (b) One sample (Figure 4b):
    each point of the grey line fits it; crosses: the ends that the formula gives. The legend has the notebook's
    imbalances. With large δ, β goes straight to its end; the lower δ, the longer it keeps its direction.
    """
    sheet = api.Sheet()
    panels = sheet.panels(1, 2, figsize=(6.9, 3.3), x="first coefficient", y=["second coefficient", ""])
    for axis, selection, name in zip(panels, (FLOW, SAMPLE), "ab", strict=True):
        with sheet.part(axis):
            runs = sheet.take(selection.shown(one_neuron.pipe(api.first_seed), "imbalance", instead=False), name=name)
            for imbalance in runs["imbalance"].unique():
                run = runs[runs["imbalance"] == imbalance]
                first, second = (curve(run, f"{part}_coefficient") for part in ("first", "second"))
                _draw(axis, imbalance, pd.Series(second.to_numpy(), first))
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
    sheet.add_legend(columns=7)
    return sheet.finish()


def kernel_distances(one_neuron: api.Table) -> Figure:
    """Distance 1 − cos of the kernel from its start, against the imbalance δ.

    Circles: after learning; squares: at time 1. Line: the closed form q²/(2a⁴ + 2 + q²) of the former. The kernel turns further
    the lower δ is; but within a short time, it turns furthest near δ = 0.
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
    """How quickly a linear neuron learns, and how richly, one colour per imbalance δ.

    (a) Loss, as a share of its start, against training time. (b) Distance of the kernel from its start, as a share of that after
    learning, against the share of the loss that is gone; dashed: the diagonal. With δ far below 0, the kernel stays until half
    of the loss is gone, and then turns. The legend has the notebook's imbalances.
    """
    sheet = api.Sheet()
    runs = sheet.take(FLOW.shown(one_neuron.pipe(api.first_seed), "imbalance", instead=False))
    labels = ["loss (share)", "distance of the kernel (share)"]
    over_time, over_loss = sheet.panels(1, 2, figsize=(6.9, 2.7), y=labels)
    for imbalance in runs["imbalance"].unique():
        run = runs[runs["imbalance"] == imbalance]
        left = curve(run, "loss") / curve(run, "loss").iloc[0]
        _draw(over_time, imbalance, left[left.index > 0])
        _draw(over_loss, imbalance, (curve(run, "kernel_distance") / moved(run, np.inf)).set_axis(1 - left))
    over_loss.plot([0, 1], [0, 1], "k--", lw=0.6, label="_diagonal")
    over_time.set(xlabel="training time", xscale="log", yscale="log", ylim=(1e-6, 2))
    over_loss.set(xlabel="share of the loss that is gone")
    sheet.add_legend(columns=7)
    return sheet.finish()


def _draw(axis: Axes, imbalance: float, values: pd.Series) -> None:
    color = plt.get_cmap("viridis")(0.38 + 0.38 * imbalance / (abs(imbalance) + 1))
    axis.plot(values, color=color, lw=1.2, label=f"{'' if imbalance in NOTEBOOK else '_'}δ = {api.text_of(imbalance)}")
