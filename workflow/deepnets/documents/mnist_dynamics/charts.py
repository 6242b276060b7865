import altair as alt
import pandas as pd

from deepnets.documents.mnist_dynamics.claims import TRAINED
from deepnets.looks import COLOURS, NAMES
from reproduce import api

_CURVES = "A linear net learns equally well from covariances and from samples"
_RULE_AXES = {"depth": "depth (matrices)", "init": "initialisation", "rule": "update rule"}
# The maximum number of drawn records of a run.
_RECORDS = 60


def learning_curves(mnist_dynamics: api.Table) -> alt.TopLevelMixin:
    """Training loss and accuracy against updates, for a chosen depth, initialisation and update rule.

    Seeds that ran under only one of several rules are left out, so that rules start from the same weights. Line: mean
    over seeds; band: their range. Dotted: loss of the least-squares solution. Settings that the config varies have
    controls; for all further settings, the chart states the value. In place: each matrix is updated before the
    gradient of the next matrix is computed.
    """
    runs, left_out = TRAINED.shown(mnist_dynamics, *_RULE_AXES)
    api.require_rows(runs, "train_loss")
    runs = _runs_of_all_rules(runs)
    chart = api.SettingChart(runs, _RULE_AXES, describe=_describe_all, left_out=left_out, names=NAMES)
    chart.add_ranges("losses", "train_loss", mean=True, records=_RECORDS)
    chart.add_ranges("accuracies", "train_accuracy", mean=True, unit=100, records=_RECORDS)
    optimum = float(api.rows_of(runs, "optimal_loss")["value"].median())
    colour = chart.chosen("rule", COLOURS)
    return chart.finish(
        [
            api.line_in_range("losses", "mean squared error", colour, _updates(), height=130, level=optimum),
            api.line_in_range("accuracies", "training accuracy (%)", colour, _updates(), height=130),
        ],
        title=_CURVES,
        start=TRAINED.allows,
        description="Controls for depth, initialisation and update rule above two panels: training loss against "
        "updates, with the loss of least squares as a dotted line, and training accuracy against updates.",
    )


def _runs_of_all_rules(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs whose seed ran under as many rules as any seed of this setting did."""
    ran, most = (runs.groupby(api.axes_of(runs, "rule", *seed), observed=True)["rule"] for seed in ((), ("seed",)))
    return runs[ran.transform("nunique") == most.transform("nunique")]


def _describe_all(runs: pd.DataFrame) -> str:
    last = api.last_rows(api.rows_of(runs, "train_loss"))
    accuracy = 100 * api.last_rows(api.rows_of(runs, "train_accuracy"))["value"].mean()
    return (
        f"training loss {last['value'].mean():.3g}, training accuracy {accuracy:.1f} % "
        f"after {last['step'].max():,} updates\n"
        f"mean of {api.count_text(runs['seed'].nunique(), 'seed')}{api.divergence_suffix(runs, step='update')}"
    )


def _updates() -> alt.X:
    """Return the axis of updates, logarithmic after the first updates, because learning curves change most at first."""
    steps = alt.X("step:Q", title="updates").scale(type="symlog", constant=1, domain=api.frame("step"), nice=False)
    return steps.axis(values=[0, 1, 10, 100, 1000])
