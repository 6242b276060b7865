import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.synthesis.quantities import last_values, ranks_at_end
from deepnets.documents.synthesis.runs import ALL_CLASSIFIERS, COMPLETION, DATA_SETS
from deepnets.looks import of_depth
from reproduce import api


def rank_and_accuracy(classifier: api.Table, matrix_completion: api.Table) -> Figure:
    """Where the task has low rank, nets that learn a lower effective rank generalise better.

    a: test accuracy of document 000's classifiers; small points: further draws of the data. b: relative error of the
    matrix completed from 2,000 entries (Arora et al.), at several initial scales. Points: runs after training; the
    effective rank is the exponential of the entropy of p, where p are the singular values divided by their sum. Two of
    ten features matter in a, and the matrix in b has rank 5 (dotted). The rank explains differences between kinds of
    nets, but not between runs of one kind, nor between the initialisations of document 004 on MNIST.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 2, figsize=(6.9, 3.2))
    axes[0].set(title="000", xlabel="effective rank (entropy)", ylabel="test accuracy (%)")
    axes[1].set(title="Arora et al.", xlabel="effective rank (entropy)", ylabel="reconstruction error")
    nets = sheet.take((ALL_CLASSIFIERS.among(classifier), ""))
    _draw_runs(axes[0], _accuracies(DATA_SETS.among(classifier)), size=2, opacity=0.5)
    _draw_runs(axes[0], _accuracies(nets), named=True)
    with sheet.part(axes[1]):
        completed, _ = COMPLETION.shown(matrix_completion, "depth", "scale", instead=False)
        sheet.take((completed, ""))
        errors = last_values(completed, "test_loss") ** 0.5
        _draw_runs(axes[1], {"effective_rank": last_values(completed, "effective_rank"), "error": errors}, named=True)
        axes[1].set(xscale="log", yscale="log")
        axes[1].set_xticks([5, 10, 20, 50], ["5", "10", "20", "50"])
        axes[1].minorticks_off()
        axes[1].axvline(5, color="0.5", ls=":", lw=0.8)
    sheet.add_legend(columns=6)
    return sheet.finish()


def _accuracies(runs: pd.DataFrame) -> dict[str, pd.Series]:
    return {"effective_rank": ranks_at_end(runs), "accuracy": 100 * last_values(runs, "test_accuracy")}


def _draw_runs(
    axis: Axes, values: dict[str, pd.Series], *, size: float = 4, opacity: float = 1, named: bool = False
) -> None:
    """Draw a point for each run, with one colour per depth. values: name → values by run; x first, y second."""
    points = pd.DataFrame(values).dropna().reset_index()
    for depth in sorted(points["depth"].unique()):
        own = points[points["depth"] == depth]
        x, y = (own[name] for name in values)
        name, colour, marker = of_depth(depth)
        axis.plot(x, y, marker, color=colour, label=name if named else None, ms=size, alpha=opacity, mew=0)
