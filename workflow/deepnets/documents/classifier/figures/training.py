"""What document 000 says of training, as figures that it lacks: the fit to the data, learning rate and threshold."""

from collections.abc import Iterable

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workflow.deepnets.documents.classifier.nets import RATES, THRESHOLDS, TRAINING, each_as_trained, variant_name
from workflow.deepnets.figures.panels import columns_for, letter, say_nothing_to_show, why_nothing
from workflow.deepnets.figures.rows import at_end, by_seed, rows_of, runs_of, standard_error
from workflow.deepnets.figures.which_runs import (
    by_setting,
    choose,
    lost,
    named,
    regardless_of_block,
    say_which_runs,
    settled,
)

# Room for nets, each a line, and for values of what is swept.
_LINES, _VALUES = 7, 20
# Where the document trains the nets that are swept: with its own rates, to its own threshold.
_OWN_BLOCKS = ("linear", "depths")
_MARKERS = "osD^vP<"


def accuracy_along_the_run(classifier: pd.DataFrame) -> Figure:
    """Accuracy on the training points (a) and on the test points (b) during training, for each number of layers.

    Lines: mean over the repetitions of document 000's sweep of depths; bands: one standard error. A repetition that has
    reached the threshold keeps its accuracy. Training ends at a cross entropy of 0.01, at which the document says that
    the training points are fitted perfectly; each depth has a learning rate of its own.
    """
    runs, words = choose(each_as_trained(runs_of(classifier, block="depths")), lines=_LINES)
    figure, axes = plt.subplots(2, 1, figsize=(3.4, 4.2), sharex=True)
    letter(axes)
    for axis, metric, label in zip(axes, ("train_accuracy", "test_accuracy"), ("training", "test"), strict=True):
        axis.set_ylabel(f"{label} accuracy (%)")
        if rows_of(runs, metric).empty:
            say_nothing_to_show(axis, why_nothing(runs))
            continue
        for position, (setting, net) in enumerate(by_setting(runs)):
            values = 100 * by_seed(rows_of(net, metric)).ffill()
            if values.empty:
                continue
            mean, error = values.mean(axis=1), values.apply(standard_error, axis=1)
            axis.plot(mean, color=f"C{position}", label=_name_of(setting, net))
            axis.fill_between(mean.index, mean - error, mean + error, color=f"C{position}", alpha=0.2, lw=0)
        axis.set_xscale("symlog", linthresh=10, linscale=0.3)
        axis.set_xlim(0, None)
        axis.grid(axis="y", color="0.9", lw=0.5)
    axes[1].set_xlabel("training iteration")
    _add_legend(figure, axes, width=3.4)
    say_which_runs(figure, words, lost(runs) if figure.legends else "")
    return figure


def accuracy_by_rate_and_threshold(classifier: pd.DataFrame) -> Figure:
    """What learning rate and threshold change: test accuracy (a, b) and the updates that training takes (c, d).

    The linear model and deeper nets, at rates around their own (a, c), and trained until the cross entropy is at most
    a threshold (b, d). Points: mean; bars: one standard error over repetitions, which begin alike at all values.
    Rings: document 000's own rates and its threshold. A run that diverges is left out, and one that never reaches the
    threshold ends at the largest number of updates that the config allows.
    """
    figure, axes = plt.subplots(2, 2, figsize=(6.9, 4.4), sharex="col", sharey="row")
    letter(axes.flat)
    axes[0, 0].set_ylabel("test accuracy (%)")
    axes[1, 0].set_ylabel("updates")
    colours: dict[str, str] = {}
    said = [
        _draw_sweep(axes[:, 0], classifier, RATES, "learning_rate", colours),
        _draw_sweep(axes[:, 1], classifier, THRESHOLDS, "target_loss", colours),
    ]
    axes[1, 0].set_xlabel("learning rate")
    axes[1, 1].set_xlabel("threshold of the cross entropy (nats)")
    _add_legend(figure, axes.flat, width=6.9)
    say_which_runs(figure, *dict.fromkeys(said))
    return figure


def _draw_sweep(axes: np.ndarray, classifier: pd.DataFrame, block: str, swept: str, colours: dict[str, str]) -> str:
    """Draw accuracy and updates against what a block sweeps; return words on what is left out.

    colours: of the nets by their names, to which those of new nets are added.
    """
    runs, own = _with_own(classifier, block, swept)
    (other,) = set(TRAINING) - {swept}
    runs, words = choose(settled(runs, other), lines=_LINES, **{swept: _VALUES})
    for setting, net in by_setting(runs, swept):
        ends = at_end(rows_of(net, "test_accuracy"))
        if ends.empty:
            continue
        name = _name_of(setting, net)
        colour = colours.setdefault(name, f"C{len(colours)}")
        ringed = ends[swept].isin(own.merge(net[_axes_of(net, swept)].drop_duplicates())[swept])
        for axis, values in zip(axes, (100 * ends["value"], ends["step"]), strict=True):
            by_value = values.groupby(ends[swept])
            means = by_value.mean()
            style = {"marker": _MARKERS[int(colour[1:]) % len(_MARKERS)], "ms": 3.5, "color": colour}
            axis.errorbar(means.index, means, yerr=by_value.agg(standard_error), label=name, **style)
            rings = means[means.index.isin(ends.loc[ringed, swept])]
            axis.plot(rings, "o", ms=8, mfc="none", mec="k", mew=0.8, zorder=4)
    for axis in axes:
        if not axis.lines:
            say_nothing_to_show(axis, why_nothing(runs))
            continue
        axis.set_xscale("log")
        axis.grid(axis="y", color="0.9", lw=0.5)
    axes[1].set_yscale("log")
    return ". ".join(filter(None, [words, lost(runs) if axes[0].lines else ""]))


def _with_own(classifier: pd.DataFrame, block: str, swept: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the runs of a sweep with those that the same nets have in the document's blocks, and the latter alone."""
    sweep = runs_of(classifier, block=block)
    nets = sweep[_axes_of(sweep, "block", swept, besides_seed=False)].drop_duplicates()
    own = classifier[classifier["block"].isin(_OWN_BLOCKS)].merge(nets)
    return regardless_of_block(pd.concat([sweep, own], ignore_index=True)), own


def _axes_of(runs: pd.DataFrame, *but: str, besides_seed: bool = True) -> list[str]:
    left_out = {"step", "metric", "index", "value", *but, *(["seed"] if besides_seed else [])}
    return [column for column in runs.columns if column not in left_out]


def _name_of(setting: dict[str, object], net: pd.DataFrame) -> str:
    """Name a net that is drawn, with its rate or threshold where nets differ in them."""
    return ", ".join([variant_name(net.iloc[0]), *(named(axis, setting[axis]) for axis in TRAINING if axis in setting)])


def _add_legend(figure: Figure, axes: Iterable[Axes], *, width: float) -> None:
    """Name each net once, above all panels; a figure without lines gets no legend."""
    found = {label: handle for axis in axes for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)}
    if found:
        figure.legend(found.values(), found, loc="outside upper center", ncols=columns_for(found, width=width, most=4))
