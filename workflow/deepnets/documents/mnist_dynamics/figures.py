from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deepnets.documents.mnist_dynamics import claims
from deepnets.looks import RULES
from reproduce import api

# The maximum number of seeds that a legend lists by name.
_NAMED_SEEDS = 8
_METRICS, _LABELS = ("train_loss", "train_accuracy"), ("mean squared error", "training accuracy (%)")
_DIFFERENCES = ("difference\nof the product (%)", "difference\nof the loss (%)")
_HOLLOW: dict[str, Any] = {"color": "k", "mfc": "white", "zorder": 4}


def loss_and_accuracy(mnist_dynamics: api.Table) -> Figure:
    """Training loss (a) and accuracy (b) of the linear net against updates, with the values that the document prints.

    Lines: mean over seeds; bands: one standard deviation; dotted: loss of the least-squares solution. The rules on
    samples and on covariances have equal gradients; the figure of updates in place explains the third rule. Diamonds:
    the document's training; square: its first draw of initial weights, which a second draw replaced (neither has a
    seed). z: our mean loss (covariance rule) minus the printed one, after 0 and 1 updates, divided by the standard
    deviation that this difference would have for one more seed of ours. The ledger judges the loss after one update
    given the low loss before it.
    """
    sheet, runs = _take_rules(mnist_dynamics)
    axes = sheet.panels(2, 1, figsize=(3.4, 4.4), sharex=True, x="updates", y=_LABELS)
    losses = api.by_seed(api.runs_of(api.require_curve(runs, "train_loss"), rule="covariance"))
    draws = {"document": claims.LOSSES, "first draw": {0: claims.LOSS_OF_FIRST_DRAW}}
    own, first = (_with_scores(name, printed, losses) for name, printed in draws.items())
    for axis, metric, unit, printed in zip(axes, _METRICS, (1, 100), (claims.LOSSES, claims.ACCURACIES), strict=True):
        for rule, (name, colour, style) in RULES.items():
            values = unit * api.by_seed(api.rows_of(runs, metric, rule=rule))
            label = f"{name}, {api.count_text(values.shape[1], 'seed')}"
            api.draw_band(axis, values, api.deviation, color=colour, ls=style, label=label)
        document = {step: unit * value for step, value in printed.items()}
        axis.plot(document.keys(), document.values(), "D", label=own, clip_on=False, **_HOLLOW)
    axes[0].plot(0, claims.LOSS_OF_FIRST_DRAW, "s", label=first, **_HOLLOW)
    axes[0].axhline(api.rows_of(runs, "optimal_loss")["value"].iloc[0], color="0.5", ls=":", label="least squares")
    axes[0].legend()
    _scale_updates(axes[1])
    axes[1].set_ylim(0, 100)
    return sheet.finish()


def held_out(mnist_dynamics: api.Table) -> Figure:
    """Loss (a) and accuracy (b) of the linear net on training images and on held-out images, against updates.

    c: the difference of both accuracies. The held-out images are the 10,000 test images of MNIST, or 1,000 of the
    embedded subset. The held-out images are centred, projected and scaled with the map of the training images. Lines:
    mean over seeds; bands: one standard deviation. Document 001 has no such figure.
    """
    sheet = api.Sheet()
    runs = sheet.take(claims.TRAINED.shown(mnist_dynamics))
    labels = ("mean squared error", "accuracy (%)", "held-out − training\naccuracy (points)")
    axes = sheet.panels(3, 1, figsize=(3.4, 5.6), sharex=True, x="updates", y=labels)
    training, tested = (
        {
            "loss": api.by_seed(api.require_curve(runs, f"{part}_loss")),
            "accuracy": 100 * api.by_seed(api.rows_of(runs, f"{part}_accuracy")),
        }
        for part in ("train", "test")
    )
    for axis, measured in zip(axes, training, strict=False):
        api.draw_band(axis, training[measured], api.deviation, color="C0", ls="-", label="training images")
        api.draw_band(axis, tested[measured], api.deviation, color="C1", ls="--", label="held-out images")
    difference = (tested["accuracy"] - training["accuracy"]).dropna(how="all")
    api.draw_band(axes[2], difference, api.deviation, color="C2", label="difference")
    for axis in axes:
        _scale_updates(axis)
    axes[0].legend(title=api.count_text(training["loss"].shape[1], "seed"))
    axes[2].axhline(0, color="0.5", lw=0.6)
    return sheet.finish()


def rule_difference(mnist_dynamics: api.Table) -> Figure:
    """Difference between the end-to-end matrices of the two update rules, against updates; one line per seed.

    The end-to-end matrix is the product of all weight matrices. The difference is that of the entry that
    differs most, divided by the largest entry. The two rules (on covariances and on samples) start from the same
    weights and are equivalent (document 001, Part 2): only rounding differs. Dotted: the spacing of float64 numbers at
    1.
    """
    sheet, runs = _take_rules(mnist_dynamics)
    axis = sheet.panel(figsize=(3.4, 2.4), x="updates", y=["relative difference"])
    differences = claims.product_differences(runs, "samples")
    if not (differences > 0).any(axis=None):
        raise api.NotRecordedError("no seed differs between the rules at any update that both record")
    for count, (seed, difference) in enumerate(differences.loc[:, (differences > 0).any()].items()):
        label = f"seed {seed}" if count < _NAMED_SEEDS else "more seeds" if count == _NAMED_SEEDS else None
        axis.plot(difference[difference > 0], marker="o", ms=2.5, label=label)
    axis.axhline(np.finfo(np.float64).eps, color="0.5", ls=":", label="spacing of float64")
    axis.set(xscale="log", yscale="log")
    sheet.add_legend(columns=3)
    return sheet.finish()


def updates_in_place(mnist_dynamics: api.Table) -> Figure:
    """Difference between the update rule in the printed code of Part 2 and the rule in its text, against updates.

    The printed code updates weights in place: it updates each matrix before it computes the gradient of the next
    matrix. Both rules start from the same weights. a: difference of the entry of the end-to-end matrix that
    differs most, divided by the largest entry; b: relative difference of the loss. Lines: mean over seeds; bands:
    smallest to largest. Above each panel: the largest difference of all seeds and updates shown.
    """
    sheet, runs = _take_rules(mnist_dynamics)
    axes = sheet.panels(2, 1, figsize=(3.4, 3.6), sharex=True, x="updates", y=_DIFFERENCES)
    losses = {
        rule: api.by_seed(api.rows_of(runs, "train_loss", rule=rule)) for rule in ("covariance", "covariance_in_place")
    }
    of_loss = (losses["covariance_in_place"] / losses["covariance"] - 1).dropna(axis=1, how="all")
    for axis, difference in zip(axes, (claims.product_differences(runs, "covariance_in_place"), of_loss), strict=True):
        percent = 100 * difference.dropna(how="all")
        if percent.empty:
            raise api.NotRecordedError("no seed runs under both forms of the covariance rule")
        axis.axhline(0, color="0.5", lw=0.6)
        api.draw_band(axis, percent, api.extremes, color="C2", label=api.count_text(percent.shape[1], "seed"))
        largest = percent.abs().max(axis=1)
        at = api.count_text(int(percent.index[largest.argmax()]), "update")
        axis.set_title(f"largest: {largest.max():.2g} %, after {at}", loc="right", fontsize=7)
        # The runs record the end-to-end matrix more often at first.
        axis.set_xscale("symlog", linthresh=1, linscale=0.5)
        axis.set_xlim(0, None)
    axes[1].legend(title="in-place − covariance rule", loc="upper right", title_fontsize=7)
    return sheet.finish()


def multiply_adds(mnist_dynamics: api.Table) -> Figure:
    """Multiply-adds of one update under each update rule, against the number of images: counted, not timed.

    The rule on samples processes all images at every update. The rule on covariances processes the images once,
    before the first update (dashed); each update then costs the same for any number of images. Dotted: updates in
    place.
    """
    sheet, runs = _take_rules(mnist_dynamics, note_divergence=False)
    axis = sheet.panel(figsize=(3.4, 2.4), x="images", y=["multiply–adds"])
    for rule, metric, style, label in (
        ("covariance", "multiply_adds", "-", "each update"),
        ("samples", "multiply_adds", "-", "each update"),
        ("covariance", "multiply_adds_setup", "--", "once"),
        ("covariance_in_place", "multiply_adds", ":", "each update"),
    ):
        counts = api.values_by_index(api.first_seed(api.require_rows(runs, metric, rule=rule)))
        name, colour, _ = RULES[rule]
        # Dots thicker than the line with which they coincide.
        axis.loglog(counts, color=colour, ls=style, lw=2.4 if style == ":" else 1.2, label=f"{name}, {label}")
    axis.legend()
    return sheet.finish()


def _take_rules(mnist_dynamics: api.Table, **options: Any) -> tuple[api.Sheet, pd.DataFrame]:
    """Return a sheet and the runs of all rules, with the document's values of the other axes."""
    sheet = api.Sheet(**options)
    return sheet, sheet.take(claims.NET.shown(mnist_dynamics, "rule"))


def _scale_updates(axis: Axes) -> None:
    """Give an axis of updates a logarithmic scale that is linear up to 1, to show the first updates clearly."""
    axis.set_xscale("symlog", linthresh=1, linscale=0.5)
    axis.set_xlim(-0.1, None)
    axis.set_xticks([0, 1, 10, 100], ["0", "1", "10", "100"])


def _with_scores(name: str, printed: dict[int, float], losses: pd.DataFrame) -> str:
    """Return the name of printed losses, step → loss, with the z score of each; losses: steps × seeds."""
    if losses.shape[1] < 2 or not printed.keys() <= {*losses.index}:
        return name
    ours = losses.loc[[*printed]]
    scores = (ours.mean(axis=1) - [*printed.values()]) / (ours.std(axis=1, ddof=1) * np.sqrt(1 + 1 / len(ours.columns)))
    # Adding 0 turns "-0" into "0".
    return f"{name}, z = {', '.join(f'{score:+.1f}' for score in scores.round(1) + 0)}"
