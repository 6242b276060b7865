"""Charts with sliders of document 001: a linear net that learns MNIST."""

import altair as alt
import pandas as pd

from deepnets.charts.charts import BLUE, RED, nothing_to_show
from deepnets.charts.panels import frame, line_in_range, of_setting, panel
from deepnets.charts.setting_chart import SettingChart
from deepnets.documents.mnist_dynamics.runs import MODES, TRAINED
from deepnets.tables.axes import merge_blocks, paired
from deepnets.tables.rows import first_seed, last_rows, rows_of
from deepnets.tables.words import absence_reason, count_text, divergence_suffix, seed_text

_CURVES, _STRENGTHS = (
    "A linear net learns equally well from covariances and from samples",
    "From small initial weights, a linear net learns the modes of MNIST one after the other",
)
_RULE_AXES = {"depth": "depth (matrices)", "init": "initialisation", "rule": "update rule"}
_MODE_AXES = {"init": "initialisation", "scale": "factor on each matrix", "depth": "depth (matrices)"}
# The maximum number of drawn records of a run.
_RECORDS = 60


def learning_curves(mnist_dynamics: pd.DataFrame) -> alt.TopLevelMixin:
    """Training loss and accuracy against updates, for a chosen depth, initialisation and update rule.

    Seeds that ran under only one of several rules are left out, so that rules start from the same weights. Line: mean over seeds; band: their range. Dotted: loss of the least-squares solution. Settings that the config
    varies have controls; for all further settings, the chart states the value. In place: each matrix is updated before
    the gradient of the next matrix is computed.
    """
    runs, left_out = TRAINED.shown(mnist_dynamics, *_RULE_AXES)
    if rows_of(runs, "train_loss").empty:
        return nothing_to_show(_CURVES, absence_reason(runs))
    runs = paired(runs, "rule")
    chart = SettingChart(runs, _RULE_AXES, describe=_describe_all, left_out=left_out)
    chart.add_ranges("losses", "train_loss", mean=True, records=_RECORDS)
    chart.add_ranges("accuracies", "train_accuracy", mean=True, unit=100, records=_RECORDS)
    optimum = float(rows_of(runs, "optimal_loss")["value"].median())
    return chart.finish(
        [
            line_in_range("losses", "mean squared error", RED, _updates(), height=130, level=optimum),
            line_in_range("accuracies", "training accuracy (%)", BLUE, _updates(), height=130),
        ],
        title=_CURVES,
        description="Controls for depth, initialisation and update rule above two panels: training loss against "
        "updates, with the loss of least squares as a dotted line, and training accuracy against updates.",
        start=lambda values: True,
    )


def modes_by_start(mnist_modes: pd.DataFrame) -> alt.TopLevelMixin:
    """Strength of each mode of MNIST against updates, for a chosen initialisation, scale and depth; first seed.

    Dots: simulation. Lines: theory for the net's own initial weights (Saxe et al. 2013, eqs. 23 to 26). Dashed: theory
    for equal balanced initial weights (eqs. 11 and 12), instead of the drawn weights. From small initial weights, the
    net learns the modes one after the other, and theory agrees; the document's initial weights are not small.
    """
    runs, left_out = MODES.shown(merge_blocks(mnist_modes), *_MODE_AXES)
    if rows_of(runs, "mode_strength").empty:
        return nothing_to_show(_STRENGTHS, absence_reason(runs))
    chart = SettingChart(runs, _MODE_AXES, describe=_describe_first, left_out=left_out)
    for metric in ("mode_strength", "predicted_mode_strength", "theory_mode_strength"):
        chart.add_indices(metric, metric, records=_RECORDS)
    return chart.finish(
        [_modes()],
        title=_STRENGTHS,
        description="Controls for initialisation, scale and depth above one panel: the strength of each mode against "
        "updates, dots for the simulation, lines for theory from the net's own initial weights, dashed lines for "
        "theory from equal balanced initial weights.",
        start=lambda values: True,
        spans={"strengths": [row for rows in chart.curves.values() for row in rows]},
    )


def _describe_all(runs: pd.DataFrame) -> str:
    last = last_rows(rows_of(runs, "train_loss"))
    accuracy = 100 * last_rows(rows_of(runs, "train_accuracy"))["value"].mean()
    return (
        f"training loss {last['value'].mean():.3g}, training accuracy {accuracy:.1f} % "
        f"after {last['step'].max():,} updates\n"
        f"mean of {count_text(runs['seed'].nunique(), 'seed')}{divergence_suffix(runs, step='update')}"
    )


def _describe_first(runs: pd.DataFrame) -> str:
    last = last_rows(rows_of(first_seed(runs), "mode_strength")).sort_values("index")
    ends = last.iloc[[0, -1]] if len(last) > 1 else last
    strengths = [f"mode {index + 1} at {value:.3g}" for index, value in zip(ends["index"], ends["value"], strict=True)]
    ended = f"{' and '.join(strengths)} after {last['step'].max():,} updates\n" if len(last) else ""
    return f"{ended}{seed_text(runs)}{divergence_suffix(runs, step='update')}"


def _updates() -> alt.X:
    """Return the axis of updates, logarithmic after the first updates, because learning curves change most at first."""
    steps = alt.X("step:Q", title="updates").scale(type="symlog", constant=1, domain=frame("step"), nice=False)
    return steps.axis(values=[0, 1, 10, 100, 1000])


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
        data=["mode_strength", "predicted_mode_strength", "theory_mode_strength"],
    )
