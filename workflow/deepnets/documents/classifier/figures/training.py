"""Figures of document 000's claims on training: fit to the data, learning rate and threshold."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from deepnets.documents.classifier.runs import DEPTHS, swept_net, variant_name
from deepnets.looks import of_depth
from reproduce import api

# Blocks that contain the swept nets with the document's own rates and threshold.
_OWN_BLOCKS = ("linear", "depths")


def accuracy_along_the_run(classifier: api.Table) -> Figure:
    """All nets come to fit the training points (a), and the deepest classify the test points best (b).

    Lines: mean over the repetitions of the figure by depth; bands: one standard error. Training ends at a cross entropy
    of 0.01; a repetition that has ended keeps its last accuracy. The learning rate depends on the depth.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(api.shown_of(classifier, DEPTHS.values(), "depth"), noun="repetition")
    labels = ["training accuracy (%)", "test accuracy (%)"]
    scale = "training iteration (logarithmic above 10)"
    axes = sheet.panels(2, 1, x=scale, y=labels, figsize=(3.4, 4.2), sharex=True)
    steps = sorted(api.rows_of(runs, "test_accuracy")["step"].unique())
    for axis, metric in zip(axes, ("train_accuracy", "test_accuracy"), strict=True):
        for depth, net in runs.groupby("depth"):
            values = 100 * api.by_seed(api.rows_of(net, metric)).reindex(steps).ffill()
            api.draw_band(axis, values, _errors, color=of_depth(depth).color, label=variant_name(net.iloc[0]))
        axis.set_xscale("symlog", linthresh=10, linscale=0.3)
        axis.set_xlim(0, steps[-1])
        axis.grid(axis="y", color="0.9", lw=0.5)
    api.label_lines(axes[1])
    return sheet.finish()


def accuracy_by_rate_and_threshold(classifier: api.Table) -> Figure:
    """At all stopping thresholds, and at all but the largest learning rates, deeper nets classify better.

    Training ends when the cross entropy is at most the threshold, or at the config's largest number of updates. Points
    and bars: mean and standard error over repetitions, by default the first three of the figure by depth, with equal
    starts at all values. Rings: document 000's own values. Crosses: all runs diverged; a point shows those that did not.
    """
    sheet = api.Sheet()
    axes = sheet.panels(2, 2, figsize=(6.9, 4.4), sharex="col", sharey="row")
    axes[0, 0].set_ylabel("test accuracy (%)")
    axes[1, 0].set_ylabel("updates")
    _draw_sweep(sheet, axes[:, 0], classifier, "rates", "learning_rate")
    _draw_sweep(sheet, axes[:, 1], classifier, "thresholds", "target_loss")
    axes[1, 0].set_xlabel("learning rate")
    axes[1, 1].set_xlabel("threshold of the cross entropy (nats)")
    api.label_lines(axes[0, 1])
    return sheet.finish()


def _draw_sweep(sheet: api.Sheet, axes: np.ndarray, classifier: api.Table, block: str, swept: str) -> None:
    """Draw accuracy and number of updates against the swept setting of a block."""
    nets = [swept_net(depth).but(block=block, **{swept: api.EVERY}) for depth in DEPTHS]
    sweep, note = api.shown_of(classifier, nets, "depth")
    own = api.runs_of(classifier.frame, block=_OWN_BLOCKS).merge(
        sweep[api.axes_of(sweep, "block", swept)].drop_duplicates()
    )
    runs = api.merge_blocks(pd.concat([sweep, own], ignore_index=True))
    name = "a, c" if swept == "learning_rate" else "b, d"
    runs = sheet.take_counted((runs, note), noun="repetition", name=name)
    for depth, net in runs.groupby("depth"):
        ends = api.last_rows(api.rows_of(net, "test_accuracy"))
        name = variant_name(net.iloc[0])
        ringed = ends[swept].isin(api.runs_of(own, depth=depth)[swept])
        for axis, values in zip(axes, (100 * ends["value"], ends["step"]), strict=True):
            by_value = values.groupby(ends[swept])
            means = by_value.mean()
            style = {"marker": of_depth(depth).marker, "ms": 3.5, "color": of_depth(depth).color}
            axis.errorbar(means.index, means, yerr=by_value.sem(), label=name, **style)
            rings = means[means.index.isin(ends.loc[ringed, swept])]
            axis.plot(rings, "o", ms=8, mfc="none", mec="k", mew=0.8, zorder=4, label="_ring")
        if lost := sorted({*api.rows_of(net, "diverged")[swept]} - {*ends[swept]}):
            axes[0].plot(
                lost, [0.95] * len(lost), "x", color=of_depth(depth).color, transform=axes[0].get_xaxis_transform()
            )
    for axis in axes:
        axis.set_xscale("log")
        axis.grid(axis="y", color="0.9", lw=0.5)
    axes[1].set_yscale("log")


def _errors(values: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return the mean minus and plus one standard error."""
    mean, error = values.mean(axis=1), values.sem(axis=1)
    return mean - error, mean + error
