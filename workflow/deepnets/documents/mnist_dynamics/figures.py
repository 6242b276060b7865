from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.mnist_dynamics import claims
from deepnets.looks import RULES
from reproduce import api

_METRICS, _LABELS = ("train_loss", "train_accuracy"), ("mean squared error", "training accuracy (%)")
_DIFFERENCES = ("difference\nof the product (%)", "difference\nof the loss (%)")
_HOLLOW: dict[str, Any] = {"color": "k", "mfc": "white", "zorder": 4, "ls": "none"}
_UPDATES = "updates (logarithmic above 1)"


def loss_and_accuracy(mnist_dynamics: api.Table) -> Figure:
    """A linear net learns MNIST from covariances as it does from the images.

    Training loss (a) and accuracy (b). Line and band: mean and standard deviation over seeds; dots: mean of the rule on
    samples. Diamonds: values that the document prints; square: its first draw of initial weights, which it replaced.
    """
    sheet, runs = _take_rules(mnist_dynamics)
    axes = sheet.panels(2, 1, figsize=(3.4, 4.4), sharex=True, x=_UPDATES, y=_LABELS)
    # The loss is recorded more often, for claims.
    steps = api.require_curve(runs, "train_accuracy")["step"].unique()
    for axis, metric, unit, printed in zip(axes, _METRICS, (1, 100), (claims.LOSSES, claims.ACCURACIES), strict=True):
        ours, sampled = (unit * api.by_seed(api.rows_of(runs, metric, rule=rule)) for rule in ("covariance", "samples"))
        label = f"{RULES['covariance'].name}, {api.count_text(ours.shape[1], 'seed')}"
        api.draw_band(axis, ours, api.deviation, color=RULES["covariance"].color, label=label)
        label = f"{RULES['samples'].name}, {api.count_text(sampled.shape[1], 'seed')}"
        axis.plot(sampled.mean(axis=1).reindex(sorted(steps)), "o", ms=2.5, color=RULES["samples"].color, label=label)
        document = {step: unit * value for step, value in printed.items()}
        axis.plot(document.keys(), document.values(), "D", label="document", clip_on=False, **_HOLLOW)
    axes[0].plot(0, claims.LOSS_OF_FIRST_DRAW, "s", label="its first draw", **_HOLLOW)
    axes[0].axhline(api.rows_of(runs, "optimal_loss")["value"].iloc[0], color="0.5", ls=":", label="least squares")
    axes[0].legend()
    _scale_updates(axes[1])
    axes[1].set_ylim(0, 100)
    return sheet.finish()


def held_out(mnist_dynamics: api.Table) -> Figure:
    """The loss on held-out images falls; in the end, they are classified slightly better than the training images.

    Held out are the 10,000 test images of MNIST, or 1,000 of the embedded subset, with the training images' map. Lines
    and bands: mean and standard deviation over seeds. Document 001 has no such figure.
    """
    sheet = api.Sheet()
    runs = sheet.take_counted(claims.TRAINED.shown(mnist_dynamics))
    labels = ("mean squared error\n(held-out images)", "held-out − training\naccuracy (points)")
    axes = sheet.panels(2, 1, figsize=(3.4, 3.8), sharex=True, x=_UPDATES, y=labels)
    api.draw_band(axes[0], api.by_seed(api.require_curve(runs, "test_loss")), api.deviation, color="C0")
    tested, training = (100 * api.by_seed(api.rows_of(runs, f"{part}_accuracy")) for part in ("test", "train"))
    api.draw_band(axes[1], (tested - training).dropna(how="all"), api.deviation, color="C0")
    axes[0].set_ylim(0, None)
    axes[1].axhline(0, color="0.5", lw=0.6)
    _scale_updates(axes[1])
    return sheet.finish()


def updates_in_place(mnist_dynamics: api.Table) -> Figure:
    """The printed code of Part 2 updates in place, and its nets differ for a while from those of the text.

    In place: each matrix changes before the gradient of the next is computed. In-place minus covariance rule, from equal
    starts. a: of the entry of the product of both matrices that differs most, divided by the largest entry; b: of the
    loss. Lines: mean over seeds; bands: smallest to largest. Above: the largest difference of all seeds.
    """
    sheet, runs = _take_rules(mnist_dynamics)
    axes = sheet.panels(2, 1, figsize=(3.4, 3.6), sharex=True, x=_UPDATES, y=_DIFFERENCES)
    losses = {
        rule: api.by_seed(api.rows_of(runs, "train_loss", rule=rule)) for rule in ("covariance", "covariance_in_place")
    }
    of_loss = (losses["covariance_in_place"] / losses["covariance"] - 1).dropna(axis=1, how="all")
    for axis, difference in zip(axes, (claims.product_differences(runs, "covariance_in_place"), of_loss), strict=True):
        percent = 100 * difference.dropna(how="all")
        if percent.empty:
            raise api.NotRecordedError("no seed runs under both forms of the covariance rule")
        axis.axhline(0, color="0.5", lw=0.6)
        api.draw_band(axis, percent, api.extremes, color="C2", label="_in-place − covariance rule")
        largest = percent.abs().max(axis=1)
        at = api.count_text(int(percent.index[largest.argmax()]), "update")
        axis.set_title(f"largest: {largest.max():.2g} %, after {at}", loc="right", fontsize=7)
    _scale_updates(axes[1])
    sheet.note(api.count_text(of_loss.shape[1], "seed"))
    return sheet.finish()


def _take_rules(mnist_dynamics: api.Table) -> tuple[api.Sheet, pd.DataFrame]:
    """Return a sheet and the runs of all rules, with the document's values of the other axes."""
    sheet = api.Sheet()
    return sheet, sheet.take(claims.NET.shown(mnist_dynamics, "rule"))


def _scale_updates(axis: Axes) -> None:
    """Give an axis of updates a logarithmic scale that is linear up to 1, to show the first updates clearly."""
    axis.set_xscale("symlog", linthresh=1, linscale=0.5)
    axis.set_xlim(-0.1, None)
    axis.set_xticks([0, 1, 10, 100], ["0", "1", "10", "100"])
