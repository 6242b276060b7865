"""Parts of all charts with sliders: controls, panels of the chosen setting, an empty chart, and one style."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

# The palette of Okabe and Ito for colour-blind readers, in the order of figures/column.mplstyle.
PALETTE = ("#0072B2", "#D55E00", "#005F46", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
BLUE, RED = PALETTE[:2]
GREY = "#595959"
# Width of a panel, in pixels. With its axis, a panel fits into a narrow page at four fifths of this width.
WIDTH = 370
# The title of the first panel. On the page, it is empty, because the page writes these words under the controls.
HEADING = "in_page ? '' : split(setting + '\\n' + words, '\\n')"


def control(name: str, label: str, values: Sequence[str], at: int, *, ordered: bool) -> alt.Parameter:
    """Return a slider over the places 0, 1, … of values, or a drop-down list for values without order such as names.

    If there is only one value, no control appears.
    name: the signal that contains the place. label: the text beside the control. at: the first place.
    """
    bind = (
        alt.binding_range(min=0, max=len(values) - 1, step=1, name=f"{label} ")
        if ordered
        else alt.binding_select(options=list(range(len(values))), labels=list(values), name=f"{label} ")
    )
    return alt.param(name=name, value=at, bind=bind if len(values) > 1 else alt.Undefined)


def frame(name: str, *, logarithmic: bool = False) -> list[alt.ExprRef]:
    """Return both ends of a scale for the chosen setting, or default ends if the setting has no values.

    name: the key of the scale's range, as set by `SettingChart.finish`: "step" or the name of a data set.
    """
    otherwise = "[0.1, 1]" if logarithmic else "[0, 1]"
    return [alt.ExprRef(f"((frames[key] || {{}})['{name}'] || {otherwise})[{end}]") for end in (0, 1)]


def of_setting(data: str, *columns: str) -> alt.Chart:
    """Return a data set's rows for the chosen setting, one row per entry of the given list columns."""
    return alt.Chart(alt.NamedData(data)).transform_filter("datum.key === key").transform_flatten(list(columns))


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


def nothing_to_show(title: str, reason: str) -> alt.Chart:
    """Return an empty chart with the reason why there is nothing to show."""
    words = alt.Chart(alt.InlineData(values=[{}])).mark_text(color=GREY, text=f"Nothing to show: {reason}")
    return style_chart(words.properties(width=WIDTH, height=60), title, f"Nothing to show: {reason}", {})


def style_chart(
    chart: alt.TopLevelMixin, title: str, description: str, labels: Mapping[str, Sequence[str]]
) -> alt.TopLevelMixin:
    """Return a chart with the common style, a title, and a description for screen readers.

    labels: slider → the texts of its places, for the page (controls.js).
    """
    return (
        chart.properties(
            title=alt.TitleParams(text=title, anchor="start", fontSize=13, subtitleFontSize=10),
            description=description,
            background="white",
            # Without `resize`, Vega cuts off parts that become wider later.
            autosize=alt.AutoSizeParams(type="pad", resize=True),
            usermeta={"labels": labels},
        )
        .configure(font="sans-serif")
        # On a phone, smaller type cannot be read.
        .configure_axis(labelFontSize=12, titleFontSize=12, titleFontWeight="normal", grid=False)
        # Keeps panels in place when the numbers on their axes change.
        .configure_axisY(minExtent=30)
        .configure_title(fontSize=12, fontWeight="normal", anchor="start")
        .configure_legend(labelFontSize=12, titleFontSize=12, titleFontWeight="normal", symbolStrokeWidth=2)
        .configure_view(stroke=None)
    )


def rounded(values: Sequence[float] | np.ndarray, digits: int = 4) -> list[float | None]:
    """Return numbers rounded to `digits` significant digits, with None for values that are not finite."""
    return [float(f"{value:.{digits - 1}e}") if np.isfinite(value) else None for value in np.ravel(values)]
