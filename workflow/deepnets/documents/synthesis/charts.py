"""The opening chart of the page: how depth and initial weights change a linear classifier."""

import altair as alt
import pandas as pd

from deepnets.charts.charts import BLUE, GREY, chooser, nothing_to_show, rounded, style_chart
from deepnets.documents.synthesis.quantities import last_values, ranks_at_end
from deepnets.documents.synthesis.runs import BY_DEPTH, BY_SCALE, RANK_2
from deepnets.tables.words import count_text

_TITLE = "More layers or smaller initial weights: lower rank, better classifier"
_DESCRIPTION = (
    "Test accuracy of the linear classifiers of document 000 against the effective rank of their trained matrix. A "
    "list chooses one net and highlights its runs."
)
_NETS = {
    **{f"{depth} layer{'s' if depth > 1 else ''}": runs for depth, runs in BY_DEPTH.items()},
    **{f"3 layers, {name}": runs for name, runs in BY_SCALE.items()},
    "2 layers of rank 2": RANK_2,
}
_WIDTH, _HEIGHT = 330, 210


def depth_and_start(classifier: pd.DataFrame) -> alt.TopLevelMixin:
    """Test accuracy against effective rank for all classifiers of document 000: choose a net to see its runs.

    Points: runs. The effective rank is roughly the number of large singular values of the trained matrix. More
    layers, initial weights near zero and a matrix of rank 2 all lead to low rank and high accuracy (upper left).
    Initial weights 1000 times as large undo the gain of three layers.
    """
    points, names, sentences = [], [], []
    for name, described in _NETS.items():
        runs, _ = described.shown(classifier, instead=False)
        own = pd.DataFrame({"rank": ranks_at_end(runs), "accuracy": 100 * last_values(runs, "test_accuracy")}).dropna()
        if own.empty:
            continue
        names.append(name)
        means = f"effective rank {own['rank'].mean():.2f}, test accuracy {own['accuracy'].mean():.1f} %"
        sentences.append(f"{name}: {means}, means over {count_text(len(own), 'run')}")
        pairs = zip(rounded(own["rank"]), rounded(own["accuracy"]), strict=True)
        points += [{"net": len(names) - 1, "rank": rank, "accuracy": accuracy} for rank, accuracy in pairs]
    if not points:
        return nothing_to_show(_TITLE, "the config contains no such runs")
    nets = alt.Chart(alt.NamedData("points"))
    scales = alt.X("rank:Q", title="effective rank").scale(zero=False), alt.Y("accuracy:Q", title="test accuracy (%)")
    x, y = scales[0], scales[1].scale(zero=False)
    all_runs = nets.mark_circle(color=GREY, opacity=0.3, size=22).encode(x, y)
    chosen = nets.transform_filter("datum.net == net").mark_circle(color=BLUE, size=70).encode(x, y)
    chart = alt.layer(all_runs, chosen, datasets={"points": points}).properties(width=_WIDTH, height=_HEIGHT)
    parameter = chooser("net", "linear classifier with", names, len(names) - 1 if len(names) < 6 else 5)
    words = alt.param(name="sentences", value=sentences), alt.param(name="sentence", expr="sentences[net]")
    return style_chart(chart.add_params(parameter, *words), _TITLE, _DESCRIPTION, [])
