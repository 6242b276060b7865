"""The figures of document 001, a notebook on the learning dynamics of Saxe, McClelland and Ganguli 2013."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from workflow.deepnets.figures._rows import by_seed, rows_of

DOCUMENT = "001-mnist-dynamics"
# Printed in the document at t updates.
_QUOTED = {
    "train_loss": {0: 0.936852, 1: 0.594968},
    "train_accuracy": {0: 0.11006, 1: 0.12794, 10: 0.38976, 100: 0.82956},
}
_RULES = {"covariance": ("covariance rule", "C0"), "samples": ("sample-wise rule", "C1")}


def loss_and_accuracy(mnist_dynamics: pd.DataFrame) -> Figure:
    """Training loss and accuracy of the linear net against updates, with the values that the document prints.

    Lines: mean over seeds; bands: one standard deviation. The rules agree for equal seeds; the bands differ as the
    covariance rule has more of them. Dashed: the loss of the least-squares solution. The document drew its
    initialisation without a seed, so its values are one draw.
    """
    figure, axes = plt.subplots(2, 1, figsize=(3.4, 4.0), sharex=True)
    for axis, (metric, unit, label) in zip(
        axes, (("train_loss", 1, "mean squared error"), ("train_accuracy", 100, "training accuracy (%)")), strict=True
    ):
        for rule, (name, colour) in _RULES.items():
            values = unit * by_seed(rows_of(mnist_dynamics, metric, rule=rule))
            mean, deviation = values.mean(axis=1), values.std(axis=1, ddof=0)
            axis.plot(
                mean, color=colour, ls="-" if rule == "covariance" else "--", label=f"{name}, {values.shape[1]} seeds"
            )
            axis.fill_between(values.index, mean - deviation, mean + deviation, color=colour, alpha=0.2, lw=0)
        quoted = _QUOTED[metric]
        axis.plot(
            quoted.keys(),
            [unit * value for value in quoted.values()],
            "D",
            color="k",
            mfc="white",
            label="document",
            zorder=4,
        )
        axis.set_ylabel(label)
    optimum = rows_of(mnist_dynamics, "optimal_loss")["value"].iloc[0]
    axes[0].axhline(optimum, color="0.5", ls=":", label="least squares")
    axes[0].legend()
    axes[1].set_xscale("symlog", linthresh=1, linscale=0.5)
    axes[1].set(xlabel="updates", xlim=(-0.1, None), xticks=[0, 1, 10, 100], ylim=(0, 100))
    axes[1].set_xticklabels(["0", "1", "10", "100"])
    return figure


def rule_difference(mnist_dynamics: pd.DataFrame) -> Figure:
    """The two update rules compared: largest difference of an entry of the end-to-end matrix, for equal seeds.

    Relative to the largest entry, in float64, against updates; one line per seed, which start equal at 0. The rules
    are the same mathematics (document 001, Part 2), so that only round-off is left; dotted: the spacing of float64
    at 1.
    """
    products = rows_of(mnist_dynamics, "product")
    figure, axis = plt.subplots(figsize=(3.4, 2.4))
    seeds = set.intersection(*(set(products["seed"][products["rule"] == rule]) for rule in _RULES))
    for seed in sorted(seeds):
        samples, covariance = (
            products[(products["seed"] == seed) & (products["rule"] == rule)].pivot(
                index="step", columns="index", values="value"
            )
            for rule in ("samples", "covariance")
        )
        difference = (samples - covariance).abs().max(axis=1) / covariance.abs().max(axis=1)
        axis.plot(difference[difference > 0], marker="o", ms=2.5, label=f"{seed}")
    axis.axhline(np.finfo(np.float64).eps, color="0.5", ls=":")
    axis.set(xscale="log", yscale="log", xlabel="updates", ylabel="relative difference")
    axis.legend(title="seed", ncols=2)
    return figure


def multiply_adds(mnist_dynamics: pd.DataFrame) -> Figure:
    """Multiply–adds of one update under both rules against the number of images: counted, not timed.

    The sample-wise rule pays for every image at every update; the covariance rule pays once, before the first
    (dashed), and then the same for any number of images.
    """
    figure, axis = plt.subplots(figsize=(3.4, 2.4))
    for rule, (name, colour) in _RULES.items():
        update = _against_images(mnist_dynamics, "multiply_adds", rule)
        axis.plot(update, color=colour, label=f"{name}, each update")
    setup = _against_images(mnist_dynamics, "multiply_adds_setup", "covariance")
    axis.plot(setup, color=_RULES["covariance"][1], ls="--", label="covariance rule, once")
    axis.set(xscale="log", yscale="log", xlabel="images", ylabel="multiply–adds")
    axis.legend()
    return figure


def _against_images(table: pd.DataFrame, metric: str, rule: str) -> pd.Series:
    rows = rows_of(table, metric, rule=rule)
    return rows[rows["seed"] == rows["seed"].min()].set_index("index")["value"]
