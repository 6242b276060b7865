import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.synthesis.quantities import ranks_halfway
from deepnets.documents.synthesis.runs import BY_SCALE, MNIST, SLIDERS
from reproduce import api


def start_and_separation(hierarchy: api.Table, mnist_modes: api.Table, classifier: api.Table) -> Figure:
    """From small initial weights, a net learns a few modes at a time; from large weights, all modes at once.

    Plotted: effective rank of the net's end-to-end matrix at the first record where the loss has halved. It is roughly
    the number of modes that take part at this time. a: document 003, by its slider γ; b: the modes of whitened MNIST,
    from the initial weights of document 001 and from smaller weights; c: document 000, three layers. Points: runs;
    line: their mean, if there are more than two scales. The standard initial weights that are scaled differ between
    documents: only the trends can be compared.
    """
    sheet = api.Sheet()
    axes = sheet.panels(1, 3, figsize=(6.9, 2.6))
    tree = sheet.take_counted(SLIDERS.shown(hierarchy, "scale"), name="a")
    mnist = sheet.take_counted(MNIST.shown(mnist_modes, "scale", "block", instead=False), name="b")
    scales = sheet.take(api.shown_of(classifier, BY_SCALE.values(), instead=False), name="c")
    panels = ((tree, "singular_value", "003"), (mnist, "mode_strength", "MNIST"), (scales, "singular_value", "000"))
    for axis, (runs, metric, title) in zip(axes, panels, strict=True):
        axis.set(title=title, xlabel="initial scale")
        _draw_by_scale(axis, ranks_halfway(api.drop_diverged(runs), metric).dropna())
    axes[0].set_ylabel("effective rank (entropy)\nat half the loss")
    return sheet.finish()


def _draw_by_scale(axis: Axes, ranks: pd.Series) -> None:
    if ranks.empty:
        raise api.NotRecordedError("no run halved its loss")
    by_scale = ranks.groupby(level="scale")
    axis.plot(ranks.index.get_level_values("scale"), ranks, "o", color="C0", ms=3, alpha=0.5)
    # Two points are no curve.
    if by_scale.ngroups > 2:
        axis.plot(by_scale.mean(), color="C0", lw=0.8)
    axis.set(xscale="log", ylim=(0, None))
