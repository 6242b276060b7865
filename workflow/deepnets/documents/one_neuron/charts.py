import altair as alt
import numpy as np
import pandas as pd

from deepnets.documents.one_neuron.claims import FLOW, curve, moved
from reproduce import api


def imbalance(one_neuron: api.Table) -> alt.TopLevelMixin:
    """Loss and kernel of a linear neuron against training time, and the paths of its product a w, for a chosen imbalance δ.

    Loss (as a share) and kernel are those from the start of the notebook's Figure 2. Below: paths from four starts of length 1
    (dots) to the target (0, 1). With a negative δ, the product first changes its length, and then its direction; with a
    large δ it goes straight to the target.
    """
    runs, left_out = FLOW.shown(one_neuron.pipe(api.first_seed), "imbalance", instead=False)
    chart = api.SettingChart(runs, {"imbalance": "imbalance δ"}, describe=_describe, left_out=left_out)
    chart.curves.update(loss=[], kernel=[], paths=[])
    for key, run in chart.runs.items():
        loss, distance = curve(run, "loss")[1:], curve(run, "kernel_distance")[1:]
        for name, values in {"loss": loss / curve(run, "loss").iloc[0], "kernel": distance}.items():
            chart.curves[name].append({"key": key, "step": api.rounded(values.index), "value": api.rounded(values)})
        first, second = (api.by_index(api.rows_of(run, f"{part}_coefficient")) for part in ("first", "second"))
        for start in [*first][:4]:
            path = {"step": api.rounded(first[start], 3), "value": api.rounded(second[start], 3)}
            chart.curves["paths"].append({"key": key, "start": start, **path})
    time = alt.X("step:Q", title="training time").scale(type="log", domain=api.frame("step"), nice=False)
    lines = [
        api.panel(line.encode(time, alt.Y("value:Q", title=label).scale(domain=[0, 1])), height=110, data=name)
        for name, label in {"loss": "loss (share)", "kernel": "distance of the kernel"}.items()
        for line in [api.of_setting(name, "step", "value").mark_line(color=api.BLUE, strokeWidth=1.8)]
    ]
    # The plane has equal units. A line would otherwise follow the first coefficient, not time.
    width, height, edge = api.WIDTH, 220, 1.25
    x = alt.X("step:Q", title="first coefficient").scale(domain=[-edge * width / height, edge * width / height])
    y = alt.Y("value:Q", title="second coefficient").scale(domain=[-edge, edge])
    rows = api.of_setting("paths", "step", "value").transform_window(place="row_number()", groupby=["start"])
    paths = rows.mark_line(color=api.BLUE, strokeWidth=1.5).encode(x, y, detail="start:N", order="place:Q")
    dots = rows.transform_filter("datum.place === 1").mark_point(color=api.BLUE, filled=True).encode(x, y)
    return chart.finish(
        [*lines, api.panel(paths, dots, height=height, data="paths")],
        title="The larger the imbalance, the faster a linear neuron learns, and the less its kernel moves",
        description="A slider for the imbalance, over three panels: loss, distance of the kernel, and paths of the product.",
        start=lambda setting: setting["imbalance"] == 0,
        spans={name: chart.curves[name] for name in ("loss", "kernel")},
    )


def _describe(run: pd.DataFrame) -> str:
    losses = curve(run, "loss")
    learned = losses.index[losses < 0.01 * losses.iloc[0]]
    time = f"99 % learned at time {learned[0]:.3g}" if len(learned) else "not learned to 99 %"
    return f"{time}, the kernel ends at {moved(run, np.inf):.2g}"
