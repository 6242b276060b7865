"""The figures of learning times, drawn from tables of known numbers."""

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import evidence
from deepnets.documents.saxe_2013.figures import learning_time as figures
from deepnets.jobs.draw import mark_subset

pytestmark = pytest.mark.usefixtures("off_screen")


rows = partial(evidence.rows, experiment="learning_time", depth=2, init="orthogonal", block="depths", width=100, seed=0)


def run(time=None, *, rate=0.1, edge=0, hold=0, losses=(1.0, 0.5), theory_rate=0.2, pretraining=None, **axes):
    """Return the rows of a run that learned at update `time`, or never, with losses at its first and last update."""
    last = axes.pop("last", time)
    parts = [
        rows("theory_best_learning_rate", theory_rate, **axes),
        rows("target_loss", 0.06, **axes),
        rows("train_loss", losses[0], step=0, **axes),
        rows("train_loss", losses[1], step=last + hold, **axes),
        rows("best_learning_rate", rate, step=last, **axes),
        rows("best_at_edge", edge, step=last, **axes),
    ]
    if time is not None:
        parts.append(rows("learning_time", time, step=time, **axes))
    if pretraining is not None:
        parts.append(rows("pretraining_updates", pretraining, **axes))
    return pd.concat(parts)


def decoupled_run(time, theory, limit, mapped, difference, *, rate=0.1, **axes):
    metrics = {
        "theory_learning_time": theory,
        "limit_learning_time": limit,
        "map_learning_time": mapped,
        "map_difference": difference,
    }
    axes = {"init": "decoupled", **axes}
    return pd.concat(
        [run(time, rate=rate, **axes), *(rows(metric, value, **axes) for metric, value in metrics.items())]
    )


@pytest.fixture
def table():
    return pd.concat(
        [
            *(decoupled_run(10, 8, 40, 10, 1e-16, depth=2, seed=seed) for seed in (0, 1)),
            *(decoupled_run(33 + seed, 32, 40, 33, 3e-15, depth=9, seed=seed, rate=0.2 * 2**seed) for seed in (0, 1)),
            run(10, depth=2, seed=0, hold=7),
            run(14, depth=2, seed=1, hold=7),
            run(20, depth=2, init="gaussian", seed=0, rate=0.01),
            run(40, depth=2, init="gaussian", seed=1, rate=0.04, edge=1),
            run(60, depth=9, init="gaussian", seed=0),
            run(None, last=100, depth=9, init="gaussian", seed=1, rate=9),
            *(run(6, depth=2, init="pretrained", seed=seed, pretraining=[5, 7 + 2 * seed]) for seed in (0, 1)),
            run(99, depth=2, init="small_gaussian", block="learning_curves"),
        ]
    )


def lines_of(axis):
    return {line.get_label(): line.get_xydata().tolist() for line in axis.lines}


def test_best_rates_are_geometric_means_of_the_seeds_that_learned(table):
    axis = figures.best_rates(table).axes[0]
    lines = {label: np.array(points) for label, points in lines_of(axis).items()}
    np.testing.assert_allclose(lines["Gaussian"], [[3, 0.02], [10, 0.1]])
    np.testing.assert_allclose(lines["theory, $1.9/\\lambda$"], [[3, 0.2], [10, 0.2]])
    np.testing.assert_allclose(lines["orthogonal"], [[3, 0.1]])
    # The means are 0.1 and 0.2·√2, and theory has 0.2.
    np.testing.assert_allclose(lines["decoupled, 0.50 to 1.41 × theory"], [[3, 0.1], [10, 0.2 * 2**0.5]])
    spans = [np.array([path.vertices[:, 1] for path in container[2][0].get_paths()]) for container in axis.containers]
    np.testing.assert_allclose(spans[-1], [[0.01, 0.04], [0.1, 0.1]])
    # Only for the last, Gaussian, the best rate of a seed is at the edge of the sweep.
    opened = [line.get_xydata().tolist() for line in axis.lines if line.get_markerfacecolor() == "white"]
    np.testing.assert_allclose([xy for each in opened for xy in each], [[3, 0.02]])


def test_a_mean_over_nets_of_which_some_have_not_learned_is_a_lower_bound():
    axes = {"block": "learning_curves", "depth": 4, "width": 200, "init": "small_gaussian"}
    figure = figures.learning_curves(pd.concat([run(70, **axes), run(None, last=90, seed=1, **axes)]))
    assert "small Gaussian: at least 80" in lines_of(figure.axes[0])


@pytest.mark.parametrize("widths", [[100], [100, 200, 300]])
def test_texts_do_not_overlap_on_the_subset(table, widths):
    figure = figures.learning_times(pd.concat([table.assign(width=width) for width in widths]))
    mark_subset(figure)
    # Constrained layout needs two passes.
    figure.canvas.draw()
    figure.canvas.draw()
    shown = [*figure.texts, *figure.legends, *(axis.get_legend() for axis in figure.axes if axis.get_legend())]
    shown += [text for axis in figure.axes for text in (*axis.texts, axis.xaxis.label)]
    boxes = [each.get_window_extent() for each in shown if not isinstance(each, Text) or each.get_text()]
    assert len(boxes) == 6
    assert [(one, other) for one, other in combinations(boxes, 2) if one.overlaps(other)] == []
    assert all(box.x0 >= 0 and box.y0 >= -1 and box.y1 <= figure.bbox.height + 1 for box in boxes)
