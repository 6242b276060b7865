"""Curves of a chosen setting over the updates: thinned values by index, and a line within its range over seeds."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from workflow.deepnets.charts.charts import GREY, rounded, thinned
from workflow.deepnets.charts.settings import frame, of_setting, panel
from workflow.deepnets.figures.rows import rows_of


def curves_by_index(key: str, run: pd.DataFrame, metric: str, *, records: int, digits: int = 4) -> list[dict]:
    """Return a row for each index of a metric of one run, from 1, with its finite values at some of its steps.

    records: how many steps at the most; digits: significant ones of each value.
    """
    curves = []
    for index, values in rows_of(run, metric).groupby("index"):
        values = values.set_index("step")["value"].sort_index()
        values = values[np.isfinite(values)]
        values = values.loc[thinned(values.index.to_numpy(), records)]
        steps = values.index.tolist()
        curves.append({"key": key, "index": int(index) + 1, "step": steps, "value": rounded(values, digits)})
    return curves


def line_in_range(
    data: str,
    label: str,
    colour: str,
    x: alt.X,
    *,
    height: int,
    level: float | None = None,
    dash: tuple[int, int] = (2, 2),
    point: Mapping | None = None,
) -> alt.LayerChart:
    """Return a panel of a data set's `value` as a line, within a band from its `low` to its `high`.

    level: of a broken grey line across the panel, where it is finite; dash: its strokes and gaps in pixels; point: how
    each value is marked on the line.
    """
    y = alt.Y("value:Q", title=label).scale(domain=frame(data), nice=False)
    band = of_setting(data, "step", "low", "high").mark_area(color=colour, opacity=0.25)
    marks = {} if point is None else {"point": {**point, "color": colour}}
    line = of_setting(data, "step", "value").mark_line(color=colour, strokeWidth=1.8, **marks)
    layers = [band.encode(x, alt.Y("low:Q", title=label), alt.Y2("high:Q")), line.encode(x, y)]
    if level is not None and np.isfinite(level):
        rule = alt.Chart(alt.InlineData(values=[{}])).mark_rule(strokeDash=list(dash), color=GREY, clip=True)
        layers.append(rule.encode(y=alt.YDatum(rounded([level])[0], type="quantitative")))
    return panel(*layers, height=height)
