import altair as alt
import pandas as pd

from deepnets.documents.largest_rate.claims import RELU
from deepnets.looks import COLOURS, NAMES
from reproduce import api

_TITLE = "To first order, the largest rate falls as depth to the power −3/2, and as 1/depth in orthogonal linear nets"
_AXES = {"activation": "units", "init": "weights", "width": "width", "batch": "images"}


def rate_over_depth(largest_rate: api.Table) -> alt.TopLevelMixin:
    """Learning rates over the number of hidden layers, for chosen nets, on logarithmic axes.

    Above: the rate at which one update changes the last hidden layer by 1, to first order in the rate, and, dashed,
    theory at infinite width, where there is one. Below: 2 over the largest eigenvalue of the Hessian. Line: mean over seeds; band: their range.
    """
    runs, left_out = RELU.shown(largest_rate, *_AXES)
    api.require_rows(runs, "largest_rate")
    chart = api.SettingChart(runs, _AXES, describe=_describe, left_out=left_out, names=NAMES)
    for name in ("largest_rate", "stable_rate", "theory_rate"):
        chart.add_ranges(name, name, mean=True)
    colour = chart.chosen("init", COLOURS)
    theory = api.of_setting("theory_rate", "step", "value").mark_line(color=api.GREY, strokeDash=[4, 3])
    return chart.finish(
        [
            api.panel(
                *_range("largest_rate", "rate: last layer changes by 1", colour),
                theory.encode(_depths(), alt.Y("value:Q")),
                height=150,
                data="largest_rate",
            ),
            api.panel(*_range("stable_rate", "2 / eigenvalue", colour), height=120, data="stable_rate"),
        ],
        title=_TITLE,
        description="Lists and sliders for units, weights, width and images, over two panels of rates by depth.",
        start=RELU.allows,
        logarithmic=("largest_rate", "stable_rate", "theory_rate"),
    )


def _depths() -> alt.X:
    return alt.X("step:Q", title="hidden layers").scale(type="log", base=2, domain=api.frame("step"), nice=False)


def _range(data: str, label: str, colour: alt.ExprRef) -> tuple[alt.Chart, alt.Chart]:
    y = alt.Y("value:Q", title=label).scale(type="log", domain=api.frame(data, logarithmic=True), nice=False)
    band = api.of_setting(data, "step", "low", "high").mark_area(color=colour, opacity=0.25)
    line = api.of_setting(data, "step", "value").mark_line(color=colour, strokeWidth=1.8)
    return band.encode(_depths(), alt.Y("low:Q", title=label), alt.Y2("high:Q")), line.encode(_depths(), y)


def _describe(runs: pd.DataFrame) -> str:
    exponents = [
        api.last_rows(api.rows_of(runs, f"{rate}_exponent"))["value"].mean() for rate in ("largest_rate", "stable_rate")
    ]
    words = f"exponents: {exponents[0]:.2f} and, for the eigenvalue, {exponents[1]:.2f}"
    return f"{words}\nmean of {api.count_text(runs['seed'].nunique(), 'seed')}"
