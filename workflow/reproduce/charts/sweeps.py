"""The chart of an experiment's sweeps: one metric against one axis that the config sweeps."""

import json
from textwrap import wrap

import altair as alt

from reproduce.charts.charts import GREY, WIDTH, chooser, rounded, style_chart
from reproduce.tables.sweeps import sweeps_of
from reproduce.tables.table import Table
from reproduce.tables.words import text_of

_NUMBERS = ("mean", "low", "high")
# The colour of a line if there is no axis of colours.
_ONLY = "mean over seeds"


def sweeps(table: Table) -> alt.TopLevelMixin:
    """Any metric against any axis that the config sweeps: lists choose the metric, the axis and the axis of colours.

    Points: mean over seeds of the last recorded value; bars: smallest to largest. A line joins settings that differ
    only in the chosen axis, whose values are evenly spaced; an axis that the heading lists with several values follows
    from the swept axes. Lines of one colour differ in further swept axes, for which lists choose one value. Of a metric
    with several indices, the smallest index is shown. Runs that diverged are left out.
    """
    title = " ".join(["Sweeps of", *table.frame["experiment"].unique()])
    found = sweeps_of(table.frame)
    points: list[dict] = []
    choices: list[dict] = []
    for place, sweep in enumerate(found):
        columns = {"metric": sweep.points["metric"].astype(str), "x": sweep.points[sweep.axis]}
        columns |= {name: rounded(sweep.points[name]) for name in _NUMBERS}
        columns["line"] = sweep.points.groupby(sweep.beside, observed=True).ngroup() if sweep.beside else 0
        rows = sweep.points[sweep.beside].assign(sweep=place, **columns).to_dict("records")
        points += rows
        for axis in sweep.beside or [_ONLY]:
            name = sweep.name + (f", a colour for each {axis}" if sweep.beside else "")
            facts = {"name": name, "words": "\n".join(wrap(sweep.constant, 70)), "metrics": _values(rows, "metric")}
            choices.append({"sweep": place, "axis": axis, "colours": _values(rows, axis) or [_ONLY], **facts})
    metrics = _values(points, "metric")
    controls = [
        chooser("metric", "metric", metrics, 0),
        chooser("choice", "against", [each["name"] for each in choices], 0),
        alt.param(name="logarithmic", value=False, bind=alt.binding_checkbox(name="logarithmic ")),
        alt.param(name="metrics", value=metrics),
        alt.param(name="choices", value=choices),
        alt.param(name="chosen", expr="choices[choice]"),
    ]
    chart = alt.Chart(alt.NamedData("points"), width=WIDTH, height=240)
    chart = chart.transform_filter("datum.sweep === chosen.sweep && datum.metric === metrics[metric]")
    for axis in dict.fromkeys(axis for sweep in found for axis in sweep.beside):
        values = _values(points, axis)
        controls.append(chooser(f"only_{axis}", axis, ["all", *map(text_of, values)], 0))
        is_chosen = f"datum['{axis}'] === {json.dumps(values)}[only_{axis} - 1]"
        chart = chart.transform_filter(f"only_{axis} === 0 || !isValid(datum['{axis}']) || {is_chosen}")
    chart = chart.transform_calculate(
        colour=f"chosen.axis === '{_ONLY}' ? '{_ONLY}' : datum[chosen.axis]",
        **{name: f"logarithmic ? log(datum.{name}) / LN10 : datum.{name}" for name in _NUMBERS},
    )
    x, y, low = alt.X("x:O", title=None), alt.Y("mean:Q", title=None), alt.Y("low:Q", title=None)
    # All values of the axis: Vega cannot draw an empty legend.
    colour = alt.Color("colour:O", title=None).scale(domain=alt.ExprRef("chosen.colours"), scheme="viridis")
    lines = chart.transform_filter("isFinite(datum.mean)").mark_line(point=True)
    lines = lines.encode(x, y.scale(zero=False), colour, detail="line:N")
    bars = chart.transform_filter("isFinite(datum.low)").mark_rule()
    bars = bars.encode(x, low.scale(zero=False), colour, alt.Y2("high:Q"))
    absent = "indexof(chosen.metrics, metrics[metric]) < 0 ? 'not recorded, or the same at all values' : ''"
    absence = alt.Chart(alt.InlineData(values=[{}])).mark_text(text=alt.ExprRef(absent), color=GREY)
    heading = "(logarithmic ? 'logarithm (base 10) of ' : '') + metrics[metric] + ' against ' + chosen.name"
    words = alt.TitleParams(text=alt.ExprRef(f"split({heading} + '\\n' + chosen.words, '\\n')"), fontSize=10)
    whole = alt.vconcat(alt.layer(lines, bars, absence, title=words), datasets={"points": points})
    description = "Lists choose a metric, the axis that it is drawn against, and values of other axes."
    return style_chart(whole.add_params(*controls), title, description, {})


def _values(rows: list[dict], name: str) -> list:
    return sorted({row[name] for row in rows if name in row})
