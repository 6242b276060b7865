"""The figures of learning times, drawn from tables of known numbers."""

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import evidence
from conftest import default_config
from deepnets.documents.saxe_2013.figures import input_correlations as correlations
from deepnets.documents.saxe_2013.figures import learning_time as figures
from deepnets.jobs.draw import mark_subset

pytestmark = pytest.mark.usefixtures("off_screen")


rows = partial(evidence.rows, experiment="learning_time", depth=2, init="orthogonal", block="depths", width=100, seed=0)


def caption_of(draw):
    return " ".join(draw.__doc__.split())


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


def bars_of(axis):
    """Return the ends of the error bars by label, (points, 2)."""
    return {
        container.get_label(): np.array([path.vertices[:, 1] for path in container[2][0].get_paths()])
        for container in axis.containers
    }


def test_learning_times_of_decoupled_nets_are_drawn_with_theory_and_errors(table):
    axis = figures.learning_times(table).axes[0]
    lines = lines_of(axis)
    assert lines["theory, continuous time"] == [[3, 8], [10, 32]]
    assert lines["map of a mode"] == [[3, 10], [10, 33]]
    assert [xy[1] for xy in lines["its limit, infinite depth"]] == [40, 40]
    nets = next(c for c in axis.containers if c.get_label() == "nets")
    assert nets[0].get_xydata().tolist() == [[3, 10], [10, 33.5]]
    np.testing.assert_allclose(bars_of(axis)["nets"], [[10, 10], [33, 34]])
    (text,) = (text.get_text() for text in axis.texts)
    assert "1.5 to 2.0 updates" in text and "25.0 % at 3 layers" in text and "4.7 % at 10 layers" in text
    assert "3e-15" in text


def test_learning_times_of_all_inits_are_means_and_deviations_or_lower_bounds(table):
    figure = figures.learning_times(table)
    assert "nets" not in [text.get_text() for text in figure.legends[0].get_texts()]
    axis = figure.axes[1]
    points = {container.get_label(): container[0].get_xydata().tolist() for container in axis.containers}
    assert points["orthogonal"] == [[3, 12]] and points["Gaussian"] == [[3, 30]] and points["pretrained"] == [[3, 6]]
    np.testing.assert_allclose(bars_of(axis)["orthogonal"], [[10, 14]])
    np.testing.assert_allclose(bars_of(axis)["Gaussian"], [[20, 40]])
    lines = lines_of(axis)
    # One seed learned after 60 updates, the other had not after 100.
    assert lines["Gaussian, at least"] == [[10, 80]]
    assert lines["pretrained, with pretraining"] == [[3, 19]]
    assert "small Gaussian" not in points


def test_the_caption_has_the_ratio_of_the_rates_of_decoupled_nets():
    rates = default_config()["experiments"]["learning_time"]["defaults"]["rates"]
    tried = np.geomspace(rates["lowest"], rates["highest"], rates["count"])
    assert f"by default {100 * (tried[1] / tried[0] - 1):.0f} % for nets that start decoupled" in caption_of(
        figures.best_rates
    )
    # The rates are relative to that of theory, so one of them is 1.
    assert np.abs(tried - 1).min() < 1e-12


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


def test_learning_curves_start_after_pretraining():
    axes = {"block": "learning_curves", "depth": 4, "width": 200}
    table = pd.concat(
        [
            run(70, init="small_gaussian", losses=(0.1, 0.05), **axes),
            *(run(16, init="pretrained", seed=s, losses=(1, 0.055), pretraining=[10 + s, 20], **axes) for s in (0, 2)),
            run(9, init="pretrained"),
        ]
    )
    figure = figures.learning_curves(table)
    lines = lines_of(figure.axes[0])
    assert lines["small Gaussian: 70"] == [[0, 0.1], [70, 0.05]]
    assert lines["pretrained: 31 + 16"] == [[30, 1], [46, 0.055]]
    assert [[32, 1], [48, 0.055]] in lines.values()
    assert [0.06, 0.06] in [list(line.get_ydata()) for line in figure.axes[0].lines]
    assert figure.legends[0].get_title().get_text() == "width 200, 1 to 2 seeds\n5 layers; updates:"


def test_a_mean_over_nets_of_which_some_have_not_learned_is_a_lower_bound():
    axes = {"block": "learning_curves", "depth": 4, "width": 200, "init": "small_gaussian"}
    figure = figures.learning_curves(pd.concat([run(70, **axes), run(None, last=90, seed=1, **axes)]))
    assert "small Gaussian: at least 80" in lines_of(figure.axes[0])


def test_the_smallest_width_is_drawn_and_named(table):
    wide = table.assign(width=300, value=1e9)
    figure = figures.learning_times(pd.concat([wide, table]))
    assert lines_of(figure.axes[0])["map of a mode"] == [[3, 10], [10, 33]]
    assert "also swept: width (300), see" in " ".join(figure.legends[0].get_title().get_text().split())


def test_learning_curves_are_drawn_at_the_width_of_the_paper():
    widths = [run(9, depth=4, init="small_gaussian", block="learning_curves", width=width) for width in (100, 200)]
    (legend,) = figures.learning_curves(pd.concat(widths)).legends
    said = " ".join(legend.get_title().get_text().split())
    assert said.startswith("also swept: width (100), see ") and said.endswith("width 200, 1 seed 5 layers; updates:")


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


def test_figures_without_a_learned_run_have_a_message():
    diverged = rows("diverged", 1, step=3)
    slow = pd.concat([run(None, last=8, init="decoupled"), run(None, last=8)])
    for table, words in ((diverged, "the only run left the finite numbers at update 3"), (slow, "no run learned in")):
        (axis,) = figures.best_rates(table).axes
        assert words in axis.texts[0].get_text().replace("\n", " ") and not axis.lines
    for axis in figures.learning_times(diverged).axes:
        assert "Nothing to show" in axis.texts[0].get_text()
    # One initialisation learned, and the text names the other.
    some = pd.concat([run(9, init="decoupled"), run(None, last=8)])
    assert "orthogonal: none learned" in lines_of(figures.best_rates(some).axes[0])
    # The panel of all initialisations still shows lower bounds.
    axes = figures.learning_times(slow).axes
    assert "no run learned in" in axes[0].texts[0].get_text().replace("\n", " ")
    assert lines_of(axes[1])["orthogonal, at least"] == [[3, 8]]


def test_correlations_are_cosines_with_their_size_off_the_diagonal():
    def correlation(metric, matrix):
        return rows(metric, np.ravel(matrix)).assign(init="none")

    table = pd.concat(
        [
            correlation("pixel_correlation", [[4, 3], [3, 9]]),
            correlation("mode_correlation", [[16, -1], [-1, 0]]),
        ]
    )
    pixels, modes, *_ = correlations.consistency_of_inputs(table.drop(columns=["block", "width"])).axes
    np.testing.assert_allclose(pixels.images[0].get_array(), [[1, 0.5], [0.5, 1]])
    assert "rms 0.50, max 0.50" in pixels.get_xlabel()
    assert pixels.images[0].get_clim() == modes.images[0].get_clim() == (-1, 1)
    np.testing.assert_allclose(modes.images[0].get_array(), [[1, -0.25], [-0.25, 0]])
    assert "rms 0.25, max 0.25" in modes.get_xlabel()
