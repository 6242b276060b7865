"""A chart with sliders that shows metrics against steps for one setting at a time; it needs little code."""

from collections.abc import Collection, Mapping
from itertools import cycle

import altair as alt
import pandas as pd

from reproduce.charts.charts import BLUE, GREEN, ORANGE, PINK, RED, SKY, nothing_to_show
from reproduce.charts.panels import frame, line_in_range
from reproduce.charts.setting_chart import SettingChart
from reproduce.tables.axes import swept_axes
from reproduce.tables.rows import last_rows, rows_of
from reproduce.tables.selection import Selection
from reproduce.tables.words import absence_reason, divergence_suffix, runs_text, text_of

# The maximum number of steps per line.
_RECORDS = 100


def line_chart(
    table: pd.DataFrame,
    metrics: Mapping[str, str],
    *described: Selection,
    title: str,
    names: Mapping[str, str] | None = None,
    step: str = "update",
    logarithmic: Collection[str] = (),
) -> alt.TopLevelMixin:
    """Return a chart with a control for each swept axis, and a panel for each metric.

    A panel shows the mean over seeds and the range of seeds, against steps.

    table: all rows of an experiment.
    metrics: metric → label of its panel, with the unit. If a metric has several indices, select one beforehand:
        `runs_of(table, index=0)`.
    described: the runs that the document describes; controls start at such a run.
    names: axis → name for readers; if omitted, the axis without underscores.
    step: the experiment's word for a step.
    logarithmic: the metrics whose panels have a logarithmic scale; values of 0 or less have no place on it.
    """
    axes = swept_axes(table) or ["depth"]
    drawn = {metric: label for metric, label in metrics.items() if len(rows_of(table, metric))}
    if not drawn:
        return nothing_to_show(title, absence_reason(table, step=step))
    for metric in drawn:
        if rows_of(table, metric)["index"].nunique() > 1:
            raise ValueError(f"{metric} has several indices; choose one: runs_of(table, index=0)")

    def describe(rows: pd.DataFrame) -> str:
        ends = {label: last_rows(rows_of(rows, metric))["value"] for metric, label in drawn.items()}
        found = ", ".join(f"{label} {values.mean():.4g}" for label, values in ends.items() if len(values))
        return f"{found} after {rows['step'].max():,} {step}s\n{runs_text(rows)}{divergence_suffix(rows, step=step)}"

    words = {axis: (names or {}).get(axis, text_of(axis, spaces=True)) for axis in axes}
    chart = SettingChart(table, words, describe=describe, left_out="")
    for metric in drawn:
        chart.add_ranges(metric, metric, mean=True, records=_RECORDS)
    x = alt.X("step:Q", title=f"{step}s").scale(domain=frame("step"), nice=False)
    colours = cycle((BLUE, RED, GREEN, PINK, ORANGE, SKY))
    return chart.finish(
        [
            line_in_range(metric, label, next(colours), x, height=140, logarithmic=metric in logarithmic)
            for metric, label in drawn.items()
        ],
        title=title,
        description=f"Controls for {', '.join(words.values())} over panels with {', '.join(drawn.values())}.",
        start=lambda setting: any(each.allows(setting) for each in described),
        logarithmic=logarithmic,
    )
