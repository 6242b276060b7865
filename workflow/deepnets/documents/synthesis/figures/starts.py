import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.synthesis.quantities import last_values, ranks_at_end
from deepnets.documents.synthesis.runs import BY_SCALE, COMPLETION, STARTS
from deepnets.looks import INITS, Look, of_depth
from reproduce import api


def start_and_rank(zero_init: api.Table, classifier: api.Table, matrix_completion: api.Table) -> Figure:
    """The initial weights decide the rank of what is learned: weights near zero and the partial identity give low rank.

    a: document 004: rank of W₃ − I after the last update, 1,024 hidden units; dotted: the 784 inputs. With random
    weights and Spray, the rank is equally high before training; with all further inits, the rank starts at 0. b:
    document 000, three layers: effective rank of the product of the matrices. c: Arora et al.: effective rank of the matrix
    completed from 2,000 entries; dotted: rank 5 of the true matrix. Points: runs.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 3, figsize=(6.9, 2.6))
    for axis, title in zip(axes, ("004", "000", "Arora et al."), strict=True):
        axis.set_title(title)
    axes[0].set_xlabel("rank")
    with sheet.part(axes[0]):
        nets = sheet.take(STARTS.shown(zero_init, "init"), name="a")
        ranks = last_values(nets, "rank").groupby(level="init")
        _draw_names(axes[0], [(INITS[init].name, INITS[init], values) for init, values in ranks])
        axes[0].axvline(784, color="0.5", ls=":", lw=0.8)
        axes[0].set_xlim(0, None)
    own = []
    for name, each in BY_SCALE.items():
        with sheet.part():
            ranks = ranks_at_end(sheet.take(each.shown(classifier, instead=False), name="b"))
            own.append((name, of_depth(each["depth"]), ranks))
    _draw_names(axes[1], own)
    axes[1].set(xlabel="effective rank (entropy)", xlim=(1, None))
    runs = sheet.take(COMPLETION.shown(matrix_completion, "depth", "scale"), name="c")
    for depth, ranks in last_values(runs, "effective_rank").groupby(level="depth"):
        name, colour, marker = of_depth(depth)
        axes[2].plot(ranks.index.get_level_values("scale"), ranks, marker, ms=3, color=colour, label=name)
    axes[2].set(xlabel="initial scale", ylabel="effective rank (entropy)", xscale="log", yscale="log")
    axes[2].set_yticks([5, 10, 20, 50], ["5", "10", "20", "50"])
    axes[2].minorticks_off()
    axes[2].axhline(5, color="0.5", ls=":", lw=0.8)
    axes[2].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return sheet.finish()


def _draw_names(axis: Axes, ranks: list[tuple[str, Look, pd.Series]]) -> None:
    """Draw the runs of each initialisation in a row with its name."""
    for row, (_, look, values) in enumerate(ranks):
        axis.plot(values, [row] * len(values), look.marker, color=look.color, ms=4, alpha=0.6)
    axis.set(yticks=range(len(ranks)), yticklabels=[name for name, *_ in ranks], ylim=(len(ranks) - 0.5, -0.5))
