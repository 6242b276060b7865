"""Each figure of document 003 uses only its own block of the config, and has a message where data are missing."""

import inspect

import numpy as np
import pandas as pd
import pytest
from hierarchy_table import BLOCKS, FIGURES, ZERO_DEPTH, legend_of, lines, picture, table_of, values, words
from matplotlib.colors import same_color, to_rgba

from deepnets.documents.hierarchy.figures import data as of_data
from deepnets.documents.hierarchy.figures import learning, sliders
from deepnets.documents.hierarchy.figures import regression as comparison
from deepnets.documents.hierarchy.rows import epochs_of_learning

pytestmark = pytest.mark.usefixtures("off_screen")


@pytest.fixture(scope="module")
def table():
    return table_of()


def test_the_document_s_setting_is_drawn_even_if_a_sweep_has_more_runs(table):
    main = table[(table["block"] != "main") | (table["seed"] == 2021)]
    # The sweep has more seeds and records than the document's own runs, on the same data.
    sliders = [{"learning_rate": 5, "scale": 1e-3, "seed": seed} for seed in range(3)]
    figure = learning.training_loss(pd.concat([table_of({"sliders": sliders}), main]))
    np.testing.assert_array_equal(lines(figure.axes[0])[0], values(table, "train_loss"))
    assert legend_of(figure) == [r"rate 15, $\gamma$ = $10^{-2}$", "seed 2021", "theory"]


def test_a_net_without_a_hidden_layer_is_not_called_deep():
    table = table_of({"main": [{**ZERO_DEPTH, "init": "fan_sum_normal"}], "zero_depth": [ZERO_DEPTH]})
    figure = comparison.weights_compared(table)
    assert [axis.get_title() for axis in figure.axes[1:3]] == ["zero depth", "zero depth"]
    assert not any("deep" in label for axis in figure.axes for label in axis.get_legend_handles_labels()[1])
    # The net without a hidden layer learns all modes, but has no half times.
    modes = values(table, "singular_value", "main").reshape(-1, 8)
    assert (modes[-1] > values(table, "data_singular_value", "main") / 2).all()
    for axis in learning.half_times(table).axes:
        assert "half times are recorded only with a hidden layer" in axis.texts[0].get_text().replace("\n", " ")


def test_epochs_of_learning_are_those_at_which_the_loss_has_fallen_far_enough():
    loss = pd.DataFrame({"step": range(6), "metric": "train_loss", "index": 0, "value": [1, 0.9, 0.56, 0.54, 0.3, 0.1]})
    plateaus = pd.DataFrame({"step": 0, "metric": "theory_plateau", "index": [0, 1, 2, 3], "value": [1, 0.5, 0.2, 0]})
    runs = pd.concat([loss, plateaus]).assign(seed=7)
    assert epochs_of_learning(runs, 0.9) == [3, 5, None]
    assert epochs_of_learning(runs, 0.5) == [2, 4, 5]


# These figures have no data without their block, and a message instead.

NEEDS = {
    figure: block
    for block, figures in {
        "shark": [of_data.data_shark, learning.illusory_shark],
        "parrot": [of_data.data_parrot, learning.illusory_parrot],
        "bones": [learning.bones_of_all_animals],
        "zero_depth": [comparison.zero_depth_loss],
        "sliders": [sliders.sweep_loss, sliders.sweep_modes, sliders.sweep_rsm],
        "main": [
            *(of_data.data, of_data.data_spectrum, learning.training_loss, learning.loss_and_modes),
            *(learning.half_times, learning.loss_modes_and_rsm, learning.rsm_over_epochs),
        ],
    }.items()
    for figure in figures
}


@pytest.mark.parametrize("draw", FIGURES)
def test_a_figure_without_its_block_has_a_message(table, draw):
    # The tree needs no run, and two figures need two blocks.
    needed = NEEDS.get(draw, {comparison.weights_compared: "zero_depth"}.get(draw))
    said = " ".join(words(draw(table[table["block"] != needed]))).replace("\n", " ")
    assert ("config contains no such runs" in said) == (draw in NEEDS)
    assert ("not run" in said) == (draw == comparison.weights_compared)


@pytest.mark.parametrize("draw", FIGURES)
def test_a_figure_of_runs_that_diverge_at_once_has_a_message(draw):
    blocks = {block: runs[:1] for block, runs in BLOCKS.items()}
    figure = draw(table_of(blocks, scale=1e20))
    shown = " ".join(words(figure)).replace("\n", " ")
    # Data do not diverge.
    if inspect.getmodule(draw) != of_data:
        said = ("left the finite numbers at update 0", "diverged at 0", "no mode reached")
        assert any(text in shown for text in said)


def test_a_run_that_diverges_later_is_drawn_up_to_its_last_record():
    table = table_of({"main": [{"learning_rate": 100, "scale": 1}]})
    stopped = table.loc[table["metric"] == "diverged", "step"].item()
    figure = learning.training_loss(table)
    np.testing.assert_array_equal(lines(figure.axes[0])[0], values(table, "train_loss"))
    assert legend_of(figure)[1] == f"seed 2021, diverged at {stopped}"
    # The losses just before divergence would hide all others.
    assert values(table, "train_loss").max() > 1e6
    assert figure.axes[0].get_ylim()[1] == 2


def test_figures_are_drawn_for_a_tree_of_another_size():
    blocks = {block: runs[:1] for block, runs in BLOCKS.items() if block not in ("shark", "parrot", "bones")}
    table, items, levels = table_of(blocks, levels=2, branches=3), 9, 3
    for draw in FIGURES:
        figure = draw(table)
        # Layout would take most of the time.
        figure.set_layout_engine("none")
        figure.draw_without_rendering()
        if draw == of_data.tree:
            assert sum(text.startswith("level ") for text in words(figure)) == levels
            assert words(figure)[levels:][-1] == f"item {items}"
        if draw == of_data.data:
            assert "made-up features for 8 items only" in " ".join(words(figure)).replace("\n", " ")
            assert picture(figure.axes[2]).shape == (items, 10)


def test_a_net_without_a_hidden_layer_has_no_similarities():
    table = table_of({"sliders": [ZERO_DEPTH], "larger_scale": [ZERO_DEPTH], "main": [ZERO_DEPTH]})
    for draw in (sliders.sweep_rsm, sliders.larger_scale):
        assert set(words(draw(table))) - {"rate 50"} == {"no hidden\nlayer"}
    assert "recorded no such values" in words(learning.rsm_over_epochs(table))[0].replace("\n", " ")


def test_a_feature_that_was_not_added_has_no_name():
    table = table_of({"shark": [{}]})
    assert not of_data.data_shark(table).axes[1].get_xticklabels()
    assert "recorded no such values" in words(learning.illusory_shark(table))[0].replace("\n", " ")


def test_figures_of_a_net_that_learns_nothing_have_a_message():
    figure = learning.half_times(table_of({"main": [{"scale": 1e-12}]}))
    said = [text.replace("\n", " ") for text in words(figure)]
    assert len(said) == len(figure.axes)
    assert all("no mode reached half" in text for text in said)


def test_levels_have_different_colours_also_in_grey(table):
    # Each level is lighter than the one above, also in grey.
    levels = [line.get_color() for line in of_data.tree(table).axes[0].lines if line.get_marker() == "o"]
    brightness = [np.dot(to_rgba(colour)[:3], (0.299, 0.587, 0.114)) for colour in levels]
    assert np.all(np.diff(brightness) > 0.08)
    assert same_color(levels[0], learning.loss_and_modes(table).axes[1].lines[0].get_color())
