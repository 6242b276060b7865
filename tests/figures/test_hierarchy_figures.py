"""Each figure of document 003 is drawn whatever the config leaves out of its tables."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from test_hierarchy import SHARK, SPEC, ZERO_DEPTH
from test_regression import SPEC as REGRESSION_SPEC

from workflow.deepnets.experiments import hierarchy, regression
from workflow.deepnets.figures import hierarchy as drawings
from workflow.deepnets.figures import hierarchy_sweep, hierarchy_theory
from workflow.deepnets.figures.regression import regression_exercise

PARROT = {
    "dataset": "parrot",
    "data": {"draw": 2, "added_feature": [1, 1, 1, -1, 1, 1, 1, 1], "illusory_item": 3},
}
# Few features, and the document's rate: what matters here are rows, of a run that diverges among others.
GRIDS = {
    "plain": [{}, {"seed": 2022}],
    "shark": [SHARK],
    "parrot": [PARROT],
    "zero_depth": [ZERO_DEPTH],
    "sweep": [{"scale": 1}, {"scale": 10, "learning_rate": 1e5}],
}
FIGURES = [
    drawings.data,
    drawings.data_shark,
    drawings.data_parrot,
    drawings.training_loss,
    drawings.loss_and_modes,
    drawings.loss_modes_and_rsm,
    drawings.rsm_over_epochs,
    drawings.illusory_shark,
    drawings.illusory_parrot,
    drawings.zero_depth_loss,
    drawings.weights_compared,
    hierarchy_sweep.sweep_loss,
    hierarchy_sweep.sweep_rsm,
    hierarchy_theory.data_spectrum,
    hierarchy_theory.mode_strengths,
    hierarchy_theory.half_times,
    hierarchy_theory.loss_plateaus,
]


def table_of(run, specs):
    frames = []
    for spec in specs:
        axes = {name: spec[name] for name in ("dataset", "depth", "scale", "learning_rate", "seed") if name in spec}
        frames.append(pd.DataFrame(run(spec).columns()).assign(**axes))
    return pd.concat(frames, ignore_index=True)


def small(**changes):
    return {**SPEC, "features": 100, "steps": 70, "record_rsm_every": 1, **changes}


@pytest.fixture(scope="module")
def grids():
    return {name: table_of(hierarchy.run, [small(**changes) for changes in runs]) for name, runs in GRIDS.items()}


@pytest.fixture(autouse=True)
def closed():
    matplotlib.use("Agg")
    with plt.style.context("workflow/styles/column.mplstyle"):
        yield
    plt.close("all")


@pytest.mark.parametrize("left_out", [None, *GRIDS])
def test_figures_stand_without_a_grid(grids, left_out):
    table = pd.concat([rows for name, rows in grids.items() if name != left_out], ignore_index=True)
    for draw in FIGURES:
        assert draw(table).axes


def test_figures_stand_without_any_rows(grids):
    for draw in FIGURES:
        assert draw(grids["plain"].iloc[:0]).axes


def test_figures_stand_for_another_tree():
    table = table_of(hierarchy.run, [small(levels=2, branches=3), small(levels=2, branches=3, **ZERO_DEPTH)])
    for draw in FIGURES:
        assert draw(table).axes


def test_figures_follow_the_config_to_another_rate_and_scale():
    runs = [small(learning_rate=80, scale=1e-9, seed=seed) for seed in (2021, 2022)]
    around = [small(learning_rate=20, scale=1e-12, record_rsm_every=50)]
    figure = drawings.training_loss(table_of(hierarchy.run, around + runs))
    expected = table_of(hierarchy.run, runs[:1])
    loss = expected.loc[expected["metric"] == "train_loss", "value"]
    np.testing.assert_array_equal(figure.axes[0].lines[0].get_ydata(), loss)
    assert len(figure.axes[0].lines) == 2


def test_divergence_is_marked(grids):
    figure = hierarchy_sweep.sweep_loss(grids["sweep"])
    texts = [text.get_text() for axis in figure.axes for text in axis.texts]
    assert any(text.startswith("diverged") for text in texts)


@pytest.mark.parametrize("size", [{}, {"outputs": 1, "inputs": 4}])
def test_the_exercise_shows_its_weights(size):
    table = table_of(regression.run, [{**REGRESSION_SPEC, **size, "seed": seed} for seed in range(2)])
    figure = regression_exercise(table)
    true, estimated = (np.array([float(text.get_text()) for text in axis.texts]) for axis in figure.axes[:2])
    first = table[table["seed"] == 0]
    np.testing.assert_allclose(true, first.loc[first["metric"] == "true_weight", "value"])
    # Estimates are written with one decimal.
    np.testing.assert_allclose(estimated, first.loc[first["metric"] == "estimated_weight", "value"], atol=0.0501)
