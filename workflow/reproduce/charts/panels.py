"""Panels of a chart that shows one setting at a time: rows, scales, and lines with bands."""

from collections.abc import Mapping

import altair as alt
import numpy as np

from reproduce.charts.charts import GREY, WIDTH, rounded


def frame(name: str, *, logarithmic: bool = False) -> list[alt.ExprRef]:
    """Return both ends of a scale for the chosen setting, or default ends if the setting has no values.

    name: the key of the scale's range, as set by `SettingChart.finish`: "step" or the name of a data set.
    """
    otherwise = "[0.1, 1]" if logarithmic else "[0, 1]"
    return [alt.ExprRef(f"((frames[key] || {{}})['{name}'] || {otherwise})[{end}]") for end in (0, 1)]


def of_setting(data: str, *columns: str) -> alt.Chart:
    """Return a data set's rows for the chosen setting, one row per entry of the given list columns."""
    chosen = alt.Chart(alt.NamedData(data)).transform_filter("datum.key === key")
    return chosen.transform_flatten(list(columns)) if columns else chosen


def panel(*layers: alt.Chart, height: int, data: str) -> alt.LayerChart:
    """Return a panel with superimposed layers, or with a message if the chosen setting has nothing to draw.

    data: a data set; if it has no rows, the panel shows that no finite value was recorded.
    """
    there = f"indexof(drawn[key] || [], '{data}') >= 0"
    empty = f"!said[key] ? 'not simulated' : {there} ? '' : 'no finite value was recorded'"
    words = alt.Chart(alt.InlineData(values=[{}])).mark_text(text=alt.ExprRef(empty), color=GREY)
    return alt.layer(*layers, words).properties(width=WIDTH, height=height)


def line_in_range(
    data: str,
    label: str,
    colour: str | alt.ExprRef,
    x: alt.X,
    *,
    height: int,
    level: float | None = None,
    dash: tuple[int, int] = (2, 2),
    point: Mapping | None = None,
) -> alt.LayerChart:
    """Return a panel with the column `value` of a data set as a line, and a band from column `low` to column `high`.

    level: the value at which a dashed grey line crosses the panel; no line if the value is not finite.
    dash: the lengths of this line's strokes and gaps, in pixels.
    point: Vega-Lite's properties of the marks at each value; no marks if omitted.
    """
    y = alt.Y("value:Q", title=label).scale(domain=frame(data), nice=False)
    band = of_setting(data, "step", "low", "high").mark_area(color=colour, opacity=0.25)
    marks = {} if point is None else {"point": {**point, "color": colour}}
    line = of_setting(data, "step", "value").mark_line(color=colour, strokeWidth=1.8, **marks)
    layers = [band.encode(x, alt.Y("low:Q", title=label), alt.Y2("high:Q")), line.encode(x, y)]
    if level is not None and np.isfinite(level):
        rule = alt.Chart(alt.InlineData(values=[{}])).mark_rule(strokeDash=list(dash), color=GREY, clip=True)
        layers.append(rule.encode(y=alt.YDatum(rounded([level])[0], type="quantitative")))
    return panel(*layers, height=height, data=data)
