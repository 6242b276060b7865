"""Each figure of document 003 shows the values of its block, whatever else the config holds or leaves out."""

import inspect
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import yaml
from conftest import ROOT
from matplotlib.colors import same_color, to_rgba

from workflow.deepnets.documents.hierarchy.figures import data as of_data
from workflow.deepnets.documents.hierarchy.figures import learning, sliders
from workflow.deepnets.documents.hierarchy.figures import regression as comparison
from workflow.deepnets.documents.hierarchy.printed import TOLERANCE
from workflow.deepnets.documents.hierarchy.rows import epochs_of_learning
from workflow.deepnets.experiments.hierarchy import run as hierarchy

pytestmark = pytest.mark.usefixtures("off_screen")

CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text())["experiments"]["hierarchy"]
# The rate suits few features, and the scale few steps.
SPEC = {
    **CONFIG,
    **{"dataset": "plain", "depth": 2, "init": "fan_sum_normal", "scale": 1e-2, "learning_rate": 15, "seed": 2021},
    **{"data": {"draw": 0}, "features": 200, "steps": 60, "record_rsm_every": 1},
}
SHARK, PARROT = ({"dataset": name, "data": CONFIG["grids"][name]["data"]} for name in ("shark", "parrot"))
ZERO_DEPTH = {"depth": 1, "init": "fan_in_uniform", "scale": 1, "learning_rate": 50}
BLOCKS = {
    "main": [{}, {"seed": 2022}, {"seed": 2023}],
    "shark": [SHARK, {**SHARK, "seed": 2022}],
    "parrot": [PARROT],
    "zero_depth": [ZERO_DEPTH, {**ZERO_DEPTH, "seed": 2022}],
    # All but one of a two by two grid: one that has learned nothing, one that diverges.
    "sliders": [{"scale": 1e-12}, {"scale": 1}, {"scale": 1, "learning_rate": 1e5}],
    "larger_scale": [{"scale": 1, "learning_rate": 4}],
}
AXES = ("block", "dataset", "depth", "init", "scale", "learning_rate", "seed")
FIGURES = [
    figure
    for module in (of_data, learning, comparison, sliders)
    for name, figure in inspect.getmembers(module, inspect.isfunction)
    if figure.__module__ == module.__name__ and not name.startswith("_") and name != "regression_exercise"
]


def table_of(blocks=BLOCKS, **changes):
    frames = []
    for block, runs in blocks.items():
        for run in runs:
            spec = {**SPEC, **run, **changes, "block": block}
            rows = pd.DataFrame(hierarchy.run(spec).columns())
            frames.append(rows.assign(**{axis: spec[axis] for axis in AXES}))
    table = pd.concat(frames, ignore_index=True)
    return table.astype(dict.fromkeys(["block", "dataset", "init", "metric"], "category"))


@pytest.fixture(scope="module")
def table():
    return table_of()


def values(table, metric, block="main", seed=2021, **where):
    """The values of a metric in a run, in the order in which it was recorded."""
    where = {"metric": metric, "block": block, "seed": seed, **where}
    return table.loc[np.logical_and.reduce([table[name] == value for name, value in where.items()]), "value"].to_numpy()


def by_step(table, metric, block="main", **where):
    return values(table, metric, block, **where).reshape(-1, 8, 8)


def lines(axis):
    return [np.asarray(line.get_ydata(), float) for line in axis.lines]


def picture(axis):
    return np.asarray(axis.images[0].get_array())


def words(figure):
    return [text.get_text() for axis in figure.axes for text in axis.texts]


def legend_of(figure):
    legend = figure.legends[0]
    return [legend.get_title().get_text(), *(text.get_text() for text in legend.get_texts())]


# What is drawn: values.


def test_training_loss_is_that_of_all_seeds_with_theory_s_and_its_plateaus(table):
    figure = learning.training_loss(table)
    drawn = lines(figure.axes[0])
    for line, seed in zip(drawn, (2021, 2022, 2023), strict=False):
        np.testing.assert_array_equal(line, values(table, "train_loss", seed=seed))
    np.testing.assert_array_equal(drawn[3], values(table, "theory_train_loss"))
    np.testing.assert_allclose([line[0] for line in drawn[4:]], values(table, "theory_plateau"))
    assert words(figure)[:5] == ["none", "level 0", "levels 0–1", "levels 0–2", "all"]
    assert legend_of(figure) == [r"rate 15, $\gamma$ = $10^{-2}$", "seed 2021", "2 more", "theory"]


def test_modes_are_coloured_by_the_level_of_the_tree(table):
    figure = learning.loss_and_modes(table)
    left, right = figure.axes
    np.testing.assert_array_equal(lines(left)[0], values(table, "train_loss"))
    modes = values(table, "singular_value").reshape(-1, 8)
    drawn = right.lines[:8]
    for mode, line in enumerate(drawn):
        np.testing.assert_array_equal(line.get_ydata(), modes[:, mode])
    colours = [to_rgba(line.get_color()) for line in drawn]
    assert [colours.index(colour) for colour in colours] == [0, 1, 2, 2, 4, 4, 4, 4]
    np.testing.assert_array_equal(lines(right)[24 + 3], values(table, "theory_mode_strength").reshape(-1, 8)[:, 3])
    assert legend_of(figure)[2:] == [
        "level 0: 1 mode",
        "level 1: 1 mode",
        "level 2: 2 modes",
        "level 3: 4 modes",
        "theory",
    ]


def test_the_tree_joins_the_items_that_share_a_branch(table):
    figure = of_data.tree(table)
    strengths = values(table, "theory_singular_value")
    said = [
        f"level {level}: {modes},\nsingular value {strengths[first]:.0f}"
        for level, modes, first in [(0, "1 mode", 0), (1, "1 mode", 1), (2, "2 modes", 2), (3, "4 modes", 4)]
    ]
    assert words(figure)[:4] == said
    edges = {tuple(line.get_xdata()) for line in figure.axes[0].lines if line.get_linestyle() != "None"}
    assert {(3.5, 1.5), (3.5, 5.5), (1.5, 0.5), (1.5, 2.5), (0.5, 0), (0.5, 1), (6.5, 7)} <= edges
    assert len(edges) == 1 + 2 + 4 + 8


@pytest.mark.parametrize(
    ("draw", "block", "names", "feature"),
    [
        (of_data.data_shark, "shark", ["Shark", "Tuna"], "has_bones"),
        (of_data.data_parrot, "parrot", ["Goldfish", "Tuna", "Robin", "Parrot"], "cannot_speak"),
    ],
)
def test_data_are_the_last_features(table, draw, block, names, feature):
    labels, features = draw(table).axes[:2]
    np.testing.assert_array_equal(picture(labels), 2 * np.eye(8) - 1)
    np.testing.assert_array_equal(picture(features), values(table, "feature", block).reshape(8, 10))
    assert [text.get_text() for text in labels.get_yticklabels()][: len(names)] == names
    assert [text.get_text() for text in features.get_xticklabels()] == [feature]


def test_plain_data_stand_beside_the_document_s_own(table):
    axes = of_data.data(table).axes
    np.testing.assert_array_equal(picture(axes[2]), values(table, "feature").reshape(8, 10))
    # Columns 4 and 9 of `plot_tree_data`: has_trunk and can_flower.
    np.testing.assert_array_equal(picture(axes[1])[:, [4, 9]].T, [[-1] * 6 + [1] * 2, [-1] * 4 + [1, 1, -1, 1]])


@pytest.mark.parametrize(
    ("draw", "block", "label"),
    [
        (learning.illusory_shark, "shark", "prediction for Shark: has_bones"),
        (learning.illusory_parrot, "parrot", "prediction for Parrot: cannot_speak"),
    ],
)
def test_illusions_are_those_of_the_item(table, draw, block, label):
    left, right = draw(table).axes
    np.testing.assert_array_equal(lines(left)[0], values(table, "illusory_prediction", block))
    np.testing.assert_array_equal(lines(left)[-2], values(table, "theory_illusory_prediction", block))
    np.testing.assert_array_equal(lines(right)[4], values(table, "singular_value", block).reshape(-1, 8)[:, 4])
    assert left.get_ylabel() == label


def test_an_illusion_of_one_s_own_does_not_bear_the_document_s_name():
    own = {**PARROT, "data": {"draw": 2, "added_feature": [1, 1, -1, 1, 1, 1, 1, 1], "illusory_item": 2}}
    table = table_of({"parrot": [own]})
    assert learning.illusory_parrot(table).axes[0].get_ylabel() == "prediction for Robin: added feature"
    labels = [text.get_text() for text in of_data.data_parrot(table).axes[0].get_yticklabels()]
    assert labels[3] == "Canary"


def test_similarities_are_those_of_the_epochs_above_them(table):
    figure = learning.rsm_over_epochs(table)
    epochs = [int(axis.get_title().split()[1]) for axis in figure.axes[:-1] if axis.get_title()]
    simulated, theory = by_step(table, "rsm"), by_step(table, "theory_rsm")
    for column, epoch in enumerate(epochs):
        np.testing.assert_allclose(picture(figure.axes[column]), simulated[epoch] / simulated.max())
        np.testing.assert_allclose(picture(figure.axes[len(epochs) + column]), theory[epoch] / simulated.max())
    loss, plateaus = values(table, "train_loss"), values(table, "theory_plateau")
    for before, after in pairwise(plateaus):
        assert int(np.flatnonzero(loss <= before - 0.9 * (before - after))[0]) in epochs


@pytest.mark.parametrize(("slider", "shown"), [(20, 20), (61, 60)])
def test_the_slider_s_epoch_or_the_one_next_to_it_is_shown_on_two_scales(table, monkeypatch, slider, shown):
    monkeypatch.setattr(learning, "SLIDER_EPOCH", slider)
    document, own = learning.loss_modes_and_rsm(table).axes[1:3]
    similarities = by_step(table, "rsm")
    np.testing.assert_allclose(picture(document), similarities[shown] / similarities.max())
    np.testing.assert_allclose(picture(own), similarities[shown] / similarities[shown].max())


def test_zero_depth_loss_is_that_of_the_net_without_a_hidden_layer(table):
    drawn = lines(comparison.zero_depth_loss(table).axes[0])
    expected = [values(table, "train_loss", "zero_depth", seed=seed) for seed in (2021, 2022)]
    np.testing.assert_array_equal(drawn, [*expected, values(table, "theory_train_loss", "zero_depth")])


def test_weights_are_compared_with_the_regression_s(table):
    figure = comparison.weights_compared(table)
    for axis, metric, block in zip(
        figure.axes, ("least_squares_weight", "weight", "weight"), ("main", "zero_depth", "main"), strict=False
    ):
        np.testing.assert_array_equal(picture(axis), values(table, metric, block).reshape(8, 10))
    bottom = next(axis for axis in figure.axes if axis.lines)
    for line, block, seed in zip(lines(bottom), ("zero_depth", "zero_depth", "main"), (2021, 2022, 2021), strict=False):
        np.testing.assert_array_equal(line, values(table, "weight_difference", block, seed))
    assert bottom.lines[-1].get_ydata() == [TOLERANCE, TOLERANCE]
    final = max(values(table, "weight_difference", "main", seed)[-1] for seed in (2021, 2022, 2023))
    legend = [text.get_text() for part in figure.subfigs for legend in part.legends for text in legend.get_texts()]
    assert any(text.startswith(f"deep, at the end ≤ {final:.1e}\n") for text in legend)


def panel_of(figure, column, row, columns=2):
    return figure.axes[columns * row + column]


def test_losses_of_the_sliders_stand_at_their_rate_and_scale(table):
    figure = sliders.sweep_loss(table)
    assert [panel_of(figure, column, 0).get_title() for column in (0, 1)] == [r"$\gamma$ = $10^{-12}$", r"$\gamma$ = 1"]
    for metric, position in (("train_loss", 0), ("theory_train_loss", 1)):
        expected = values(table, metric, "sliders", scale=1, learning_rate=15)
        np.testing.assert_array_equal(lines(panel_of(figure, 1, 0))[position], expected)
    stopped = table.loc[(table["metric"] == "diverged") & (table["block"] == "sliders"), "step"].item()
    assert panel_of(figure, 1, 1).texts[0].get_text() == f"diverged\nat {stopped}"
    assert [text.get_text() for text in panel_of(figure, 0, 1).texts] == ["not run"]
    # Losses of 10²⁰ and more, just before they overflow, leave the scale of the others.
    assert panel_of(figure, 0, 0).get_ylim()[1] == 2


def test_modes_of_the_sliders_are_shares_of_the_data_s_largest(table):
    figure = sliders.sweep_modes(table)
    modes = values(table, "singular_value", "sliders", scale=1, learning_rate=15).reshape(-1, 8)
    largest = values(table, "data_singular_value", "sliders", scale=1, learning_rate=15).max()
    np.testing.assert_allclose(np.transpose(lines(panel_of(figure, 1, 0))), modes / largest)


def test_similarities_of_the_sliders_have_one_scale(table):
    figure = sliders.sweep_rsm(table)
    idle, learned = (by_step(table, "rsm", "sliders", scale=scale, learning_rate=15)[-1] for scale in (1e-12, 1))
    np.testing.assert_allclose(picture(panel_of(figure, 0, 0)), idle / learned.max())
    np.testing.assert_allclose(picture(panel_of(figure, 1, 0)), learned / learned.max())
    assert not panel_of(figure, 1, 1).images
    # Nothing is learned there, and nothing is to be seen.
    assert picture(panel_of(figure, 0, 0)).max() < 1e-3


def test_a_larger_scale_stands_below_the_document_s_own(table):
    figure = sliders.larger_scale(table)
    rows = [figure.axes[:7], figure.axes[7:14]]
    largest = max(by_step(table, "rsm", block).max() for block in ("main", "larger_scale"))
    for (left, *panels), block in zip(rows, ("main", "larger_scale"), strict=True):
        loss, plateaus = values(table, "train_loss", block), values(table, "theory_plateau", block)
        np.testing.assert_array_equal(lines(left)[0], loss)
        reached = [np.flatnonzero(loss <= 0.1 * high + 0.9 * low) for high, low in pairwise(plateaus)]
        wanted = [0, *(steps[0] if len(steps) else None for steps in reached), 60]
        similarities = by_step(table, "rsm", block)
        for panel, epoch in zip(panels, wanted, strict=True):
            if epoch is None:
                assert [text.get_text() for text in panel.texts] == ["not\nreached"]
            else:
                np.testing.assert_allclose(picture(panel), similarities[epoch] / largest)
                assert panel.get_title().endswith(f"epoch {epoch}")
    assert rows[1][0].get_title() == r"rate 4, $\gamma$ = 1"


def test_the_spectrum_is_that_of_all_samples(table):
    upper, lower = of_data.data_spectrum(table).axes
    samples = np.array([values(table, "data_singular_value", seed=seed) for seed in (2021, 2022, 2023)])
    theory = values(table, "theory_singular_value")
    for axis, expected in ((upper, samples), (lower, samples / theory)):
        points = np.concatenate([bars.lines[0].get_ydata() for bars in axis.containers]).astype(float)
        np.testing.assert_allclose(points, expected.mean(axis=0))
        ends = np.concatenate([np.array(bars.lines[2][0].get_segments())[:, :, 1] for bars in axis.containers])
        np.testing.assert_allclose(np.diff(ends)[:, 0] / 2, expected.std(axis=0))


def test_half_times_are_compared_seed_by_seed(table):
    upper, lower = learning.half_times(table).axes
    measured, own = (
        [values(table, metric, seed=seed) for seed in (2021, 2022, 2023)]
        for metric in ("half_time", "predicted_half_time")
    )
    shared = min(len(times) for times in measured)
    np.testing.assert_allclose(
        upper.containers[0].lines[0].get_ydata()[:shared].astype(float),
        np.mean([times[:shared] for times in measured], axis=0),
    )
    for line, found, predicted in zip(lower.lines[1:], measured, own, strict=True):
        np.testing.assert_allclose(
            np.array(line.get_ydata()[:shared], float), (found - predicted[: len(found)])[:shared], atol=1e-12
        )


# Which rows are drawn.


def test_the_document_s_setting_is_named_not_counted(table):
    main = table[(table["block"] != "main") | (table["seed"] == 2021)]
    # A sweep with more seeds and records than the document's own runs, on the same data.
    sliders = [{"learning_rate": 5, "scale": 1e-3, "seed": seed} for seed in range(3)]
    figure = learning.training_loss(pd.concat([table_of({"sliders": sliders}), main]))
    np.testing.assert_array_equal(lines(figure.axes[0])[0], values(table, "train_loss"))
    assert legend_of(figure) == [r"rate 15, $\gamma$ = $10^{-2}$", "seed 2021", "theory"]


def test_of_several_settings_a_figure_takes_the_first_and_says_so():
    runs = [{"learning_rate": rate, "depth": depth, "scale": 0.5} for rate in (15, 8) for depth in (3, 2)]
    table = table_of({"main": runs})
    figure = learning.training_loss(table)
    expected = values(table, "train_loss", learning_rate=8, depth=2)
    np.testing.assert_array_equal(lines(figure.axes[0])[0], expected)
    said = "only depth 2 (of 2, 3), learning_rate 8 (of 8, 15)"
    assert legend_of(figure)[0].split("\n") == [said, r"rate 8, $\gamma$ = 0.5"]


def test_epochs_of_learning_are_where_the_loss_has_fallen_far_enough():
    loss = pd.DataFrame({"step": range(6), "metric": "train_loss", "index": 0, "value": [1, 0.9, 0.56, 0.54, 0.3, 0.1]})
    plateaus = pd.DataFrame({"step": 0, "metric": "theory_plateau", "index": [0, 1, 2, 3], "value": [1, 0.5, 0.2, 0]})
    runs = pd.concat([loss, plateaus]).assign(seed=7)
    assert epochs_of_learning(runs, 0.9) == [3, 5, None]
    assert epochs_of_learning(runs, 0.5) == [2, 4, 5]


# What is missing is said, in words.

NEEDS = {
    of_data.data_shark: "shark",
    learning.illusory_shark: "shark",
    of_data.data_parrot: "parrot",
    learning.illusory_parrot: "parrot",
    comparison.zero_depth_loss: "zero_depth",
    sliders.sweep_loss: "sliders",
    sliders.sweep_modes: "sliders",
    sliders.sweep_rsm: "sliders",
    **dict.fromkeys(
        [
            of_data.data,
            learning.training_loss,
            learning.loss_and_modes,
            learning.loss_modes_and_rsm,
            learning.rsm_over_epochs,
            of_data.data_spectrum,
            learning.half_times,
        ],
        "main",
    ),
}


@pytest.mark.parametrize("draw", FIGURES)
def test_a_figure_without_its_block_says_so(table, draw):
    # The tree shows no run, two figures show two blocks.
    needed = NEEDS.get(draw, {comparison.weights_compared: "zero_depth"}.get(draw))
    said = " ".join(words(draw(table[table["block"] != needed]))).replace("\n", " ")
    assert ("config asks for no such runs" in said) == (draw in NEEDS)
    assert ("not run" in said) == (draw == comparison.weights_compared)


@pytest.mark.parametrize("draw", FIGURES)
def test_a_rate_that_diverges_at_once_is_told(draw):
    blocks = {block: runs[:1] for block, runs in BLOCKS.items()}
    figure = draw(table_of(blocks, scale=1e20))
    shown = " ".join(words(figure)).replace("\n", " ")
    # These show the data.
    if draw not in (
        of_data.tree,
        of_data.data,
        of_data.data_shark,
        of_data.data_parrot,
        of_data.data_spectrum,
    ):
        assert any(
            text in shown for text in ("left the finite numbers at update 0", "diverged at 0", "no mode reached")
        )


def test_a_run_that_diverges_later_is_shown_up_to_there():
    table = table_of({"main": [{"learning_rate": 100, "scale": 1}]})
    stopped = table.loc[table["metric"] == "diverged", "step"].item()
    figure = learning.training_loss(table)
    np.testing.assert_array_equal(lines(figure.axes[0])[0], values(table, "train_loss"))
    assert legend_of(figure)[1] == f"seed 2021, diverged at {stopped}"
    # What it was just before it left the finite numbers would hide all else.
    assert values(table, "train_loss").max() > 1e6
    assert figure.axes[0].get_ylim()[1] == 2


@pytest.mark.parametrize("tree", [{"levels": 2, "branches": 3}, {"levels": 4, "branches": 2}])
def test_other_trees_have_figures_of_their_own(tree):
    blocks = {block: runs[:1] for block, runs in BLOCKS.items() if block not in ("shark", "parrot")}
    table = table_of(blocks, **tree)
    items, levels = tree["branches"] ** tree["levels"], tree["levels"] + 1
    for draw in FIGURES:
        figure = draw(table)
        figure.savefig("/dev/null", format="png", dpi=20)
        if draw == of_data.tree:
            assert sum(text.startswith("level ") for text in words(figure)) == levels
            assert words(figure)[levels:][-1] == f"item {items}"
        if draw == of_data.data:
            assert "made them up for its 8 items" in " ".join(words(figure)).replace("\n", " ")
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


def test_a_net_that_learns_nothing_says_so():
    figure = learning.half_times(table_of({"main": [{"scale": 1e-12}]}))
    said = [text.replace("\n", " ") for text in words(figure)]
    assert len(said) == len(figure.axes)
    assert all("no mode reached half" in text for text in said)


def test_colours_part_levels(table):
    # In grey, too, each is lighter than the one above.
    levels = [line.get_color() for line in of_data.tree(table).axes[0].lines if line.get_marker() == "o"]
    brightness = [np.dot(to_rgba(colour)[:3], (0.299, 0.587, 0.114)) for colour in levels]
    assert np.all(np.diff(brightness) > 0.08)
    assert same_color(levels[0], learning.loss_and_modes(table).axes[1].lines[0].get_color())


def test_items_of_the_document_bear_its_names(table):
    names = ["Goldfish", "Tuna", "Robin", "Canary", "Rose", "Daisy", "Pine", "Oak"]
    labels = of_data.data(table).axes[0]
    assert [text.get_text() for text in labels.get_xticklabels()] == names
    assert [text.get_text() for text in labels.get_yticklabels()] == names


def test_made_up_features_are_the_document_s(table):
    # `im2` of `plot_tree_data`, its features in rows.
    document = "11111111 00000000 00001111 11110000 00000011 00110000 11000000 00001100 01110000 00001101"
    expected = [[1 if sign == "1" else -1 for sign in feature] for feature in document.split()]
    np.testing.assert_array_equal(picture(of_data.data(table).axes[1]).T, expected)
