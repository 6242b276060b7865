"""The chart of document 000: singular values of linear classifiers during training, for each depth and scale."""

import altair as alt
import pandas as pd

from deepnets.charts.charts import RED, nothing_to_show
from deepnets.charts.panels import frame, of_setting, panel
from deepnets.charts.setting_chart import SettingChart
from deepnets.documents.classifier.runs import DOCUMENT, RANK_2
from deepnets.tables.axes import axes_of
from deepnets.tables.rows import first_seed, last_rows, rows_of
from deepnets.tables.selection import shown_of
from deepnets.tables.words import absence_reason, divergence_suffix, seed_text, text_of

_TITLE = "Near zero, a deep net learns one singular value after the other"
_AXES = {"depth": "depth (matrices)", "scale": "factor on their product"}
_FULL_RANK = [net for net in DOCUMENT if net is not RANK_2]
# The number of records of a run that are drawn; a run has many hundred.
_RECORDS = 80
# Label only powers of ten, all in the form 1e3.
_LOGARITHM = "log(datum.value) / LN10"
_POWERS = f"abs({_LOGARITHM} - round({_LOGARITHM})) < 0.001 ? '1e' + format({_LOGARITHM}, '.0f') : ''"


def depth_and_scale(classifier: pd.DataFrame) -> alt.TopLevelMixin:
    """Training loss and all singular values of the end-to-end matrix against updates, for a chosen depth and scale.

    Two directions matter for the task. A deep net that starts near zero finds these two one after the other and leaves
    the remaining singular values near zero. A shallow net, or a net with large initial weights, changes all singular
    values at once. The chart shows the run of the first seed; the lowest panel has a logarithmic scale. If several
    grids of the config contain a combination, the chart shows the grid with the most seeds. As in the document, grids
    differ in their learning rates, and their numbers of updates cannot be compared. Combinations that were not
    simulated are marked.
    """
    runs, left_out = shown_of(classifier, _FULL_RANK, *_AXES, "init")
    if rows_of(runs, "singular_value").empty:
        return nothing_to_show(_TITLE, absence_reason(runs))
    most_seeds = [_select_grid(rows) for _, rows in runs.groupby(list(_AXES), observed=True)]
    chart = SettingChart(pd.concat(most_seeds), _AXES, describe=_describe_run, left_out=left_out)
    chart.add_indices("losses", "train_loss", records=_RECORDS, digits=3)
    chart.add_indices("singular_values", "singular_value", records=_RECORDS, digits=3)
    return chart.finish(
        [_loss_panel(), _singular_value_panel(logarithmic=False), _singular_value_panel(logarithmic=True)],
        title=_TITLE,
        description=_DESCRIPTION,
        start=lambda values: True,
        spans={**chart.curves, "logarithms": chart.curves["singular_values"]},
        logarithmic=["logarithms"],
    )


_DESCRIPTION = (
    "Sliders for depth and scale above three panels: training loss against updates, the ten singular values of the "
    "product of all matrices against updates, and the same singular values on a logarithmic scale."
)


def _select_grid(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of the setting with the most seeds; if several have equally many, the first of these."""
    settings = [rows for _, rows in runs.groupby(axes_of(runs, "seed"), observed=True)]
    return max(settings, key=lambda rows: rows["seed"].nunique())


def _describe_run(runs: pd.DataFrame) -> str:
    """Return two lines of text on the run of the first seed: first its results, then its settings and seed."""
    first = first_seed(runs)
    loss = rows_of(first, "train_loss").sort_values("step")[["step", "value"]].iloc[-1]
    accuracy = last_rows(rows_of(first, "test_accuracy"))["value"]
    found = [f"training loss {loss['value']:.3g} after {loss['step']:,.0f} updates"]
    found += [f"test accuracy {100 * each:.0f} %" for each in accuracy[:1]]
    rate, grid, init = (text_of(runs[axis].iloc[0], spaces=True) for axis in ("learning_rate", "block", "init"))
    how = f"learning rate {rate}, grid {grid}, {init}, {seed_text(runs)}"
    return f"{', '.join(found)}\n{how}{divergence_suffix(first, step='update')}"


def _loss_panel() -> alt.LayerChart:
    line = of_setting("losses", "step", "value").mark_line(color=RED, strokeWidth=1.8)
    y = alt.Y("value:Q", title="training loss (nats)").scale(domain=frame("losses"), nice=False)
    return panel(line.encode(_update_axis(), y), height=110, data=["losses"])


def _singular_value_panel(*, logarithmic: bool) -> alt.LayerChart:
    lines = of_setting("singular_values", "step", "value")
    if logarithmic:
        lines = lines.transform_filter("datum.value > 0")
        y = alt.Y("value:Q", title="singular value (log)").axis(tickCount=5, labelExpr=_POWERS)
        y = y.scale(type="log", domain=frame("logarithms", logarithmic=True), nice=False)
    else:
        y = alt.Y("value:Q", title="singular value").scale(domain=frame("singular_values"), nice=False)
    # The largest singular value is the darkest.
    colour = alt.Color("index:Q", title="mode").scale(scheme="viridis", domain=[1, 12])
    colour = colour.legend(orient="right", values=[1, 3, 5, 10], gradientLength=70)
    drawn = lines.mark_line(strokeWidth=1.3).encode(_update_axis(), y, colour, alt.Detail("index:N"))
    if logarithmic:
        positive = "(frames[key] || {}).logarithms ? '' : 'no singular value above 0'"
        return panel(drawn, height=130, missing=f"said[key] ? {positive} : split(absent[key], '\\n')")
    return panel(drawn, height=130, data=["singular_values"])


def _update_axis() -> alt.X:
    return alt.X("step:Q", title="updates").scale(domain=frame("step"), nice=False)
