import altair as alt
import pandas as pd

from deepnets.data.mnist import PIXELS
from deepnets.documents.zero_init.runs import FEWER_INPUTS, PARTIAL, RIGHT_FIGURE
from deepnets.looks import COLOURS, NAMES
from reproduce import api

_TITLE = "ZerO's rank exceeds the 784 pixels; a partial identity's rank stays below"
_DESCRIPTION = (
    "Controls for width, initialisation and bias, above two panels. The first panel shows the rank of the third "
    "weight matrix minus the identity against updates, with a dashed line at 784, the number of pixels. The second "
    "panel shows the training accuracy."
)
_AXES = {"width": "width of the hidden layers", "init": "initialisation", "bias": "initial value of the biases"}


def width_and_init(zero_init: api.Table) -> alt.TopLevelMixin:
    """Rank of W₃ − I and training accuracy against updates, for a chosen width, initialisation and bias (Figure 3).

    Line: the first seed; band: range over seeds if there are several. Dashed: the number of pixels, 784, which bounds
    the rank with a partial identity and without biases; with biases, the bound is 785. A bias of 0 means that the net
    has no biases. ZerO's rank exceeds the bound at every width above it. Controls stop only at combinations
    that were run.
    """
    of_document = zero_init.pipe(api.runs_except, block=FEWER_INPUTS["block"]).pipe(api.merge_blocks)
    runs, left_out = api.shown_of(of_document, [*PARTIAL.values(), RIGHT_FIGURE], *_AXES)
    last = int(api.require_rows(runs, "rank")["step"].max())
    chart = api.SettingChart(runs, _AXES, describe=_describe, left_out=left_out, names=NAMES)
    chart.add_ranges("ranks", "rank", mean=False)
    chart.add_ranges("accuracies", "train_accuracy", mean=False, unit=100)
    updates = alt.X("step:Q", title="updates").scale(domain=[0, last], nice=False)
    dots, colour = {"size": 14}, chart.chosen("init", COLOURS)
    # For every setting, the vertical scale includes the bound.
    bounds = [{"key": key, "step": [0, last], "value": [PIXELS]} for key in chart.runs]
    return chart.finish(
        [
            api.line_in_range(
                "ranks", "rank of W3 − I", colour, updates, height=140, level=PIXELS, dash=(4, 3), point=dots
            ),
            api.line_in_range("accuracies", "training accuracy (%)", colour, updates, height=140, point=dots),
        ],
        title=_TITLE,
        description=_DESCRIPTION,
        start=RIGHT_FIGURE.but(init="zero").only(*_AXES).allows,
        spans={**chart.curves, "ranks": [*chart.curves["ranks"], *bounds]},
    )


def _describe(runs: pd.DataFrame) -> str:
    first = api.first_seed(runs)
    rank, accuracy = (api.last_rows(api.rows_of(first, metric)) for metric in ("rank", "train_accuracy"))
    found = [f"rank {each:.0f}" for each in rank["value"]]
    found += [f"training accuracy {100 * each:.1f} %" for each in accuracy["value"]]
    ended = f"{', '.join(found)} after {rank['step'].max():,} updates\n" if len(rank) else ""
    seeds = sorted(runs["seed"].unique())
    seed = f"seed {seeds[0]}" + (f" of {len(seeds)}" if len(seeds) > 1 else "")
    return f"{ended}{seed}{api.divergence_suffix(runs, step='update')}"
