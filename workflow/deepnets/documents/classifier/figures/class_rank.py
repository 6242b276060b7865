import pandas as pd
from matplotlib.figure import Figure

from deepnets.documents.classifier.runs import CLASS_RANKS
from reproduce import api

_MARKERS = "osD^"


def accuracy_by_class_rank(classifier: api.Table) -> Figure:
    """Depth helps if few features determine the class: test accuracy by number of layers (not in the document).

    A matrix of this rank with equal singular values has an output for each of ten classes; the largest is the class.
    Rank 2 is the document's task. Points and bars: mean and two standard errors over n draws of the points, 100 for
    training and 100 for testing.
    """
    sheet = api.Sheet()
    described = [net for nets in CLASS_RANKS.values() for net in nets.values()]
    runs = sheet.take(api.shown_of(classifier, described, "class_rank", "data_seed", "depth"))
    ends = api.last_rows(api.require_rows(runs, "test_accuracy"))
    axis = sheet.panel(figsize=(3.4, 2.6))
    for position, (rank, task) in enumerate(ends.groupby("class_rank")):
        values = 100 * task.pivot_table(index="depth", columns="data_seed", values="value")
        label = f"rank {rank} (n = {values.shape[1]})"
        style = {"marker": _MARKERS[position % 4], "color": f"C{position}", "label": label}
        api.draw_bars(axis, values, _two_errors, **style)
    axis.set(xlabel="layers", ylabel="test accuracy (%)", xticks=sorted(ends["depth"].unique()))
    axis.grid(axis="y", color="0.9", lw=0.5)
    api.label_lines(axis)
    return sheet.finish()


def _two_errors(values: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    mean, error = values.mean(axis=1), values.sem(axis=1)
    return mean - 2 * error, mean + 2 * error
