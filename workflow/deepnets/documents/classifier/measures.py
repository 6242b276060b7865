from collections.abc import Mapping

import numpy as np
import pandas as pd

from deepnets.documents.classifier.runs import DATA_SETS, DEPTHS, MORE_INITS, RANK_2
from reproduce import api


def accuracy(selection: api.Selection) -> api.Measure:
    """Measure the final test accuracy of each run, in percent."""
    return 100 * api.final(selection, "test_accuracy")


def with_more_inits(depth: int) -> api.Measure:
    """Measure accuracies of the document's inits at a depth, and of ours at the depths that have some."""
    nets = [by_depth[depth] for by_depth in (DEPTHS, MORE_INITS) if depth in by_depth]
    return api.Measure(lambda tables: np.concatenate([accuracy(net)(tables) for net in nets]), *nets)


def accuracy_of_all(selection: api.Selection) -> api.Measure:
    """Measure the final test accuracy in percent; raise NotTestableError if repetitions of the document are missing."""
    accuracies, repetitions = accuracy(selection), np.size(selection["seed"])

    def compute(tables: api.Tables) -> np.ndarray:
        if len(values := accuracies(tables)) < repetitions:
            raise api.NotTestableError(
                f"the document averages over {repetitions} repetitions, but only {len(values)} were run"
            )
        return values

    return api.Measure(compute, selection)


def difference_by_draw(minuend: api.Selection, subtrahend: api.Selection) -> api.Measure:
    """Measure the difference of two nets' final test accuracies, in percentage points, on each draw of the points.

    Only draws of the points on which both nets were trained count. Several inits on a draw count as their mean.
    """

    def subtract(*runs: pd.DataFrame) -> np.ndarray:
        ends = (
            api.last_rows(api.require_rows(each, "test_accuracy")).groupby("data_seed")["value"].mean() for each in runs
        )
        first, second = (100 * each for each in ends)
        differences = (first - second).dropna()
        if differences.empty:
            raise api.NotTestableError("the two nets share no draw of the points")
        return differences.to_numpy()

    return api.measure(subtract, minuend, subtrahend)


def share_of_first(selection: api.Selection, *, index: int) -> api.Measure:
    """Measure the ratio of a singular value of the trained matrix to the first one."""
    return api.final(selection, "singular_value", index=index) / api.final(selection, "singular_value")


def appearance(selection: api.Selection, mode: int) -> api.Measure:
    """Measure the first recorded update at which a singular value reaches 1 % of the largest final singular value."""

    def find(runs: pd.DataFrame) -> np.ndarray:
        values, first = (api.by_run(api.require_rows(runs, "singular_value", index=index)) for index in (mode, 0))
        return (values >= first.ffill().iloc[-1] / 100).idxmax().to_numpy(float)

    return api.measure(find, selection)


def least_second_over_first(runs: pd.DataFrame) -> np.ndarray:
    """Return the smallest ratio of the second to the first singular value, after the first reaches 1 % of its end."""
    first, second = (api.by_run(api.require_rows(runs, "singular_value", index=index)) for index in (0, 1))
    return (second / first).where(first >= first.ffill().iloc[-1] / 100).min().to_numpy(float)


def root_mean_square_at_start(runs: pd.DataFrame) -> np.ndarray:
    """Return the root mean square of all singular values before training."""
    rows = api.require_rows(runs, "singular_value", step=0)
    return np.sqrt((rows["value"] ** 2).groupby(rows["seed"]).mean()).to_numpy()


def slopes_against_depth(by_depth: Mapping[int, api.Measure]) -> api.Measure:
    """Fit a least-squares line to values against depth and measure the slope, for each repetition.

    by_depth: depth → measure. A depth with a single run uses this run in all repetitions.
    """

    def fit(tables: api.Tables) -> np.ndarray:
        values = api.paired_values(tables, *by_depth.values())
        return api.fit_line(list(by_depth), np.array(np.broadcast_arrays(*values)))[0]

    return api.Measure(fit, *(selection for each in by_depth.values() for selection in each.selections))


def distance_from_mean(selection: api.Selection) -> api.Measure:
    """Measure the distance of each repetition's accuracy from the mean over repetitions, in percentage points."""
    accuracies = accuracy(selection)
    return (accuracies - api.reduce_values(accuracies, np.mean)).apply(np.abs)


def lead_of_rank_2() -> api.Measure:
    """Measure the accuracy of rank 2 minus the accuracy of the best depth, in percentage points."""

    def compute(tables: api.Tables) -> api.Estimate:
        means = {depth: accuracy(runs)(tables).mean() for depth, runs in DEPTHS.items()}
        best = max(means, key=means.__getitem__)
        return api.difference_of_means(accuracy(RANK_2), accuracy(DEPTHS[best]))(tables)

    return api.Measure(compute, RANK_2, *DEPTHS.values())


def lead_of_one_and_three_layers(selection: api.Selection) -> api.Measure:
    """Measure, on each draw, the mean accuracy of one and three layers minus that of a net, in percentage points."""
    return 0.5 * (difference_by_draw(DATA_SETS[1], selection) + difference_by_draw(DATA_SETS[3], selection))


def log_of_third_over_first(selection: api.Selection) -> api.Measure:
    """Measure the logarithm of the ratio of the third to the first singular value of the trained matrix."""
    return share_of_first(selection, index=2).apply(np.log)
