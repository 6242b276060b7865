"""A chart with sliders of document 000: depth and scale of a linear classifier, and its singular values over time."""

import altair as alt
import pandas as pd

from workflow.deepnets.charts.charts import RED, looks, nothing_to_show
from workflow.deepnets.charts.curves import curves_by_index
from workflow.deepnets.charts.settings import (
    ended,
    frame,
    frames,
    heading,
    in_lines,
    of_setting,
    panel,
    seeds_of,
    settings_of,
    text_of,
)
from workflow.deepnets.documents.classifier.nets import RATES, THRESHOLDS, each_as_trained
from workflow.deepnets.figures.panels import why_nothing
from workflow.deepnets.figures.rows import at_end, rows_of, runs_of
from workflow.deepnets.figures.which_runs import choose

_TITLE = "Singular values during training: depth and scale"
_AXES = {"depth": "depth (matrices)", "scale": "factor on their product"}
# Depths and scales that sliders have room for.
_ROOM = {"depth": 12, "scale": 12}
# The net of the document whose singular values grow one after the other.
_START = {"depth": 3, "scale": 1e-4}
# Records of a run that are drawn, of its many hundred.
_RECORDS = 80
# Powers of ten of any size in one form.
_LOGARITHM = "log(datum.value) / LN10"
_POWERS = f"abs({_LOGARITHM} - round({_LOGARITHM})) < 0.001 ? '1e' + format({_LOGARITHM}, '.0f') : ''"


def depth_and_scale(classifier: pd.DataFrame) -> alt.TopLevelMixin:
    """Training loss and all singular values of the end-to-end matrix over the updates, for a chosen depth and scale.

    The task has two directions that matter. A deep net that starts near zero finds them one after the other and leaves
    the rest near zero; a shallow one, or one that starts large, moves all singular values at once. One run, that of the
    first seed; below, the same singular values on a logarithmic scale. Where several grids of the config hold a
    combination, the one with the most seeds is shown. Learning rates differ from grid to grid, as in the document.
    Not every combination was run; the chart says so.
    """
    runs, left_out = choose(each_as_trained(_unswept(_full_rank(classifier))), block=100, init=8, **_ROOM)
    if rows_of(runs, "singular_value").empty:
        return nothing_to_show(_TITLE, why_nothing(runs))
    chosen = {setting: _of_most_seeds(rows) for setting, rows in runs.groupby(list(_AXES), observed=True)}
    say = {setting: in_lines(_words(rows), left_out) for setting, rows in chosen.items()}
    settings = settings_of(runs, _AXES, say)
    wanted = [settings.key(setting) for setting in chosen if dict(zip(_AXES, setting, strict=True)) == _START]
    parameters, live = settings.controls(_AXES, wanted[0] if wanted else settings.middle())
    first = {settings.key(setting): runs_of(rows, seed=rows["seed"].min()) for setting, rows in chosen.items()}
    curves = {
        name: [
            curve
            for key, rows in first.items()
            for curve in curves_by_index(key, rows, metric, records=_RECORDS, digits=3)
        ]
        for name, metric in (("losses", "train_loss"), ("singular_values", "singular_value"))
    }
    spans = frames({**curves, "logarithms": curves["singular_values"]}, logarithmic=["logarithms"])
    chart = alt.vconcat(
        _losses().properties(title=heading()),
        _values(logarithmic=False),
        _values(logarithmic=True),
        spacing=8,
        datasets=curves,
    ).add_params(*parameters, spans)
    return looks(chart, _TITLE, _DESCRIPTION, live)


_DESCRIPTION = (
    "Sliders for depth and scale over three panels: training loss over the updates, the ten singular values of the "
    "product of all matrices over the updates, and the same singular values on a logarithmic scale."
)


def _full_rank(classifier: pd.DataFrame) -> pd.DataFrame:
    """Return the nets whose factorisation bounds no rank, where there are any."""
    full = runs_of(classifier, rank=0)
    return classifier if full.empty else full


def _unswept(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the nets at rates and thresholds of their own, where there are any."""
    unswept = runs[~runs["block"].isin((RATES, THRESHOLDS))]
    return runs if unswept.empty else unswept


def _of_most_seeds(runs: pd.DataFrame) -> pd.DataFrame:
    """Return, of runs of one depth and scale, those of the grid with the most seeds, the first of equals."""
    grids = [rows for _, rows in runs.groupby(["block", "init"], observed=True)]
    return max(grids, key=lambda rows: rows["seed"].nunique())


def _words(runs: pd.DataFrame) -> str:
    first = runs_of(runs, seed=runs["seed"].min())
    accuracy = at_end(rows_of(first, "test_accuracy"))["value"]
    tested = f", test accuracy {100 * accuracy.iloc[0]:.0f} %" if len(accuracy) else ""
    grid, init = (text_of(runs[axis].iloc[0]) for axis in ("block", "init"))
    return f"grid {grid}, {init}, {seeds_of(runs)}{tested}{ended(first)}"


def _losses() -> alt.LayerChart:
    line = of_setting("losses", "step", "value").mark_line(color=RED, strokeWidth=1.8)
    y = alt.Y("value:Q", title="training loss (nats)").scale(domain=frame("losses"), nice=False)
    return panel(line.encode(_updates(), y), height=110)


def _values(*, logarithmic: bool) -> alt.LayerChart:
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
    drawn = lines.mark_line(strokeWidth=1.3).encode(_updates(), y, colour, alt.Detail("index:N"))
    return panel(drawn, height=130)


def _updates() -> alt.X:
    return alt.X("step:Q", title="updates").scale(domain=frame("step"), nice=False)
