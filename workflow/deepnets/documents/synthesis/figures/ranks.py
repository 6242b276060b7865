from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.synthesis import runs
from deepnets.documents.synthesis.quantities import last_values, ranks_at_end, ranks_halfway
from deepnets.looks import INITS, Look, of_depth
from reproduce import api

# Name of a cluster → its nets, and where its name is written (points from the mean).
_CLUSTERS = {
    "2 layers, rank 2": (runs.RANK_2, (34, 30)),
    "3 layers, from near zero": (runs.BY_SCALE["near zero"], (40, 20)),
    "3 layers, standard start": (runs.BY_SCALE["standard"], (22, 22)),
    "3 layers, start × 1000": (runs.BY_SCALE["times 1000"], (-8, 26)),
}


def rank_and_accuracy(classifier: api.Table, matrix_completion: api.Table) -> Figure:
    """Where the task has low rank, nets that learn a lower effective rank generalise better.

    a: classifiers of which two of ten features matter; small points: further draws of the data. b: relative error of a
    matrix of rank 5 (dotted) completed from 2,000 entries, at several initial scales. Points: runs after training.
    Effective rank: the exponential of the entropy of the singular values divided by their sum. The rank explains
    differences between kinds of nets, but not between runs of one kind.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 2, figsize=(6.9, 3.2))
    axes[0].set(title="000", xlabel="effective rank (entropy)", ylabel="test accuracy (%)")
    axes[1].set(title="Arora et al.", xlabel="effective rank (entropy)", ylabel="reconstruction error")
    nets = sheet.take((runs.ALL_CLASSIFIERS.among(classifier), ""))
    _draw_runs(axes[0], _accuracies(runs.DATA_SETS.among(classifier)), size=2, opacity=0.5)
    _draw_runs(axes[0], _accuracies(nets), named=True)
    for name, (kind, offset) in _CLUSTERS.items():
        own = pd.DataFrame(_accuracies(kind.among(classifier))).dropna()
        if len(own):
            arrow = {"arrowstyle": "-", "lw": 0.5, "color": "0.4"}
            axes[0].annotate(name, own.mean(), offset, textcoords="offset points", fontsize=7, arrowprops=arrow)
    with sheet.part(axes[1]):
        completed, _ = runs.COMPLETION.shown(matrix_completion, "depth", "scale", instead=False)
        sheet.take((completed, ""))
        errors = last_values(completed, "test_loss") ** 0.5
        _draw_runs(axes[1], {"effective_rank": last_values(completed, "effective_rank"), "error": errors}, named=True)
        axes[1].set(xscale="log", yscale="log")
        axes[1].set_xticks([5, 10, 20, 50], ["5", "10", "20", "50"])
        axes[1].minorticks_off()
        axes[1].axvline(5, color="0.5", ls=":", lw=0.8, label="_rank 5")
    sheet.add_legend(columns=6)
    return sheet.finish()


def start_and_separation(hierarchy: api.Table, mnist_modes: api.Table, classifier: api.Table) -> Figure:
    """When the loss has halved, fewer modes take part in nets that started from smaller weights.

    Effective rank of the net's product at the first record where the loss has halved: roughly the number of modes that
    take part. Points: runs; lines: their mean. The weights that are scaled differ: only the trends can be compared.
    """
    sheet = api.Sheet()
    axis = sheet.panel(figsize=(3.4, 2.7), x="initial scale", y="effective rank (entropy)\nat half the loss")
    tree = sheet.take_counted(runs.SLIDERS.shown(hierarchy, "scale"), name="tree")
    mnist = sheet.take_counted(runs.MNIST.shown(mnist_modes, "scale", "block", instead=False), name="MNIST")
    scales = sheet.take_counted(
        api.shown_of(classifier, runs.BY_SCALE.values(), instead=False), noun="repetition", name="classes"
    )
    nets = ((tree, "singular_value", "tree (003)"), (mnist, "mode_strength", "whitened MNIST"))
    for number, (shown, metric, name) in enumerate((*nets, (scales, "singular_value", "classes (000)"))):
        ranks = ranks_halfway(api.drop_diverged(shown), metric).dropna()
        style: dict[str, Any] = {"color": f"C{number}", "marker": "osD"[number], "ms": 3}
        axis.plot(ranks.index.get_level_values("scale"), ranks, ls="none", alpha=0.5, label=f"_{name}, runs", **style)
        axis.plot(ranks.groupby(level="scale").mean(), color=f"C{number}", lw=0.8, label=name)
    axis.set(xscale="log", ylim=(0, None))
    axis.set_xticks([1e-15, 1e-10, 1e-5, 1])
    axis.legend(loc="upper left")
    return sheet.finish()


def start_and_rank(zero_init: api.Table, classifier: api.Table, matrix_completion: api.Table) -> Figure:
    """The initial weights decide the rank of what is learned: weights near zero and the partial identity give low rank.

    a: rank of W₃ − I after the last update, 1,024 hidden units; dotted: the 784 inputs. With random weights and Spray,
    it is equally high before training; else it starts at 0. b: effective rank of the product of three layers. c:
    effective rank of the matrix completed from 2,000 entries; dotted: its true rank, 5. Points: runs.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 3, figsize=(6.9, 2.6))
    for axis, title in zip(axes, ("004", "000", "Arora et al."), strict=True):
        axis.set_title(title)
    axes[0].set_xlabel("rank")
    with sheet.part(axes[0]):
        nets = sheet.take(runs.STARTS.shown(zero_init, "init"), name="a")
        ranks = last_values(nets, "rank").groupby(level="init")
        _draw_names(axes[0], [(INITS[init].name, INITS[init], values) for init, values in ranks])
        axes[0].axvline(784, color="0.5", ls=":", lw=0.8, label="_784 inputs")
        axes[0].set_xlim(0, None)
    own = []
    for name, each in runs.BY_SCALE.items():
        with sheet.part():
            ranks = ranks_at_end(sheet.take(each.shown(classifier, instead=False), name="b"))
            own.append((name, of_depth(each["depth"]), ranks))
    _draw_names(axes[1], own)
    axes[1].set(xlabel="effective rank (entropy)", xlim=(1, None))
    shown = sheet.take(runs.COMPLETION.shown(matrix_completion, "depth", "scale"), name="c")
    for depth, ranks in last_values(shown, "effective_rank").groupby(level="depth"):
        name, colour, marker = of_depth(depth)
        axes[2].plot(ranks.index.get_level_values("scale"), ranks, marker, ms=3, color=colour, label=name)
    axes[2].set(xlabel="initial scale", ylabel="effective rank (entropy)", xscale="log", yscale="log")
    axes[2].set_yticks([5, 10, 20, 50], ["5", "10", "20", "50"])
    axes[2].minorticks_off()
    axes[2].axhline(5, color="0.5", ls=":", lw=0.8, label="_rank 5")
    api.label_lines(axes[2])
    return sheet.finish()


def _accuracies(shown: pd.DataFrame) -> dict[str, pd.Series]:
    return {"effective_rank": ranks_at_end(shown), "accuracy": 100 * last_values(shown, "test_accuracy")}


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


def _draw_names(axis: Axes, ranks: list[tuple[str, Look, pd.Series]]) -> None:
    """Draw the runs of each initialisation in a row with its name."""
    for row, (_, look, values) in enumerate(ranks):
        axis.plot(values, [row] * len(values), look.marker, color=look.color, ms=4, alpha=0.6, label="_runs")
    axis.set(yticks=range(len(ranks)), yticklabels=[name for name, *_ in ranks], ylim=(len(ranks) - 0.5, -0.5))
