import pandas as pd
from matplotlib.figure import Figure

from deepnets.documents.classifier.runs import CLASS_RANKS
from reproduce import api

_MARKERS = "osD^"


def accuracy_by_class_rank(classifier: api.Table) -> Figure:
    """Depth helps if few features determine the class: test accuracy by number of layers (not in the document).

    A matrix with equal singular values has an output for each of ten classes, and the largest one is the class. Rank 2:
    the document's task, where the direction of two features determines the class; rank 10: an orthogonal matrix of all
    features. 100 points for training, as many for testing. Points and bars: mean and two standard errors over draws of
    the points; n: the number of draws.
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
    axis.set(xlabel="layers", ylabel="test accuracy (%)", xticks=sorted(ends["depth"].unique()), ylim=(30, None))
    axis.grid(axis="y", color="0.9", lw=0.5)
    axis.legend(title="classes of", loc="lower left")
    return sheet.finish()


def _two_errors(values: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    mean, error = values.mean(axis=1), values.sem(axis=1)
    return mean - 2 * error, mean + 2 * error
