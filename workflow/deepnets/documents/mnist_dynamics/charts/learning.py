"""Charts with sliders of document 001: rule, depth and initialisation of a linear net that learns MNIST."""

import altair as alt
import numpy as np
import pandas as pd

from workflow.deepnets.charts.charts import BLUE, RED, looks, nothing_to_show, rounded, thinned
from workflow.deepnets.charts.curves import curves_by_index, line_in_range
from workflow.deepnets.charts.settings import (
    Settings,
    ended,
    frame,
    frames,
    heading,
    in_lines,
    of_setting,
    panel,
    seeds_of,
    settings_of,
)
from workflow.deepnets.figures.panels import why_nothing
from workflow.deepnets.figures.rows import rows_of, runs_of
from workflow.deepnets.figures.which_runs import choose, regardless_of_block

_CURVES, _STRENGTHS = (
    "Learning curves: depth, initialisation and rule",
    "Modes during training: initialisation and scale",
)
_RULE_AXES = {"depth": "depth (matrices)", "init": "initialisation", "rule": "update rule"}
_MODE_AXES = {"init": "initialisation", "scale": "factor on each matrix", "depth": "depth (matrices)"}
# Values of each axis that sliders and lists have room for, and records of a run that are drawn.
_ROOM, _RECORDS = {"depth": 8, "init": 8, "rule": 8, "scale": 8}, 60


def learning_curves(mnist_dynamics: pd.DataFrame) -> alt.TopLevelMixin:
    """Training loss and accuracy over the updates, for a chosen depth, initialisation and update rule.

    Line: mean over seeds; band: their range. Dotted: the loss of the least-squares solution. A control appears for
    what the config sweeps; an axis with one value is named with that value. In place: the second matrix is changed with
    the first one already new.
    """
    room = {axis: _ROOM[axis] for axis in _RULE_AXES}
    runs, left_out = choose(mnist_dynamics, **room)
    if rows_of(runs, "train_loss").empty:
        return nothing_to_show(_CURVES, why_nothing(runs))
    groups = {setting: rows for setting, rows in runs.groupby(list(_RULE_AXES), observed=True)}
    said = {setting: in_lines(_count(rows) + ended(rows), left_out) for setting, rows in groups.items()}
    settings = settings_of(runs, _RULE_AXES, said)
    parameters, live = settings.controls(_RULE_AXES, next(iter(settings.said)))
    optimum = float(rows_of(runs, "optimal_loss")["value"].median())
    curves = {
        "losses": _means(groups, settings, "train_loss", 1),
        "accuracies": _means(groups, settings, "train_accuracy", 100),
    }
    chart = alt.vconcat(
        line_in_range("losses", "mean squared error", RED, _updates(), height=130, level=optimum).properties(
            title=heading()
        ),
        line_in_range("accuracies", "training accuracy (%)", BLUE, _updates(), height=130),
        spacing=8,
        datasets=curves,
    ).add_params(*parameters, frames(curves))
    description = (
        "Controls for depth, initialisation and update rule over two panels: training loss over the updates, with the "
        "loss of least squares as a dotted line, and training accuracy over the updates."
    )
    return looks(chart, _CURVES, description, live)


def modes_by_start(mnist_modes: pd.DataFrame) -> alt.TopLevelMixin:
    """Strength of each mode of MNIST over the updates, for a chosen initialisation, scale and depth, first seed.

    Dots: simulation. Lines: theory for the start that the net really has (Saxe et al. 2013, eqs. 23 to 26). Dashed:
    theory for equal balanced starts (eqs. 11 and 12), which knows nothing of the drawn weights. From a small start the
    modes come one after the other and theory meets them; the document's own start is far from small.
    """
    room = {axis: _ROOM[axis] for axis in _MODE_AXES}
    runs, left_out = choose(regardless_of_block(mnist_modes), **room)
    if rows_of(runs, "mode_strength").empty:
        return nothing_to_show(_STRENGTHS, why_nothing(runs))
    nets = {setting: rows for setting, rows in runs.groupby(list(_MODE_AXES), observed=True)}
    said = {setting: in_lines(seeds_of(rows) + ended(rows), left_out) for setting, rows in nets.items()}
    groups = {setting: runs_of(rows, seed=rows["seed"].min()) for setting, rows in nets.items()}
    settings = settings_of(runs, _MODE_AXES, said)
    parameters, live = settings.controls(_MODE_AXES, next(iter(settings.said)))
    metrics = ("mode_strength", "predicted_mode_strength", "theory_mode_strength")
    curves = {
        metric: [
            curve
            for setting, rows in groups.items()
            for curve in curves_by_index(settings.key(setting), rows, metric, records=_RECORDS)
        ]
        for metric in metrics
    }
    spans = frames({"strengths": [row for metric in metrics for row in curves[metric]]})
    chart = alt.vconcat(_modes().properties(title=heading()), datasets=curves).add_params(*parameters, spans)
    description = (
        "Controls for initialisation, scale and depth over one panel: the strength of each mode over the updates, dots "
        "for the simulation, lines for theory from the real start, dashed lines for theory from equal balanced starts."
    )
    return looks(chart, _STRENGTHS, description, live)


def _count(runs: pd.DataFrame) -> str:
    count = runs["seed"].nunique()
    return f"{count} seed{'s' if count > 1 else ''}"


def _updates() -> alt.X:
    """Return the axis of learning curves, which change most in the first updates."""
    steps = alt.X("step:Q", title="updates").scale(type="symlog", constant=1, domain=frame("step"), nice=False)
    return steps.axis(values=[0, 1, 10, 100, 1000])


def _means(groups: dict[tuple, pd.DataFrame], settings: Settings, metric: str, unit: float) -> list[dict]:
    """Return for each setting mean and range of a metric over the seeds that came so far, at some steps."""
    curves = []
    for setting, runs in groups.items():
        by_step = unit * rows_of(runs, metric).groupby("step")["value"].agg(["mean", "min", "max"])
        by_step = by_step[np.isfinite(by_step).all(axis=1)]
        by_step = by_step.loc[thinned(by_step.index.to_numpy(), _RECORDS)]
        curves.append(
            {
                "key": settings.key(setting),
                "step": by_step.index.tolist(),
                "value": rounded(by_step["mean"]),
                "low": rounded(by_step["min"]),
                "high": rounded(by_step["max"]),
            }
        )
    return [curve for curve in curves if curve["step"]]


def _modes() -> alt.LayerChart:
    x = alt.X("step:Q", title="updates").scale(domain=frame("step"), nice=False)
    y = alt.Y("value:Q", title="mode strength").scale(domain=frame("strengths"), nice=False)
    colour = alt.Color("index:Q", title="mode").scale(scheme="viridis", domain=[1, 11])
    colour = colour.legend(alt.Legend(orient="right", values=[1, 3, 5, 9], gradientLength=70))
    each = alt.Detail("index:N")
    return panel(
        of_setting("theory_mode_strength", "step", "value")
        .mark_line(strokeDash=[4, 3], strokeWidth=1)
        .encode(x, y, colour, each),
        of_setting("predicted_mode_strength", "step", "value").mark_line(strokeWidth=1.2).encode(x, y, colour, each),
        of_setting("mode_strength", "step", "value").mark_point(filled=True, size=10).encode(x, y, colour),
        height=220,
    )
