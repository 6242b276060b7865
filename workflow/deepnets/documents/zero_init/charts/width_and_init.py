"""A chart with sliders of document 004: width and initialisation of a network, and the rank that it learns."""

import altair as alt
import numpy as np
import pandas as pd

from workflow.deepnets.charts.charts import BLUE, RED, looks, nothing_to_show, rounded
from workflow.deepnets.charts.curves import line_in_range
from workflow.deepnets.charts.settings import (
    Settings,
    ended,
    frames,
    heading,
    in_lines,
    seeds_of,
    settings_of,
)
from workflow.deepnets.data.mnist import PIXELS
from workflow.deepnets.figures.panels import why_nothing
from workflow.deepnets.figures.rows import rows_of
from workflow.deepnets.figures.which_runs import choose, regardless_of_block

_TITLE = "Rank during training: width and initialisation"
_AXES = {"width": "width of the hidden layers", "init": "initialisation", "bias": "first value of the biases"}
# Widths, inits and biases that sliders and lists have room for.
_ROOM = {"width": 12, "init": 8, "bias": 6}
# What the document's own figure starts from.
_START = {"init": "zero", "width": 1024}


def width_and_init(zero_init: pd.DataFrame) -> alt.TopLevelMixin:
    """Rank of W₃ − I and training accuracy over the updates, for a chosen width, initialisation and bias (Figure 3).

    Line: the first seed; band: range over seeds where there are more. Dashed: the 784 pixels of an image, which bound
    the rank of a partial identity without biases; with biases the bound is 785. A bias of 0 stands for none. The ZerO
    initialisation passes the bound at every width beyond it. Not every combination was run; the chart says so.
    """
    runs, left_out = choose(regardless_of_block(zero_init) if len(zero_init) else zero_init, **_ROOM)
    if rows_of(runs, "rank").empty:
        return nothing_to_show(_TITLE, why_nothing(runs))
    groups = {setting: rows for setting, rows in runs.groupby(list(_AXES), observed=True)}
    say = {setting: in_lines(seeds_of(rows) + ended(rows), left_out) for setting, rows in groups.items()}
    settings = settings_of(runs, _AXES, say)
    parameters, live = settings.controls(_AXES, _start(settings))
    last = int(rows_of(runs, "rank")["step"].max())
    alike = {"x": _updates(last), "height": 140, "point": {"size": 14}}
    ranks = line_in_range("ranks", "rank of W3 − I", BLUE, level=PIXELS, dash=(4, 3), **alike)
    ranks = ranks.properties(title=heading())
    accuracies = line_in_range("accuracies", "training accuracy (%)", RED, **alike)
    curves = {
        "ranks": _curves(groups, settings, "rank", 1),
        "accuracies": _curves(groups, settings, "train_accuracy", 100),
    }
    # The bound is to be seen beside every rank.
    bounds = [{"key": key, "step": [0, last], "value": [PIXELS]} for key in settings.said]
    spans = frames({**curves, "ranks": [*curves["ranks"], *bounds]})
    chart = alt.vconcat(ranks, accuracies, spacing=8, datasets=curves).add_params(*parameters, spans)
    return looks(chart, _TITLE, _DESCRIPTION, live)


_DESCRIPTION = (
    "Controls for width, initialisation and bias over two panels: the rank of the third weight matrix minus the "
    "identity over the updates, with the number of pixels, 784, as a dashed line; and the training accuracy."
)


def _start(settings: Settings) -> str:
    """Return the key of the document's own setting where it was run, else of one in the middle."""
    for key in settings.said:
        chosen = {
            axis: values[int(place)] for (axis, values), place in zip(settings.values.items(), key.split(), strict=True)
        }
        if all(chosen[axis] == value for axis, value in _START.items()) and chosen["bias"] > 0:
            return key
    return settings.middle()


def _updates(last: int) -> alt.X:
    return alt.X("step:Q", title="updates").scale(domain=[0, last], nice=False)


def _curves(groups: dict[tuple, pd.DataFrame], settings: Settings, metric: str, unit: float) -> list[dict]:
    """Return for each setting the first seed's values of a metric, and the range over seeds, at its steps."""
    curves = []
    for setting, runs in groups.items():
        by_seed = rows_of(runs, metric).pivot_table(index="step", columns="seed", values="value").sort_index()
        first = by_seed.iloc[:, 0].dropna() if len(by_seed) else pd.Series(dtype=float)
        if first.empty:
            continue
        by_seed = unit * by_seed.loc[first.index]
        curves.append(
            {
                "key": settings.key(setting),
                "step": first.index.tolist(),
                "value": rounded(unit * first),
                "low": rounded(np.nanmin(by_seed, axis=1)),
                "high": rounded(np.nanmax(by_seed, axis=1)),
            }
        )
    return curves
